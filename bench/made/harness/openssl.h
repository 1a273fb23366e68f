/* openssl.h - what the programs that measure OpenSSL share: the end after an error, and the clock.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_HARNESS_OPENSSL_H
#define HAECHI_HARNESS_OPENSSL_H

#include <openssl/err.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* If it was not done, prints what failed and OpenSSL's reasons, and ends the program with code 1. */
static void check(int done, const char *what)
{
    if (done) return;
    fprintf(stderr, "%s\n", what);
    ERR_print_errors_fp(stderr);
    exit(1);
}

/* Seconds of CPU time that this process has taken. */
static double cpu(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

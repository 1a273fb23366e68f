/* threads.c - measures haechi_ctr_threads over a large buffer with 1 to n threads, and the speed of memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * threads <bytes> <bytes a call> <most threads> <rounds> prints a line "<cipher> <threads> <bytes a second>" for each
 * cipher and number of threads.  The calls run through the whole buffer, and the fastest counts, because on a machine
 * that does other work most calls are interrupted.  The cipher "memory" reads one buffer and writes the other, as
 * counter mode does. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi_threads.h"

enum { MOST = 64, SIDES = 4 };
static double best[SIDES][MOST + 1];

static void copy(unsigned char *out, const unsigned char *in, size_t len, int threads)
{
#pragma omp parallel num_threads(threads)
    {
        const size_t piece = len / (size_t)omp_get_num_threads(), at = piece * (size_t)omp_get_thread_num();
        memcpy(out + at, in + at, piece);
    }
}

int main(int argc, char **argv)
{
    static const char *const names[SIDES] = { "memory", "LEA-128", "HIGHT", "ARIA-128" };
    haechi_cipher *const ciphers[SIDES] = { NULL, &haechi_lea128, &haechi_hight, &haechi_aria128 };
    const size_t len = argc == 5 ? strtoul(argv[1], NULL, 10) : 0, call = argc == 5 ? strtoul(argv[2], NULL, 10) : 0;
    const int most = argc == 5 ? atoi(argv[3]) : 0, rounds = argc == 5 ? atoi(argv[4]) : 0;
    unsigned char *in = malloc(len), *out = malloc(len);
    haechi_any_key k;
    haechi_stream s;

    if (in == NULL || out == NULL || call == 0 || most < 1 || most > MOST || !haechi_has_threads()) return 2;
    memset(in, 1, len);
    memset(out, 2, len);
    for (int round = 0; round < rounds; round++) {
        for (int side = 0; side < SIDES; side++) {
            if (side) haechi_init(&k.key, sizeof k, ciphers[side], "0123456789abcdef", 16);
            for (int threads = 1; threads <= most; threads++) {
                memset(&s, 0, sizeof s);
                for (size_t at = 0; at + call <= len; at += call) {
                    double seconds = -omp_get_wtime();
                    if (side == 0) copy(out + at, in + at, call, threads);
                    else if (haechi_ctr_threads(&k.key, &s, out + at, in + at, call, threads)) return 1;
                    seconds += omp_get_wtime();
                    if ((double)call / seconds > best[side][threads]) best[side][threads] = (double)call / seconds;
                }
            }
        }
    }
    for (int side = 0; side < SIDES; side++)
        for (int threads = 1; threads <= most; threads++)
            printf("%s %d %.0f\n", names[side], threads, best[side][threads]);
    free(in);
    free(out);
    return 0;
}

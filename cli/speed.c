/* speed.c - haechi speed: every kernel that this machine can run, in counter mode, and what files cost.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The best of several spells, so that what else the machine does counts little. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "format.h"
#include "kernels.h"

enum { BYTES = 65536, SPELLS = 5, WIDTH = 40, LINES_MOST = 96 };

struct line {
    char label[64];
    double rate; /* MB/s */
};

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint8_t buffer[BYTES];

static void counter_mode(void *key)
{
    haechi_stream s = { { 0 }, { 0 }, 0 };
    (void)haechi_ctr((const haechi_key *)key, &s, buffer, buffer, BYTES);
}

static void chunk(void *key)
{
    static const uint8_t nonce[12];
    uint8_t tag[16];
    (void)haechi_seal((const haechi_aead *)key, nonce, 12, NULL, 0, buffer, buffer, BYTES, tag, 8);
}

static double rate(void (*work)(void *), void *key, double seconds)
{
    double best = 0;

    work(key);
    for (int spell = 0; spell < SPELLS; spell++) {
        const double start = now();
        double elapsed, done = 0;
        do {
            work(key);
            done += BYTES;
            elapsed = now() - start;
        } while (elapsed < seconds / SPELLS);
        if (done / elapsed > best) best = done / elapsed;
    }
    return best * 1e-6;
}

int command_speed(int argc, char **argv)
{
    static const uint8_t key[32] = { 1 };
    static struct line lines[LINES_MOST];
    static const struct option options[] = { { "time", required_argument, NULL, 't' }, { NULL, 0, NULL, 0 } };
    double seconds = 0.2, most = 0;
    size_t n = 0;
    int option;

    while ((option = getopt_long(argc, argv, "t:", options, NULL)) != -1) {
        if (option != 't') return USAGE;
        seconds = 1e-3 * (double)read_number(optarg, "--time", 0, 60000);
    }
    for (int i = optind; i < argc; i++) {
        int known = 0;
        for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
            known |= cipher_matches(c, argv[i]);
        if (!known) die(USAGE, 0, "there is no cipher %s: see haechi ciphers", argv[i]);
    }

    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++) {
        haechi_any_key k;
        haechi_any_aead a;
        int wanted = argc == optind;

        for (int i = optind; i < argc; i++) wanted |= cipher_matches(c, argv[i]);
        if (!wanted) continue;
        for (const struct kernel *kernel = kernels_of(c); kernel->name != NULL; kernel++, n++) {
            kernel_init(&k, kernel->forward, key);
            (void)snprintf(lines[n].label, sizeof lines[n].label, "%-8s CTR  %s", c->name, kernel->name);
            lines[n].rate = rate(counter_mode, &k, seconds);
        }
        if (haechi_aead_init(&a.aead, sizeof a, file_mode(c), c->forward, key, c->key))
            die(SYSTEM, 0, "%s", c->name);
        (void)snprintf(lines[n].label, sizeof lines[n].label, "%-8s %s  files, a thread", c->name,
                       file_mode_name(c));
        lines[n++].rate = rate(chunk, &a, seconds);
    }
    for (size_t i = 0; i < n; i++)
        if (lines[i].rate > most) most = lines[i].rate;
    for (size_t i = 0; i < n; i++) {
        char bar[WIDTH + 1];
        const int length = (int)(lines[i].rate / most * WIDTH + 0.5);
        memset(bar, '#', WIDTH);
        bar[length] = 0;
        (void)printf("%-36s %8.0f MB/s  %s\n", lines[i].label, lines[i].rate, bar);
    }
    if (fflush(stdout)) die(SYSTEM, errno, "standard output");
    return DONE;
}

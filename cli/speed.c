/* speed.c - haechi speed: measures every kernel that this machine can run, in counter mode, and the mode of files.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each figure is the best of several measurements, so that other programs on the machine have little influence. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <haechi_jobs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"
#include "kernels.h"

enum { BYTES = 65536, SPELLS = 5, BAR = 31, LINES_MOST = 96 };

struct line {
    const struct cipher *cipher;
    const char *what;
    double rate; /* MB/s */
};

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

/* As many messages as a thread takes chunks of a file with HIGHT.  They are shorter, so that the buffer holds them. */
static void side_by_side(void *key)
{
    static const uint8_t nonce[12];
    uint8_t tags[SIDE_BY_SIDE][8];
    haechi_job jobs[SIDE_BY_SIDE];

    memset(jobs, 0, sizeof jobs);
    for (size_t i = 0; i < SIDE_BY_SIDE; i++) {
        jobs[i].key = key;
        jobs[i].nonce = nonce, jobs[i].noncelen = sizeof nonce;
        jobs[i].in = jobs[i].out = buffer + i * (BYTES / SIDE_BY_SIDE), jobs[i].len = BYTES / SIDE_BY_SIDE;
        jobs[i].tag = tags[i], jobs[i].taglen = sizeof tags[i];
    }
    (void)haechi_seal_jobs(&haechi_eax, &haechi_hight, jobs, sizeof *jobs, SIDE_BY_SIDE);
}

/* Returns MB/s of work that processes BYTES bytes, measured for so many seconds in all. */
static double rate(void (*work)(void *), void *key, double seconds)
{
    double best = 0;

    work(key);
    for (int spell = 0; spell < SPELLS; spell++) {
        const double start = now();
        double elapsed, done = 0;
        do {
            work(key);
            done += (double)BYTES;
            elapsed = now() - start;
        } while (elapsed < seconds / (double)SPELLS);
        if (done / elapsed > best) best = done / elapsed;
    }
    return best * 1e-6;
}

/* For qsort: the fastest first. */
static int slower(const void *a, const void *b)
{
    const double x = ((const struct line *)a)->rate, y = ((const struct line *)b)->rate;
    return (x < y) - (x > y);
}

static int is_wanted(const struct cipher *c, int argc, char **argv)
{
    int wanted = argc == optind;
    for (int i = optind; i < argc; i++) wanted |= cipher_matches(c, argv[i]);
    return wanted;
}

/* Measures all kernels of a cipher and the mode of its files; returns the number of lines that it has filled. */
static size_t measure(const struct cipher *c, struct line *line, double seconds)
{
    static uint8_t key[32] = { 1 };
    haechi_any_key k;
    haechi_any_aead a;
    size_t n = 0;

    for (const struct kernel *kernel = kernels_of(c); kernel->name != NULL; kernel++) {
        kernel_init(&k, kernel->forward, key);
        line[n++] = (struct line){ c, kernel->name, rate(counter_mode, &k, seconds) };
    }
    qsort(line, n, sizeof *line, slower);
    if (haechi_aead_init(&a.aead, sizeof a, file_mode(c), c->forward, key, c->key))
        die(SYSTEM, 0, "%s does not work: run haechi self-test.", c->name);
    if (c->block == 16) line[n++] = (struct line){ c, "files (GCM)", rate(chunk, &a, seconds) };
    else line[n++] = (struct line){ c, "files (EAX)", rate(side_by_side, key, seconds) };
    return n;
}

int command_speed(int argc, char **argv)
{
    static struct line lines[LINES_MOST];
    double seconds = 0.2, most = 0;
    size_t n = 0;

    while (next_option(argc, argv) != -1) seconds = 1e-3 * (double)read_number(optarg, "--time", 0, 60000);
    for (int i = optind; i < argc; i++) (void)cipher_strongest(argv[i]); /* ends the program if there is none */
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        if (is_wanted(c, argc, argv)) n += measure(c, lines + n, seconds);

    for (size_t i = 0; i < n; i++)
        if (lines[i].rate > most) most = lines[i].rate;
    (void)printf("%-9s %-28s %8s\n", "cipher", "kernel in CTR; mode of files", "MB/s");
    for (const struct line *l = lines; l < lines + n; l++) {
        char bar[BAR + 1];
        memset(bar, '#', BAR);
        bar[(int)(l->rate / most * (double)BAR + 0.5)] = 0;
        (void)printf("%-9s %-28s %8.0f%s%s\n", l->cipher->name, l->what, l->rate, *bar ? "  " : "", bar);
    }
    if (fflush(stdout)) die(SYSTEM, errno, "standard output cannot be written");
    return DONE;
}

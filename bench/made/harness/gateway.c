/* gateway.c - measures many short messages, each under a raw key of its own: one call for all, and a call for each.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * gateway <rounds> <microseconds> prints a line "<cipher> <kernel> <mode> <bytes> <jobs> <ns many> <ns one> <GHz>" for each:
 * CPU time for a message, and core cycles per nanosecond, or 0 where these cannot be counted.  In a round all of them take turns, so that
 * other work of the machine, which only adds time, spoils some samples of all instead of all samples of some.  Times are lower
 * quartiles of the rounds.  A way is repeated until it has taken so many microseconds.  Filling the array of jobs counts.  One by
 * one, a key is expanded into one object, which is wiped in the end.  All is measured with each kernel that the library takes when
 * it may use all of the CPU, no AVX-512, and neither AVX-512 nor GFNI. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "haechi_cpu.h"
#include "haechi_jobs.h"

enum { MOST = 256, BYTES = 256, ROUNDS = 999, TASKS = 3 * 3 * 5 * 15 };
enum { MESSAGES = 1024 }; /* from one reading of the clock to the next: a reading takes as long as some messages */

static unsigned char keys[MOST][16], nonces[MOST][16], in[MOST][BYTES], out[MOST][BYTES], tags[MOST][16];
static haechi_job sealed[MOST];
static haechi_ctr_job counted[MOST];
static haechi_cmac_job marked[MOST];
static haechi_any_aead room;

static const struct {
    const char *name;
    haechi_cipher *cipher;
    size_t block;
} ciphers[] = { { "LEA-128", &haechi_lea128, 16 }, { "HIGHT", &haechi_hight, 8 }, { "ARIA-128", &haechi_aria128, 16 } };
static const struct {
    const char *name;
    haechi_mode *mode; /* NULL for the first two */
} modes[] = { { "ctr", NULL }, { "cmac", NULL }, { "gcm", &haechi_gcm }, { "ccm", &haechi_ccm }, { "eax", &haechi_eax } };

static const uint32_t limits[] = { UINT32_MAX, UINT32_MAX - HAECHI_AVX512, UINT32_MAX - HAECHI_AVX512 - HAECHI_GFNI };

/* The kernel that the library takes for a cipher under the l-th limit, which is then in force. */
static const char *kernel_of(int c, int l)
{
    haechi_key *const k = (haechi_key *)(void *)&room;

    haechi_features_limit(limits[l]);
    return haechi_init(k, sizeof room, ciphers[c].cipher, keys, sizeof *keys) ? "" : haechi_kernel_name(k);
}

static int many(int c, int m, size_t bytes, size_t n)
{
    if (m == 0) {
        for (size_t i = 0; i < n; i++) counted[i] = (haechi_ctr_job){ keys[i], NULL, nonces[i], in[i], out[i], bytes, 0 };
        return haechi_ctr_jobs(ciphers[c].cipher, counted, sizeof *counted, n);
    }
    if (m == 1) {
        for (size_t i = 0; i < n; i++) marked[i] = (haechi_cmac_job){ keys[i], NULL, in[i], tags[i], bytes, ciphers[c].block, 0 };
        return haechi_cmac_jobs(ciphers[c].cipher, marked, sizeof *marked, n);
    }
    for (size_t i = 0; i < n; i++)
        sealed[i] = (haechi_job){ keys[i], NULL, nonces[i], NULL, in[i], out[i], tags[i], 12, 0, bytes, ciphers[c].block, 0 };
    return haechi_seal_jobs(modes[m].mode, ciphers[c].cipher, sealed, sizeof *sealed, n);
}

static int one_by_one(int c, int m, size_t bytes, size_t n)
{
    haechi_key *const k = (haechi_key *)(void *)&room;
    int error = 0;

    for (size_t i = 0; i < n && !error; i++) {
        if (m < 2) error = haechi_init(k, sizeof room, ciphers[c].cipher, keys[i], sizeof *keys);
        else error = haechi_aead_init(&room.aead, sizeof room, modes[m].mode, ciphers[c].cipher, keys[i], sizeof *keys);
        if (error) break;
        if (m == 0) {
            haechi_stream s = { { 0 }, { 0 }, 0 };
            for (size_t j = 0; j < ciphers[c].block; j++) s.iv[j] = nonces[i][j];
            error = haechi_ctr(k, &s, out[i], in[i], bytes);
        } else if (m == 1) {
            haechi_cmac s = { { 0 }, 0 };
            error = haechi_cmac_update(k, &s, in[i], bytes);
            if (!error) error = haechi_cmac_tag(k, &s, tags[i], ciphers[c].block);
        } else {
            error = haechi_seal(&room.aead, nonces[i], 12, NULL, 0, out[i], in[i], bytes, tags[i], ciphers[c].block);
        }
    }
    haechi_wipe(&room, sizeof room);
    return error;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int in_order(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* Core cycles per nanosecond at this moment, from dependent multiplications, each of which takes 3 cycles on every x86-64 core
 * since 2008. */
static double cycles_per_ns(void)
{
#if defined(__x86_64__)
    uint64_t x = 3;
    const double start = now();
    for (int i = 0; i < 2000; i++) __asm__ volatile(".rept 10\n imul %0, %0\n .endr" : "+r"(x));
    return 60000 / (now() - start);
#else
    return 0;
#endif
}

static struct task {
    int c, l, m;
    size_t bytes, n;
    const char *kernel;
    double took[2][ROUNDS], rate[ROUNDS]; /* in one call and one by one */
} tasks[TASKS];

/* Measures both ways once. */
static int measure(struct task *t, int round, double least)
{
    static int (*const ways[2])(int, int, size_t, size_t) = { many, one_by_one };

    haechi_features_limit(limits[t->l]);
    for (int way = 0; way < 2; way++) {
        double times = 0;
        if (ways[way](t->c, t->m, t->bytes, t->n)) return 1; /* loads code and data into the caches again */
        const double start = now();
        do {
            for (size_t i = 0; i < MESSAGES; i += t->n, times++)
                if (ways[way](t->c, t->m, t->bytes, t->n)) return 1;
        } while (now() < start + least);
        t->took[way][round] = (now() - start) / times / (double)t->n;
    }
    t->rate[round] = cycles_per_ns();
    return 0;
}

static double quantile(double *values, int n, int quarter)
{
    qsort(values, (size_t)n, sizeof *values, in_order);
    return values[n * quarter / 4];
}

int main(int argc, char **argv)
{
    static const size_t lengths[] = { 16, 64, 256 }, numbers[] = { 1, 4, 16, 64, 256 };
    const int rounds = argc == 3 ? atoi(argv[1]) : 0;
    const double least = argc == 3 ? atof(argv[2]) * 1000 : 0;
    struct task *end = tasks;

    if (rounds < 1 || rounds > ROUNDS || least <= 0) return 2;
    for (size_t i = 0; i < MOST; i++)
        for (size_t j = 0; j < 16; j++) keys[i][j] = (unsigned char)(i * 7 + j * 31), nonces[i][j] = (unsigned char)(i + j * 11);
    for (int c = 0; c < 3; c++) {
        const char *kernel = "";
        for (int l = 0; l < 3; l++) {
            const char *const before = kernel;
            kernel = kernel_of(c, l);
            if (strcmp(kernel, before) == 0) continue;
            for (int m = 0; m < 5; m++) {
                if (ciphers[c].block == 8 && modes[m].mode != NULL && modes[m].mode != &haechi_eax) continue;
                for (int i = 0; i < 15; i++, end++)
                    end->c = c, end->l = l, end->m = m, end->bytes = lengths[i / 5], end->n = numbers[i % 5], end->kernel = kernel;
            }
        }
    }
    for (int round = 0; round < rounds; round++)
        for (struct task *t = tasks; t < end; t++)
            if (measure(t, round, least)) return 1;
    for (struct task *t = tasks; t < end; t++) {
        printf("%s %s %s %zu %zu", ciphers[t->c].name, t->kernel, modes[t->m].name, t->bytes, t->n);
        printf(" %.1f %.1f %.2f\n", quantile(t->took[0], rounds, 1), quantile(t->took[1], rounds, 1), quantile(t->rate, rounds, 2));
    }
    return 0;
}

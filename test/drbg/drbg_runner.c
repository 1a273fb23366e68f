/* drbg_runner.c - runs the calls of a generator that standard input lists, for builds that Python cannot load.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A line is init kind flags entropy nonce person, or reseed entropy add, or read add out, in hexadecimal, with - for an
 * empty string.  Prints "N ok" for N reads, or the read that went wrong, and then exits with 1.
 *
 * -DTAINT: under valgrind all inputs count as undefined, so that a branch or address that depends on them is an error.
 * -DRESIDUE: a read runs on a stack of its own, on which no eight consecutive bytes of the earlier state or of its
 * round keys may remain.
 * -DPLANT_BRANCH, -DPLANT_COPY: plant faults that the two checks above must find. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi.h"
#include "taint.h"

#define MOST 2048 /* bytes of an input or output */

struct bytes {
    size_t n;
    uint8_t *b; /* allocated with its exact size, so that sanitizers notice an access beyond it */
};

static haechi_drbg generator;
static struct bytes in[3], wanted;

static haechi_drbg_kind *by_name(const char *name)
{
#define KIND(k)                                                                                              \
    if (!strcmp(name, #k)) return &haechi_drbg_##k;
    KIND(lea128) KIND(lea192) KIND(lea256) KIND(hight) KIND(aria128) KIND(aria192) KIND(aria256)
    exit(2);
}

static void parse(struct bytes *x, const char *hex)
{
    unsigned byte;
    free(x->b);
    x->b = (uint8_t *)malloc(strlen(hex) / 2 + 1);
    if (!x->b) exit(2);
    for (x->n = 0; sscanf(hex, "%2x", &byte) == 1; hex += 2) x->b[x->n++] = (uint8_t)byte;
    x->b = (uint8_t *)realloc(x->b, x->n ? x->n : 1);
}

__attribute__((__noinline__)) static void *read_once(void *out)
{
#ifdef PLANT_COPY
    volatile uint8_t copy[16];
    for (int i = 0; i < 16; i++) copy[i] = generator.state[i];
#endif
    if (haechi_drbg_read(&generator, out, wanted.n, in[0].b, in[0].n)) abort();
    return out;
}

#ifdef RESIDUE
static uint8_t stack[1 << 17] __attribute__((__aligned__(4096)));

/* Below the part of the stack that ending a thread uses again. */
static void *deep(void *out)
{
    volatile uint8_t far[16384];
    far[0] = 0;
    return read_once(out) == out && far[0] == 0 ? out : NULL;
}

static void look_for(const char *what, const uint8_t *secret, size_t n)
{
    for (size_t i = 0; i + 8 <= n; i += 4)
        for (size_t at = 0; at + 8 <= sizeof stack; at++)
            if (stack[at] == secret[i] && !memcmp(stack + at, secret + i, 8)) {
                fprintf(stderr, "byte %zu of the %s before is left on the stack\n", i, what);
                exit(1);
            }
}

static void read_and_look(uint8_t *out)
{
    static const struct {
        haechi_drbg_kind *kind;
        haechi_cipher *cipher;
        size_t key, size, rounds;
    } kinds[] = { { &haechi_drbg_lea128, &haechi_lea128, 16, 32, 384 },
                  { &haechi_drbg_lea192, &haechi_lea192, 24, 40, 672 },
                  { &haechi_drbg_lea256, &haechi_lea256, 32, 48, 768 },
                  { &haechi_drbg_hight, &haechi_hight, 16, 24, 136 },
                  { &haechi_drbg_aria128, &haechi_aria128, 16, 32, 208 },
                  { &haechi_drbg_aria192, &haechi_aria192, 24, 40, 240 },
                  { &haechi_drbg_aria256, &haechi_aria256, 32, 48, 272 } };
    static haechi_any_key expanded;
    static uint8_t before[48];
    pthread_attr_t attributes;
    pthread_t thread;
    size_t i = 0;

    while (kinds[i].kind != generator.kind) i++;
    memcpy(before, generator.state, sizeof before);
    if (haechi_init(&expanded.key, sizeof expanded, kinds[i].cipher, before, kinds[i].key)) abort();
    memset(stack, 0, sizeof stack);
    pthread_attr_init(&attributes);
    if (pthread_attr_setstack(&attributes, stack, sizeof stack)) abort();
    if (pthread_create(&thread, &attributes, deep, out)) abort();
    pthread_join(thread, NULL);
    look_for("state", before, kinds[i].size);
    look_for("round keys", (const uint8_t *)&expanded + sizeof expanded.key, kinds[i].rounds);
}
#else
static void read_and_look(uint8_t *out)
{
    read_once(out);
}
#endif

int main(void)
{
    static char line[8 * MOST], word[16], kind[16], a[2 * MOST + 2], b[2 * MOST + 2], c[2 * MOST + 2];
    unsigned flags, reads = 0;

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "init %15s %u %4097s %4097s %4097s", kind, &flags, a, b, c) == 5) {
            parse(&in[0], a), parse(&in[1], b), parse(&in[2], c);
            for (int i = 0; i < 3; i++) SECRET(in[i].b, in[i].n);
            if (haechi_drbg_init(&generator, by_name(kind), flags, in[0].b, in[0].n, in[1].b, in[1].n,
                                 in[2].b, in[2].n))
                abort();
        } else if (sscanf(line, "%15s %4097s %4097s", word, a, b) == 3 && !strcmp(word, "reseed")) {
            parse(&in[0], a), parse(&in[1], b);
            for (int i = 0; i < 2; i++) SECRET(in[i].b, in[i].n);
            if (haechi_drbg_reseed(&generator, in[0].b, in[0].n, in[1].b, in[1].n)) abort();
        } else if (!strcmp(word, "read")) {
            uint8_t *out;
            parse(&in[0], a), parse(&wanted, b);
            SECRET(in[0].b, in[0].n);
            out = (uint8_t *)malloc(wanted.n ? wanted.n : 1);
            if (!out) return 2;
            read_and_look(out);
#ifdef PLANT_BRANCH
            if (generator.state[0] & 1) fputs("odd\n", stderr);
#endif
            PUBLIC(out, wanted.n);
            if (memcmp(out, wanted.b, wanted.n)) {
                fprintf(stderr, "wrong: %.60s\n", line);
                return 1;
            }
            free(out);
            reads++;
        } else {
            fprintf(stderr, "what is %.60s\n", line);
            return 2;
        }
    }
    printf("%u ok\n", reads);
    free(wanted.b);
    for (int i = 0; i < 3; i++) free(in[i].b);
    return 0;
}

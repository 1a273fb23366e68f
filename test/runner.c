/* runner.c - runs cases from standard input through the public API, for builds that Python cannot load:
 * sanitizers, valgrind, other byte orders.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A case is a line: cipher (lea128 ... aria256_inv), ecb or ctr, key, iv, in, out; hexadecimal, - for nothing.
 * Each goes apart and in place, at odd addresses, counter mode also in pieces.  Prints "N ok" or the case that
 * failed, and then exits with 1.
 *
 * -DTHREADS: several threads run all cases at once, over keys that they share.
 * -DTAINT: under valgrind, key, iv and input count as undefined, so that a branch or address that depends on
 * them is an error.
 * -DPLANT_OVERFLOW, -DPLANT_SHIFT, -DPLANT_RACE, -DPLANT_BRANCH: faults that the tool in question must find. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi.h"

#ifdef THREADS
#include <pthread.h>
#endif
#ifdef TAINT
#include <valgrind/memcheck.h>
#define SECRET(p, n) VALGRIND_MAKE_MEM_UNDEFINED(p, n)
#define PUBLIC(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#else
#define SECRET(p, n) (void)(p)
#define PUBLIC(p, n) (void)(p)
#endif

#define MOST 2048 /* bytes of a message */

struct bytes {
    size_t n;
    uint8_t b[MOST];
};

struct test {
    char cipher[16], mode[4];
    struct bytes key, iv, in, out;
    haechi_any_key k;
    struct test *next;
};

static haechi_cipher *by_name(const char *name)
{
#define CIPHER(c)                                                                                            \
    if (!strcmp(name, #c)) return &haechi_##c;
    CIPHER(lea128) CIPHER(lea192) CIPHER(lea256) CIPHER(lea128_inv) CIPHER(lea192_inv) CIPHER(lea256_inv)
    CIPHER(hight) CIPHER(hight_inv)
    CIPHER(aria128) CIPHER(aria192) CIPHER(aria256) CIPHER(aria128_inv) CIPHER(aria192_inv) CIPHER(aria256_inv)
    fprintf(stderr, "no cipher %s\n", name);
    exit(2);
}

static void parse(struct bytes *x, const char *hex)
{
    unsigned byte;
    x->n = 0;
    for (; sscanf(hex, "%2x", &byte) == 1; hex += 2) x->b[x->n++] = (uint8_t)byte;
}

#ifdef PLANT_RACE
static unsigned raced;
#endif

static void run_pieces(struct test *t, uint8_t *out, const uint8_t *in, size_t piece)
{
    haechi_stream s = { { 0 }, { 0 }, 0 };
    memcpy(s.iv, t->iv.b, t->iv.n);
    SECRET(s.iv, sizeof s.iv);
    for (size_t at = 0; at < t->in.n;) {
        const size_t n = t->in.n - at < piece ? t->in.n - at : piece;
        if (haechi_ctr(&t->k.key, &s, out + at, in + at, n)) abort();
        at += n;
    }
}

/* One way of running the case: buffers at offset, apart or in place, in pieces of so many bytes (0: whole). */
static int run(struct test *t, size_t offset, int apart, size_t piece)
{
    uint8_t source[MOST + 16], target[MOST + 16], *in = source + offset, *out = apart ? target + 15 - offset : in;
    int same;

    memcpy(in, t->in.b, t->in.n);
    SECRET(in, t->in.n);
    if (!strcmp(t->mode, "ecb")) {
        if (haechi_ecb(&t->k.key, out, in, t->in.n)) abort();
    } else {
        run_pieces(t, out, in, piece ? piece : MOST);
    }
#ifdef PLANT_OVERFLOW
    ((volatile uint8_t *)t)[sizeof *t] = 1;
#endif
#ifdef PLANT_SHIFT
    { volatile int n = 32 + (int)offset; out[0] ^= (uint8_t)(1 << n); }
#endif
#ifdef PLANT_RACE
    raced++;
#endif
#ifdef PLANT_BRANCH
    if (out[0] & 1) fputs("odd\n", stderr);
#endif
    PUBLIC(out, t->in.n);
    same = !memcmp(out, t->out.b, t->out.n);
    if (!same) fprintf(stderr, "wrong: %s %s, %zu bytes, offset %zu\n", t->cipher, t->mode, t->in.n, offset);
    return same;
}

static void *run_all(void *tests)
{
    static const size_t pieces[] = { 0, 1, 7, 8, 17, 131 };
    for (struct test *t = (struct test *)tests; t; t = t->next) {
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            if (!strcmp(t->mode, "ecb") && i > 1) break;
            if (!run(t, i, i & 1, pieces[i])) return NULL;
        }
    }
    return tests;
}

#ifdef THREADS
/* For its races alone: the first haechi_init asks for the CPU's features. */
static void *init_all(void *tests)
{
    haechi_any_key k;
    for (struct test *t = (struct test *)tests; t; t = t->next)
        if (haechi_init(&k.key, sizeof k, by_name(t->cipher), t->key.b, t->key.n)) abort();
    return NULL;
}
#endif

int main(void)
{
    static char line[4 * MOST + 256], key[128], iv[64], in[2 * MOST + 2], out[2 * MOST + 2];
    struct test *first = NULL, **last = &first;
    size_t count = 0;

    while (fgets(line, sizeof line, stdin)) {
        struct test *t = (struct test *)calloc(1, sizeof *t);
        if (!t || sscanf(line, "%15s %3s %127s %63s %4097s %4097s", t->cipher, t->mode, key, iv, in, out) != 6) {
            fprintf(stderr, "bad case: %.60s\n", line);
            return 2;
        }
        parse(&t->key, key), parse(&t->iv, iv), parse(&t->in, in), parse(&t->out, out);
        SECRET(t->key.b, t->key.n);
        *last = t, last = &t->next;
        count++;
    }
#ifdef THREADS
    pthread_t threads[4];
    void *fine[4];
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, init_all, first);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
#endif
    for (struct test *t = first; t; t = t->next)
        if (haechi_init(&t->k.key, sizeof t->k, by_name(t->cipher), t->key.b, t->key.n)) abort();
#ifdef THREADS
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, run_all, first);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], &fine[i]);
    for (int i = 0; i < 4; i++)
        if (first && !fine[i]) return 1;
#else
    if (first && !run_all(first)) return 1;
#endif
    printf("%zu ok\n", count);
    while (first) {
        struct test *t = first;
        first = t->next;
        free(t);
    }
    return 0;
}

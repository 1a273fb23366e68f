/* runner.c - runs cases from standard input through the public API, for builds that Python cannot load:
 * sanitizers, valgrind, other byte orders.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A case is a line: cipher (lea128 ... aria256_inv), mode, key, iv, in, out, aad, tag, in hexadecimal, with - for an
 * empty string.  The modes are ecb ctr cbc ofb cfb cfb8 xts cmac gcm ccm eax; an inverse cipher decrypts, and so do
 * cfb_d and cfb8_d.  Each case runs apart and in place, at odd addresses, and counter mode in pieces too.  Sealed
 * messages are opened again.
 * Prints "N ok" or the case that failed, and then exits with 1.
 *
 * -DTHREADS: several threads run all cases at once, over keys that they share.
 * -DTAINT: under valgrind, key, iv and input count as undefined, so that a branch or address that depends on
 * them is an error.
 * -DPLANT_OVERFLOW, -DPLANT_SHIFT, -DPLANT_RACE, -DPLANT_BRANCH: plant a fault that the tool of the test must find. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi.h"
#include "taint.h"

#ifdef THREADS
#include <pthread.h>
#endif

#define MOST 2048 /* bytes of a message */

struct bytes {
    size_t n;
    uint8_t b[MOST];
};

struct test {
    char cipher[16], mode[8];
    struct bytes key, iv, in, out, aad, tag;
    haechi_any_key k;
    haechi_any_xts xts;
    haechi_any_aead aead;
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

static haechi_mode *mode_by_name(const char *name)
{
    return !strcmp(name, "gcm") ? &haechi_gcm : !strcmp(name, "ccm") ? &haechi_ccm : !strcmp(name, "eax") ? &haechi_eax : NULL;
}

static int init(struct test *t)
{
    haechi_cipher *const c = by_name(t->cipher);
    char forward[16];

    if (mode_by_name(t->mode))
        return haechi_aead_init(&t->aead.aead, sizeof t->aead, mode_by_name(t->mode), c, t->key.b, t->key.n);
    if (strcmp(t->mode, "xts")) return haechi_init(&t->k.key, sizeof t->k, c, t->key.b, t->key.n);
    PUBLIC(t->key.b, t->key.n); /* haechi_xts_init may reveal whether the halves are equal */
    strcpy(forward, t->cipher);
    if (strchr(forward, '_')) *strchr(forward, '_') = 0;
    return haechi_xts_init(&t->xts.xts, sizeof t->xts, c, by_name(forward), t->key.b, t->key.n);
}

/* Runs a whole message in a mode other than ECB and CTR; returns 0 if the result is right. */
static int run_mode(struct test *t, uint8_t *out, const uint8_t *in)
{
    const int inverse = strchr(t->cipher, '_') != NULL;
    const size_t n = t->in.n;
    haechi_stream s = { { 0 }, { 0 }, 0 };
    uint8_t tag[16];

    memcpy(s.iv, t->iv.b, t->iv.n < 16 ? t->iv.n : 16);
    SECRET(s.iv, sizeof s.iv);
    if (!strcmp(t->mode, "cbc"))
        return (inverse ? haechi_cbc_decrypt : haechi_cbc_encrypt)(&t->k.key, s.iv, out, in, n);
    if (!strcmp(t->mode, "ofb")) return haechi_ofb(&t->k.key, &s, out, in, n);
    if (!strcmp(t->mode, "cfb")) return haechi_cfb_encrypt(&t->k.key, &s, out, in, n);
    if (!strcmp(t->mode, "cfb_d")) return haechi_cfb_decrypt(&t->k.key, &s, out, in, n);
    if (!strcmp(t->mode, "cfb8")) return haechi_cfb8_encrypt(&t->k.key, s.iv, out, in, n);
    if (!strcmp(t->mode, "cfb8_d")) return haechi_cfb8_decrypt(&t->k.key, s.iv, out, in, n);
    if (!strcmp(t->mode, "xts"))
        return (inverse ? haechi_xts_decrypt : haechi_xts_encrypt)(&t->xts.xts, s.iv, out, in, n);
    if (!strcmp(t->mode, "cmac")) { /* the tag is the output */
        haechi_cmac c = { { 0 }, 0 };
        haechi_cmac_subkey l;
        uint8_t once[16];
        if (haechi_cmac_derive(&t->k.key, &l) || haechi_cmac_message(&t->k.key, &l, in, n, once, t->out.n)) return -1;
        if (haechi_cmac_update(&t->k.key, &c, in, n) || haechi_cmac_tag(&t->k.key, &c, out, t->out.n)) return -1;
        PUBLIC(once, sizeof once);
        return memcmp(once, t->out.b, t->out.n);
    }
    if (!mode_by_name(t->mode)) return -1;
    SECRET(t->iv.b, t->iv.n);
    SECRET(t->aad.b, t->aad.n);
    if (haechi_seal(&t->aead.aead, t->iv.b, t->iv.n, t->aad.b, t->aad.n, out, in, n, tag, t->tag.n)) return -1;
    PUBLIC(tag, sizeof tag);
    if (memcmp(tag, t->tag.b, t->tag.n)) return -1;
#ifndef TAINT /* haechi_open may reveal whether a tag is right */
    if (haechi_open(&t->aead.aead, t->iv.b, t->iv.n, t->aad.b, t->aad.n, out, out, n, tag, t->tag.n)) return -1;
    if (haechi_seal(&t->aead.aead, t->iv.b, t->iv.n, t->aad.b, t->aad.n, out, out, n, tag, t->tag.n)) return -1;
#endif
    return 0;
}

/* Runs the case in one way: with buffers at offset, apart or in place, in pieces of so many bytes (0: as a whole). */
static int run(struct test *t, size_t offset, int apart, size_t piece)
{
    uint8_t source[MOST + 16], target[MOST + 16], *in = source + offset, *out = apart ? target + 15 - offset : in;
    int same;

    memcpy(in, t->in.b, t->in.n);
    SECRET(in, t->in.n);
    if (!strcmp(t->mode, "ecb")) {
        if (haechi_ecb(&t->k.key, out, in, t->in.n)) abort();
    } else if (!strcmp(t->mode, "ctr")) {
        run_pieces(t, out, in, piece ? piece : MOST);
    } else if (run_mode(t, out, in)) {
        fprintf(stderr, "refused: %s %s, %zu bytes\n", t->cipher, t->mode, t->in.n);
        return 0;
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
    PUBLIC(out, t->out.n);
    same = !memcmp(out, t->out.b, t->out.n);
    if (!same) fprintf(stderr, "wrong: %s %s, %zu bytes, offset %zu\n", t->cipher, t->mode, t->in.n, offset);
    return same;
}

static void *run_all(void *tests)
{
    static const size_t pieces[] = { 0, 1, 7, 8, 17, 131 };
    for (struct test *t = (struct test *)tests; t; t = t->next) {
        for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
            if (strcmp(t->mode, "ctr") && i > 1) break;
            if (!run(t, i, i & 1, pieces[i])) return NULL;
        }
    }
    return tests;
}

#ifdef THREADS
/* Looks for data races only: the first haechi_init asks for the CPU's features. */
static void *init_all(void *tests)
{
    for (struct test *t = (struct test *)tests; t; t = t->next) {
        struct test mine = *t;
        if (init(&mine)) abort();
    }
    return NULL;
}
#endif

int main(void)
{
    static char line[4 * MOST + 2048], key[129], iv[131], in[2 * MOST + 2], out[2 * MOST + 2], aad[1026], tag[33];
    struct test *first = NULL, **last = &first;
    size_t count = 0;

    while (fgets(line, sizeof line, stdin)) {
        struct test *t = (struct test *)calloc(1, sizeof *t);
        if (!t || sscanf(line, "%15s %7s %128s %130s %4097s %4097s %1025s %32s", t->cipher, t->mode, key, iv, in, out,
                         aad, tag) != 8) {
            fprintf(stderr, "bad case: %.60s\n", line);
            return 2;
        }
        parse(&t->key, key), parse(&t->iv, iv), parse(&t->in, in), parse(&t->out, out);
        parse(&t->aad, aad), parse(&t->tag, tag);
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
        if (init(t)) abort();
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

/* self_test.c - haechi self-test: the standards' known answers for every kernel, and a fingerprint of all modes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A fingerprint is a CMAC, under the cipher's own key, of everything that kernels and modes compute from one message:
 * some 17,000 bytes.  The tests compute the fingerprints again through the library, whose modes they compare with
 * those of other libraries. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <haechi_legacy.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels.h"

/* LEA: TTAK.KO-12.0223.  ARIA: RFC 5794, appendix A.  HIGHT: ISO/IEC 18033-3, in wire order. */
static const struct answer {
    uint8_t key[32], plain[16], cipher[16], fingerprint[8];
} answers[CIPHERS] = {
    { /* LEA-128 */
      { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0 },
      { 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f },
      { 0x9f, 0xc8, 0x4e, 0x35, 0x28, 0xc6, 0xc6, 0x18, 0x55, 0x32, 0xc7, 0xa7, 0x04, 0x64, 0x8b, 0xfd },
      { 0xf2, 0x0b, 0xf2, 0x0c, 0xc5, 0x5c, 0xad, 0xc6 } },
    { /* LEA-192 */
      { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4,
        0xc3, 0xd2, 0xe1, 0xf0, 0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87 },
      { 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e, 0x2f },
      { 0x6f, 0xb9, 0x5e, 0x32, 0x5a, 0xad, 0x1b, 0x87, 0x8c, 0xdc, 0xf5, 0x35, 0x76, 0x74, 0xc6, 0xf2 },
      { 0xde, 0x9f, 0xa8, 0x32, 0xdc, 0x34, 0x59, 0x2c } },
    { /* LEA-256 */
      { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0,
        0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b, 0x3c, 0x2d, 0x1e, 0x0f },
      { 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f },
      { 0xd6, 0x51, 0xaf, 0xf6, 0x47, 0xb1, 0x89, 0xc1, 0x3a, 0x89, 0x00, 0xca, 0x27, 0xf9, 0xe1, 0x97 },
      { 0x69, 0x77, 0x01, 0x6a, 0xa3, 0x7e, 0xfb, 0x0a } },
    { /* ARIA-128 */
      { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f },
      { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff },
      { 0xd7, 0x18, 0xfb, 0xd6, 0xab, 0x64, 0x4c, 0x73, 0x9d, 0xa9, 0x5f, 0x3b, 0xe6, 0x45, 0x17, 0x78 },
      { 0xce, 0xcd, 0xe4, 0xe8, 0xce, 0xf7, 0x99, 0x01 } },
    { /* ARIA-192 */
      { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b,
        0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17 },
      { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff },
      { 0x26, 0x44, 0x9c, 0x18, 0x05, 0xdb, 0xe7, 0xaa, 0x25, 0xa4, 0x68, 0xce, 0x26, 0x3a, 0x9e, 0x79 },
      { 0x0e, 0x31, 0x35, 0xad, 0x88, 0x7c, 0x3e, 0xdd } },
    { /* ARIA-256 */
      { 0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f,
        0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x1b, 0x1c, 0x1d, 0x1e, 0x1f },
      { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff },
      { 0xf9, 0x2b, 0xd7, 0xc7, 0x9f, 0xb7, 0x2e, 0x2f, 0x2b, 0x8f, 0x80, 0xc1, 0x97, 0x2d, 0x24, 0xfc },
      { 0x72, 0x85, 0x4b, 0x95, 0xcf, 0x44, 0xeb, 0x7a } },
    { /* HIGHT */
      { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff },
      { 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00 },
      { 0xd8, 0xe6, 0x43, 0xe5, 0x72, 0x9f, 0xce, 0x23 },
      { 0x43, 0x0c, 0x3e, 0x9f, 0x18, 0x09, 0xa6, 0x40 } }
};

enum { BYTES = 1100 }; /* more than any kernel processes at once, and not a whole number of blocks */

static uint8_t message[BYTES], out[BYTES], back[BYTES];

struct sum { /* the fingerprint so far */
    haechi_any_key key;
    haechi_cmac cmac;
    int error;
};

static void add(struct sum *s, const void *p, size_t n)
{
    s->error |= haechi_cmac_update(&s->key.key, &s->cmac, p, n);
}

/* Checks both directions of one block and of many blocks.  All kernels must write the same bytes to `counted`. */
static int kernel_right(const struct kernel *kernel, const struct answer *a, const struct cipher *c,
                        uint8_t *counted)
{
    const size_t whole = (size_t)BYTES / c->block * c->block;
    haechi_any_key forward, inverse;
    haechi_stream s = { { 0 }, { 0 }, 0 };
    uint8_t block[16];
    int right = 1;

    kernel_init(&forward, kernel->forward, a->key);
    kernel_init(&inverse, kernel->inverse, a->key);
    memcpy(block, a->plain, c->block);
    right &=
        haechi_ecb(&forward.key, block, block, c->block) == HAECHI_OK && !memcmp(block, a->cipher, c->block);
    right &=
        haechi_ecb(&inverse.key, block, block, c->block) == HAECHI_OK && !memcmp(block, a->plain, c->block);
    right &= haechi_ecb(&forward.key, out, message, whole) == HAECHI_OK;
    right &= haechi_ecb(&inverse.key, out, out, whole) == HAECHI_OK && !memcmp(out, message, whole);
    memset(s.iv, 0xff, c->block); /* so that a carry passes all bytes of the counter */
    s.iv[c->block - 1] = 0xf0;
    right &= haechi_ctr(&forward.key, &s, counted, message, BYTES) == HAECHI_OK;
    return right;
}

typedef int with_iv(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len);
typedef int with_stream(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

static int bits_encrypt(const haechi_key *k, uint8_t *iv, void *to, const void *in, size_t len)
{
    return haechi_cfb1_encrypt(k, iv, to, in, 8 * len);
}

static int bits_decrypt(const haechi_key *k, uint8_t *iv, void *to, const void *in, size_t len)
{
    return haechi_cfb1_decrypt(k, iv, to, in, 8 * len);
}

/* Encrypts and decrypts in every mode, and adds the ciphertexts to the fingerprint. */
static int modes_right(const struct cipher *c, const struct answer *a, struct sum *sum)
{
    static const struct {
        with_iv *encrypt, *decrypt;
        int inverse;
    } by_iv[] = { { haechi_cbc_encrypt, haechi_cbc_decrypt, 1 },
                  { haechi_cfb8_encrypt, haechi_cfb8_decrypt, 0 },
                  { bits_encrypt, bits_decrypt, 0 } };
    static const struct {
        with_stream *encrypt, *decrypt;
        int wide;
    } by_stream[] = { { haechi_ofb, haechi_ofb, 0 },
                      { haechi_cfb_encrypt, haechi_cfb_decrypt, 0 },
                      { haechi_cfb64_encrypt, haechi_cfb64_decrypt, 1 } };
    haechi_mode *const sealed[] = { &haechi_eax, &haechi_gcm, &haechi_ccm };
    const size_t whole = (size_t)BYTES / c->block * c->block;
    haechi_any_key forward, inverse;
    haechi_any_aead aead;
    haechi_any_xts xts;
    uint8_t tag[16], two[64];
    int right = 1;

    right &= haechi_init(&forward.key, sizeof forward, c->forward, a->key, c->key) == HAECHI_OK;
    right &= haechi_init(&inverse.key, sizeof inverse, c->inverse, a->key, c->key) == HAECHI_OK;
    for (size_t i = 0; i < sizeof by_iv / sizeof *by_iv; i++) {
        uint8_t iv[16];
        memcpy(iv, a->plain, 16);
        right &= by_iv[i].encrypt(&forward.key, iv, out, message, whole) == HAECHI_OK;
        memcpy(iv, a->plain, 16);
        right &= by_iv[i].decrypt(by_iv[i].inverse ? &inverse.key : &forward.key, iv, back, out, whole) ==
                 HAECHI_OK;
        right &= !memcmp(back, message, whole);
        add(sum, out, whole);
    }
    for (size_t i = 0; i < sizeof by_stream / sizeof *by_stream; i++) {
        haechi_stream s = { { 0 }, { 0 }, 0 }, again;
        if (by_stream[i].wide && c->block != 16) continue;
        memcpy(s.iv, a->plain, c->block);
        again = s;
        right &= by_stream[i].encrypt(&forward.key, &s, out, message, BYTES) == HAECHI_OK;
        right &= by_stream[i].decrypt(&forward.key, &again, back, out, BYTES) == HAECHI_OK;
        right &= !memcmp(back, message, BYTES);
        add(sum, out, BYTES);
    }
    for (size_t i = 0; i < (c->block == 16 ? 3 : 1); i++) {
        const size_t n = c->block;
        right &=
            haechi_aead_init(&aead.aead, sizeof aead, sealed[i], c->forward, a->key, c->key) == HAECHI_OK;
        right &= haechi_seal(&aead.aead, message, 12, message, 20, out, message, BYTES, tag, n) == HAECHI_OK;
        right &= haechi_open(&aead.aead, message, 12, message, 20, back, out, BYTES, tag, n) == HAECHI_OK;
        right &= !memcmp(back, message, BYTES);
        add(sum, out, BYTES);
        add(sum, tag, n);
        tag[0] ^= 1;
        right &= haechi_open(&aead.aead, message, 12, message, 20, back, out, BYTES, tag, n) == HAECHI_EAUTH;
    }
    if (c->block == 16) {
        memcpy(two, a->key, c->key);
        memset(two + c->key, 0x5a, c->key);
        right &= haechi_xts_init(&xts.xts, sizeof xts, c->forward, c->forward, two, 2u * c->key) == HAECHI_OK;
        right &= haechi_xts_encrypt(&xts.xts, a->plain, out, message, BYTES) == HAECHI_OK;
        right &= haechi_xts_init(&xts.xts, sizeof xts, c->inverse, c->forward, two, 2u * c->key) == HAECHI_OK;
        right &= haechi_xts_decrypt(&xts.xts, a->plain, back, out, BYTES) == HAECHI_OK;
        right &= !memcmp(back, message, BYTES);
        add(sum, out, BYTES);
    }
    return right;
}

static haechi_drbg_kind *const kinds[CIPHERS] = { &haechi_drbg_lea128,  &haechi_drbg_lea192,  &haechi_drbg_lea256,
                                                  &haechi_drbg_aria128, &haechi_drbg_aria192, &haechi_drbg_aria256,
                                                  &haechi_drbg_hight };

static int random_right(const struct cipher *c, const struct answer *a, struct sum *sum)
{
    haechi_drbg d;
    int right =
        haechi_drbg_init(&d, kinds[c - ciphers], 0, a->key, c->key, a->plain, 16, NULL, 0) == HAECHI_OK;
    right &= haechi_drbg_read(&d, out, 100, NULL, 0) == HAECHI_OK;
    add(sum, out, 100);
    return right;
}

static int report(const char *cipher, const char *what, int right)
{
    (void)printf("%-9s %-24s %s\n", cipher, what, right ? "ok" : "WRONG");
    return right;
}

int command_self_test(int argc, char **argv)
{
    int right = 1;

    (void)next_option(argc, argv);
    if (argc > optind) die(USAGE, 0, "self-test takes no arguments.");
    for (size_t i = 0; i < BYTES; i++) message[i] = (uint8_t)(i * i / 7 + i);
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++) {
        const struct answer *const a = &answers[c - ciphers];
        static uint8_t first[BYTES], counted[BYTES];
        struct sum sum;
        uint8_t fingerprint[8];
        int one = 1, same = 0;

        memset(&sum, 0, sizeof sum);
        sum.error = haechi_init(&sum.key.key, sizeof sum.key, c->forward, a->key, c->key);
        for (const struct kernel *k = kernels_of(c); k->name != NULL; k++) {
            one = kernel_right(k, a, c, counted);
            if (!same) memcpy(first, counted, BYTES);
            same = 1;
            one &= !memcmp(first, counted, BYTES);
            right &= report(c->name, k->name, one);
        }
        add(&sum, first, BYTES);
        one = modes_right(c, a, &sum) & random_right(c, a, &sum);
        one &= haechi_cmac_tag(&sum.key.key, &sum.cmac, fingerprint, 8) == HAECHI_OK && !sum.error;
        right &= report(c->name, "modes", one && !memcmp(fingerprint, a->fingerprint, 8));
        right &= report(c->name, "CTR_DRBG health test", haechi_drbg_test(kinds[c - ciphers]) == HAECHI_OK);
    }
    if (fflush(stdout)) die(SYSTEM, errno, "standard output cannot be written");
    if (!right) die(FORGED, 0, "This program or this machine is broken: do not use it.");
    return DONE;
}

/* aria_designers.c - ARIA as the specification writes it (RFC 5794): the row of comparison of the papers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * It has four S-boxes of 256 bytes, FO, FE and FF as the specification defines them, and the diffusion layer as sixteen
 * sums of seven bytes.  It is not part of the library: it shows what the kernels in src/ gain. */
#include "../../../src/aria/aria_sboxes.h"
#include "../../../src/core/kernel.h"

#undef FE /* avr/io.h: a framing error */

typedef uint8_t block[16];

static const uint8_t SB1[256] HAECHI_FLASH = { HAECHI_ARIA_SB1 };
static const uint8_t SB2[256] HAECHI_FLASH = { HAECHI_ARIA_SB2 };
static const uint8_t SB3[256] HAECHI_FLASH = { HAECHI_ARIA_SB3 };
static const uint8_t SB4[256] HAECHI_FLASH = { HAECHI_ARIA_SB4 };

static const uint8_t C[3][16] HAECHI_FLASH = {
    { 0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0 },
    { 0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0 },
    { 0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e }
};

static void add(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    for (int i = 0; i < 16; i++) out[i] = a[i] ^ b[i];
}

static void SL1(uint8_t *x)
{
    for (int i = 0; i < 16; i += 4) {
        x[i] = HAECHI_READ(SB1[x[i]]);
        x[i + 1] = HAECHI_READ(SB2[x[i + 1]]);
        x[i + 2] = HAECHI_READ(SB3[x[i + 2]]);
        x[i + 3] = HAECHI_READ(SB4[x[i + 3]]);
    }
}

static void SL2(uint8_t *x)
{
    for (int i = 0; i < 16; i += 4) {
        x[i] = HAECHI_READ(SB3[x[i]]);
        x[i + 1] = HAECHI_READ(SB4[x[i + 1]]);
        x[i + 2] = HAECHI_READ(SB1[x[i + 2]]);
        x[i + 3] = HAECHI_READ(SB2[x[i + 3]]);
    }
}

static void A(uint8_t *y, const uint8_t *x)
{
    y[0] = x[3] ^ x[4] ^ x[6] ^ x[8] ^ x[9] ^ x[13] ^ x[14];
    y[1] = x[2] ^ x[5] ^ x[7] ^ x[8] ^ x[9] ^ x[12] ^ x[15];
    y[2] = x[1] ^ x[4] ^ x[6] ^ x[10] ^ x[11] ^ x[12] ^ x[15];
    y[3] = x[0] ^ x[5] ^ x[7] ^ x[10] ^ x[11] ^ x[13] ^ x[14];
    y[4] = x[0] ^ x[2] ^ x[5] ^ x[8] ^ x[11] ^ x[14] ^ x[15];
    y[5] = x[1] ^ x[3] ^ x[4] ^ x[9] ^ x[10] ^ x[14] ^ x[15];
    y[6] = x[0] ^ x[2] ^ x[7] ^ x[9] ^ x[10] ^ x[12] ^ x[13];
    y[7] = x[1] ^ x[3] ^ x[6] ^ x[8] ^ x[11] ^ x[12] ^ x[13];
    y[8] = x[0] ^ x[1] ^ x[4] ^ x[7] ^ x[10] ^ x[13] ^ x[15];
    y[9] = x[0] ^ x[1] ^ x[5] ^ x[6] ^ x[11] ^ x[12] ^ x[14];
    y[10] = x[2] ^ x[3] ^ x[5] ^ x[6] ^ x[8] ^ x[13] ^ x[15];
    y[11] = x[2] ^ x[3] ^ x[4] ^ x[7] ^ x[9] ^ x[12] ^ x[14];
    y[12] = x[1] ^ x[2] ^ x[6] ^ x[7] ^ x[9] ^ x[11] ^ x[12];
    y[13] = x[0] ^ x[3] ^ x[6] ^ x[7] ^ x[8] ^ x[10] ^ x[13];
    y[14] = x[0] ^ x[3] ^ x[4] ^ x[5] ^ x[9] ^ x[11] ^ x[14];
    y[15] = x[1] ^ x[2] ^ x[4] ^ x[5] ^ x[8] ^ x[10] ^ x[15];
}

static void FO(uint8_t *out, const uint8_t *d, const uint8_t *rk)
{
    block t;
    add(t, d, rk);
    SL1(t);
    A(out, t);
}

static void FE(uint8_t *out, const uint8_t *d, const uint8_t *rk)
{
    block t;
    add(t, d, rk);
    SL2(t);
    A(out, t);
}

static void FF(uint8_t *out, const uint8_t *d, const uint8_t *rk, const uint8_t *last)
{
    block t;
    add(t, d, rk);
    SL2(t);
    add(out, t, last);
}

static void encrypt(const block *ek, uint8_t *p, int rounds)
{
    for (int i = 0; i < rounds - 2; i += 2) {
        FO(p, p, ek[i]);
        FE(p, p, ek[i + 1]);
    }
    FO(p, p, ek[rounds - 2]);
    FF(p, p, ek[rounds - 1], ek[rounds]);
}

/* ek = w ^ (v >>> n). */
static void turn(uint8_t *ek, const uint8_t *w, const uint8_t *v, int n)
{
    for (int i = 0; i < 16; i++) {
        const unsigned high = v[(i + 15 - n / 8) % 16], low = v[(i + 16 - n / 8) % 16];
        ek[i] = (uint8_t)(w[i] ^ (high << 8 | low) >> n % 8);
    }
}

static void round_keys(block *ek, const uint8_t *key, int length, int rounds)
{
    static const uint8_t turns[5] = { 19, 31, 128 - 61, 128 - 31, 128 - 19 };
    block W[4], CK[3], KR;

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 16; j++) CK[i][j] = HAECHI_READ(C[(i + (length - 16) / 8) % 3][j]);
    for (int i = 0; i < 16; i++) {
        W[0][i] = key[i];
        KR[i] = i + 16 < length ? key[i + 16] : 0;
    }
    FO(W[1], W[0], CK[0]);
    add(W[1], W[1], KR);
    FE(W[2], W[1], CK[1]);
    add(W[2], W[2], W[0]);
    FO(W[3], W[2], CK[2]);
    add(W[3], W[3], W[1]);
    for (int i = 0; i <= rounds; i++) turn(ek[i], W[i % 4], W[(i + 1) % 4], turns[i / 4]);
}

static void inverse_round_keys(block *dk, const uint8_t *key, int length, int rounds)
{
    block t;
    round_keys(dk, key, length, rounds);
    for (int i = 0, j = rounds; i < j; i++, j--)
        for (int b = 0; b < 16; b++) {
            const uint8_t k = dk[i][b];
            dk[i][b] = dk[j][b];
            dk[j][b] = k;
        }
    for (int i = 1; i < rounds; i++) {
        for (int b = 0; b < 16; b++) t[b] = dk[i][b];
        A(dk[i], t);
    }
}

#define ARIA(bits, rounds)                                                                                   \
    static void expand_##bits(void *rk, const void *key)                                                     \
    {                                                                                                        \
        round_keys((block *)rk, (const uint8_t *)key, bits / 8, rounds);                                     \
    }                                                                                                        \
    static void expand_##bits##_inv(void *rk, const void *key)                                               \
    {                                                                                                        \
        inverse_round_keys((block *)rk, (const uint8_t *)key, bits / 8, rounds);                             \
    }                                                                                                        \
    static void crypt_##bits(const void *rk, void *buf)                                                      \
    {                                                                                                        \
        encrypt((const block *)rk, (uint8_t *)buf, rounds);                                                  \
    }                                                                                                        \
    HAECHI_KERNEL(aria_designers_##bits) = {                                                                 \
        HAECHI_NAMED("aria_designers", 512)                                                                       \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8,                                               \
        .expand = expand_##bits, .crypt = crypt_##bits                                                       \
    };                                                                                                       \
    HAECHI_KERNEL(aria_designers_##bits##_inv) = {                                                           \
        HAECHI_NAMED("aria_designers", 512)                                                                       \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8, .flags = HAECHI_INVERSE,                      \
        .expand = expand_##bits##_inv, .crypt = crypt_##bits                                                 \
    }

ARIA(128, 12);
ARIA(192, 14);
ARIA(256, 16);

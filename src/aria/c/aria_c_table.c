/* aria_c_table.c - ARIA in portable C with the four S-boxes as tables of bytes, for microcontrollers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The code follows RFC 5794 byte by byte and is small.  Bytes that depend on the key and the block index the tables,
 * so it is only for machines without a data cache, where every look-up takes the same time.  No branch depends on
 * data.  Byte 4r + c of the block is in row r and column c of a 4 x 4 grid.  Round keys are ek1 ... ek(n+1) as bytes;
 * for the inverse cipher dk1 ... */
#include "../../core/bytes.h"
#include "../../core/kernel.h"
#include "../aria_sboxes.h"

static const uint8_t SB[4][256] HAECHI_FLASH = {
    { HAECHI_ARIA_SB1 }, { HAECHI_ARIA_SB2 }, { HAECHI_ARIA_SB3 }, { HAECHI_ARIA_SB4 }
};

/* RFC 5794, 2.2: C1, C2 and C3 are the fractional part of 1/pi. */
static const uint8_t C[48] HAECHI_FLASH = {
    0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0,
    0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0,
    0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e
};

/* The substitution layer: SL1 if odd is 0, SL2 if it is 1.  The column selects the S-box, in SL2 that of
 * column c ^ 2. */
static void SL(uint8_t *x, uint8_t odd)
{
    for (uint8_t i = 0; i < 16; i++) x[i] = HAECHI_READ(SB[(i ^ odd << 1) & 3][x[i]]);
}

/* Replaces each of the four bytes by the sum of the three others. */
static void others(uint8_t *a, uint8_t *b, uint8_t *c, uint8_t *d)
{
    const uint8_t t = (uint8_t)(*a ^ *b ^ *c ^ *d);
    *a ^= t;
    *b ^= t;
    *c ^= t;
    *d ^= t;
}

static void swap(uint8_t *a, uint8_t *b)
{
    const uint8_t t = *a;
    *a = *b;
    *b = t;
}

/* The diffusion layer in three steps.  First each column becomes the sum of the three others, and then each row does.
 * Second, column c of row r goes to column c ^ 3, c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Third, each row becomes
 * the sum of the three others again. */
static void A(uint8_t *x)
{
    for (uint8_t r = 0; r < 4; r++) others(&x[4 * r], &x[4 * r + 1], &x[4 * r + 2], &x[4 * r + 3]);
    for (uint8_t c = 0; c < 4; c++) others(&x[c], &x[c + 4], &x[c + 8], &x[c + 12]);
    for (uint8_t c = 0; c < 2; c++) {
        swap(&x[c], &x[3 - c]);
        swap(&x[4 + 2 * c], &x[5 + 2 * c]);
        swap(&x[8 + c], &x[10 + c]);
    }
    for (uint8_t c = 0; c < 4; c++) others(&x[c], &x[c + 4], &x[c + 8], &x[c + 12]);
}

static void crypt(const uint8_t *rk, uint8_t *x, uint8_t rounds)
{
    for (uint8_t i = 0; i < rounds; i++, rk += 16) {
        haechi_xor(x, x, rk, 16);
        SL(x, i & 1);
        if (i != rounds - 1) A(x);
    }
    haechi_xor(x, x, rk, 16);
}

/* ek = w ^ (v >>> n).  Both have 16 bytes, the first of which is the most significant. */
static void turn(uint8_t *ek, const uint8_t *w, const uint8_t *v, uint8_t n)
{
    const uint8_t bytes = n / 8, bits = n % 8;
    for (uint8_t i = 0; i < 16; i++)
        ek[i] = (uint8_t)(w[i] ^ v[(i - bytes) & 15] >> bits ^ v[(i - bytes - 1) & 15] << (8 - bits));
}

static void expand(uint8_t *rk, const uint8_t *key, uint8_t rounds, uint8_t inverse)
{
    static const uint8_t turns[5] HAECHI_FLASH = { 19, 31, 128 - 61, 128 - 31, 128 - 19 };
    uint8_t W[4][16], k = (uint8_t)(8 * rounds - 96); /* CK1 is C1, C2 or C3 for 128, 192 or 256 bits */

    haechi_copy(W[0], key, 16);
    /* W1 = FO(W0, CK1) ^ KR, W2 = FE(W1, CK2) ^ W0, W3 = FO(W2, CK3) ^ W1 */
    for (uint8_t i = 1; i < 4; i++) {
        for (uint8_t j = 0; j < 16; j++, k = (uint8_t)(k == 47 ? 0 : k + 1))
            W[i][j] = (uint8_t)(W[i - 1][j] ^ HAECHI_READ(C[k]));
        SL(W[i], (i - 1) & 1);
        A(W[i]);
        if (i == 1) haechi_xor(W[1], W[1], key + 16, (size_t)(4 * rounds - 48));
        else haechi_xor(W[i], W[i], W[i - 2], 16);
    }
    for (uint8_t i = 0; i <= rounds; i++) {
        uint8_t *ek = rk + 16 * (inverse ? rounds - i : i);
        turn(ek, W[i & 3], W[(i + 1) & 3], HAECHI_READ(turns[i / 4]));
        if (inverse && i != 0 && i != rounds) A(ek);
    }
}

#define ARIA(bits, rounds)                                                                                   \
    static void expand_##bits(void *rk, const void *key)                                                     \
    {                                                                                                        \
        expand((uint8_t *)rk, (const uint8_t *)key, rounds, 0);                                              \
    }                                                                                                        \
    static void expand_##bits##_inv(void *rk, const void *key)                                               \
    {                                                                                                        \
        expand((uint8_t *)rk, (const uint8_t *)key, rounds, 1);                                              \
    }                                                                                                        \
    static void crypt_##bits(const void *rk, void *buf)                                                      \
    {                                                                                                        \
        crypt((const uint8_t *)rk, (uint8_t *)buf, rounds);                                                  \
    }                                                                                                        \
    HAECHI_KERNEL(aria_c_table_##bits) = {                                                                   \
        HAECHI_NAMED("aria_c_table", 512)                                                                         \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8,                                               \
        .expand = expand_##bits, .crypt = crypt_##bits                                                       \
    };                                                                                                       \
    HAECHI_KERNEL(aria_c_table_##bits##_inv) = {                                                             \
        HAECHI_NAMED("aria_c_table", 512)                                                                         \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8, .flags = HAECHI_INVERSE,                      \
        .expand = expand_##bits##_inv, .crypt = crypt_##bits                                                 \
    }

ARIA(128, 12);
ARIA(192, 14);
ARIA(256, 16);

/* aria_armv7m_bitsliced.c - ARIA for Cortex-M, bitsliced on 32-bit words, without tables and without branches on data.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The kernel encrypts eight blocks at a time; a single block takes as long.  Byte 4r + c of a block is in row r and
 * column c:
 *
 *     bit           31 ... 24   23 ... 16   15 ... 8    7 ... 0
 *     x[8c + i]     row 3       row 2       row 0       row 1       of blocks 7 ... 0: plane i of column c
 *
 * A round key is four words.  A word is a column with its rows as above.  The words include the constants of the
 * S-boxes before and after the key. */
#include "../../core/bytes.h"
#include "../../core/kernel.h"

#if defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'

typedef uint32_t u32;

#define INLINE static inline __attribute__((__always_inline__))
/* The options of gcc with which it spills least in a function; trials found them. */
#define TIGHT(...) __attribute__((__noinline__, __optimize__(__VA_ARGS__)))

/* Makes gcc compute again what depends on v, which costs less than loading a stored copy. */
#define AGAIN(v) __asm__("" : "+r"(v))

/* p = e a, each with nine bits.  Five bits of a are computed again. */
#define MULTIPLES(p, a)                                                                                      \
    {                                                                                                        \
        u32 a0 = a[0], a1 = a[1], a3 = a[3], a4 = a[4], a2, a5, a6, a7, a8;                                  \
        AGAIN(a0); AGAIN(a1); AGAIN(a3); AGAIN(a4);                                                          \
        p[0] = e[0] & a0; p[1] = e[1] & a1; p[3] = e[3] & a3; p[4] = e[4] & a4;                              \
        a8 = a3 ^ a0; a6 = a4 ^ a1; a5 = a3 ^ a4; a7 = a8 ^ a6; a2 = a5 ^ a7;                                \
        p[2] = e[2] & a2; p[5] = e[5] & a5; p[6] = e[6] & a6; p[7] = e[7] & a7; p[8] = e[8] & a8;            \
    }
#define PRODUCTS MULTIPLES(p, a) MULTIPLES(q, b)
#define WORD u32 /* a word of the circuits */
#include "../c/aria_c_circuits.h"

/* The substitution layer: SL1 if odd is 0, SL2 if it is 1. */
TIGHT("no-tree-ter", "no-tree-reassoc", "no-tree-pre", "no-tree-sink", "no-tree-dominator-opts")
static void SL(u32 *x, int odd)
{
    u32 *a = x + 16 * odd, *b = x + 16 - 16 * odd;
    SB1(a, 1);
    SB2(a + 8, 1);
    SB3(b, 1);
    SB4(b + 8, 1);
}

/* Exchanges the bits of a that mask << s selects with those of b that mask selects. */
INLINE void exchange(u32 *a, u32 *b, int s, u32 mask)
{
    const u32 t = (*a >> s ^ *b) & mask;
    *b ^= t;
    *a ^= t << s;
}

INLINE u32 right(u32 v, int s)
{
    return v >> s | v << (32 - s);
}

/* Replaces each row by the sum of the three others. */
INLINE u32 other_rows(u32 v)
{
    const u32 t = v ^ right(v, 16);
    return v ^ t ^ right(t, 8);
}

/* The bits of one plane of key bytes, each repeated for all eight blocks. */
INLINE u32 spread(u32 k, int plane)
{
    const u32 t = k >> plane & 0x01010101;
    return (t << 8) - t;
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void add_key(u32 *x, const u32 *rk)
{
#define PLANE(i) x[i] ^= spread(k, i);
    for (int c = 0; c < 4; c++, x += 8) {
        const u32 k = rk[c];
        ALL8(PLANE)
    }
#undef PLANE
}

/* The diffusion layer and the round key k on one plane, in four steps: columns, rows, an exchange of columns that
 * depends on the row, and rows again. */
INLINE void A(u32 *x, const u32 *k, int plane)
{
    const u32 t01 = x[0] ^ x[8], t23 = x[16] ^ x[24];
    u32 y0 = other_rows(x[8] ^ t23), y1 = other_rows(x[0] ^ t23);
    u32 y2 = other_rows(x[24] ^ t01), y3 = other_rows(x[16] ^ t01);
    exchange(&y0, &y1, 0, 0x0000ffff);
    exchange(&y2, &y3, 0, 0x0000ffff);
    exchange(&y0, &y2, 0, 0x00ffff00);
    exchange(&y1, &y3, 0, 0x00ffff00);
    x[0] = other_rows(y0) ^ spread(k[0], plane);
    x[8] = other_rows(y1) ^ spread(k[1], plane);
    x[16] = other_rows(y2) ^ spread(k[2], plane);
    x[24] = other_rows(y3) ^ spread(k[3], plane);
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void A_and_key(u32 *x, const u32 *rk)
{
#define PLANE(i) A(x + i, rk, i);
    ALL8(PLANE)
#undef PLANE
}

/* Transposes 32 by 32 bits.  It is its own inverse. */
TIGHT("no-schedule-insns", "live-range-shrinkage")
static void transpose(u32 *x)
{
    for (int i = 0; i < 8; i++) { /* words 8 apart, then 16 apart */
        u32 a = x[i], b = x[i + 8], c = x[i + 16], d = x[i + 24];
        exchange(&a, &c, 16, 0x0000ffff);
        exchange(&b, &d, 16, 0x0000ffff);
        exchange(&a, &b, 8, 0x00ff00ff);
        exchange(&c, &d, 8, 0x00ff00ff);
        x[i] = a; x[i + 8] = b; x[i + 16] = c; x[i + 24] = d;
    }
    for (int i = 0; i < 4; i++, x += 8) {
        u32 a = x[0], b = x[1], c = x[2], d = x[3], e = x[4], f = x[5], g = x[6], h = x[7];
        exchange(&a, &e, 4, 0x0f0f0f0f); exchange(&b, &f, 4, 0x0f0f0f0f);
        exchange(&c, &g, 4, 0x0f0f0f0f); exchange(&d, &h, 4, 0x0f0f0f0f);
        exchange(&a, &c, 2, 0x33333333); exchange(&b, &d, 2, 0x33333333);
        exchange(&e, &g, 2, 0x33333333); exchange(&f, &h, 2, 0x33333333);
        exchange(&a, &b, 1, 0x55555555); exchange(&c, &d, 1, 0x55555555);
        exchange(&e, &f, 1, 0x55555555); exchange(&g, &h, 1, 0x55555555);
        x[0] = a; x[1] = b; x[2] = c; x[3] = d; x[4] = e; x[5] = f; x[6] = g; x[7] = h;
    }
}

/* The place of each row in a word. */
static const uint8_t place[4] = { 1, 0, 2, 3 };

struct unaligned {
    u32 word;
} __attribute__((__packed__, __may_alias__));

static void slice(u32 *x, const uint8_t *in, size_t n)
{
    for (size_t j = 0; j < n; j++, x++, in += 16) {
        const struct unaligned *w = (const struct unaligned *)in;
        x[0] = w[1].word; x[8] = w[0].word; x[16] = w[2].word; x[24] = w[3].word;
    }
    for (size_t j = n; j < 8; j++, x++) x[0] = x[8] = x[16] = x[24] = 0;
    transpose(x - 8);
}

static void unslice(u32 *x, uint8_t *out, size_t n)
{
    transpose(x);
    for (size_t j = 0; j < n; j++, x++, out += 16) {
        struct unaligned *w = (struct unaligned *)out;
        w[1].word = x[0]; w[0].word = x[8]; w[2].word = x[16]; w[3].word = x[24];
    }
}

static void eight_blocks(const u32 *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    u32 x[32];
    slice(x, in, n);
    add_key(x, rk);
    for (int i = 0;;) {
        SL(x, i & 1);
        rk += 4;
        if (++i == rounds) break;
        A_and_key(x, rk);
    }
    add_key(x, rk);
    unslice(x, out, n);
}

/* ---- Thirty-two blocks at a time.  Word x[32r + 8c + i] is plane i of byte 4r + c. */

/* The diffusion layer and the round key on one plane. */
TIGHT("no-forward-propagate", "ira-algorithm=priority", "no-gcse")
static void A_and_key_32(u32 *x, const u32 *rk)
{
#define PLANE_OF(i) (32 * ((i) / 4) + 8 * ((i) % 4))
#define LOAD(i) y[i] = x[PLANE_OF(i)];
#define KEY(place) (u32)((int32_t)(k << (31 - 8 * (place))) >> 31)
#define STORE(i, j) x[PLANE_OF(i)] = y[j] ^ KEY((i) / 4 < 2 ? 1 - (i) / 4 : (i) / 4)
    for (int plane = 0; plane < 8; plane++, x++) {
        u32 y[16], k;
        ALL16(LOAD)
#define Y(i, j) y[i] ^= y[j];
        DIFFUSION(Y)
#undef Y
        k = rk[0] >> plane; AGAIN(k);
        STORE(0, 8); STORE(4, 14); STORE(8, 7); STORE(12, 1);
        k = rk[1] >> plane; AGAIN(k);
        STORE(1, 9); STORE(5, 15); STORE(9, 6); STORE(13, 0);
        k = rk[2] >> plane; AGAIN(k);
        STORE(2, 12); STORE(6, 10); STORE(10, 3); STORE(14, 5);
        k = rk[3] >> plane; AGAIN(k);
        STORE(3, 13); STORE(7, 11); STORE(11, 2); STORE(15, 4);
    }
#undef STORE
#undef KEY
#undef LOAD
#undef PLANE_OF
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void keys_32(u32 *x, const u32 *rk)
{
    for (int c = 0; c < 4; c++)
        for (int i = 0; i < 8; i++) {
            const u32 k = rk[c] >> i;
            u32 *to = x + 8 * c + i;
            to[0] ^= (u32)((int32_t)(k << 23) >> 31);
            to[32] ^= (u32)((int32_t)(k << 31) >> 31);
            to[64] ^= (u32)((int32_t)(k << 15) >> 31);
            to[96] ^= (u32)((int32_t)(k << 7) >> 31);
        }
}

static void thirty_two_blocks(const u32 *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    u32 x[128];
    u32 *to = x;
    for (size_t j = 0; j < n; j++, to++, in += 16) {
        const struct unaligned *w = (const struct unaligned *)in;
        to[0] = w[0].word; to[32] = w[1].word; to[64] = w[2].word; to[96] = w[3].word;
    }
    for (size_t j = n; j < 32; j++, to++) to[0] = to[32] = to[64] = to[96] = 0;
    for (int r = 0; r < 4; r++) transpose(x + 32 * r);
    keys_32(x, rk);
    for (int i = 0;;) {
        for (int r = 0; r < 4; r++) SL(x + 32 * r, i & 1);
        rk += 4;
        if (++i == rounds) break;
        A_and_key_32(x, rk);
    }
    keys_32(x, rk);
    for (int r = 0; r < 4; r++) transpose(x + 32 * r);
    to = x;
    for (size_t j = 0; j < n; j++, to++, out += 16) {
        struct unaligned *w = (struct unaligned *)out;
        w[0].word = to[0]; w[1].word = to[32]; w[2].word = to[64]; w[3].word = to[96];
    }
}

static void blocks(const void *rk, int rounds, void *out, const void *in, size_t n)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *p = (const uint8_t *)in;
    while (n != 0) { /* thirty-two blocks take as long as some twenty-six in batches of eight */
        const size_t most = n > 24 ? 32 : 8, now = n < most ? n : most;
        (most == 32 ? thirty_two_blocks : eight_blocks)((const u32 *)rk, rounds, o, p, now);
        n -= now;
        o += 16 * now;
        p += 16 * now;
    }
}

/* ---- Key expansion.  A row is a little-endian word. */

/* The constants that SB1 and SB2 add after their inversion and SB3 and SB4 before it, in every row: [0] for SL1, [1]
 * for SL2.  Then those constants behind the diffusion layer, row by row. */
static const u32 LATE[2] = { 0x0000e263, 0xe2630000 };
static const u32 A_LATE[2][4] = { { 0x63e20000, 0x000063e2, 0xe2630000, 0x0000e263 },
                                  { 0x000063e2, 0x63e20000, 0x0000e263, 0xe2630000 } };

/* w = A(SL(w ^ key)): FO with odd = 0, FE with odd = 1. */
static void F(u32 *w, const u32 *key, int odd)
{
    static const u32 none[4];
    u32 x[32];
    for (int r = 0; r < 4; r++) w[r] ^= key[r] ^ LATE[!odd];
    slice(x, (const uint8_t *)w, 1);
    SL(x, odd);
    A_and_key(x, none);
    unslice(x, (uint8_t *)w, 1);
    for (int r = 0; r < 4; r++) w[r] ^= A_LATE[odd][r];
}

/* The diffusion layer on rows. */
static void A_rows(u32 *w)
{
    u32 t;
    for (int r = 0; r < 4; r++) w[r] = other_rows(w[r]);
    t = w[0] ^ w[1] ^ w[2] ^ w[3];
    for (int r = 0; r < 4; r++) w[r] ^= t;
    w[0] = __builtin_bswap32(w[0]);
    w[1] = right(__builtin_bswap32(w[1]), 16);
    w[2] = right(w[2], 16);
    t = w[0] ^ w[1] ^ w[2] ^ w[3];
    for (int r = 0; r < 4; r++) w[r] ^= t;
}

static void expand(u32 *rk, const uint8_t *key, int rounds, int inverse)
{
    /* RFC 5794, 2.2: C1, C2 and C3 are the fractional part of 1/pi. */
    static const u32 C[3][4] = { { 0xb7c17c51, 0x940a2227, 0xe8ab13fe, 0xe06e9afa },
                                 { 0xcc4ab16d, 0x20c8219e, 0xd5b128ff, 0xb0e25def },
                                 { 0x1d3792db, 0x70e92621, 0x75972403, 0x0ec9e804 } };
    static const uint8_t turn[5] = { 19, 31, 128 - 61, 128 - 31, 128 - 19 };
    int ck = rounds / 2 - 6; /* CK1 is C1, C2 or C3 for 128, 192 or 256 bits */
    u32 W[4][4];

    for (int r = 0; r < 4; r++) W[0][r] = haechi_load_le32(key + 4 * r);
    for (int i = 1; i < 4; i++, ck = ck == 2 ? 0 : ck + 1) {
        for (int r = 0; r < 4; r++) W[i][r] = W[i - 1][r];
        F(W[i], C[ck], (i - 1) & 1);
        if (i == 1)
            for (int r = 0; r < rounds - 12; r++) W[1][r] ^= haechi_load_le32(key + 16 + 4 * r);
        else
            for (int r = 0; r < 4; r++) W[i][r] ^= W[i - 2][r];
    }
    for (int i = 0; i < 4; i++)
        for (int r = 0; r < 4; r++) W[i][r] = __builtin_bswap32(W[i][r]); /* the first byte becomes the highest */

    for (int i = 0; i <= rounds; i++) {
        const int at = inverse ? rounds - i : i, words = turn[i / 4] / 32, bits = turn[i / 4] % 32;
        const int inside = i != 0 && i != rounds;
        const u32 *v = W[(i + 1) & 3];
        u32 ek[4];
        uint8_t *to = (uint8_t *)(rk + 4 * at);
        for (int r = 0; r < 4; r++)
            ek[r] = __builtin_bswap32(W[i & 3][r] ^ v[(r - words) & 3] >> bits ^ v[(r - words - 1) & 3] << (32 - bits));
        if (inverse && inside) A_rows(ek);
        for (int r = 0; r < 4; r++) {
            ek[r] ^= inside ? A_LATE[!(at & 1)][r] ^ LATE[!(at & 1)] : LATE[1];
            for (int c = 0; c < 4; c++) to[4 * c + place[r]] = (uint8_t)(ek[r] >> 8 * c);
        }
    }
}

#define ARIA(bits, rounds)                                                                                   \
    static void expand_##bits(void *rk, const void *key)                                                     \
    {                                                                                                        \
        expand((u32 *)rk, (const uint8_t *)key, rounds, 0);                                                  \
    }                                                                                                        \
    static void expand_##bits##_inv(void *rk, const void *key)                                               \
    {                                                                                                        \
        expand((u32 *)rk, (const uint8_t *)key, rounds, 1);                                                  \
    }                                                                                                        \
    static void bulk_##bits(const void *rk, void *out, const void *in, size_t n)                             \
    {                                                                                                        \
        blocks(rk, rounds, out, in, n);                                                                      \
    }                                                                                                        \
    static void crypt_##bits(const void *rk, void *buf)                                                      \
    {                                                                                                        \
        blocks(rk, rounds, buf, buf, 1);                                                                     \
    }                                                                                                        \
    HAECHI_KERNEL(aria_armv7m_bitsliced_##bits) = {                                                          \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8,                                               \
        .expand = expand_##bits, .crypt = crypt_##bits, .bulk = bulk_##bits                                  \
    };                                                                                                       \
    HAECHI_KERNEL(aria_armv7m_bitsliced_##bits##_inv) = {                                                    \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8, .flags = HAECHI_INVERSE,                      \
        .expand = expand_##bits##_inv, .crypt = crypt_##bits, .bulk = bulk_##bits                            \
    }

ARIA(128, 12);
ARIA(192, 14);
ARIA(256, 16);

#endif

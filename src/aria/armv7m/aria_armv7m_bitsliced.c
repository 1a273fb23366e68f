/* aria_armv7m_bitsliced.c - ARIA for Cortex-M, bitsliced on 32-bit words, without tables and without branches on data.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Byte 4r + c of a block stands in row r and column c.  A single block is four words, two planes a word; batches hold
 * eight or thirty-two blocks.
 *
 * Round keys: those of the standard with the constants of the S-boxes around them, a row a word.  ek2, ek4 and so on
 * stand turned by two columns, because block_rounds wants them so. */
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

/* Exchanges the bits of a that mask << s selects with those of b that mask selects. */
INLINE void exchange(u32 *a, u32 *b, int s, u32 mask)
{
    const u32 t = (*a >> s ^ *b) & mask;
    *b ^= t;
    *a ^= t << s;
}

INLINE u32 right(u32 v, int s)
{
    return v >> s | v << (-s & 31);
}

/* Replaces each byte by the sum of the three others. */
INLINE u32 others(u32 v)
{
    const u32 t = v ^ right(v, 16);
    return v ^ t ^ right(t, 8);
}

/* ---- One block.
 *
 *     bit                31 ... 24   23 ... 16   15 ... 8    7 ... 0
 *     as bytes, v[r]     column 3    column 2    column 1    column 0     of row r, bits 7 ... 0
 *     as planes, v[i]    column 3    column 2    column 1    column 0     of planes i + 4, i; rows 3 ... 0 of each */

/* Rows of bytes to pairs of planes: bits 1 and 0 of a place change places with those of the index of a word.  It is its
 * own inverse. */
INLINE void rows_or_planes(u32 *v)
{
    exchange(&v[0], &v[1], 1, 0x55555555);
    exchange(&v[2], &v[3], 1, 0x55555555);
    exchange(&v[0], &v[2], 2, 0x33333333);
    exchange(&v[1], &v[3], 2, 0x33333333);
}

/* a in the low nibbles, b in the high ones. */
INLINE u32 pair(u32 a, u32 b)
{
    return a ^ ((a ^ b << 4) & 0xf0f0f0f0);
}

/* SL1 on pairs of planes: one inversion for all columns, between linear maps that differ from column to column by
 * masked terms.  A pair (a, b) over GF(2^4) is a in the low nibbles and b in the high ones, and so are the products. */
INLINE void SL1_block(u32 *v)
{
    const u32 low = 0x0f0f0f0f, sb1 = 0x0000000f, sb2 = 0x00000f00, sb3 = 0x000f0000, sb4 = 0x0f000000;
    u32 a[9], e[9], w0, w1, w2, w3, w4, w5, w6, w7, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11, t12, t13, t14,
        t15, t16, t17, t18, t19, t20, t21, t22, t23;
    const u32 x0 = v[0], x1 = v[1], x2 = v[2], x3 = v[3], x4 = v[0] >> 4, x5 = v[1] >> 4, x6 = v[2] >> 4,
              x7 = v[3] >> 4;
    t0 = x4 ^ x5; t1 = x5 ^ x1; t2 = x2 ^ x0; t3 = x3 ^ t2; t4 = t3 ^ x6; t5 = t2 ^ t0; t6 = x1 ^ t5; t7 = t1 ^ t5;
    t8 = t6 ^ t3; t9 = t1 ^ x6; t10 = x3 ^ t9; t11 = t9 ^ x2; t12 = t9 ^ t0; t13 = t12 ^ x7; t14 = x2 ^ t13;
    t15 = t13 ^ t10; t16 = x5 ^ t15; t17 = t5 ^ t16; t18 = t2 ^ t15; t19 = t16 ^ x2; t20 = t3 ^ t19; t21 = t19 ^ t7;
    a[0] = pair(t11 ^ (t20 & sb3) ^ (t8 & sb4), x7 ^ (t13 & sb4));
    a[1] = pair(x6 ^ (t21 & sb4), t4 ^ (t1 & sb3) ^ (t18 & sb4));
    a[3] = pair(t17 ^ (t1 & sb3) ^ (t14 & sb4), t10 ^ (t7 & sb3) ^ (t16 & sb4));
    a[4] = pair(t5 ^ (t21 & sb3) ^ (t3 & sb4), t0 ^ (t12 & sb3) ^ (t6 & sb4));
    a[8] = a[3] ^ a[0]; a[6] = a[4] ^ a[1]; a[5] = a[3] ^ a[4]; a[7] = a[8] ^ a[6]; a[2] = a[5] ^ a[7];

    /* the norm, and the nine bits of its inverse in both nibbles */
#define B(i) (a[i] >> 4)
    {
        u32 d0, d1, d2, d3, u0, u1, u2, u3, u5, u8, u9, u10, u13;
        const u32 m1 = a[1] & B(1), m0 = a[0] & B(0), m2 = a[2] | B(2);
        t0 = (a[5] & B(5)) ^ m1; t1 = (a[7] | B(7)) ^ m2;
        d0 = (a[3] & B(3)) ^ t0 ^ m2 ^ a[7] ^ B(7); d1 = (a[4] | B(4)) ^ m0 ^ t0;
        d2 = (a[8] | B(8)) ^ m0 ^ t1 ^ a[1] ^ B(1); d3 = (a[6] | B(6)) ^ m1 ^ t1;
#define BOTH(d) d &= low, d |= d << 4;
        BOTH(d0) BOTH(d1) BOTH(d2) BOTH(d3)
#undef BOTH
        u0 = d3 & d1; u1 = d3 & d0; u2 = u1 ^ d2; u3 = u1 | d2; e[5] = u3 ^ u0; u5 = u2 & d1; e[7] = u5 ^ d0;
        e[2] = e[7] ^ e[5]; u8 = u1 | d1; u9 = u2 ^ d0; u10 = u9 & e[5]; e[3] = u10 ^ d3; e[4] = e[3] ^ e[5];
        u13 = u8 ^ e[7]; e[8] = u13 | u5; e[0] = e[8] ^ e[3]; e[1] = e[0] ^ e[2]; e[6] = e[8] ^ e[7];
    }
#undef B
#define PRODUCT(i) a[i] &= e[i];
    ALL8(PRODUCT) PRODUCT(8)
#undef PRODUCT
    t0 = a[7] ^ a[6]; t1 = a[2] ^ t0; t2 = a[8] ^ a[6];
    a[0] ^= t1 ^ t2; a[1] ^= t1; a[2] = a[3] ^ t0 ^ a[5]; a[3] = a[4] ^ t2 ^ a[5];

    w0 = a[0]; w1 = a[1]; w2 = a[2]; w3 = a[3]; w4 = a[0] >> 4; w5 = a[1] >> 4; w6 = a[2] >> 4; w7 = a[3] >> 4;
    t0 = w6 ^ w1; t1 = w4 ^ w1; t2 = w4 ^ w2; t3 = w7 ^ w3; t4 = w6 ^ t3; t5 = t4 ^ w4; t6 = t5 ^ w5;
    t7 = t6 ^ w6; t8 = w2 ^ t7; t9 = w2 ^ w0; t10 = t9 ^ w6; t11 = t5 ^ t9; t12 = t10 ^ w3; t13 = t12 ^ w2;
    t14 = t12 ^ t0; t15 = t6 ^ t12; t16 = t14 ^ t2; t17 = t0 ^ w5; t18 = t16 ^ t17; t19 = t17 ^ t10;
    t20 = t17 ^ w2; t21 = t20 ^ w7; t22 = t12 ^ t21; t23 = t21 ^ t1;

    v[0] = pair(t18, t7) ^ (t8 & sb1) ^ (t15 & sb2) ^ (t11 & sb1) << 4 ^ (t5 & sb2) << 4;
    v[1] = pair(w1, t10) ^ (t0 & sb1) ^ (t19 & sb2) ^ (t20 & sb2) << 4;
    v[2] = pair(t16, t6) ^ (t22 & sb1) ^ (t14 & sb2) ^ (t23 & sb2) << 4;
    v[3] = pair(t2, t13) ^ (t1 & sb1) ^ (t4 & sb2) ^ (t3 & sb2) << 4;
}

/* Replaces each row by the sum of the three others. */
INLINE void other_rows(u32 *v)
{
    const u32 t01 = v[0] ^ v[1], t23 = v[2] ^ v[3];
    const u32 v0 = v[1] ^ t23, v1 = v[0] ^ t23, v2 = v[3] ^ t01, v3 = v[2] ^ t01;
    v[0] = v0; v[1] = v1; v[2] = v2; v[3] = v3;
}

/* The diffusion layer, and then a turn by two columns. */
INLINE void A_turned(u32 *v)
{
    v[0] = others(v[0]); v[1] = others(v[1]); v[2] = others(v[2]); v[3] = others(v[3]);
    other_rows(v);
    v[0] = right(__builtin_bswap32(v[0]), 16);
    v[1] = __builtin_bswap32(v[1]);
    v[3] = right(v[3], 16);
    other_rows(v);
}

INLINE void turn_rows(u32 *v)
{
    v[0] = right(v[0], 16); v[1] = right(v[1], 16); v[2] = right(v[2], 16); v[3] = right(v[3], 16);
}

INLINE void add_rows(u32 *v, const u32 *k)
{
    v[0] ^= k[0]; v[1] ^= k[1]; v[2] ^= k[2]; v[3] ^= k[3];
}

/* n rounds, of which the last is SL1 alone.  SL2 is SL1 on a block whose rows are turned by two columns, and the
 * diffusion layer does not mind the turn.  So each round is SL1, the diffusion layer, a turn and a round key: after an
 * odd number of rounds the block stands turned, and so does its round key. */
TIGHT("no-tree-ter", "no-tree-fre")
static void block_rounds(u32 *block, const u32 *rk, int n)
{
    u32 v[4] = { block[0], block[1], block[2], block[3] };
    for (;; rk += 4) {
        rows_or_planes(v);
        SL1_block(v);
        rows_or_planes(v);
        if (--n == 0) break;
        A_turned(v);
        add_rows(v, rk);
    }
    block[0] = v[0]; block[1] = v[1]; block[2] = v[2]; block[3] = v[3];
}

static void one_block(const u32 *rk, int rounds, uint8_t *out, const uint8_t *in)
{
    u32 v[4] = { haechi_load_le32(in), haechi_load_le32(in + 4), haechi_load_le32(in + 8), haechi_load_le32(in + 12) };
    add_rows(v, rk);
    block_rounds(v, rk + 4, rounds);
    turn_rows(v);
    add_rows(v, rk + 4 * rounds);
    haechi_store_le32(out, v[0]);
    haechi_store_le32(out + 4, v[1]);
    haechi_store_le32(out + 8, v[2]);
    haechi_store_le32(out + 12, v[3]);
}

/* ---- Eight blocks at a time:
 *
 *     bit           31 ... 24   23 ... 16   15 ... 8    7 ... 0
 *     x[8c + i]     row 3       row 2       row 0       row 1       of blocks 7 ... 0: plane i of column c */

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

/* The bits of one plane of key bytes, each repeated for all eight blocks. */
INLINE u32 spread(u32 k, int plane)
{
    const u32 t = k >> plane & 0x01010101;
    return (t << 8) - t;
}

/* A round key by columns, rows as in the words of eight blocks.  turn: 16 where it stands turned, else 0. */
static void columns(u32 *k, const u32 *rk, int turn)
{
    const u32 r0 = right(rk[0], turn), r1 = right(rk[1], turn), r2 = right(rk[2], turn), r3 = right(rk[3], turn);
    for (int c = 0; c < 4; c++)
        k[c] = (r1 >> 8 * c & 255) | (r0 >> 8 * c & 255) << 8 | (r2 >> 8 * c & 255) << 16 | r3 >> 8 * c << 24;
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void add_key(u32 *x, const u32 *rk)
{
    u32 by_column[4];
    columns(by_column, rk, 0);
#define PLANE(i) x[i] ^= spread(k, i);
    for (int c = 0; c < 4; c++, x += 8) {
        const u32 k = by_column[c];
        ALL8(PLANE)
    }
#undef PLANE
}

/* The diffusion layer and the round key k on one plane, in four steps: columns, rows, an exchange of columns that
 * depends on the row, and rows again. */
INLINE void A(u32 *x, const u32 *k, int plane)
{
    const u32 t01 = x[0] ^ x[8], t23 = x[16] ^ x[24];
    u32 y0 = others(x[8] ^ t23), y1 = others(x[0] ^ t23);
    u32 y2 = others(x[24] ^ t01), y3 = others(x[16] ^ t01);
    exchange(&y0, &y1, 0, 0x0000ffff);
    exchange(&y2, &y3, 0, 0x0000ffff);
    exchange(&y0, &y2, 0, 0x00ffff00);
    exchange(&y1, &y3, 0, 0x00ffff00);
    x[0] = others(y0) ^ spread(k[0], plane);
    x[8] = others(y1) ^ spread(k[1], plane);
    x[16] = others(y2) ^ spread(k[2], plane);
    x[24] = others(y3) ^ spread(k[3], plane);
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void A_and_key(u32 *x, const u32 *rk, int turn)
{
    u32 k[4];
    columns(k, rk, turn);
#define PLANE(i) A(x + i, k, i);
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
        A_and_key(x, rk, 16 * (i & 1));
    }
    add_key(x, rk);
    unslice(x, out, n);
}

/* ---- Thirty-two blocks at a time.  Word x[32r + 8c + i] is plane i of byte 4r + c. */

/* The diffusion layer and the round key on one plane. */
TIGHT("no-tree-reassoc", "live-range-shrinkage")
static void A_and_key_32(u32 *x, const u32 *rk, int turn)
{
#define PLANE_OF(i) (32 * ((i) / 4) + 8 * ((i) % 4))
#define LOAD(i) y[i] = x[PLANE_OF(i)];
#define KEY(column) (u32)((int32_t)(k << (31 - 8 * (column))) >> 31)
#define STORE(i, j) x[PLANE_OF(i)] = y[j] ^ KEY((i) % 4)
    for (int plane = 0; plane < 8; plane++, x++) {
        u32 y[16], k;
        ALL16(LOAD)
#define Y(i, j) y[i] ^= y[j];
        DIFFUSION(Y)
#undef Y
        k = right(rk[0], plane + turn); AGAIN(k);
        STORE(0, 8); STORE(1, 9); STORE(2, 12); STORE(3, 13);
        k = right(rk[1], plane + turn); AGAIN(k);
        STORE(4, 14); STORE(5, 15); STORE(6, 10); STORE(7, 11);
        k = right(rk[2], plane + turn); AGAIN(k);
        STORE(8, 7); STORE(9, 6); STORE(10, 3); STORE(11, 2);
        k = right(rk[3], plane + turn); AGAIN(k);
        STORE(12, 1); STORE(13, 0); STORE(14, 5); STORE(15, 4);
    }
#undef STORE
#undef KEY
#undef LOAD
#undef PLANE_OF
}

TIGHT("no-schedule-insns", "live-range-shrinkage")
static void keys_32(u32 *x, const u32 *rk)
{
    for (int r = 0; r < 4; r++)
        for (int i = 0; i < 8; i++) {
            const u32 k = rk[r] >> i;
            u32 *to = x + 32 * r + i;
            for (int c = 0; c < 4; c++) to[8 * c] ^= (u32)((int32_t)(k << (31 - 8 * c)) >> 31);
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
        A_and_key_32(x, rk, 16 * (i & 1));
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
    while (n != 0) { /* thirty-two take as long as some 26 in batches of eight, and eight as some five alone */
        const size_t most = n > 24 ? 32 : n > 5 ? 8 : 1, now = n < most ? n : most;
        if (most == 1) one_block((const u32 *)rk, rounds, o, p);
        else (most == 32 ? thirty_two_blocks : eight_blocks)((const u32 *)rk, rounds, o, p, now);
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
    for (int r = 0; r < 4; r++) w[r] = right(w[r] ^ key[r] ^ LATE[!odd], 16 * odd);
    block_rounds(w, NULL, 1);
    A_turned(w);
    for (int r = 0; r < 4; r++) w[r] = right(w[r], 16 - 16 * odd) ^ A_LATE[odd][r];
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
        for (int r = 0; r < 4; r++)
            ek[r] = __builtin_bswap32(W[i & 3][r] ^ v[(r - words) & 3] >> bits ^ v[(r - words - 1) & 3] << (32 - bits));
        if (inverse && inside) {
            A_turned(ek);
            turn_rows(ek);
        }
        for (int r = 0; r < 4; r++) {
            ek[r] ^= inside ? A_LATE[!(at & 1)][r] ^ LATE[!(at & 1)] : LATE[1];
            rk[4 * at + r] = right(ek[r], 16 * (at & 1));
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
        one_block((const u32 *)rk, rounds, (uint8_t *)buf, (const uint8_t *)buf);                                                                     \
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

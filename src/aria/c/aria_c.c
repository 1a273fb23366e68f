/* aria_c.c - ARIA in portable C, bitsliced (RFC 5794, KS X 1213).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * There are no tables and no branches on data.  A byte is eight planes of bits, and an S-box is a circuit of some
 * hundred gates on 64-bit words.  Byte 4r + c of the block is in row r and column c of a 4 x 4 grid.  The column
 * selects the S-box, and FE is FO with the columns exchanged in pairs, c and c ^ 2.  One set of circuits serves three
 * layouts, which README.md draws: 64 blocks, 16 blocks, and 4 blocks or 1.
 *
 * Round keys have the canonical layout of hosts: ek1 ... ek(n+1) as bytes; for the inverse cipher dk1 ...  The code
 * derives from a round key what else it needs, such as its sum with the constants of the S-boxes, when it uses the
 * key. */
#include "../../core/bytes.h"
#include "../../core/kernel.h"

/* Machines of 8 and 16 bits gain nothing from words of 64 bits.  They have no data cache and can use aria_c_table. */
#if !defined(__AVR__) && !defined(__MSP430__)

typedef uint64_t u64;

#define INLINE static inline __attribute__((__always_inline__))
#define WORD u64 /* a word of all circuits */
#include "aria_c_circuits.h"
#include "aria_c_keys.h"

/* Exchanges the bits of a that mask << s selects with those of b that mask selects. */
INLINE void exchange(u64 *a, u64 *b, int s, u64 mask)
{
    const u64 t = (*a >> s ^ *b) & mask;
    *b ^= t;
    *a ^= t << s;
}

/* ---- Four blocks or one.  A word consists of four rows, each of four nibbles, each with the columns 0 2 1 3:
 *
 *     bit  63 ... 48 47 ... 32 31 ... 16 15 ... 0
 *     row      3         1         2         0       of nibbles 3 2 1 0, of columns 3 1 2 0
 *
 * For four blocks, word i is plane i, and a nibble belongs to one block.  For one block, word i is planes 4i + 3 ...
 * 4i, and a nibble belongs to one plane. */

#define EACH(pattern) (UINT64_C(0x0001000100010001) * (pattern))

/* Exchanges the bits of v that mask selects with those s places above them. */
INLINE u64 swap_bits(u64 v, int s, u64 mask)
{
    const u64 t = (v >> s ^ v) & mask;
    return v ^ t ^ t << s;
}

/* Turns v[0] and v[next], bytes 0 ... 7 and 8 ... 15 of a block, into planes 0 ... 3 and 4 ... 7.  In binary digits, the
 * bit in word r1 at place r0 c1 c0 p2 p1 p0 goes to word p2, place r0 r1 p1 p0 c0 c1. */
INLINE void pack(u64 *v, int next)
{
    exchange(&v[0], &v[next], 4, EACH(0x0f0f));
    for (int i = 0; i < 2; i++) {
        v[i * next] = swap_bits(v[i * next], 12, UINT64_C(0x0000f0f00000f0f0));
        v[i * next] = swap_bits(v[i * next], 6, EACH(0x00cc));
        v[i * next] = swap_bits(v[i * next], 3, EACH(0x0a0a));
    }
}

INLINE void unpack(u64 *v, int next)
{
    for (int i = 0; i < 2; i++) {
        v[i * next] = swap_bits(v[i * next], 3, EACH(0x0a0a));
        v[i * next] = swap_bits(v[i * next], 6, EACH(0x00cc));
        v[i * next] = swap_bits(v[i * next], 12, UINT64_C(0x0000f0f00000f0f0));
    }
    exchange(&v[0], &v[next], 4, EACH(0x0f0f));
}

/* The substitution layer: SL1 if odd is 0, SL2 if it is 1.  One inversion serves all columns, between linear maps
 * whose differences from column to column are masked terms.  It has 50 + 10 + 59 + 20 + 50 gates. */
INLINE void SL(u64 *x, int odd)
{
    const u64 sb1 = EACH(0x1111) << odd, sb2 = sb1 << 2, sb3 = EACH(0x2222) >> odd, sb4 = sb3 << 2;
    u64 a[9], b[9], p[9], q[9], w0, w1, w2, w3, w4, w5, w6, w7, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10,
        t11, t12, t13, t14, t15, t16, t17, t18, t19, t20, t21, t22, t23;
    t0 = x[4] ^ x[5]; t1 = x[5] ^ x[1]; t2 = x[2] ^ x[0]; t3 = x[3] ^ t2; t4 = t3 ^ x[6]; t5 = t2 ^ t0;
    t6 = x[1] ^ t5; t7 = t1 ^ t5; t8 = t6 ^ t3; t9 = t1 ^ x[6]; t10 = x[3] ^ t9; t11 = t9 ^ x[2];
    t12 = t9 ^ t0; t13 = t12 ^ x[7]; t14 = x[2] ^ t13; t15 = t13 ^ t10; t16 = x[5] ^ t15; t17 = t5 ^ t16;
    t18 = t2 ^ t15; t19 = t16 ^ x[2]; t20 = t3 ^ t19; t21 = t19 ^ t7;

    a[0] = t11 ^ (t20 & sb3) ^ (t8 & sb4); a[1] = x[6] ^ (t21 & sb4); a[3] = t17 ^ (t1 & sb3) ^ (t14 & sb4);
    a[4] = t5 ^ (t21 & sb3) ^ (t3 & sb4); b[0] = x[7] ^ (t13 & sb4); b[1] = t4 ^ (t1 & sb3) ^ (t18 & sb4);
    b[3] = t10 ^ (t7 & sb3) ^ (t16 & sb4); b[4] = t0 ^ (t12 & sb3) ^ (t6 & sb4);

    a[8] = a[3] ^ a[0]; a[6] = a[4] ^ a[1]; a[5] = a[3] ^ a[4]; a[7] = a[8] ^ a[6]; a[2] = a[5] ^ a[7];
    b[8] = b[3] ^ b[0]; b[6] = b[4] ^ b[1]; b[5] = b[3] ^ b[4]; b[7] = b[8] ^ b[6]; b[2] = b[5] ^ b[7];
    inversion(a, b, p, q);
    t0 = p[7] ^ p[6]; t1 = p[2] ^ t0; t2 = p[8] ^ p[6]; w0 = p[0] ^ t1 ^ t2; w1 = p[1] ^ t1;
    w2 = p[3] ^ t0 ^ p[5]; w3 = p[4] ^ t2 ^ p[5]; t10 = q[7] ^ q[6]; t11 = q[2] ^ t10; t12 = q[8] ^ q[6];
    w4 = q[0] ^ t11 ^ t12; w5 = q[1] ^ t11; w6 = q[3] ^ t10 ^ q[5]; w7 = q[4] ^ t12 ^ q[5];

    t0 = w6 ^ w1; t1 = w4 ^ w1; t2 = w4 ^ w2; t3 = w7 ^ w3; t4 = w6 ^ t3; t5 = t4 ^ w4; t6 = t5 ^ w5;
    t7 = t6 ^ w6; t8 = w2 ^ t7; t9 = w2 ^ w0; t10 = t9 ^ w6; t11 = t5 ^ t9; t12 = t10 ^ w3; t13 = t12 ^ w2;
    t14 = t12 ^ t0; t15 = t6 ^ t12; t16 = t14 ^ t2; t17 = t0 ^ w5; t18 = t16 ^ t17; t19 = t17 ^ t10;
    t20 = t17 ^ w2; t21 = t20 ^ w7; t22 = t12 ^ t21; t23 = t21 ^ t1;

    x[0] = t18 ^ (t8 & sb1) ^ (t15 & sb2); x[1] = w1 ^ (t0 & sb1) ^ (t19 & sb2);
    x[2] = t16 ^ (t22 & sb1) ^ (t14 & sb2); x[3] = t2 ^ (t1 & sb1) ^ (t4 & sb2);
    x[4] = t7 ^ (t11 & sb1) ^ (t5 & sb2); x[5] = t10 ^ (t20 & sb2); x[6] = t6 ^ (t23 & sb2);
    x[7] = t13 ^ (t3 & sb2);
}

/* Replaces each row by the sum of the three others. */
INLINE u64 other_rows(u64 v)
{
    const u64 t = v ^ (v >> 32 | v << 32);
    return v ^ t ^ (t >> 16 | t << 48);
}

/* The diffusion layer in three steps.  First each column becomes the sum of the three others, and then each row does.
 * Second, column c of row r goes to column c ^ 3, c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Third, each row becomes
 * the sum of the three others again. */
INLINE u64 A(u64 v)
{
    u64 t = v ^ v >> 2;
    t = (t ^ t >> 1) & EACH(0x1111);
    v = other_rows(v ^ ((t << 4) - t));
    v = swap_bits(v, 2, UINT64_C(0x0000333300003333));
    v = swap_bits(v, 1, UINT64_C(0x0000000055555555));
    return other_rows(v);
}

/* SL on one block.  The unused nibbles of x[] may hold anything. */
INLINE void SL_block(u64 *v, int odd)
{
    u64 x[8];
#define PLANE(i) x[i] = v[(i) / 4] >> 4 * ((i) % 4);
    ALL8(PLANE)
#undef PLANE
    SL(x, odd);
    v[0] = v[1] = 0;
#define PLANE(i) v[(i) / 4] |= (x[i] & EACH(0x000f)) << 4 * ((i) % 4);
    ALL8(PLANE)
#undef PLANE
}

INLINE void load_block(u64 *v, const uint8_t *in)
{
    v[0] = haechi_load_le64(in);
    v[1] = haechi_load_le64(in + 8);
}

INLINE void store_block(uint8_t *out, const u64 *v)
{
    haechi_store_le64(out, v[0]);
    haechi_store_le64(out + 8, v[1]);
}

static HAECHI_NOINLINE void one_block(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in)
{
    u64 v[2], k[2];
    load_block(v, in);
    round_key(k, rk, 0, rounds);
    v[0] ^= k[0];
    v[1] ^= k[1];
    pack(v, 1);
    for (int i = 1; i < rounds; i++) {
        SL_block(v, (i - 1) % 2);
        round_key(k, rk, i, rounds);
        pack(k, 1);
        v[0] = A(v[0]) ^ k[0];
        v[1] = A(v[1]) ^ k[1];
    }
    SL_block(v, 1);
    unpack(v, 1);
    round_key(k, rk, rounds, rounds);
    v[0] ^= k[0];
    v[1] ^= k[1];
    store_block(out, v);
}

/* ---- Key expansion, on one block at a time. */

/* The diffusion layer on bytes 0 ... 7 and 8 ... 15 of a block in the order of memory, by the same three steps. */
static void A_bytes(u64 *v)
{
    u64 t;
    for (int h = 0; h < 2; h++) {
        t = v[h] ^ v[h] >> 16;
        v[h] ^= HAECHI_FILL((t ^ t >> 8) & UINT64_C(0x000000ff000000ff), 8, 32);
    }
    t = v[0] ^ v[1];
    t ^= t >> 32 | t << 32;
    v[0] = swap_bits(swap_bits(v[0] ^ t, 8, EACH(0x00ff)), 16, 0xffff);
    v[1] = swap_bits(v[1] ^ t, 16, 0xffff);
    t = v[0] ^ v[1];
    t ^= t >> 32 | t << 32;
    v[0] ^= t;
    v[1] ^= t;
}

/* out = A(SL(in ^ key)): FO with odd = 0, FE with odd = 1. */
static void F(u64 *out, const u64 *in, const u64 *key, int odd)
{
    u64 v[2] = { in[0] ^ key[0] ^ (odd ? LATE : EARLY), in[1] ^ key[1] ^ (odd ? LATE : EARLY) };
    pack(v, 1);
    SL_block(v, odd);
    unpack(v, 1);
    A_bytes(v);
    out[0] = v[0] ^ (odd ? A_EARLY[0] : A_LATE[0]);
    out[1] = v[1] ^ (odd ? A_EARLY[1] : A_LATE[1]);
}

/* Rotates the 128-bit string w to the right by n bits.  Here w[0] is its beginning, as a big-endian number. */
INLINE void rotate(u64 *out, const u64 *w, int n)
{
    const u64 hi = w[n / 64], lo = w[1 - n / 64];
    out[0] = hi >> n % 64 | lo << (64 - n % 64);
    out[1] = lo >> n % 64 | hi << (64 - n % 64);
}

static void expand(uint8_t *rk, const uint8_t *key, int rounds, int inverse)
{
    /* RFC 5794, 2.2: C1, C2 and C3 are the fractional part of 1/pi, here as little-endian words of a block. */
    static const u64 C[3][2] = {
        { UINT64_C(0x940a2227b7c17c51), UINT64_C(0xe06e9afae8ab13fe) },
        { UINT64_C(0x20c8219ecc4ab16d), UINT64_C(0xb0e25defd5b128ff) },
        { UINT64_C(0x70e926211d3792db), UINT64_C(0x0ec9e80475972403) }
    };
    static const uint8_t turn[5] = { 19, 31, 128 - 61, 128 - 31, 128 - 19 };
    const int first = rounds / 2 - 6; /* CK1 is C1, C2 or C3 for 128, 192 or 256 bits */
    u64 W[4][2], KR[2] = { 0, 0 };
    uint8_t bytes[16];

    load_block(W[0], key);
    if (rounds >= 14) KR[0] = haechi_load_le64(key + 16);
    if (rounds == 16) KR[1] = haechi_load_le64(key + 24);
    F(W[1], W[0], C[first], 0);
    for (int h = 0; h < 2; h++) W[1][h] ^= KR[h];
    F(W[2], W[1], C[(first + 1) % 3], 1);
    for (int h = 0; h < 2; h++) W[2][h] ^= W[0][h];
    F(W[3], W[2], C[(first + 2) % 3], 0);
    for (int h = 0; h < 2; h++) W[3][h] ^= W[1][h];

    for (int i = 0; i < 4; i++) { /* from here on words are big-endian numbers */
        store_block(bytes, W[i]);
        for (int h = 0; h < 2; h++) W[i][h] = haechi_load_be64(bytes + 8 * h);
    }
    for (int i = 0; i <= rounds; i++) { /* ek(i+1) */
        uint8_t *ek = rk + 16 * (inverse ? rounds - i : i);
        u64 t[2];
        rotate(t, W[(i + 1) % 4], turn[i / 4]);
        haechi_store_be64(ek, W[i % 4][0] ^ t[0]);
        haechi_store_be64(ek + 8, W[i % 4][1] ^ t[1]);
    }
    for (int i = 1; inverse && i < rounds; i++) {
        u64 k[2];
        load_block(k, rk + 16 * i);
        A_bytes(k);
        store_block(rk + 16 * i, k);
    }
}

#if !HAECHI_MICRO
/* ---- Four blocks. */

/* Turns the planes of four single blocks into planes of four blocks, by a transposition that is its own inverse. */
INLINE void gather(u64 *x)
{
    for (int i = 0; i < 2; i++) exchange(&x[i], &x[i + 2], 8, EACH(0x00ff));
    for (int i = 0; i < 4; i += 2) exchange(&x[i], &x[i + 1], 4, EACH(0x0f0f));
}

/* Enciphers four blocks in place, where word j + 4h is half h of block j.  The caller adds the first and the last round
 * key.  This is a function of its own, as are crypt16 and crypt64, so that the proof can take it by itself. */
static HAECHI_NOINLINE void crypt4(u64 *restrict x, const uint8_t *restrict rk, int rounds)
{
    u64 k[2];

    for (int j = 0; j < 4; j++) pack(x + j, 4);
    gather(x);
    gather(x + 4);
    for (int i = 1; i < rounds; i++) {
        SL(x, (i - 1) % 2);
        round_key(k, rk, i, rounds);
        pack(k, 1);
#define PLANE(j) x[j] = A(x[j]) ^ HAECHI_FILL(k[(j) / 4] >> 4 * ((j) % 4) & EACH(0x000f), 4, 16);
        ALL8(PLANE)
#undef PLANE
    }
    SL(x, 1);
    gather(x);
    gather(x + 4);
    for (int j = 0; j < 4; j++) unpack(x + j, 4);
}

static void four_blocks(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    u64 x[8], k[2];

    round_key(k, rk, 0, rounds);
    for (size_t j = 0; j < 4; j++)
        for (size_t h = 0; h < 2; h++) x[j + 4 * h] = j < n ? haechi_load_le64(in + 16 * j + 8 * h) ^ k[h] : 0;
    crypt4(x, rk, rounds);
    round_key(k, rk, rounds, rounds);
    for (size_t j = 0; j < n; j++)
        for (size_t h = 0; h < 2; h++) haechi_store_le64(out + 16 * j + 8 * h, x[j + 4 * h] ^ k[h]);
}

/* ---- Sixteen blocks.  Word x[8c + i] is plane i of column c, with rows as above; each row has sixteen blocks. */

/* A step of the transposition of a bit matrix: exchanges bit d of the number of a word with bit s of a place in it. */
INLINE void step(u64 *x, int words, int d, int s, u64 mask)
{
    for (int i = 0; i < words; i += 2 * d)
        for (int j = i; j < i + d; j++) exchange(&x[j], &x[j + d], s, mask);
}

/* Turns words 0 ... 15 and 16 ... 31, the halves of sixteen blocks, into columns and planes.  It is its own inverse. */
static void transpose16(u64 *x)
{
    step(x, 32, 16, 16, UINT64_C(0x0000ffff0000ffff));
    step(x, 32, 8, 8, EACH(0x00ff));
    step(x, 32, 4, 4, EACH(0x0f0f));
    step(x, 32, 2, 2, EACH(0x3333));
    step(x, 32, 1, 1, EACH(0x5555));
}

/* Turns round keys 0 ... rounds - 1, at most sixteen, into the planes of as many blocks. */
static HAECHI_NOINLINE void keys16(u64 *keys, const uint8_t *rk, int rounds)
{
    for (int i = 0; i < 16; i++) {
        u64 k[2] = { 0, 0 };
        if (i < rounds) round_key(k, rk, i, rounds);
        keys[i] = k[0];
        keys[i + 16] = k[1];
    }
    transpose16(keys);
}

/* The diffusion layer on one plane of four columns. */
INLINE void A16(u64 *x)
{
    const u64 t01 = x[0] ^ x[8], t23 = x[16] ^ x[24];
    u64 y0 = other_rows(x[8] ^ t23), y1 = other_rows(x[0] ^ t23);
    u64 y2 = other_rows(x[24] ^ t01), y3 = other_rows(x[16] ^ t01);
    exchange(&y0, &y1, 0, UINT64_C(0x0000ffff0000ffff));
    exchange(&y2, &y3, 0, UINT64_C(0x0000ffff0000ffff));
    exchange(&y0, &y2, 0, UINT64_C(0x00000000ffffffff));
    exchange(&y1, &y3, 0, UINT64_C(0x00000000ffffffff));
    x[0] = other_rows(y0);
    x[8] = other_rows(y1);
    x[16] = other_rows(y2);
    x[24] = other_rows(y3);
}

/* Enciphers sixteen blocks in place, where word j + 16h is half h of block j.  The caller adds the last round key. */
static HAECHI_NOINLINE void crypt16(u64 *restrict x, const u64 *restrict keys, int rounds)
{
    transpose16(x);
    for (int i = 0; i < rounds; i++) {
        u64 *even = x + 16 * (i % 2), *odd = x + 16 - 16 * (i % 2);
        for (int j = 0; j < 32; j++) x[j] ^= HAECHI_FILL(keys[j] >> i & EACH(1), 1, 16);
        SB1(even, 1);
        SB2(even + 8, 1);
        SB3(odd, 1);
        SB4(odd + 8, 1);
        if (i < rounds - 1)
            for (int j = 0; j < 8; j++) A16(x + j);
    }
    transpose16(x);
}

static void sixteen_blocks(const uint8_t *rk, const u64 *keys, int rounds, uint8_t *out, const uint8_t *in,
                           size_t n)
{
    u64 x[32], k[2];

    for (size_t j = 0; j < 16; j++) {
        x[j] = j < n ? haechi_load_le64(in + 16 * j) : 0;
        x[j + 16] = j < n ? haechi_load_le64(in + 16 * j + 8) : 0;
    }
    crypt16(x, keys, rounds);
    round_key(k, rk, rounds, rounds);
    for (size_t j = 0; j < n; j++) {
        haechi_store_le64(out + 16 * j, x[j] ^ k[0]);
        haechi_store_le64(out + 16 * j + 8, x[j + 16] ^ k[1]);
    }
}

/* ---- Sixty-four blocks.  Word x[32c + 4i + r'] is plane i of byte 4r + c; r' = 0 2 1 3 for r = 0 ... 3. */

/* Turns sixty-four blocks, two words each, into columns, planes and rows.  It is its own inverse. */
static void transpose64(u64 *x)
{
    step(x, 128, 2, 32, UINT64_C(0x00000000ffffffff));
    step(x, 128, 64, 16, UINT64_C(0x0000ffff0000ffff));
    step(x, 128, 32, 8, EACH(0x00ff));
    step(x, 128, 16, 4, EACH(0x0f0f));
    step(x, 128, 8, 2, EACH(0x3333));
    step(x, 128, 4, 1, EACH(0x5555));
}

/* The diffusion layer and the round key on one plane. */
INLINE void A64(u64 *x, const uint8_t *k)
{
    u64 y[16];
#define LOAD(i) y[i] = x[BYTE(i)];
#define XOR(i, j) y[i] ^= y[j];
#define STORE(i, j) x[BYTE(i)] = y[j] ^ (u64)(int8_t)k[BYTE(i)];
    ALL16(LOAD)
    DIFFUSION(XOR)
    FROM(STORE)
#undef LOAD
#undef XOR
#undef STORE
}

/* Enciphers sixty-four blocks in place, where word 2j + h is half h of block j.  The caller adds the first and the last
 * round key. */
static HAECHI_NOINLINE void crypt64(u64 *restrict x, const uint8_t *restrict keys, int rounds)
{
    transpose64(x);
    for (int i = 0; i < rounds; i++) {
        u64 *even = x + 64 * (i % 2), *odd = x + 64 - 64 * (i % 2);
        for (int r = 0; r < 4; r++) SB1(even + r, 4);
        for (int r = 0; r < 4; r++) SB2(even + 32 + r, 4);
        for (int r = 0; r < 4; r++) SB3(odd + r, 4);
        for (int r = 0; r < 4; r++) SB4(odd + 32 + r, 4);
        if (i < rounds - 1)
            for (int j = 0; j < 8; j++) A64(x + 4 * j, keys + 128 * i + 4 * j);
    }
    transpose64(x);
}

static void sixty_four_blocks(const uint8_t *rk, const uint8_t *keys, int rounds, uint8_t *out,
                              const uint8_t *in, size_t n)
{
    u64 x[128], k[2];

    round_key(k, rk, 0, rounds);
    for (size_t j = 0; j < 128; j++) x[j] = j < 2 * n ? haechi_load_le64(in + 8 * j) ^ k[j % 2] : 0;
    crypt64(x, keys, rounds);
    round_key(k, rk, rounds, rounds);
    for (size_t j = 0; j < 2 * n; j++) haechi_store_le64(out + 8 * j, x[j] ^ k[j % 2]);
}

/* ---- Any number of blocks. */

/* The thresholds are the numbers of blocks from which a batch of the next larger layout is faster than batches of the
 * smaller ones. */
static void many_blocks(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    if (n > 32) {
        uint8_t keys[15 * 128];
        keys64(keys, rk, rounds);
        for (size_t m; n > 32; n -= m, out += 16 * m, in += 16 * m) {
            m = n < 64 ? n : 64;
            sixty_four_blocks(rk, keys, rounds, out, in, m);
        }
    }
    if (n > 8) {
        u64 keys[32];
        keys16(keys, rk, rounds);
        for (size_t m; n > 8; n -= m, out += 16 * m, in += 16 * m) {
            m = n < 16 ? n : 16;
            sixteen_blocks(rk, keys, rounds, out, in, m);
        }
    }
    for (size_t m; n > 1; n -= m, out += 16 * m, in += 16 * m) {
        m = n < 4 ? n : 4;
        four_blocks(rk, rounds, out, in, m);
    }
    if (n) one_block(rk, rounds, out, in);
}

#define BULK(rounds)                                                                                         \
    static void bulk_##rounds(const void *rk, void *out, const void *in, size_t n)                           \
    {                                                                                                        \
        many_blocks((const uint8_t *)rk, rounds, (uint8_t *)out, (const uint8_t *)in, n);                    \
    }
BULK(12)
BULK(14)
BULK(16)
#else /* microcontrollers process one block at a time */
#define bulk_12 NULL
#define bulk_14 NULL
#define bulk_16 NULL
#endif

/* ---- The descriptors.  The inverse cipher is the cipher with other round keys. */

#define ARIA(bits, rounds)                                                                                   \
    static void expand_##bits(void *rk, const void *key)                                                     \
    {                                                                                                        \
        expand((uint8_t *)rk, (const uint8_t *)key, rounds, 0);                                              \
    }                                                                                                        \
    static void expand_##bits##_inv(void *rk, const void *key)                                               \
    {                                                                                                        \
        expand((uint8_t *)rk, (const uint8_t *)key, rounds, 1);                                              \
    }                                                                                                        \
    static void crypt_##rounds(const void *rk, void *buf)                                                    \
    {                                                                                                        \
        one_block((const uint8_t *)rk, rounds, (uint8_t *)buf, (const uint8_t *)buf);                        \
    }                                                                                                        \
    HAECHI_KERNEL(aria_c_##bits) = {                                                                         \
        HAECHI_NAMED("aria_c", 4096)                                                                               \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8,                                               \
        .expand = expand_##bits, .crypt = crypt_##rounds, .bulk = bulk_##rounds                              \
    };                                                                                                       \
    HAECHI_KERNEL(aria_c_##bits##_inv) = {                                                                   \
        HAECHI_NAMED("aria_c", 4096)                                                                               \
        .rk = 16 * (rounds + 1), .block = 16, .key = bits / 8, .flags = HAECHI_INVERSE,                      \
        .expand = expand_##bits##_inv, .crypt = crypt_##rounds, .bulk = bulk_##rounds                        \
    }

ARIA(128, 12);
ARIA(192, 14);
ARIA(256, 16);

#endif

/* lea_x86.h - LEA for x86-64 in vectors of any width.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One text for all widths.  A kernel says WIDTH (of a vector, in bits), TARGET (the attribute with its
 * instructions) and MOST (groups at a time, 3 to 5), includes this file and names its descriptors.
 *
 * A vector V is 1, 2 or 4 lanes of 16 bytes, in memory one block each.  Four vectors are a group, of 4, 8 or 16
 * blocks; the rounds run on words, X0 of a group's blocks in one vector, X1 in the next ...  Transposing 4 x 4
 * words in every lane makes one of the other (drawn for 512 bits; b = block, lanes separated by |):
 *
 *     in memory   v0   b0.X0 b0.X1 b0.X2 b0.X3 | b1.X0 b1.X1 ...     v1   b4.X0 ...     v3   b12.X0 ...
 *     in rounds   x0   b0.X0 b4.X0 b8.X0 b12.X0 | b1.X0 b5.X0 ...     x1   b0.X1 ...     x3   b0.X3 ...
 *
 * A round of one group waits for its own results half of the time: up to MOST groups run side by side.  */
#ifndef HAECHI_LEA_X86_H
#define HAECHI_LEA_X86_H

#include <immintrin.h>

#include "../../core/bytes.h"
#include "../../core/features.h"
#include "../../core/kernel.h"
#include "../c/lea_c.h"

#define INLINE static inline __attribute__((__always_inline__)) TARGET
#define SHARED TARGET static __attribute__((__noinline__))

#if WIDTH == 512
#define V __m512i
#define V_(operation) _mm512_##operation
#define XOR(a, b) _mm512_xor_si512(a, b)
#define ANDNOT(a, b) _mm512_andnot_si512(a, b)                     /* ~a & b */
#define XOR_AND(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x78) /* a ^ (b & c) */
#define ROL(x, n) _mm512_rol_epi32(x, n)
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define EVERY(block) _mm512_broadcast_i32x4(block) /* in every lane */
#define MASK(n) ((__mmask8)((1u << 2 * (n)) - 1))
#elif WIDTH == 256
#define V __m256i
#define V_(operation) _mm256_##operation
#define XOR(a, b) _mm256_xor_si256(a, b)
#define ANDNOT(a, b) _mm256_andnot_si256(a, b)
#define XOR_AND(a, b, c) XOR(a, _mm256_and_si256(b, c))
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define EVERY(block) _mm256_broadcastsi128_si256(block)
#else
#define V __m128i
#define V_(operation) _mm_##operation
#define XOR(a, b) _mm_xor_si128(a, b)
#define ANDNOT(a, b) _mm_andnot_si128(a, b)
#define XOR_AND(a, b, c) XOR(a, _mm_and_si128(b, c))
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define EVERY(block) (block)
#endif
#if WIDTH != 512
#define ROL(x, n) V_(or_V)(V_(slli_epi32)(x, n), V_(srli_epi32)(x, 32 - (n)))
#define _mm256_or_V _mm256_or_si256
#define _mm_or_V _mm_or_si128
#endif
#define ADD(a, b) V_(add_epi32)(a, b)
#define SUB(a, b) V_(sub_epi32)(a, b)
#define WORD(w) V_(set1_epi32)((int)(w))

enum { LANES = WIDTH / 128, GROUP = 4 * LANES }; /* blocks in a vector, in a group */

/* DO(x of a group, ...) for each of N groups; N is constant where this is inlined.  By hand: of a loop compilers
 * keep x in memory. */
#define GROUPS(DO, ...)                                                                                      \
    DO((x), __VA_ARGS__)                                                                                     \
    if (N > 1) { DO((x + 4), __VA_ARGS__) }                                                                  \
    if (N > 2) { DO((x + 8), __VA_ARGS__) }                                                                  \
    if (N > 3) { DO((x + 12), __VA_ARGS__) }                                                                 \
    if (N > 4) { DO((x + 16), __VA_ARGS__) }

/* ---- The rounds, step by step for N groups: a key is loaded for all groups and then forgotten.
 *
 * A word stays where it is and its name moves: the X0, X1, X2, X3 that a round begins with stand in
 * A, B, C, D, those that it ends with in B, C, D, A. */

#define RK0 WORD(k[0])
#define RK1 WORD(k[1])
#define RK2 WORD(k[2])
#define RK3 WORD(k[W == 4 ? 1 : 3])
#define RK4 WORD(k[W == 4 ? 3 : 4])
#define RK5 WORD(k[W == 4 ? 1 : 5])

/* Here v has its value.  Compilers would mix the steps, run out of registers, and make what is waited for go
 * through memory; and they would XOR keys first and make vectors of them then, which takes longer. */
#define NOW(v) __asm__("" : "+v"(v))

/* ENCRYPT(x, C, D, n): D = ROL((C ^ left) + (D ^ right), n). */
#define ENCRYPT(x, before, word, n)                                                                          \
    x[word] = ROL(ADD(XOR(x[before], left), XOR(x[word], right)), n);                                        \
    NOW(x[word]);

#define ENCRYPT_ROUND(A, B, C, D)                                                                            \
    left = RK4, right = RK5;                                                                                 \
    GROUPS(ENCRYPT, C, D, 32 - 3)                                                                            \
    left = RK2, right = RK3;                                                                                 \
    GROUPS(ENCRYPT, B, C, 32 - 5)                                                                            \
    left = RK0, right = RK1;                                                                                 \
    GROUPS(ENCRYPT, A, B, 9)                                                                                 \
    k += W;

/* Backwards a word waits for the one before it: D = (ROL(D, n) - (C ^ left)) ^ right.  The last XOR is put off,
 * and the next word takes both keys at once; that of the last word (`due`) is put off to the next round. */
#define TURN(x, word, n)                                                                                     \
    x[word] = ROL(x[word], n);                                                                               \
    NOW(x[word]);
#define TAKE(x, before, word)                                                                                \
    x[word] = SUB(x[word], XOR(x[before], both));                                                            \
    NOW(x[word]);
#define ADD_KEY(x, word, key)                                                                                \
    x[word] = XOR(x[word], key);                                                                             \
    NOW(x[word]);

#define DECRYPT_ROUND(A, B, C, D)                                                                            \
    both = XOR(due, RK0);                                                                                    \
    GROUPS(TURN, B, 32 - 9)                                                                                  \
    GROUPS(TAKE, A, B)                                                                                       \
    GROUPS(ADD_KEY, A, due)                                                                                  \
    due = RK1;                                                                                               \
    NOW(due);                                                                                                \
    both = XOR(due, RK2);                                                                                    \
    GROUPS(TURN, C, 5)                                                                                       \
    GROUPS(TAKE, B, C)                                                                                       \
    GROUPS(ADD_KEY, B, due)                                                                                  \
    due = RK3;                                                                                               \
    NOW(due);                                                                                                \
    both = XOR(due, RK4);                                                                                    \
    GROUPS(TURN, D, 3)                                                                                       \
    GROUPS(TAKE, C, D)                                                                                       \
    GROUPS(ADD_KEY, C, due)                                                                                  \
    due = RK5;                                                                                               \
    NOW(due);                                                                                                \
    k += W;

/* After four rounds the words carry their own names again. */
INLINE void encrypt(int N, const uint32_t *k, int W, int rounds, V *x)
{
    V left, right;
    for (int r = 0; r < rounds; r += 4) {
        ENCRYPT_ROUND(0, 1, 2, 3)
        ENCRYPT_ROUND(1, 2, 3, 0)
        ENCRYPT_ROUND(2, 3, 0, 1)
        ENCRYPT_ROUND(3, 0, 1, 2)
    }
}

INLINE void decrypt(int N, const uint32_t *k, int W, int rounds, V *x)
{
    V both, due = WORD(0);
    for (int r = 0; r < rounds; r += 4) {
        DECRYPT_ROUND(3, 0, 1, 2)
        DECRYPT_ROUND(2, 3, 0, 1)
        DECRYPT_ROUND(1, 2, 3, 0)
        DECRYPT_ROUND(0, 1, 2, 3)
    }
    GROUPS(ADD_KEY, 3, due)
}

/* ---- Blocks to words and back: its own inverse. */

INLINE void transpose(V *x)
{
    const V a = V_(unpacklo_epi32)(x[0], x[1]), b = V_(unpackhi_epi32)(x[0], x[1]);
    const V c = V_(unpacklo_epi32)(x[2], x[3]), d = V_(unpackhi_epi32)(x[2], x[3]);
    x[0] = V_(unpacklo_epi64)(a, c), x[1] = V_(unpackhi_epi64)(a, c);
    x[2] = V_(unpacklo_epi64)(b, d), x[3] = V_(unpackhi_epi64)(b, d);
}

/* ---- Counters, made as words: no transposition.  A batch moves X3, and by one carry the other three. */

/* Which block of the group an element of a vector belongs to. */
static const uint32_t INDEX[GROUP] = {
#if WIDTH == 512
    0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
#elif WIDTH == 256
    0, 2, 4, 6, 1, 3, 5, 7
#else
    0, 1, 2, 3
#endif
};

struct counters {
    uint64_t high, low; /* the next one */
};

INLINE uint32_t bytes_reversed(uint64_t x)
{
    return __builtin_bswap32((uint32_t)x);
}

INLINE void move_on(struct counters *c, size_t n)
{
    c->low += n;
    c->high += c->low < n;
}

/* The words of N groups of counters from c on.  No branch on the carry: a mode may count on from a secret. */
INLINE void count(int N, V *x, const struct counters *c)
{
    const uint64_t low = c->low + (UINT64_C(1) << 32), high = c->high + (low >> 32 == 0); /* past the carry */
    const V start = WORD(c->low);
    const V X0 = WORD(bytes_reversed(c->high >> 32)), X0_moves = XOR(X0, WORD(bytes_reversed(high >> 32)));
    const V X1 = WORD(bytes_reversed(c->high)), X1_moves = XOR(X1, WORD(bytes_reversed(high)));
    const V X2 = WORD(bytes_reversed(c->low >> 32)), X2_moves = XOR(X2, WORD(bytes_reversed(low >> 32)));
    const V reversed = EVERY(_mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    V number = LOAD(INDEX);
    V sum, carry;
#define COUNT(x, unused)                                                                                     \
    sum = ADD(start, number);                                                                                \
    carry = V_(srai_epi32)(ANDNOT(sum, start), 31); /* the highest bit was set, and is no more */            \
    x[0] = XOR_AND(X0, carry, X0_moves), x[1] = XOR_AND(X1, carry, X1_moves);                                \
    x[2] = XOR_AND(X2, carry, X2_moves), x[3] = V_(shuffle_epi8)(sum, reversed);                             \
    number = ADD(number, WORD(GROUP));
    GROUPS(COUNT, 0)
}

/* ---- Memory: vector v of n blocks that begin at p; blocks that are not there are zeros. */

#define AT(v) (16 * LANES * (v))

INLINE V load(const uint8_t *p, size_t n, unsigned v)
{
    if (n >= LANES * (v + 1)) return LOAD(p + AT(v));
#if WIDTH == 512
    if (n > LANES * v) return _mm512_maskz_loadu_epi64(MASK(n % LANES), p + AT(v));
#elif WIDTH == 256
    if (n > LANES * v) return _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(p + AT(v))));
#endif
    return WORD(0);
}

INLINE void store(uint8_t *p, size_t n, unsigned v, V value)
{
    if (n >= LANES * (v + 1)) STORE(p + AT(v), value);
#if WIDTH == 512
    else if (n > LANES * v) _mm512_mask_storeu_epi64(p + AT(v), MASK(n % LANES), value);
#elif WIDTH == 256
    else if (n > LANES * v) _mm_storeu_si128((__m128i *)(p + AT(v)), _mm256_castsi256_si128(value));
#endif
}

#define VECTORS(DO)                                                                                          \
    DO(0) DO(1) DO(2) DO(3)                                                                                  \
    if (N > 1) { DO(4) DO(5) DO(6) DO(7) }                                                                   \
    if (N > 2) { DO(8) DO(9) DO(10) DO(11) }                                                                 \
    if (N > 3) { DO(12) DO(13) DO(14) DO(15) }                                                               \
    if (N > 4) { DO(16) DO(17) DO(18) DO(19) }

/* Of N groups only the last one may have fewer blocks. */
#define THERE(v) ((v) / 4 + 1 < N ? SIZE_MAX : n)

INLINE void get(int N, V *x, const uint8_t *in, size_t n)
{
#define GET(v) x[v] = load(in, THERE(v), v);
    VECTORS(GET)
}

/* To out, XORed to what is at in where that is not NULL. */
INLINE void put(int N, const V *x, uint8_t *out, const uint8_t *in, size_t n)
{
#define PUT(v) store(out, THERE(v), v, x[v]);
#define PUT_SUM(v) store(out, THERE(v), v, XOR(x[v], load(in, THERE(v), v)));
    if (in != NULL) {
        VECTORS(PUT_SUM)
    } else {
        VECTORS(PUT)
    }
}

/* ---- A batch: n blocks in N groups.  At in to out; with counters c, of those, XORed to what is at in, if any. */

#define TRANSPOSE(x, unused) transpose(x);

INLINE void batch(int N, int W, int inverse, const uint32_t *k, int rounds, const struct counters *c,
                  uint8_t *out, const uint8_t *in, size_t n)
{
    V x[20];
    if (!inverse && c != NULL) {
        count(N, x, c);
    } else {
        get(N, x, in, n);
        GROUPS(TRANSPOSE, 0)
        in = NULL;
    }
    if (inverse) decrypt(N, k, W, rounds, x);
    else encrypt(N, k, W, rounds, x);
    GROUPS(TRANSPOSE, 0)
    put(N, x, out, in, n);
}

#define BATCH(name, N, W, inverse)                                                                           \
    SHARED void name(const uint32_t *k, int rounds, const struct counters *c, uint8_t *out, const uint8_t *in, \
                     size_t n)                                                                               \
    {                                                                                                        \
        batch(N, W, inverse, k, rounds, c, out, in, n);                                                      \
    }
#define BATCHES(N) BATCH(enc4x##N, N, 4, 0) BATCH(enc6x##N, N, 6, 0) BATCH(dec4x##N, N, 4, 1) BATCH(dec6x##N, N, 6, 1)
#if MOST >= 5
BATCHES(5)
#endif
#if MOST >= 4
BATCHES(4)
#endif
BATCHES(3)
BATCHES(2)
BATCHES(1)

/* ---- Any number of blocks. */

/* Five to nine groups of five are not five and a rest, but halves: a group alone takes nearly as long as five. */
INLINE void blocks(int W, int inverse, const void *rk, int rounds, struct counters *c, uint8_t *out,
                   const uint8_t *in, size_t n)
{
    const uint32_t *const k = (const uint32_t *)rk;
    while (n) {
        size_t groups = (n + GROUP - 1) / GROUP, m;
        if (groups > MOST) groups = groups < 2 * MOST ? (groups + 1) / 2 : MOST;
        m = groups * GROUP < n ? groups * GROUP : n;
#define CASE(N)                                                                                              \
    case N: (W == 4 ? inverse ? dec4x##N : enc4x##N : inverse ? dec6x##N : enc6x##N)(k, rounds, c, out, in, m); break;
        switch (groups) {
#if MOST >= 5
            CASE(5)
#endif
#if MOST >= 4
            CASE(4)
#endif
            CASE(3)
            CASE(2)
            CASE(1)
        }
        if (c != NULL) move_on(c, m);
        n -= m;
        out += 16 * m;
        if (in != NULL) in += 16 * m;
    }
}

/* ---- The descriptors.  Round keys, and one block alone, are lea_c's. */

#define SIZE(bits, W, rounds)                                                                                \
    TARGET static void enc_##bits(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        if (n == 1) {                                                                                        \
            if (out != in) haechi_copy((uint8_t *)out, (const uint8_t *)in, 16);                             \
            haechi_lea_c_##bits##_enc(rk, out);                                                              \
        } else {                                                                                             \
            blocks(W, 0, rk, rounds, NULL, (uint8_t *)out, (const uint8_t *)in, n);                          \
        }                                                                                                    \
    }                                                                                                        \
    TARGET static void dec_##bits(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        if (n == 1) {                                                                                        \
            if (out != in) haechi_copy((uint8_t *)out, (const uint8_t *)in, 16);                             \
            haechi_lea_c_##bits##_dec(rk, out);                                                              \
        } else {                                                                                             \
            blocks(W, 1, rk, rounds, NULL, (uint8_t *)out, (const uint8_t *)in, n);                          \
        }                                                                                                    \
    }                                                                                                        \
    TARGET static void ctr_##bits(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)     \
    {                                                                                                        \
        struct counters c = { haechi_load_be64(counter), haechi_load_be64(counter + 8) };                    \
        if (n == 1) {                                                                                        \
            uint8_t stream[16];                                                                              \
            haechi_copy(stream, counter, 16);                                                                \
            haechi_lea_c_##bits##_enc(rk, stream);                                                           \
            if (in == NULL) haechi_copy((uint8_t *)out, stream, 16);                                         \
            else haechi_xor((uint8_t *)out, (const uint8_t *)in, stream, 16);                                \
            move_on(&c, 1);                                                                                  \
        } else {                                                                                             \
            blocks(W, 0, rk, rounds, &c, (uint8_t *)out, (const uint8_t *)in, n);                            \
        }                                                                                                    \
        haechi_store_be64(counter, c.high);                                                                  \
        haechi_store_be64(counter + 8, c.low);                                                               \
    }

#define DESCRIPTORS(kernel, bits, W, rounds, features)                                                       \
    SIZE(bits, W, rounds)                                                                                    \
    HAECHI_KERNEL(kernel##_##bits) = {                                                                       \
        .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8,                               \
        .expand = haechi_lea_c_##bits##_eks, .crypt = haechi_lea_c_##bits##_enc,                             \
        .bulk = enc_##bits, .ctr = ctr_##bits                                                                \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_##bits##_inv) = {                                                                 \
        .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8, .flags = HAECHI_INVERSE,      \
        .expand = haechi_lea_c_##bits##_dks, .crypt = haechi_lea_c_##bits##_dec, .bulk = dec_##bits          \
    }

#define LEA(kernel, features)                                                                                \
    DESCRIPTORS(kernel, 128, 4, 24, features);                                                               \
    DESCRIPTORS(kernel, 192, 6, 28, features);                                                               \
    DESCRIPTORS(kernel, 256, 6, 32, features)

#endif

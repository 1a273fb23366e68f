/* lea_x86.h - LEA for x86-64 in vectors of any width.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * This one text serves all widths.  A kernel defines WIDTH (of a vector, in bits), TARGET (the attribute that allows
 * its instructions) and MOST (the groups in a batch, 3 to 5).  It then includes this file and names its descriptors.
 *
 * A vector V is 1, 2 or 4 lanes of 16 bytes, which are one block each in memory.  Four vectors are a group of 4, 8 or
 * 16 blocks.  The rounds run on words: one vector holds X0 of all blocks of a group, the next one X1, and so
 * on.  Transposing 4 x 4 words in every lane takes one form to the other (drawn for 512 bits; b is a block, and |
 * separates lanes):
 *
 *     in memory   v0   b0.X0 b0.X1 b0.X2 b0.X3 | b1.X0 b1.X1 ...     v1   b4.X0 ...     v3   b12.X0 ...
 *     in rounds   x0   b0.X0 b4.X0 b8.X0 b12.X0 | b1.X0 b5.X0 ...     x1   b0.X1 ...     x3   b0.X3 ...
 *
 * core/x86_batch.h explains why several groups run side by side. */
#ifndef HAECHI_LEA_X86_H
#define HAECHI_LEA_X86_H

#define BLOCK_BYTES 16
#include "../../core/x86.h"
#include "../c/lea_c.h"

#if WIDTH == 512
#define ROL(x, n) _mm512_rol_epi32(x, n)
#else
#define ROL(x, n) V_(or_V)(V_(slli_epi32)(x, n), V_(srli_epi32)(x, 32 - (n)))
#define _mm256_or_V _mm256_or_si256
#define _mm_or_V _mm_or_si128
#endif
#define ADD(a, b) V_(add_epi32)(a, b)
#define SUB(a, b) V_(sub_epi32)(a, b)
#define WORD(w) V_(set1_epi32)((int)(w))

enum { LANES = WIDTH / 128, GROUP = 4 * LANES }; /* blocks in a vector, in a group */

/* DO(x of a group, ...) for each of N groups.  N is constant where this is inlined.  It is unrolled by hand, because
 * compilers keep the x of a loop in memory. */
#define GROUPS(DO, ...)                                                                                      \
    DO((x), __VA_ARGS__)                                                                                     \
    if (N > 1) { DO((x + 4), __VA_ARGS__) }                                                                  \
    if (N > 2) { DO((x + 8), __VA_ARGS__) }                                                                  \
    if (N > 3) { DO((x + 12), __VA_ARGS__) }                                                                 \
    if (N > 4) { DO((x + 16), __VA_ARGS__) }

/* ---- The rounds, step by step for N groups: each round key is loaded once for all groups.
 *
 * Words stay where they are and their names move: a round takes X0, X1, X2 and X3 in A, B, C and D, and leaves them
 * in B, C, D and A. */

#define RK0 WORD(k[0])
#define RK1 WORD(k[1])
#define RK2 WORD(k[2])
#define RK3 WORD(k[W == 4 ? 1 : 3])
#define RK4 WORD(k[W == 4 ? 3 : 4])
#define RK5 WORD(k[W == 4 ? 1 : 5])

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

/* In decryption each word depends on the one before it: D = (ROL(D, n) - (C ^ left)) ^ right.  To shorten that chain,
 * the last XOR is delayed, and the next word takes both round keys at once.  The XOR of the last word, by `due`, is
 * delayed to the next round. */
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

/* After four rounds every word has its first name again. */
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

/* ---- From blocks to words and back, which is the same transposition. */

INLINE void transpose(V *x)
{
    const V a = V_(unpacklo_epi32)(x[0], x[1]), b = V_(unpackhi_epi32)(x[0], x[1]);
    const V c = V_(unpacklo_epi32)(x[2], x[3]), d = V_(unpackhi_epi32)(x[2], x[3]);
    x[0] = V_(unpacklo_epi64)(a, c), x[1] = V_(unpackhi_epi64)(a, c);
    x[2] = V_(unpacklo_epi64)(b, d), x[3] = V_(unpackhi_epi64)(b, d);
}

/* ---- Counters, which are made in the order of the rounds and need no transposition.  Within a batch X3 changes, and
 * by one carry the other three words do. */

/* For each word of a vector, the number of its block in the group. */
static const uint32_t INDEX[GROUP] = {
#if WIDTH == 512
    0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15
#elif WIDTH == 256
    0, 2, 4, 6, 1, 3, 5, 7
#else
    0, 1, 2, 3
#endif
};

#define COUNTER struct counter
struct counter {
    uint64_t high, low; /* the next one */
};

INLINE COUNTER counter_from(const uint8_t *block)
{
    COUNTER c = { haechi_load_be64(block), haechi_load_be64(block + 8) };
    return c;
}

INLINE void counter_to(uint8_t *block, const COUNTER *c)
{
    haechi_store_be64(block, c->high);
    haechi_store_be64(block + 8, c->low);
}

INLINE uint32_t bytes_reversed(uint64_t x)
{
    return __builtin_bswap32((uint32_t)x);
}

INLINE void move_on(COUNTER *c, size_t n)
{
    c->low += n;
    c->high += c->low < n;
}

/* The words of N groups of counters from c on.  No branch on the carry: a mode may count on from a secret. */
INLINE void count(int N, V *x, const COUNTER *c)
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

/* ---- Messages. */

/* For each vector of `groups` groups, the last one first. */
#define VECTORS(groups, DO)                                                                                  \
    if ((groups) > 4) { DO(19) DO(18) DO(17) DO(16) }                                                        \
    if ((groups) > 3) { DO(15) DO(14) DO(13) DO(12) }                                                        \
    if ((groups) > 2) { DO(11) DO(10) DO(9) DO(8) }                                                          \
    if ((groups) > 1) { DO(7) DO(6) DO(5) DO(4) }                                                            \
    if ((groups) > 0) { DO(3) DO(2) DO(1) DO(0) }

#define GROUP_VECTORS 4
#define MAX_GROUPS 5
#define KEYS const uint32_t *k, int rounds
#define KEY_NAMES k, rounds
#define TRANSPOSE(x, unused) transpose(x);
#define TO_ROUNDS GROUPS(TRANSPOSE, 0)
#define FROM_ROUNDS GROUPS(TRANSPOSE, 0)
#define ENCRYPT_GROUPS encrypt(N, k, W, rounds, x);
#define DECRYPT_GROUPS decrypt(N, k, W, rounds, x);
#define BATCH(N)                                                                                             \
    ENCRYPT_BATCH(enc4x##N, N, 4) ENCRYPT_BATCH(enc6x##N, N, 6)                                              \
    DECRYPT_BATCH(dec4x##N, N, 4) DECRYPT_BATCH(dec6x##N, N, 6)
#define ENCRYPT_BATCH_OF(N) (W == 4 ? enc4x##N : enc6x##N)
#define DECRYPT_BATCH_OF(N) (W == 4 ? dec4x##N : dec6x##N)
#include "../../core/x86_batch.h"

#define ROUND_KEYS_OF const void *rk, int rounds
#define ROUND_KEY_NAMES rk, rounds
#define encrypt_all(W, rk, rounds, ...) encrypt_batches(W, (const uint32_t *)rk, rounds, __VA_ARGS__)
#define decrypt_all(W, rk, rounds, ...) decrypt_batches(W, (const uint32_t *)rk, rounds, __VA_ARGS__)
#define xex_all(W, inverse, rk, rounds, ...) xex_batches(W, inverse, (const uint32_t *)rk, rounds, __VA_ARGS__)

INLINE V chain_from(const uint8_t *iv)
{
    return EVERY(_mm_loadu_si128((const __m128i *)iv));
}

#include "../../core/x86_messages.h"

/* ---- Many keys.  A lane is the place of a block in LANE_GROUPS groups, and it has round keys of its own: memory holds
 * a vector for each group, of all lanes in it, for each word of each round. */

#define LANE_GROUPS (WIDTH == 512 ? 1 : 2)
#define LANE_FEW 4
#define LANE_BLOCKS (WIDTH == 512 ? 24 : 16)
enum { KEYS_WIDE = LANE_GROUPS * GROUP, AHEAD = HAECHI_LANES_BLOCKS / BLOCK_BYTES / KEYS_WIDE };
enum { AT_ONCE = WIDTH == 512 ? 4 : WIDTH == 256 ? 2 : 1 }; /* blocks of a lane that are encrypted at once */

#include "../../core/x86_lanes.h"

/* 16 bytes of each key of a group, or the last 8, as words. */
INLINE void words_of_keys(V *w, const void *const *keys, size_t at, size_t n)
{
#define GET_WORDS(i) w[i] = pieces_of_keys(keys + GROUP / 4 * i, 1, at, n);
    ALL4(GET_WORDS)
    transpose(w);
}

/* The key schedule of lea_c in every lane of a group, for K words of key. */
INLINE void expand_group(V *rk, const void *const *keys, const uint32_t *added, int K)
{
    const int W = K == 4 ? 4 : 6, rounds = 16 + 2 * K;
    V T[8];
    words_of_keys(T, keys, 0, 16);
    if (K > 4) words_of_keys(T + 4, keys, 16, K == 6 ? 8 : 16);
#define LANE_STEP(r, i, rotation)                                                                            \
    T[K == 8 ? (6 * r + i) % 8 : i] = ROL(ADD(T[K == 8 ? (6 * r + i) % 8 : i], WORD(added[i])), rotation);   \
    rk[LANE_GROUPS * i] = T[K == 8 ? (6 * r + i) % 8 : i];
#define LANE_ROUND(r)                                                                                        \
    LANE_STEP(r, 0, 1) LANE_STEP(r, 1, 3) LANE_STEP(r, 2, 6) LANE_STEP(r, 3, 11)                             \
    if (W == 6) { LANE_STEP(r, 4, 13) LANE_STEP(r, 5, 17) }                                                  \
    rk += LANE_GROUPS * W, added += W;
    for (int r = 0; r < rounds; r += 4) { LANE_ROUND(0) LANE_ROUND(1) LANE_ROUND(2) LANE_ROUND(3) }
}

INLINE void expand_lanes(V *rk, const void *const *keys, const uint32_t *added, int K)
{
    for (int g = 0; g < LANE_GROUPS; g++) expand_group(rk + g, keys + GROUP * g, added, K);
}

/* N groups: every LANE_GROUPS of them are a block for each lane. */
INLINE void encrypt_lanes(int N, const V *k, int W, int rounds, uint8_t *blocks, V *x)
{
    GROUPS(TRANSPOSE, 0)
#define LANE_ENCRYPT(y, before, word, n, a, b)                                                               \
    y[word] = ROL(ADD(XOR(y[before], a), XOR(y[word], b)), n);                                               \
    NOW(y[word]);
#define LANE_ENCRYPT_GROUP(y, before, word, n)                                                               \
    LANE_ENCRYPT(y, before, word, n, ((y) - x) / 4 % LANE_GROUPS ? a1 : a, ((y) - x) / 4 % LANE_GROUPS ? b1 : b)
    /* With AVX-512 groups that share round keys have them in registers: loads would take as long as all else. */
#define LANE_ENCRYPT_STEP(before, word, n, i, j)                                                             \
    {                                                                                                        \
        V a = k[LANE_GROUPS * (i)], a1 = k[LANE_GROUPS * (i) + LANE_GROUPS - 1];                             \
        V b = k[LANE_GROUPS * (j)], b1 = k[LANE_GROUPS * (j) + LANE_GROUPS - 1];                             \
        if (WIDTH == 512 && N > LANE_GROUPS) {                                                               \
            NOW(a);                                                                                          \
            NOW(b);                                                                                          \
        }                                                                                                    \
        GROUPS(LANE_ENCRYPT_GROUP, before, word, n)                                                          \
    }
#define LANE_ENCRYPT_ROUND(A, B, C, D)                                                                       \
    LANE_ENCRYPT_STEP(C, D, 32 - 3, W == 4 ? 3 : 4, W == 4 ? 1 : 5)                                          \
    LANE_ENCRYPT_STEP(B, C, 32 - 5, 2, W == 4 ? 1 : 3)                                                       \
    LANE_ENCRYPT_STEP(A, B, 9, 0, 1)                                                                         \
    k += LANE_GROUPS * W;
    for (int r = 0; r < rounds; r += 4) {
        LANE_ENCRYPT_ROUND(0, 1, 2, 3)
        LANE_ENCRYPT_ROUND(1, 2, 3, 0)
        LANE_ENCRYPT_ROUND(2, 3, 0, 1)
        LANE_ENCRYPT_ROUND(3, 0, 1, 2)
    }
    GROUPS(TRANSPOSE, 0)
#define PUT_LANES(i) STORE(blocks + sizeof(V) * i, x[i]);
    VECTORS(N, PUT_LANES)
}

INLINE void crypt_lanes(const V *k, int W, int rounds, uint8_t *blocks)
{
    V x[4 * LANE_GROUPS];
#define GET_LANES(i) x[i] = LOAD(blocks + sizeof(V) * i);
    VECTORS(LANE_GROUPS, GET_LANES)
    encrypt_lanes(LANE_GROUPS, k, W, rounds, blocks, x);
}

/* n counters of each lane. */
INLINE void crypt_some(int n, const V *k, int W, int rounds, uint64_t *high, uint64_t *low, uint8_t *blocks)
{
    V x[4 * LANE_GROUPS * AT_ONCE];
    /* unrolled by hand, because compilers would keep x in memory for the rounds too */
    count_lanes(x, high, low, KEYS_WIDE);
    if (n > 1) count_lanes(x + 4 * LANE_GROUPS, high, low, KEYS_WIDE);
    if (n > 2) count_lanes(x + 8 * LANE_GROUPS, high, low, KEYS_WIDE);
    if (n > 3) count_lanes(x + 12 * LANE_GROUPS, high, low, KEYS_WIDE);
    encrypt_lanes(LANE_GROUPS * n, k, W, rounds, blocks, x);
}

typedef void crypt_lanes_fn(const void *rk, void *blocks);

/* A group alone leaves most of the execution ports idle.  With AVX2 a single counter of each lane goes through memory to the
 * function `one`, which is faster than a third copy of the rounds. */
INLINE void crypt_counters(const V *k, int W, int rounds, crypt_lanes_fn *one, uint64_t *high, uint64_t *low,
                           uint8_t *blocks, size_t n)
{
    for (; n >= AT_ONCE; n -= AT_ONCE, blocks += AT_ONCE * BLOCK_BYTES * KEYS_WIDE)
        crypt_some(AT_ONCE, k, W, rounds, high, low, blocks);
    if (AT_ONCE == 1 || n == 0) return;
    if (AT_ONCE == 2) {
        V x[4 * LANE_GROUPS];
        count_lanes(x, high, low, KEYS_WIDE);
#define PUT_COUNTERS(i) STORE(blocks + sizeof(V) * i, x[i]);
        VECTORS(LANE_GROUPS, PUT_COUNTERS)
        one(k, blocks);
    } else if (n == 1) {
        crypt_some(1, k, W, rounds, high, low, blocks);
    } else if (n == 2) {
        crypt_some(2, k, W, rounds, high, low, blocks);
    } else {
        crypt_some(3, k, W, rounds, high, low, blocks);
    }
}

/* ---- The descriptors.  Round keys, and one block alone, are lea_c's. */

/* Bytes of stack, and of calls with one group or less. */
#define STACK (WIDTH == 512 ? 3072 : 1152)
#define FEW_STACK (WIDTH == 512 ? 1536 : 1024)

#define DESCRIPTORS(kernel, bits, W, rounds, features)                                                       \
    MESSAGES(bits, W, haechi_lea_c_##bits##_enc, haechi_lea_c_##bits##_dec, rk, rounds)                      \
    XEX_MESSAGE(bits, W, rk, rounds)                                                                         \
    XEX_MESSAGE_INVERSE(bits, W, rk, rounds)                                                                 \
    TARGET static void expand_lanes_##bits(void *rk, void *scratch, const void *const *keys)                 \
    {                                                                                                        \
        (void)scratch;                                                                                       \
        expand_lanes((V *)rk, keys, haechi_lea_c_added_##bits, bits / 32);                                   \
    }                                                                                                        \
    SHARED void crypt_lanes_##bits(const void *rk, void *blocks)                                             \
    {                                                                                                        \
        crypt_lanes((const V *)rk, W, rounds, (uint8_t *)blocks);                                            \
    }                                                                                                        \
    TARGET static void count_##bits(const void *rk, uint64_t *high, uint64_t *low, void *blocks, size_t n)   \
    {                                                                                                        \
        crypt_counters((const V *)rk, W, rounds, crypt_lanes_##bits, high, low, (uint8_t *)blocks, n);       \
    }                                                                                                        \
    static const struct haechi_lanes lanes_##bits = { KEYS_WIDE, LANE_FEW, LANE_BLOCKS, AHEAD,               \
                                                      rounds * W * 4 * KEYS_WIDE, expand_lanes_##bits,       \
                                                      crypt_lanes_##bits, count_##bits, ADD_LANES };         \
    HAECHI_KERNEL(kernel##_##bits) = {                                                                       \
        .name = #kernel, .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8,              \
        .expand = haechi_lea_c_##bits##_eks, .crypt = haechi_lea_c_##bits##_enc,                             \
        .bulk = enc_##bits, .ctr = ctr_##bits, .ctr_bytes = ctr_bytes_##bits, .xex = xex_##bits,             \
        .stack = STACK, .few = GROUP, .few_stack = FEW_STACK, .lanes = &lanes_##bits                         \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_##bits##_inv) = {                                                                 \
        .name = #kernel, .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8,              \
        .flags = HAECHI_INVERSE,                                                                             \
        .expand = haechi_lea_c_##bits##_dks, .crypt = haechi_lea_c_##bits##_dec,                             \
        .bulk = dec_##bits, .cbc = cbc_##bits, .xex = xex_inv_##bits, .stack = STACK,                        \
        .few = GROUP, .few_stack = FEW_STACK                                                                 \
    }

#define LEA(kernel, features)                                                                                \
    DESCRIPTORS(kernel, 128, 4, 24, features);                                                               \
    DESCRIPTORS(kernel, 192, 6, 28, features);                                                               \
    DESCRIPTORS(kernel, 256, 6, 32, features)

#endif

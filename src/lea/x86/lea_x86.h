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

/* ---- Memory.  What is no whole group goes through an array of four vectors. */

#define AT(v) (sizeof(V) * (size_t)(v))

/* For each vector of `groups` groups, the last one first. */
#define VECTORS(groups, DO)                                                                                  \
    if ((groups) > 4) { DO(19) DO(18) DO(17) DO(16) }                                                        \
    if ((groups) > 3) { DO(15) DO(14) DO(13) DO(12) }                                                        \
    if ((groups) > 2) { DO(11) DO(10) DO(9) DO(8) }                                                          \
    if ((groups) > 1) { DO(7) DO(6) DO(5) DO(4) }                                                            \
    if ((groups) > 0) { DO(3) DO(2) DO(1) DO(0) }

SHARED void get_some(V *x, const uint8_t *in, size_t n)
{
    get_blocks(x, 4, in, n);
}

SHARED void put_some(uint8_t *out, const V *x, const uint8_t *in, size_t n, uint8_t *left)
{
    put_bytes(out, x, in, n, left);
}

/* ---- A batch: n bytes, of which only the last group of N may lack some.  From in to out;
 *     with counters c: these enciphered and XORed to what is at in, if there is an in; left as above;
 *     with a chain, the vector whose last lane is the ciphertext before in: CBC decryption. */

#define TRANSPOSE(x, unused) transpose(x);

INLINE void batch(int N, int W, int inverse, const uint32_t *k, int rounds, const struct counters *c, V *chain,
                  uint8_t *out, const uint8_t *in, size_t n, uint8_t *left)
{
    const size_t before = AT(4 * (N - 1)); /* the last group */
    const int whole = n == AT(4 * N);
    V x[20], some[5];
    if (c != NULL) {
        count(N, x, c);
    } else {
#define GET(v) x[v] = LOAD(in + AT(v));
#define GET_SOME(v) x[4 * N - 4 + v] = some[1 + v];
        VECTORS(N - 1, GET)
        if (whole) {
            const uint8_t *const from = in + before;
#define GET_LAST(v) x[4 * N - 4 + v] = LOAD(from + AT(v));
            VECTORS(1, GET_LAST)
        } else {
            if (chain != NULL) some[0] = N > 1 ? LOAD(in + before - sizeof(V)) : *chain;
            get_some(some + 1, in + before, n - before);
            VECTORS(1, GET_SOME)
        }
        GROUPS(TRANSPOSE, 0)
    }
    if (inverse) decrypt(N, k, W, rounds, x);
    else encrypt(N, k, W, rounds, x);
    GROUPS(TRANSPOSE, 0)

#define PUT(v) STORE(out + AT(v), x[v]);
#define PUT_SUM(v) STORE(out + AT(v), XOR(x[v], LOAD(in + AT(v))));
#define PUT_CHAINED(v) STORE(out + AT(v), XOR(x[v], v ? LOAD(in + AT(v) - 16) : first));
#define PUT_ALL(DO)                                                                                          \
    if (whole) { VECTORS(N, DO) } else { VECTORS(N - 1, DO) }
    if (chain != NULL) { /* the last vector first: in place, what stands before a vector is wanted */
        const V first = N > 1 || whole ? MOVED_IN(LOAD(in), *chain) : x[0];
        if (whole) *chain = LOAD(in + n - sizeof(V));
        PUT_ALL(PUT_CHAINED)
    } else if (c != NULL && in != NULL) {
        PUT_ALL(PUT_SUM)
    } else {
        PUT_ALL(PUT)
    }
    if (!whole) {
        V rest[4];
#define PUT_SOME(v) rest[v] = x[4 * N - 4 + v];
        VECTORS(1, PUT_SOME)
        put_some(out + before, rest,
                 chain != NULL ? (const uint8_t *)(some + 1) - 16 : c == NULL || in == NULL ? NULL : in + before,
                 n - before, left);
    }
}

#define ENCRYPT_BATCH(name, N, W)                                                                            \
    SHARED void name(const uint32_t *k, int rounds, const struct counters *c, uint8_t *out, const uint8_t *in, \
                     size_t n, uint8_t *left)                                                                \
    {                                                                                                        \
        batch(N, W, 0, k, rounds, c, NULL, out, in, n, left);                                                \
    }
#define DECRYPT_BATCH(name, N, W)                                                                            \
    SHARED void name(const uint32_t *k, int rounds, V *chain, uint8_t *out, const uint8_t *in, size_t n)     \
    {                                                                                                        \
        batch(N, W, 1, k, rounds, NULL, chain, out, in, n, NULL);                                            \
    }
#define BATCHES(N)                                                                                           \
    ENCRYPT_BATCH(enc4x##N, N, 4) ENCRYPT_BATCH(enc6x##N, N, 6)                                              \
    DECRYPT_BATCH(dec4x##N, N, 4) DECRYPT_BATCH(dec6x##N, N, 6)
#if MOST >= 5
BATCHES(5)
#endif
#if MOST >= 4
BATCHES(4)
#endif
BATCHES(3)
BATCHES(2)
BATCHES(1)

/* ---- Any number of bytes. */

/* Five to nine groups of five are not five and a rest, but halves: a group alone takes nearly as long as five. */
INLINE size_t bytes_of_next_batch(size_t n, size_t *groups)
{
    *groups = (n + AT(4) - 1) / AT(4);
    if (*groups > MOST) *groups = *groups < 2 * MOST ? (*groups + 1) / 2 : MOST;
    return *groups * AT(4) < n ? *groups * AT(4) : n;
}

INLINE void encrypt_all(int W, const void *rk, int rounds, struct counters *c, uint8_t *out, const uint8_t *in,
                        size_t n, uint8_t *left)
{
    const uint32_t *const k = (const uint32_t *)rk;
    while (n) {
        size_t groups;
        const size_t m = bytes_of_next_batch(n, &groups);
#define CASE(N) case N: (W == 4 ? enc4x##N : enc6x##N)(k, rounds, c, out, in, m, left); break;
#if MOST >= 5
#define CASES CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#elif MOST >= 4
#define CASES CASE(4) CASE(3) CASE(2) CASE(1)
#else
#define CASES CASE(3) CASE(2) CASE(1)
#endif
        switch (groups) { CASES }
#undef CASE
        if (c != NULL) move_on(c, (m + 15) / 16);
        n -= m;
        out += m;
        if (in != NULL) in += m;
    }
}

INLINE void decrypt_all(int W, const void *rk, int rounds, V *chain, uint8_t *out, const uint8_t *in, size_t n)
{
    const uint32_t *const k = (const uint32_t *)rk;
    while (n) {
        size_t groups;
        const size_t m = bytes_of_next_batch(n, &groups);
#define CASE(N) case N: (W == 4 ? dec4x##N : dec6x##N)(k, rounds, chain, out, in, m); break;
        switch (groups) { CASES }
#undef CASE
        n -= m;
        out += m;
        in += m;
    }
}

/* ---- The descriptors.  Round keys, and one block alone, are lea_c's. */

typedef void crypt_fn(const void *rk, void *buf);

INLINE void bulk(int W, int inverse, const void *rk, int rounds, crypt_fn *one, uint8_t *out, const uint8_t *in,
                 size_t n)
{
    if (n == 1) {
        if (out != in) haechi_copy(out, in, 16);
        one(rk, out);
    } else if (inverse) {
        decrypt_all(W, rk, rounds, NULL, out, in, 16 * n);
    } else {
        encrypt_all(W, rk, rounds, NULL, out, in, 16 * n, NULL);
    }
}

INLINE void cbc(int W, const void *rk, int rounds, crypt_fn *one, uint8_t *iv, uint8_t *out, const uint8_t *in,
                size_t n)
{
    uint8_t last[16];
    if (n == 0) return;
    haechi_copy(last, in + 16 * (n - 1), 16);
    if (n == 1) {
        uint8_t x[16];
        haechi_copy(x, in, 16);
        one(rk, x);
        haechi_xor(out, x, iv, 16);
    } else {
        V chain = EVERY(_mm_loadu_si128((const __m128i *)iv));
        decrypt_all(W, rk, rounds, &chain, out, in, 16 * n);
    }
    haechi_copy(iv, last, 16);
}

INLINE void ctr(int W, const void *rk, int rounds, crypt_fn *one, uint8_t *counter, uint8_t *left, uint8_t *out,
                const uint8_t *in, size_t n)
{
    struct counters c = { haechi_load_be64(counter), haechi_load_be64(counter + 8) };
    if (n <= 16) {
        uint8_t stream[16];
        haechi_copy(stream, counter, 16);
        one(rk, stream);
        if (n < 16) haechi_copy(left, stream, 16);
        if (in == NULL) haechi_copy(out, stream, n);
        else haechi_xor(out, in, stream, n);
        move_on(&c, 1);
    } else {
        encrypt_all(W, rk, rounds, &c, out, in, n, left);
    }
    haechi_store_be64(counter, c.high);
    haechi_store_be64(counter + 8, c.low);
}

#define SIZE(bits, W, rounds)                                                                                \
    TARGET static void enc_##bits(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        bulk(W, 0, rk, rounds, haechi_lea_c_##bits##_enc, (uint8_t *)out, (const uint8_t *)in, n);           \
    }                                                                                                        \
    TARGET static void dec_##bits(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        bulk(W, 1, rk, rounds, haechi_lea_c_##bits##_dec, (uint8_t *)out, (const uint8_t *)in, n);           \
    }                                                                                                        \
    TARGET static void cbc_##bits(const void *rk, uint8_t *iv, void *out, const void *in, size_t n)          \
    {                                                                                                        \
        cbc(W, rk, rounds, haechi_lea_c_##bits##_dec, iv, (uint8_t *)out, (const uint8_t *)in, n);           \
    }                                                                                                        \
    SHARED void ctr_bytes_##bits(const void *rk, uint8_t *counter, uint8_t *left, void *out, const void *in, \
                                 size_t n)                                                                   \
    {                                                                                                        \
        ctr(W, rk, rounds, haechi_lea_c_##bits##_enc, counter, left, (uint8_t *)out, (const uint8_t *)in, n); \
    }                                                                                                        \
    TARGET static void ctr_##bits(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)     \
    {                                                                                                        \
        if (n) ctr_bytes_##bits(rk, counter, NULL, out, in, 16 * n);                                         \
    }

#define DESCRIPTORS(kernel, bits, W, rounds, features)                                                       \
    SIZE(bits, W, rounds)                                                                                    \
    HAECHI_KERNEL(kernel##_##bits) = {                                                                       \
        .name = #kernel, .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8,              \
        .expand = haechi_lea_c_##bits##_eks, .crypt = haechi_lea_c_##bits##_enc,                             \
        .bulk = enc_##bits, .ctr = ctr_##bits, .ctr_bytes = ctr_bytes_##bits                                 \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_##bits##_inv) = {                                                                 \
        .name = #kernel, .rk = rounds * W * 4, .needs = features, .block = 16, .key = bits / 8,              \
        .flags = HAECHI_INVERSE,                                                                             \
        .expand = haechi_lea_c_##bits##_dks, .crypt = haechi_lea_c_##bits##_dec,                             \
        .bulk = dec_##bits, .cbc = cbc_##bits                                                                \
    }

#define LEA(kernel, features)                                                                                \
    DESCRIPTORS(kernel, 128, 4, 24, features);                                                               \
    DESCRIPTORS(kernel, 192, 6, 28, features);                                                               \
    DESCRIPTORS(kernel, 256, 6, 32, features)

#endif

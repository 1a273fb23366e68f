/* lea_c.c - LEA in portable C (TTAK.KO-12.0223, ISO/IEC 29192-2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The code adds, rotates and XORs 32-bit words and takes constant time wherever these operations do.  A round moves
 * X0 to X3.  In this code each word stays and the arguments rotate; after four rounds they have their first order
 * again, and 24, 28 and 32 are multiples of four.
 *
 * Round keys have the canonical layout of hosts: W words a round, in the order in which they are used.  LEA-128 has
 * RK1 = RK3 = RK5, so that W = 4: RK0 RK1 RK2 RK4.  LEA-192 and LEA-256 have W = 6: RK0 ... RK5. */
#include "../../core/bytes.h"
#include "../../core/kernel.h"
#include "lea_c.h"

#define INLINE static inline __attribute__((__always_inline__))

INLINE uint32_t rol(uint32_t x, unsigned n)
{
    return x << n | x >> (-n & 31);
}

#define RK0 k[0]
#define RK1 k[1]
#define RK2 k[2]
#define RK3 k[W == 4 ? 1 : 3]
#define RK4 k[W == 4 ? 3 : 4]
#define RK5 k[W == 4 ? 1 : 5]

/* Leaves the new X0, X1, X2 and X3 in x1, x2, x3 and x0. */
INLINE void encrypt_round(const uint32_t *k, int W, const uint32_t *x0, uint32_t *x1, uint32_t *x2,
                          uint32_t *x3)
{
    *x3 = rol((*x2 ^ RK4) + (*x3 ^ RK5), 32 - 3);
    *x2 = rol((*x1 ^ RK2) + (*x2 ^ RK3), 32 - 5);
    *x1 = rol((*x0 ^ RK0) + (*x1 ^ RK1), 9);
}

/* The inverse: takes X0, X1, X2 and X3 after the round in x1, x2, x3 and x0. */
INLINE void decrypt_round(const uint32_t *k, int W, const uint32_t *x0, uint32_t *x1, uint32_t *x2,
                          uint32_t *x3)
{
    *x1 = (rol(*x1, 32 - 9) - (*x0 ^ RK0)) ^ RK1;
    *x2 = (rol(*x2, 5) - (*x1 ^ RK2)) ^ RK3;
    *x3 = (rol(*x3, 3) - (*x2 ^ RK4)) ^ RK5;
}

typedef void round_fn(const uint32_t *, int, const uint32_t *, uint32_t *, uint32_t *, uint32_t *);

/* Four rounds, after which the words have their first names again.  In decryption they rotate the other way. */
INLINE void four_rounds(round_fn *round, const uint32_t *k, int W, int inverse, uint32_t *x)
{
    const int a = inverse ? 3 : 0, b = inverse ? 2 : 1, c = inverse ? 1 : 2, d = inverse ? 0 : 3;
    round(k, W, &x[a], &x[(a + 1) % 4], &x[(a + 2) % 4], &x[(a + 3) % 4]);
    round(k + W, W, &x[b], &x[(b + 1) % 4], &x[(b + 2) % 4], &x[(b + 3) % 4]);
    round(k + 2 * W, W, &x[c], &x[(c + 1) % 4], &x[(c + 2) % 4], &x[(c + 3) % 4]);
    round(k + 3 * W, W, &x[d], &x[(d + 1) % 4], &x[(d + 2) % 4], &x[(d + 3) % 4]);
}

INLINE void load(uint32_t *x, const uint8_t *in)
{
    for (int i = 0; i < 4; i++) x[i] = haechi_load_le32(in + 4 * i);
}

INLINE void store(uint8_t *out, const uint32_t *x)
{
    for (int i = 0; i < 4; i++) haechi_store_le32(out + 4 * i, x[i]);
}

#if HAECHI_MICRO
INLINE void crypt_alone(round_fn *round, int rounds, int W, int inverse, const void *rk, uint8_t *out,
                        const uint8_t *in)
{
    const uint32_t *k = (const uint32_t *)rk;
    uint32_t x[4];
    load(x, in);
    for (int r = 0; r < rounds; r += 4, k += 4 * W) four_rounds(round, k, W, inverse, x);
    store(out, x);
}
#else
/* In a single block each operation waits for the one before.  Decryption therefore delays the XOR of RK1, RK3 and
 * RK5: the next word takes both keys at once, and RK5 (due) is delayed to the next round.  Six operations a round are
 * then on the critical path, where nine would be. */
INLINE uint32_t both(uint32_t a, uint32_t b)
{
    uint32_t sum = a ^ b;
    __asm__("" : "+r"(sum)); /* otherwise compilers XOR the words one after the other */
    return sum;
}

INLINE void decrypt_round_alone(const uint32_t *k, int W, uint32_t *due, uint32_t *x0, uint32_t *x1, uint32_t *x2,
                                uint32_t *x3)
{
    *x1 = rol(*x1, 32 - 9) - (*x0 ^ both(*due, RK0));
    *x0 ^= *due;
    *x2 = rol(*x2, 5) - (*x1 ^ both(RK1, RK2));
    *x1 ^= RK1;
    *x3 = rol(*x3, 3) - (*x2 ^ both(RK3, RK4));
    *x2 ^= RK3;
    *due = RK5;
}

/* The block is processed in halves that compilers do not see together, because gcc 12 would use vectors and memory. */
INLINE void crypt_alone(round_fn *round, int rounds, int W, int inverse, const void *rk, uint8_t *out,
                        const uint8_t *in)
{
    const uint32_t *k = (const uint32_t *)rk;
    uint64_t low = haechi_load_le64(in), high = haechi_load_le64(in + 8);
    uint32_t x[4] = { (uint32_t)low, (uint32_t)(low >> 32), (uint32_t)high, (uint32_t)(high >> 32) }, due = 0;
    for (int r = 0; r < rounds; r += 4, k += 4 * W) {
        if (inverse) {
            decrypt_round_alone(k, W, &due, &x[3], &x[0], &x[1], &x[2]);
            decrypt_round_alone(k + W, W, &due, &x[2], &x[3], &x[0], &x[1]);
            decrypt_round_alone(k + 2 * W, W, &due, &x[1], &x[2], &x[3], &x[0]);
            decrypt_round_alone(k + 3 * W, W, &due, &x[0], &x[1], &x[2], &x[3]);
        } else {
            four_rounds(round, k, W, 0, x);
        }
    }
    low = x[0] | (uint64_t)x[1] << 32;
    high = x[2] | (uint64_t)(x[3] ^ due) << 32;
    __asm__("" : "+r"(low), "+r"(high));
    haechi_store_le64(out, low);
    __asm__ volatile("" : : : "memory");
    haechi_store_le64(out + 8, high);
}
#endif

#define DELTA0 0xc3efe9db
#define DELTA1 0x44626b02
#define DELTA2 0x79e27c8a
#define DELTA3 0x78df30ec
#define DELTA4 0x715ea49e
#define DELTA5 0xc785da0a
#define DELTA6 0xe04ef22a
#define DELTA7 0xe5c40957

/* The key schedule for K words of key: 16 + 2K rounds.  Round i adds delta[i mod K] to the words in turn, rotated by
 * i, i + 1 and so on. */
#if HAECHI_MICRO
/* d holds each delta as its next use needs it, so that a step rotates it by one. */
INLINE void expand(uint32_t *rk, const uint8_t *key, unsigned K, int inverse)
{
    static const uint32_t delta[8] HAECHI_FLASH = { DELTA0, DELTA1, DELTA2, DELTA3,
                                                    DELTA4, DELTA5, DELTA6, DELTA7 };
    const unsigned rounds = 16 + 2 * K, W = K == 4 ? 4 : 6;
    uint32_t T[8], d[8];
    for (unsigned j = 0; j < K; j++) {
        T[j] = haechi_load_le32(key + 4 * j);
        d[j] = rol(HAECHI_READ(delta[j]), j);
    }
    for (unsigned i = 0, m = 0; i < rounds; i++, m = m + 1 < K ? m + 1 : 0) { /* m = i mod K */
        uint32_t *k = rk + W * (inverse ? rounds - 1 - i : i);
        uint32_t x = d[m];
#define T(j) T[K == 8 ? (6 * i + j) % 8 : j]
#define STEP(j, rotation)                                                                                    \
    k[j] = T(j) = rol(T(j) + x, rotation);                                                                   \
    x = rol(x, 1);
        STEP(0, 1)
        STEP(1, 3)
        STEP(2, 6)
        STEP(3, 11)
        if (W == 6) {
            STEP(4, 13)
            STEP(5, 17)
        }
#undef STEP
#undef T
        d[m] = rol(x, K - W); /* after W steps the next use is K rounds away */
    }
}
#else
/* What the steps add: delta d rotated by n, n + 1 and so on. */
#define ROTATED(d, n) ((uint32_t)((uint64_t)d << (n) % 32) | (uint32_t)((uint64_t)d >> (32 - (n) % 32)))
#define ROW4(d, n) ROTATED(d, n), ROTATED(d, n + 1), ROTATED(d, n + 2), ROTATED(d, n + 3)
#define ROW6(d, n) ROW4(d, n), ROTATED(d, n + 4), ROTATED(d, n + 5)
#define FOUR_ROUNDS(ROW, n) ROW(DELTA0, n), ROW(DELTA1, n + 1), ROW(DELTA2, n + 2), ROW(DELTA3, n + 3)
#define SIX_ROUNDS(n) FOUR_ROUNDS(ROW6, n), ROW6(DELTA4, n + 4), ROW6(DELTA5, n + 5)
#define EIGHT_ROUNDS(n) SIX_ROUNDS(n), ROW6(DELTA6, n + 6), ROW6(DELTA7, n + 7)

const uint32_t haechi_lea_c_added_128[24 * 4] = {
    FOUR_ROUNDS(ROW4, 0), FOUR_ROUNDS(ROW4, 4), FOUR_ROUNDS(ROW4, 8),
    FOUR_ROUNDS(ROW4, 12), FOUR_ROUNDS(ROW4, 16), FOUR_ROUNDS(ROW4, 20)
};
const uint32_t haechi_lea_c_added_192[28 * 6] = {
    SIX_ROUNDS(0), SIX_ROUNDS(6), SIX_ROUNDS(12), SIX_ROUNDS(18), FOUR_ROUNDS(ROW6, 24)
};
const uint32_t haechi_lea_c_added_256[32 * 6] = { EIGHT_ROUNDS(0), EIGHT_ROUNDS(8), EIGHT_ROUNDS(16), EIGHT_ROUNDS(24) };

#define SCHEDULE(T)                                                                                          \
    k[0] = T(0) = rol(T(0) + added[0], 1);                                                                   \
    k[1] = T(1) = rol(T(1) + added[1], 3);                                                                   \
    k[2] = T(2) = rol(T(2) + added[2], 6);                                                                   \
    k[3] = T(3) = rol(T(3) + added[3], 11);                                                                  \
    if (W == 6) {                                                                                            \
        k[4] = T(4) = rol(T(4) + added[4], 13);                                                              \
        k[5] = T(5) = rol(T(5) + added[5], 17);                                                              \
    }                                                                                                        \
    k += step, added += W;

INLINE void expand(uint32_t *rk, const uint8_t *key, unsigned K, int inverse)
{
    const unsigned rounds = 16 + 2 * K, W = K == 4 ? 4 : 6;
    const uint32_t *added = K == 4   ? haechi_lea_c_added_128
                            : K == 6 ? haechi_lea_c_added_192
                                     : haechi_lea_c_added_256;
    const int step = inverse ? -(int)W : (int)W;
    uint32_t *k = inverse ? rk + W * (rounds - 1) : rk;
    uint32_t T[8];
    for (unsigned j = 0; j < K; j++) T[j] = haechi_load_le32(key + 4 * j);
    for (unsigned i = 0; i < rounds; i += 4) { /* after four rounds the words of LEA-256 have their first names again */
#define WORD_0(j) T[j]
#define WORD_1(j) T[K == 8 ? (6 + j) % 8 : j]
#define WORD_2(j) T[K == 8 ? (12 + j) % 8 : j]
#define WORD_3(j) T[K == 8 ? (18 + j) % 8 : j]
        SCHEDULE(WORD_0)
        SCHEDULE(WORD_1)
        SCHEDULE(WORD_2)
        SCHEDULE(WORD_3)
    }
}
#endif

#if !HAECHI_MICRO
/* Without this, gcc 12 would make a vector of a block's words and take it apart in every round. */
#define keep_words_apart(x) __asm__("" : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3]));

/* Three blocks side by side: a single block waits for its own additions, and four do not fit in 16 registers. */
#define THREE(DO) DO(x) DO(y) DO(z)

/* A round of decryption, as decrypt_round_alone does it, with the sums of keys made once for three blocks. */
INLINE void decrypt_three(const uint32_t *k, int W, uint32_t *due, int a, uint32_t *x, uint32_t *y, uint32_t *z)
{
    const int b = (a + 1) % 4, c = (a + 2) % 4, d = (a + 3) % 4;
    const uint32_t first = both(*due, RK0), second = both(RK1, RK2), third = both(RK3, RK4);
#define BACK_1(x) x[b] = rol(x[b], 32 - 9) - (x[a] ^ first), x[a] ^= *due;
#define BACK_2(x) x[c] = rol(x[c], 5) - (x[b] ^ second), x[b] ^= RK1;
#define BACK_3(x) x[d] = rol(x[d], 3) - (x[c] ^ third), x[c] ^= RK3;
    THREE(BACK_1)
    THREE(BACK_2)
    THREE(BACK_3)
    *due = RK5;
}

INLINE void crypt_bulk(round_fn *round, int rounds, int W, int inverse, const void *rk, void *out,
                       const void *in, size_t n)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    for (; n >= 3; n -= 3, o += 48, i += 48) {
        const uint32_t *k = (const uint32_t *)rk;
        uint32_t x[4], y[4], z[4], due = 0;
        load(x, i);
        load(y, i + 16);
        load(z, i + 32);
        THREE(keep_words_apart)
        for (int r = 0; r < rounds; r += 4, k += 4 * W) {
            if (inverse) {
                decrypt_three(k, W, &due, 3, x, y, z);
                decrypt_three(k + W, W, &due, 2, x, y, z);
                decrypt_three(k + 2 * W, W, &due, 1, x, y, z);
                decrypt_three(k + 3 * W, W, &due, 0, x, y, z);
            } else {
#define FOUR_ROUNDS_OF(x) four_rounds(round, k, W, 0, x);
                THREE(FOUR_ROUNDS_OF)
            }
        }
        x[3] ^= due, y[3] ^= due, z[3] ^= due;
        THREE(keep_words_apart)
        store(o, x);
        store(o + 16, y);
        store(o + 32, z);
    }
    for (; n; n--, o += 16, i += 16) crypt_alone(round, rounds, W, inverse, rk, o, i);
}

#define BULK(...) __VA_ARGS__
#else
#define BULK(...)
#endif

/* Defines everything for one key size in one direction. */
#define LEA(bits, rounds, W, kernel, eks, one, many, round, inverse)                                         \
    void eks(void *rk, const void *key)                                                                      \
    {                                                                                                        \
        expand((uint32_t *)rk, (const uint8_t *)key, bits / 32, inverse);                                    \
    }                                                                                                        \
    void one(const void *rk, void *buf)                                                                      \
    {                                                                                                        \
        crypt_alone(round, rounds, W, inverse, rk, (uint8_t *)buf, (const uint8_t *)buf);                    \
    }                                                                                                        \
    BULK(static void many(const void *rk, void *out, const void *in, size_t n) {                             \
        crypt_bulk(round, rounds, W, inverse, rk, out, in, n);                                               \
    })                                                                                                       \
    HAECHI_KERNEL(kernel) = {                                                                                \
        HAECHI_NAMED("lea_c", 512)                                                                                \
        .rk = rounds * W * 4, .block = 16, .key = bits / 8, .flags = inverse ? HAECHI_INVERSE : 0,           \
        .expand = eks, .crypt = one, BULK(.bulk = many)                                                      \
    };

LEA(128, 24, 4, lea_c_128, haechi_lea_c_128_eks, haechi_lea_c_128_enc, enc128_bulk, encrypt_round, 0)
LEA(192, 28, 6, lea_c_192, haechi_lea_c_192_eks, haechi_lea_c_192_enc, enc192_bulk, encrypt_round, 0)
LEA(256, 32, 6, lea_c_256, haechi_lea_c_256_eks, haechi_lea_c_256_enc, enc256_bulk, encrypt_round, 0)
LEA(128, 24, 4, lea_c_128_inv, haechi_lea_c_128_dks, haechi_lea_c_128_dec, dec128_bulk, decrypt_round, 1)
LEA(192, 28, 6, lea_c_192_inv, haechi_lea_c_192_dks, haechi_lea_c_192_dec, dec192_bulk, decrypt_round, 1)
LEA(256, 32, 6, lea_c_256_inv, haechi_lea_c_256_dks, haechi_lea_c_256_dec, dec256_bulk, decrypt_round, 1)

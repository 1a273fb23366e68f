/* lea_c.c - LEA in portable C (TTAK.KO-12.0223, ISO/IEC 29192-2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Additions, rotations and XORs of 32-bit words: constant time wherever these three are.
 * A round moves X0 to X3; here each word stays and the arguments rotate, which comes round after four
 * rounds: 24, 28 and 32 are multiples of four.
 *
 * Round keys, the canonical layout of hosts: W words a round, in the order in which they are used.
 * LEA-128 has RK1 = RK3 = RK5, so W = 4: RK0 RK1 RK2 RK4.  LEA-192 and LEA-256: W = 6, RK0 ... RK5. */
#include "../../core/bytes.h"
#include "../../core/kernel.h"

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

/* The new X0, X1, X2, X3 stand in x1, x2, x3, x0. */
INLINE void encrypt_round(const uint32_t *k, int W, const uint32_t *x0, uint32_t *x1, uint32_t *x2,
                          uint32_t *x3)
{
    *x3 = rol((*x2 ^ RK4) + (*x3 ^ RK5), 32 - 3);
    *x2 = rol((*x1 ^ RK2) + (*x2 ^ RK3), 32 - 5);
    *x1 = rol((*x0 ^ RK0) + (*x1 ^ RK1), 9);
}

/* Undoes it: X0, X1, X2, X3 of the ciphertext's side in x1, x2, x3, x0. */
INLINE void decrypt_round(const uint32_t *k, int W, const uint32_t *x0, uint32_t *x1, uint32_t *x2,
                          uint32_t *x3)
{
    *x1 = (rol(*x1, 32 - 9) - (*x0 ^ RK0)) ^ RK1;
    *x2 = (rol(*x2, 5) - (*x1 ^ RK2)) ^ RK3;
    *x3 = (rol(*x3, 3) - (*x2 ^ RK4)) ^ RK5;
}

typedef void round_fn(const uint32_t *, int, const uint32_t *, uint32_t *, uint32_t *, uint32_t *);

/* Four rounds, after which the words carry their own names again.  Deciphering, they rotate the other way. */
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

INLINE void crypt_one(round_fn *round, int rounds, int W, int inverse, const void *rk, uint8_t *out,
                      const uint8_t *in)
{
    const uint32_t *k = (const uint32_t *)rk;
    uint32_t x[4];
    load(x, in);
    for (int r = 0; r < rounds; r += 4, k += 4 * W) four_rounds(round, k, W, inverse, x);
    store(out, x);
}

static const uint32_t delta[8] HAECHI_FLASH = { 0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec,
                                                0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957 };

/* The key schedule for K words of key: 16 + 2K rounds.  Round i adds delta[i mod K], rotated by i, i + 1, ...
 * to the words in turn; d holds each delta as its next use wants it, so that it only ever moves by one. */
INLINE void expand(uint32_t *rk, const uint8_t *key, unsigned K, int inverse)
{
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
        d[m] = rol(x, K - W); /* W steps done, the next use is K rounds away */
    }
}

#if !HAECHI_MICRO
/* Three blocks side by side: one alone waits for its own additions, four no longer fit in 16 registers. */
INLINE void crypt_bulk(round_fn *round, int rounds, int W, int inverse, const void *rk, void *out,
                       const void *in, size_t n)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    for (; n >= 3; n -= 3, o += 48, i += 48) {
        const uint32_t *k = (const uint32_t *)rk;
        uint32_t x[4], y[4], z[4];
        load(x, i);
        load(y, i + 16);
        load(z, i + 32);
        for (int r = 0; r < rounds; r += 4, k += 4 * W) {
            four_rounds(round, k, W, inverse, x);
            four_rounds(round, k, W, inverse, y);
            four_rounds(round, k, W, inverse, z);
        }
        store(o, x);
        store(o + 16, y);
        store(o + 32, z);
    }
    for (; n; n--, o += 16, i += 16) crypt_one(round, rounds, W, inverse, rk, o, i);
}

#define BULK(...) __VA_ARGS__
#else
#define BULK(...)
#endif

/* Everything for one key size in one direction. */
#define LEA(bits, rounds, W, kernel, eks, one, many, round, inverse)                                         \
    static void eks(void *rk, const void *key)                                                               \
    {                                                                                                        \
        expand((uint32_t *)rk, (const uint8_t *)key, bits / 32, inverse);                                    \
    }                                                                                                        \
    static void one(const void *rk, void *buf)                                                               \
    {                                                                                                        \
        crypt_one(round, rounds, W, inverse, rk, (uint8_t *)buf, (const uint8_t *)buf);                      \
    }                                                                                                        \
    BULK(static void many(const void *rk, void *out, const void *in, size_t n) {                             \
        crypt_bulk(round, rounds, W, inverse, rk, out, in, n);                                               \
    })                                                                                                       \
    HAECHI_KERNEL(kernel) = {                                                                                \
        .rk = rounds * W * 4, .block = 16, .key = bits / 8, .flags = inverse ? HAECHI_INVERSE : 0,           \
        .expand = eks, .crypt = one, BULK(.bulk = many)                                                      \
    };

LEA(128, 24, 4, lea_c_128, eks128, enc128, enc128_bulk, encrypt_round, 0)
LEA(192, 28, 6, lea_c_192, eks192, enc192, enc192_bulk, encrypt_round, 0)
LEA(256, 32, 6, lea_c_256, eks256, enc256, enc256_bulk, encrypt_round, 0)
LEA(128, 24, 4, lea_c_128_inv, dks128, dec128, dec128_bulk, decrypt_round, 1)
LEA(192, 28, 6, lea_c_192_inv, dks192, dec192, dec192_bulk, decrypt_round, 1)
LEA(256, 32, 6, lea_c_256_inv, dks256, dec256, dec256_bulk, decrypt_round, 1)

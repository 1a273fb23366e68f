/* hight_neon.h - HIGHT in NEON, 16 blocks at a time, byte-sliced: everything but F0, F1 and the rounds for ARMv7.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel defines F0(x) and F1(x) over 16 bytes, includes this file, and then defines its descriptors by
 * HIGHT_NEON(name).
 *
 *     X[i], a register of 16 bytes, holds byte i of every block
 *
 *            byte  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 *            block 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 *
 * A round moves each byte on by one place.  In this code the bytes stay and the arguments rotate, as in hight_c. */
#ifndef HAECHI_HIGHT_NEON_H
#define HAECHI_HIGHT_NEON_H

#include "../../core/bytes.h"
#include "../../haechi_cpu.h"
#include "../../core/kernel.h"
#include "../c/hight_c.h"
#include "hight_neon_slices.h"

/* From WORTH blocks on, a batch with idle lanes is faster than hight_c. */
enum { WK0 = 0, SK0 = 4, WK4 = 132, ROUND_KEYS = 136, BATCH = 16, WORTH = 5 };

#include "../../core/neon_ctr.h"

#define ADD(a, b) vaddq_u8(a, b)
#define SUB(a, b) vsubq_u8(a, b)
#define XOR(a, b) veorq_u8(a, b)
#define KEY(p) vld1q_dup_u8(p)

#if defined(__arm__) /* ARMv7 has its rounds in assembly; clang cannot assign 16 registers by itself */
#define SLICES                                                                                               \
    register V X0 __asm__("q8"), X1 __asm__("q9"), X2 __asm__("q10"), X3 __asm__("q11");                     \
    register V X4 __asm__("q12"), X5 __asm__("q13"), X6 __asm__("q14"), X7 __asm__("q15");
#else
#define SLICES V X0, X1, X2, X3, X4, X5, X6, X7;
#define CONSTANTS
#define EIGHT_ROUNDS(ROUNDS) { ROUNDS }

INLINE V F0(V x);
INLINE V F1(V x);

/* x7 to x0 are the names that the bytes have before the round. */
#define ENCRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    x1 = ADD(x1, XOR(F1(x0), KEY(SK)));                                                                      \
    x3 = XOR(x3, ADD(F0(x2), KEY(SK + 1)));                                                                  \
    x5 = ADD(x5, XOR(F1(x4), KEY(SK + 2)));                                                                  \
    x7 = XOR(x7, ADD(F0(x6), KEY(SK + 3)));                                                                  \
    SK += 4;

#define DECRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    SK -= 4;                                                                                                 \
    x1 = SUB(x1, XOR(F1(x0), KEY(SK)));                                                                      \
    x3 = XOR(x3, ADD(F0(x2), KEY(SK + 1)));                                                                  \
    x5 = SUB(x5, XOR(F1(x4), KEY(SK + 2)));                                                                  \
    x7 = XOR(x7, ADD(F0(x6), KEY(SK + 3)));
#endif

#if !defined(ENCRYPT_8) /* hight_neon_woven.h has its own */
#define ENCRYPT_8 HIGHT_ENCRYPT_8(ENCRYPT_ROUND)
#define DECRYPT_8 HIGHT_DECRYPT_8(DECRYPT_ROUND)
#endif

INLINE void encrypt(const uint8_t *k, V *x)
{
    const uint8_t *SK = k + SK0;
    SLICES
    X0 = ADD(x[0], KEY(k + WK0)), X1 = x[1], X2 = XOR(x[2], KEY(k + WK0 + 1)), X3 = x[3];
    X4 = ADD(x[4], KEY(k + WK0 + 2)), X5 = x[5], X6 = XOR(x[6], KEY(k + WK0 + 3)), X7 = x[7];
    CONSTANTS
    for (int i = 0; i < 4; i++) EIGHT_ROUNDS(ENCRYPT_8)
    /* the last round does not move the bytes */
    x[0] = ADD(X1, KEY(k + WK4)), x[1] = X2, x[2] = XOR(X3, KEY(k + WK4 + 1)), x[3] = X4;
    x[4] = ADD(X5, KEY(k + WK4 + 2)), x[5] = X6, x[6] = XOR(X7, KEY(k + WK4 + 3)), x[7] = X0;
}

INLINE void encrypt_batch(const uint8_t *k, uint8_t *out, const uint8_t *in)
{
    V x[8];
    read_batch(x, in);
    encrypt(k, x);
    write_batch(out, x, NULL);
}

/* A batch of counters.  The sum of its last byte and the number of its block is smaller than that number if it carries. */
INLINE void count(V *x, uint64_t low, uint64_t after)
{
    static const uint8_t INDEX[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const V number = vld1q_u8(INDEX);
    const uint8x8_t now = vcreate_u8(__builtin_bswap64(low)), later = vcreate_u8(__builtin_bswap64(after));
    V carry;
    x[7] = ADD(vdupq_lane_u8(now, 7), number);
    carry = vcltq_u8(x[7], number);
#define COUNT(j) x[j] = vbslq_u8(carry, vdupq_lane_u8(later, j), vdupq_lane_u8(now, j));
    COUNT(0) COUNT(1) COUNT(2) COUNT(3) COUNT(4) COUNT(5) COUNT(6)
#undef COUNT
}

INLINE void ctr_batch(const uint8_t *k, uint8_t *out, const uint8_t *in, const struct counter *c)
{
    V x[8];
    count(x, c->low, after_carry(*c, 256).low);
    encrypt(k, x);
    write_batch(out, x, in);
}

INLINE void decrypt_batch(const uint8_t *k, uint8_t *out, const uint8_t *in)
{
    const uint8_t *SK = k + WK4;
    V x[8];
    SLICES
    read_batch(x, in);
    X1 = SUB(x[0], KEY(k + WK4)), X2 = x[1], X3 = XOR(x[2], KEY(k + WK4 + 1)), X4 = x[3];
    X5 = SUB(x[4], KEY(k + WK4 + 2)), X6 = x[5], X7 = XOR(x[6], KEY(k + WK4 + 3)), X0 = x[7];
    CONSTANTS
    for (int i = 0; i < 4; i++) EIGHT_ROUNDS(DECRYPT_8)
    x[0] = SUB(X0, KEY(k + WK0)), x[1] = X1, x[2] = XOR(X2, KEY(k + WK0 + 1)), x[3] = X3;
    x[4] = SUB(X4, KEY(k + WK0 + 2)), x[5] = X5, x[6] = XOR(X6, KEY(k + WK0 + 3)), x[7] = X7;
    write_batch(out, x, NULL);
}

INLINE void crypt_bulk(void (*batch)(const uint8_t *, uint8_t *, const uint8_t *),
                       void (*few)(const void *, void *, const void *, size_t), const void *rk, uint8_t *out,
                       const uint8_t *in, size_t n)
{
    for (; n >= BATCH; n -= BATCH, in += 8 * BATCH, out += 8 * BATCH) batch((const uint8_t *)rk, out, in);
    if (n >= WORTH) {
        uint8_t rest[8 * BATCH] = { 0 };
        haechi_copy(rest, in, 8 * n);
        batch((const uint8_t *)rk, rest, rest);
        haechi_copy(out, rest, 8 * n);
        haechi_wipe(rest, sizeof rest);
    } else if (n) {
        few(rk, out, in, n);
    }
}

/* The code of hight_c expands keys and encrypts single blocks. */
extern const struct haechi_kernel haechi_hight_c, haechi_hight_c_inv;

NEON_TARGET static __attribute__((__noinline__)) void encrypt16(const uint8_t *k, uint8_t *out, const uint8_t *in)
{
    encrypt_batch(k, out, in);
}
NEON_TARGET static __attribute__((__noinline__)) void decrypt16(const uint8_t *k, uint8_t *out, const uint8_t *in)
{
    decrypt_batch(k, out, in);
}
NEON_TARGET static __attribute__((__noinline__)) void ctr16(const void *k, uint8_t *out, const uint8_t *in,
                                                            const struct counter *c)
{
    ctr_batch((const uint8_t *)k, out, in, c);
}
static void eks(void *rk, const void *key) { haechi_hight_c.expand(rk, key); }
static void enc(const void *rk, void *buf) { haechi_hight_c.crypt(rk, buf); }
static void dec(const void *rk, void *buf) { haechi_hight_c_inv.crypt(rk, buf); }

NEON_TARGET static void enc_bulk(const void *rk, void *out, const void *in, size_t n)
{
    crypt_bulk(encrypt16, haechi_hight_c.bulk, rk, (uint8_t *)out, (const uint8_t *)in, n);
}
NEON_TARGET static void dec_bulk(const void *rk, void *out, const void *in, size_t n)
{
    crypt_bulk(decrypt16, haechi_hight_c_inv.bulk, rk, (uint8_t *)out, (const uint8_t *)in, n);
}

NEON_TARGET static void ctr(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)
{
    ctr_in_batches(ctr16, rk, enc, rk, 8, counter, (uint8_t *)out, (const uint8_t *)in, n);
}

#define HIGHT_NEON(kernel)                                                                                   \
    HAECHI_KERNEL(kernel) = {                                                                                \
        .name = #kernel, .rk = ROUND_KEYS, .needs = NEON_NEEDS, .block = 8, .key = 16,                       \
        .expand = eks, .crypt = enc, .bulk = enc_bulk, .ctr = ctr                                            \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_inv) = {                                                                          \
        .name = #kernel,                                                                                     \
        .rk = ROUND_KEYS, .needs = NEON_NEEDS, .block = 8, .key = 16, .flags = HAECHI_INVERSE,               \
        .expand = eks, .crypt = dec, .bulk = dec_bulk                                                        \
    }

#endif

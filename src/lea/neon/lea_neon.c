/* lea_neon.c - LEA in NEON, 8 blocks at a time, for ARMv7 and AArch64.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X[j], a register of four words, holds word j of four blocks, as a load by fours leaves them
 *
 * As in lea_c, each word stays where it is and the arguments rotate; after four rounds they have their first order
 * again.  The round keys are those of lea_c, W words a round.  The code of lea_c also expands keys and encrypts
 * single blocks and the rest of a message. */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON
#include <arm_neon.h>

#include "../../core/bytes.h"
#include "../../haechi_cpu.h"
#include "../../core/kernel.h"

#define INLINE static inline __attribute__((__always_inline__)) NEON_TARGET
typedef uint32x4_t V;

/* From so many blocks on, a batch with idle lanes is faster than lea_c. */
enum { BATCH = 8, WORTH = 2 };

#include "../../core/neon_ctr.h"

#define WORD(w) vdupq_n_u32(w)

/* A batch of counters in the order of the rounds. */
INLINE void count(V (*x)[4], const struct counter *c)
{
    static const uint32_t INDEX[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
    const struct counter after = after_carry(*c, UINT64_C(1) << 32);
    const V start = WORD((uint32_t)c->low);
#define TURNED(w) __builtin_bswap32((uint32_t)(w))
#define BOTH(j, w) const V X##j = WORD(TURNED(c->w)), X##j##_after = WORD(TURNED(after.w));
    BOTH(0, high >> 32) BOTH(1, high) BOTH(2, low >> 32)
    for (int g = 0; g < 2; g++) {
        const V sum = vaddq_u32(start, vld1q_u32(INDEX + 4 * g)), carry = vcltq_u32(sum, start);
        x[g][0] = vbslq_u32(carry, X0_after, X0);
        x[g][1] = vbslq_u32(carry, X1_after, X1);
        x[g][2] = vbslq_u32(carry, X2_after, X2);
        x[g][3] = vreinterpretq_u32_u8(vrev32q_u8(vreinterpretq_u8_u32(sum)));
    }
}

#if defined(__arm__)
#include "lea_neon_rounds.h"
#else
#define ADD(a, b) vaddq_u32(a, b)
#define SUB(a, b) vsubq_u32(a, b)
#define XOR(a, b) veorq_u32(a, b)
#define ROL(x, n) vsriq_n_u32(vshlq_n_u32(x, n), x, 32 - (n))
#define RK(i) vld1q_dup_u32(k + (i))

/* The round keys in the order in which they are used.  RK1 = RK3 = RK5 where W is 4. */
#define ROUND_KEYS                                                                                           \
    const V RK0 = RK(0), RK1 = RK(1), RK2 = RK(2), RK3 = W == 4 ? RK1 : RK(3);                               \
    const V RK4 = W == 4 ? RK(3) : RK(4), RK5 = W == 4 ? RK1 : RK(5);

/* A round leaves the new X0, X1, X2 and X3 in x1, x2, x3 and x0. */
INLINE void encrypt_round(const uint32_t *k, int W, V (*x)[4], int x0, int x1, int x2, int x3)
{
    ROUND_KEYS
#define ROUND(g)                                                                                             \
    x[g][x3] = ROL(ADD(XOR(x[g][x2], RK4), XOR(x[g][x3], RK5)), 32 - 3);                                     \
    x[g][x2] = ROL(ADD(XOR(x[g][x1], RK2), XOR(x[g][x2], RK3)), 32 - 5);                                     \
    x[g][x1] = ROL(ADD(XOR(x[g][x0], RK0), XOR(x[g][x1], RK1)), 9);
    ROUND(0) ROUND(1)
#undef ROUND
}

/* The inverse round takes X0, X1, X2 and X3 in x1, x2, x3 and x0, and leaves them in x0, x1, x2 and x3. */
INLINE void decrypt_round(const uint32_t *k, int W, V (*x)[4], int x0, int x1, int x2, int x3)
{
    ROUND_KEYS
#define ROUND(g) x[g][x1] = XOR(SUB(ROL(x[g][x1], 32 - 9), XOR(x[g][x0], RK0)), RK1);
    ROUND(0) ROUND(1)
#undef ROUND
#define ROUND(g) x[g][x2] = XOR(SUB(ROL(x[g][x2], 5), XOR(x[g][x1], RK2)), RK3);
    ROUND(0) ROUND(1)
#undef ROUND
#define ROUND(g) x[g][x3] = XOR(SUB(ROL(x[g][x3], 3), XOR(x[g][x2], RK4)), RK5);
    ROUND(0) ROUND(1)
#undef ROUND
}

#define READ(g)                                                                                              \
    {                                                                                                        \
        const uint32x4x4_t t = vld4q_u32((const uint32_t *)(const void *)(in + 64 * g));                     \
        x[g][0] = t.val[0], x[g][1] = t.val[1], x[g][2] = t.val[2], x[g][3] = t.val[3];                      \
    }
#define WRITE(g)                                                                                             \
    {                                                                                                        \
        const uint32x4x4_t t = { { x[g][0], x[g][1], x[g][2], x[g][3] } };                                   \
        vst4q_u32((uint32_t *)(void *)(out + 64 * g), t);                                                    \
    }

INLINE void encrypt(const uint32_t *k, int rounds, int W, V (*x)[4])
{
    for (int r = 0; r < rounds; r += 4, k += 4 * W) {
        encrypt_round(k, W, x, 0, 1, 2, 3);
        encrypt_round(k + W, W, x, 1, 2, 3, 0);
        encrypt_round(k + 2 * W, W, x, 2, 3, 0, 1);
        encrypt_round(k + 3 * W, W, x, 3, 0, 1, 2);
    }
}

INLINE void encrypt_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in)
{
    V x[2][4];
    READ(0) READ(1)
    encrypt(k, rounds, W, x);
    WRITE(0) WRITE(1)
}

INLINE void ctr_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in, const struct counter *c)
{
    V x[2][4];
    count(x, c);
    encrypt(k, rounds, W, x);
#define ADD_TEXT(g)                                                                                          \
    {                                                                                                        \
        const uint32x4x4_t t = vld4q_u32((const uint32_t *)(const void *)(in + 64 * g));                     \
        x[g][0] = XOR(x[g][0], t.val[0]), x[g][1] = XOR(x[g][1], t.val[1]);                                  \
        x[g][2] = XOR(x[g][2], t.val[2]), x[g][3] = XOR(x[g][3], t.val[3]);                                  \
    }
    if (in != NULL) { ADD_TEXT(0) ADD_TEXT(1) }
    WRITE(0) WRITE(1)
}

INLINE void decrypt_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in)
{
    V x[2][4];
    READ(0) READ(1)
    for (int r = 0; r < rounds; r += 4, k += 4 * W) {
        decrypt_round(k, W, x, 3, 0, 1, 2);
        decrypt_round(k + W, W, x, 2, 3, 0, 1);
        decrypt_round(k + 2 * W, W, x, 1, 2, 3, 0);
        decrypt_round(k + 3 * W, W, x, 0, 1, 2, 3);
    }
    WRITE(0) WRITE(1)
}
#endif

/* n batches in one function, so that it saves the callee-saved registers once. */
INLINE void crypt_batches(void (*batch)(const uint32_t *, int, int, uint8_t *, const uint8_t *), const uint32_t *k,
                          int rounds, int W, uint8_t *out, const uint8_t *in, size_t n)
{
    for (; n; n--, in += 16 * BATCH, out += 16 * BATCH) batch(k, rounds, W, out, in);
}

INLINE void crypt_bulk(void (*batches)(const uint32_t *, uint8_t *, const uint8_t *, size_t),
                       const struct haechi_kernel *one, const void *rk, uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t whole = n / BATCH;
    batches((const uint32_t *)rk, out, in, whole);
    in += 16 * BATCH * whole, out += 16 * BATCH * whole, n %= BATCH;
    if (n >= WORTH) {
        uint8_t rest[16 * BATCH] = { 0 };
        haechi_copy(rest, in, 16 * n);
        batches((const uint32_t *)rk, rest, rest, 1);
        haechi_copy(out, rest, 16 * n);
        haechi_wipe(rest, sizeof rest);
    } else if (n) {
        one->bulk(rk, out, in, n);
    }
}

/* Defines counter mode for one key size. */
#define CTR(rounds, W, suffix)                                                                               \
    INLINE void ctr_batch##suffix(const void *k, uint8_t *out, const uint8_t *in, const struct counter *c)   \
    {                                                                                                        \
        ctr_batch((const uint32_t *)k, rounds, W, out, in, c);                                               \
    }                                                                                                        \
    NEON_TARGET static void ctr##suffix(const void *rk, uint8_t *counter, void *out, const void *in, size_t n) \
    {                                                                                                        \
        ctr_in_batches(ctr_batch##suffix, rk, haechi_lea_c##suffix.crypt, rk, 16, counter, (uint8_t *)out,   \
                       (const uint8_t *)in, n);                                                              \
    }

/* Defines everything for one key size in one direction. */
#define LEA(bits, rounds, W, suffix, direction, inverse, counter)                                            \
    extern const struct haechi_kernel haechi_lea_c##suffix;                                                  \
    static void expand##suffix(void *rk, const void *key)                                                    \
    {                                                                                                        \
        haechi_lea_c##suffix.expand(rk, key);                                                                \
    }                                                                                                        \
    static void crypt##suffix(const void *rk, void *buf)                                                     \
    {                                                                                                        \
        haechi_lea_c##suffix.crypt(rk, buf);                                                                 \
    }                                                                                                        \
    NEON_TARGET static __attribute__((__noinline__)) void batches##suffix(const uint32_t *k, uint8_t *out,   \
                                                                          const uint8_t *in, size_t n)       \
    {                                                                                                        \
        crypt_batches(direction##_batch, k, rounds, W, out, in, n);                                         \
    }                                                                                                        \
    NEON_TARGET static void bulk##suffix(const void *rk, void *out, const void *in, size_t n)                \
    {                                                                                                        \
        crypt_bulk(batches##suffix, &haechi_lea_c##suffix, rk, (uint8_t *)out, (const uint8_t *)in, n);      \
    }                                                                                                        \
    HAECHI_KERNEL(lea_neon##suffix) = {                                                                      \
        .name = "lea_neon", .rk = rounds * W * 4, .needs = NEON_NEEDS, .block = 16, .key = bits / 8,         \
        .flags = inverse ? HAECHI_INVERSE : 0,                                                               \
        .expand = expand##suffix, .crypt = crypt##suffix, .bulk = bulk##suffix, .ctr = counter               \
    };

extern const struct haechi_kernel haechi_lea_c_128, haechi_lea_c_192, haechi_lea_c_256;
CTR(24, 4, _128)
CTR(28, 6, _192)
CTR(32, 6, _256)
LEA(128, 24, 4, _128, encrypt, 0, ctr_128)
LEA(192, 28, 6, _192, encrypt, 0, ctr_192)
LEA(256, 32, 6, _256, encrypt, 0, ctr_256)
LEA(128, 24, 4, _128_inv, decrypt, 1, NULL)
LEA(192, 28, 6, _192_inv, decrypt, 1, NULL)
LEA(256, 32, 6, _256_inv, decrypt, 1, NULL)

#else
typedef int lea_neon_is_not_for_this_machine;
#endif

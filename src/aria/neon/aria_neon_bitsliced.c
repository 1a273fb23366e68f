/* aria_neon_bitsliced.c - ARIA for ARMv7 NEON, bitsliced: 64 blocks at a time (RFC 5794).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * aria_c's layout of 64 blocks and its circuits, in registers of two words of 64 bits:
 *
 *     x[16c + 2i + h]   plane i of two bytes in column c: rows 0 and 2 for h = 0, rows 1 and 3 for h = 1
 *
 * Fewer blocks than are worth a batch, single blocks and the key expansion are aria_c's. */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON && defined(__arm__)
#include <arm_neon.h>

#include "../../core/bytes.h"
#include "../../core/features.h"
#include "../../core/kernel.h"

#define INLINE static inline __attribute__((__always_inline__)) NEON_TARGET
typedef uint64_t u64;
typedef uint32x4_t V;
#define WORD V
#include "../c/aria_c_circuits.h"

/* Exchanges the bits of a that mask << s selects with those of b that mask selects; step by step the index of a
 * register changes places with that of a bit. */
#define STEP(x, d, s, mask)                                                                                  \
    for (int i = 0; i < 64; i += 2 * (d))                                                                    \
        for (int j = i; j < i + (d); j++) {                                                                  \
            const V t = vandq_u32(veorq_u32(vshrq_n_u32((x)[j], s), (x)[j + (d)]), vdupq_n_u32(mask));       \
            (x)[j + (d)] = veorq_u32((x)[j + (d)], t);                                                       \
            (x)[j] = veorq_u32((x)[j], vshlq_n_u32(t, s));                                                   \
        }

/* Sixty-four blocks, a register each, to columns, planes and rows.  Undoes itself. */
INLINE void transpose64(V *x)
{
    for (int i = 0; i < 64; i += 2) { /* halves of 32 bits */
        const uint32x4x2_t t = vtrnq_u32(x[i], x[i + 1]);
        x[i] = t.val[0], x[i + 1] = t.val[1];
    }
    STEP(x, 32, 16, 0x0000ffff)
    STEP(x, 16, 8, 0x00ff00ff)
    STEP(x, 8, 4, 0x0f0f0f0f)
    STEP(x, 4, 2, 0x33333333)
    STEP(x, 2, 1, 0x55555555)
}

/* A and the round key, on one plane, byte by byte. */
INLINE void A64(uint32_t *x, const uint8_t *k)
{
    uint32x2_t y[16];
#define LOAD(i) y[i] = vld1_u32(x + 2 * BYTE(i));
#define XOR(i, j) y[i] = veor_u32(y[i], y[j]);
#define STORE(i, j) vst1_u32(x + 2 * BYTE(i), veor_u32(y[j], vreinterpret_u32_u8(vld1_dup_u8(k + BYTE(i)))));
    ALL16(LOAD)
    DIFFUSION(XOR)
    FROM(STORE)
#undef LOAD
#undef XOR
#undef STORE
}

NEON_TARGET static __attribute__((__noinline__)) void SB1_64(V *x) { SB1(x, 2), SB1(x + 1, 2); }
NEON_TARGET static __attribute__((__noinline__)) void SB2_64(V *x) { SB2(x, 2), SB2(x + 1, 2); }
NEON_TARGET static __attribute__((__noinline__)) void SB3_64(V *x) { SB3(x, 2), SB3(x + 1, 2); }
NEON_TARGET static __attribute__((__noinline__)) void SB4_64(V *x) { SB4(x, 2), SB4(x + 1, 2); }

INLINE V key_register(const uint8_t *rk, int i, int rounds)
{
    u64 k[2];
    round_key(k, rk, i, rounds);
    return vreinterpretq_u32_u64(vcombine_u64(vcreate_u64(k[0]), vcreate_u64(k[1])));
}

NEON_TARGET static __attribute__((__noinline__)) void crypt_batch(const uint8_t *rk, const uint8_t *keys, int rounds,
                                                                  uint8_t *out, const uint8_t *in, size_t n)
{
    V x[64], k = key_register(rk, 0, rounds);

    for (size_t j = 0; j < 64; j++)
        x[j] = j < n ? veorq_u32(vreinterpretq_u32_u8(vld1q_u8(in + 16 * j)), k) : vdupq_n_u32(0);
    transpose64(x);
    for (int i = 0; i < rounds; i++) {
        V *even = x + 32 * (i % 2), *odd = x + 32 - 32 * (i % 2);
        SB1_64(even);
        SB2_64(even + 16);
        SB3_64(odd);
        SB4_64(odd + 16);
        if (i < rounds - 1)
            for (int j = 0; j < 8; j++) A64((uint32_t *)x + 8 * j, keys + 128 * i + 4 * j);
    }
    transpose64(x);
    k = key_register(rk, rounds, rounds);
    for (size_t j = 0; j < n; j++) vst1q_u8(out + 16 * j, vreinterpretq_u8_u32(veorq_u32(x[j], k)));
}

/* From here on a batch with idle lanes is faster than what aria_c does with so few. */
enum { WORTH = 9 };

NEON_TARGET static void crypt_bulk(const uint8_t *rk, int rounds, const struct haechi_kernel *few, uint8_t *out,
                                   const uint8_t *in, size_t n)
{
    if (n >= WORTH) {
        uint8_t keys[15 * 128];
        keys64(keys, rk, rounds);
        for (size_t m; n >= WORTH; n -= m, out += 16 * m, in += 16 * m) {
            m = n < 64 ? n : 64;
            crypt_batch(rk, keys, rounds, out, in, m);
        }
    }
    if (n) few->bulk(rk, out, in, n);
}

/* The inverse cipher is the cipher with other round keys. */
#define ARIA(suffix, bits, rounds, direction)                                                                \
    extern const struct haechi_kernel haechi_aria_c##suffix;                                                 \
    static void expand##suffix(void *rk, const void *key)                                                    \
    {                                                                                                        \
        haechi_aria_c##suffix.expand(rk, key);                                                               \
    }                                                                                                        \
    static void crypt##suffix(const void *rk, void *buf)                                                     \
    {                                                                                                        \
        haechi_aria_c##suffix.crypt(rk, buf);                                                                \
    }                                                                                                        \
    NEON_TARGET static void bulk##suffix(const void *rk, void *out, const void *in, size_t n)                \
    {                                                                                                        \
        crypt_bulk((const uint8_t *)rk, rounds, &haechi_aria_c##suffix, (uint8_t *)out, (const uint8_t *)in, n); \
    }                                                                                                        \
    HAECHI_KERNEL(aria_neon_bitsliced##suffix) = {                                                           \
        .rk = 16 * (rounds + 1), .needs = NEON_NEEDS, .block = 16, .key = bits / 8, .flags = direction,      \
        .expand = expand##suffix, .crypt = crypt##suffix, .bulk = bulk##suffix                               \
    };

ARIA(_128, 128, 12, 0)
ARIA(_192, 192, 14, 0)
ARIA(_256, 256, 16, 0)
ARIA(_128_inv, 128, 12, HAECHI_INVERSE)
ARIA(_192_inv, 192, 14, HAECHI_INVERSE)
ARIA(_256_inv, 256, 16, HAECHI_INVERSE)

#else
typedef int aria_neon_bitsliced_is_not_for_this_machine;
#endif

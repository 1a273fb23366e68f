/* ghash_arm64.c - GHASH by PMULL, where the compiler may use it (-march=armv8-a+crypto).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * As in ghash_x86.c, up to 32 blocks are multiplied by their own powers of h and share one reduction. */
#include "../haechi.h"

#if defined(__aarch64__) && defined(__ARM_FEATURE_AES)
#include <arm_neon.h>

#include "../core/bytes.h"
#include "ghash.h"

#define INLINE static inline __attribute__((__always_inline__))

/* A sum of products in three parts: a0*b0, a1*b0 + a0*b1 and a1*b1.  Words are in the order of memory, the low one
 * first. */
struct sum {
    uint64x2_t low, middle, high;
};

INLINE uint64x2_t product(uint64_t a, uint64_t b)
{
    return vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
}

INLINE void add_product(struct sum *s, const uint64_t a[2], const uint64_t b[2])
{
    s->low = veorq_u64(s->low, product(a[0], b[0]));
    s->middle = veorq_u64(s->middle, veorq_u64(product(a[1], b[0]), product(a[0], b[1])));
    s->high = veorq_u64(s->high, product(a[1], b[1]));
}

/* Divides the sum by x^128.  It does twice: the low word times x^63 + x^62 + x^57 is added to the words above, and
 * the low word becomes 0. */
INLINE void reduce(uint64_t a[2], struct sum s)
{
    const uint64x2_t zero = vdupq_n_u64(0);
    uint64x2_t low = veorq_u64(s.low, vextq_u64(zero, s.middle, 1));
    const uint64x2_t high = veorq_u64(s.high, vextq_u64(s.middle, zero, 1));

    for (int i = 0; i < 2; i++)
        low = veorq_u64(vextq_u64(low, low, 1), product(vgetq_lane_u64(low, 0), 0xc200000000000000));
    vst1q_u64(a, veorq_u64(high, low));
}

void haechi_ghash_pmull_init(uint64_t *powers, int most)
{
    const uint64_t *const h = powers + 2 * HAECHI_POWERS - 2;

    for (int i = 2 * HAECHI_POWERS - 4; i >= 2 * (HAECHI_POWERS - most); i -= 2) {
        struct sum s = { vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0) };
        add_product(&s, powers + i + 2, h);
        reduce(powers + i, s);
    }
}

void haechi_ghash_pmull(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n)
{
    uint64_t a[2] = { haechi_load_be64(y + 8), haechi_load_be64(y) };

    while (n) {
        const size_t m = n < HAECHI_POWERS ? n : HAECHI_POWERS;
        const uint64_t *power = powers + 2 * (HAECHI_POWERS - m);
        struct sum s = { vdupq_n_u64(0), vdupq_n_u64(0), vdupq_n_u64(0) };
        for (size_t i = 0; i < m; i++, in += 16, power += 2) {
            a[0] ^= haechi_load_be64(in + 8);
            a[1] ^= haechi_load_be64(in);
            add_product(&s, a, power);
            a[0] = a[1] = 0;
        }
        reduce(a, s);
        n -= m;
    }
    haechi_store_be64(y + 8, a[0]);
    haechi_store_be64(y, a[1]);
}

#endif

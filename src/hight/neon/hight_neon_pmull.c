/* hight_neon_pmull.c - HIGHT in NEON: F0 and F1 as multiplications of polynomials.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A rotation by n is a multiplication by x^n modulo x^8 - 1 over GF(2).  So F0 is the product by x + x^2 + x^7, which
 * is 86 in hexadecimal, and F1 is the product by x^3 + x^4 + x^6, which is 58.  A product has 16 bits; modulo x^8 - 1
 * its upper byte is added to the lower one. */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON
#if defined(__arm__)
#include "hight_neon_woven.h"
#endif
#include "hight_neon.h"

#if defined(__aarch64__)
INLINE V product(V x, poly8_t m)
{
    const poly8x16_t p = vreinterpretq_p8_u8(x), q = vdupq_n_p8(m);
    const V a = vreinterpretq_u8_p16(vmull_p8(vget_low_p8(p), vget_low_p8(q)));
    const V b = vreinterpretq_u8_p16(vmull_high_p8(p, q));
    return XOR(vuzp1q_u8(a, b), vuzp2q_u8(a, b));
}

INLINE V F0(V x) { return product(x, (poly8_t)0x86); }
INLINE V F1(V x) { return product(x, (poly8_t)0x58); }
#endif

HIGHT_NEON(hight_neon_pmull);

#else
typedef int hight_neon_pmull_is_not_for_this_machine;
#endif

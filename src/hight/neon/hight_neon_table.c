/* hight_neon_table.c - HIGHT in NEON: F0 and F1 by tables of nibbles, which stay in registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * F0 and F1 are linear: F(x) = F(low nibble) ^ F(high nibble << 4). */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON
#include <stdint.h>

#define ROL8(x, n) (((x) << (n) | (x) >> (8 - (n))) & 0xff)
#define F0_OF(x) (ROL8(x, 1) ^ ROL8(x, 2) ^ ROL8(x, 7))
#define F1_OF(x) (ROL8(x, 3) ^ ROL8(x, 4) ^ ROL8(x, 6))
#define NIBBLES(F, s)                                                                                        \
    { F(0 << s), F(1 << s), F(2 << s), F(3 << s), F(4 << s), F(5 << s), F(6 << s), F(7 << s),                \
      F(8 << s), F(9 << s), F(10 << s), F(11 << s), F(12 << s), F(13 << s), F(14 << s), F(15 << s) }

static const uint8_t table[4][16] = { NIBBLES(F0_OF, 0), NIBBLES(F0_OF, 4), NIBBLES(F1_OF, 0), NIBBLES(F1_OF, 4) };

#if defined(__arm__)
#define CONSTANTS                                                                                            \
    const V c0 = vld1q_u8(table[0]), c1 = vld1q_u8(table[1]), c2 = vld1q_u8(table[2]);                       \
    const V c3 = vld1q_u8(table[3]), c4 = vdupq_n_u8(15);
#define LOOK_UP(x, low, high)                                                                                \
    OP3("vand", y, x, c4)                                                                                    \
    OPN("vshr.u8", t, x, 4)                                                                                  \
    "vtbl.8 %e[y], {%e[" #low "], %f[" #low "]}, %e[y]\n\t"                                                  \
    "vtbl.8 %f[y], {%e[" #low "], %f[" #low "]}, %f[y]\n\t"                                                  \
    "vtbl.8 %e[t], {%e[" #high "], %f[" #high "]}, %e[t]\n\t"                                                \
    "vtbl.8 %f[t], {%e[" #high "], %f[" #high "]}, %f[t]\n\t"                                                \
    OP3("veor", y, y, t)
#define QUARTERS(add, x0, x1, x2, x3)                                                                        \
    LOOK_UP(x0, c2, c3) F1_INTO(add, x1, y) LOOK_UP(x2, c0, c1) F0_INTO(x3, y)
#define TEMPORARIES V y, t;
#define OUTPUTS [y] "=&w"(y), [t] "=&w"(t)
#define INPUTS [c0] "w"(c0), [c1] "w"(c1), [c2] "w"(c2), [c3] "w"(c3), [c4] "w"(c4)
#include "hight_neon_rounds.h"
#endif
#include "hight_neon.h"

#if defined(__aarch64__)
INLINE V by_nibbles(const uint8_t (*t)[16], V x)
{
    return XOR(vqtbl1q_u8(vld1q_u8(t[0]), vandq_u8(x, vdupq_n_u8(15))), vqtbl1q_u8(vld1q_u8(t[1]), vshrq_n_u8(x, 4)));
}

INLINE V F0(V x) { return by_nibbles(table, x); }
INLINE V F1(V x) { return by_nibbles(table + 2, x); }
#endif

HIGHT_NEON(hight_neon_table);

#else
typedef int hight_neon_table_is_not_for_this_machine;
#endif

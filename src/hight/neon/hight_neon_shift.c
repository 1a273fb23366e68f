/* hight_neon_shift.c - HIGHT in NEON: F0 and F1 by shifts.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON
/* F0 = x<<<1 ^ x<<<2 ^ x<<<7 and F1 = x<<<3 ^ x<<<4 ^ x<<<6.  With x ^ x<<<1, which both share, each needs one
 * rotation less.  A rotation takes two instructions: a shift to the left, and a shift to the right that inserts. */
#if defined(__arm__)
#define CONSTANTS
#define ROL(y, x, n, rest) OPN("vshl.i8", y, x, n) OPN("vsri.8", y, x, rest)
#define QUARTERS(add, x0, x1, x2, x3)                                                                        \
    ROL(y, x0, 1, 7) ROL(z, x2, 1, 7)                                                                        \
    OP3("veor", y, y, x0) OP3("veor", z, z, x2)                                                              \
    ROL(t, y, 3, 5) ROL(u, z, 1, 7)                                                                          \
    ROL(y, x0, 6, 2) ROL(z, x2, 7, 1)                                                                        \
    OP3("veor", y, y, t) OP3("veor", z, z, u)                                                                \
    F1_INTO(add, x1, y) F0_INTO(x3, z)
#define TEMPORARIES V y, t, z, u;
#define OUTPUTS [y] "=&w"(y), [t] "=&w"(t), [z] "=&w"(z), [u] "=&w"(u)
#define INPUTS "m"(*k)
#include "hight_neon_rounds.h"
#endif
#include "hight_neon.h"

#if defined(__aarch64__)
#define ROL(x, n) vsriq_n_u8(vshlq_n_u8(x, n), x, 8 - (n))
INLINE V F0(V x) { return XOR(ROL(XOR(x, ROL(x, 1)), 1), ROL(x, 7)); }
INLINE V F1(V x) { return XOR(ROL(XOR(x, ROL(x, 1)), 3), ROL(x, 6)); }
#endif

HIGHT_NEON(hight_neon_shift);

#else
typedef int hight_neon_shift_is_not_for_this_machine;
#endif

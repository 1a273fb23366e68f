/* hight_neon_rounds.h - the 32 rounds of HIGHT for ARMv7, in assembly.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The rounds need all 16 registers, and compilers would spill some.  AArch64 has 32 registers, so intrinsics suffice
 * there (hight_neon.h).
 *
 *     X0 ... X7  16 blocks, byte-sliced: eight registers
 *     y t z u    for F0 and F1 while they are computed
 *     key        a byte of the round key, in every lane
 *     c0 ... c4  the kernel's constants
 *     SK         the address of the next round keys (in decryption, of those after the next)
 *
 * The compiler chooses the registers, except X0 to X7.  %q[x] is x, and %e[x] and %f[x] are its lower and upper half.
 * A kernel defines
 *
 *     QUARTERS(add, x0, x1, x2, x3)   x1 = x1 add (F1(x0) ^ key), x3 ^= F0(x2) + key, by F1_INTO and F0_INTO
 *     OUTPUTS, INPUTS                 the operands that it needs besides X0 ... X7, key, SK: "=&w", "w" */
#ifndef HAECHI_HIGHT_NEON_ROUNDS_H
#define HAECHI_HIGHT_NEON_ROUNDS_H

#pragma GCC diagnostic ignored "-Woverlength-strings"

#define OP2(name, a, b) name " %q[" #a "], %q[" #b "]\n\t"
#define OP3(name, a, b, c) name " %q[" #a "], %q[" #b "], %q[" #c "]\n\t"
#define OPN(name, a, b, n) name " %q[" #a "], %q[" #b "], #" #n "\n\t"

#define NEXT_KEY "vld1.8 {%e[key][], %f[key][]}, [%[SK]]!\n\t"

/* Computes x1 = x1 add (y ^ key) or x3 ^= y + key. */
#define F1_INTO(add, x1, y) NEXT_KEY OP3("veor", y, y, key) OP3(add ".i8", x1, x1, y)
#define F0_INTO(x3, y) NEXT_KEY OP3("vadd.i8", y, y, key) OP3("veor", x3, x3, y)

/* x7 to x0 are the names that the bytes have before the round. */
#define ENCRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    QUARTERS("vadd", x0, x1, x2, x3) QUARTERS("vadd", x4, x5, x6, x7)

#define DECRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    "sub %[SK], %[SK], #4\n\t"                                                                               \
    QUARTERS("vsub", x0, x1, x2, x3) QUARTERS("vsub", x4, x5, x6, x7)                                        \
    "sub %[SK], %[SK], #4\n\t"

#define EIGHT_ROUNDS(ROUNDS)                                                                                 \
    {                                                                                                        \
        V key; TEMPORARIES                                                                                   \
        __asm__(ROUNDS                                                                                       \
                : [X0] "+w"(X0), [X1] "+w"(X1), [X2] "+w"(X2), [X3] "+w"(X3), [X4] "+w"(X4),                 \
                  [X5] "+w"(X5), [X6] "+w"(X6), [X7] "+w"(X7), [SK] "+r"(SK), [key] "=&w"(key), OUTPUTS      \
                : INPUTS, "m"(*(const uint8_t(*)[ROUND_KEYS])k));                                            \
    }

#endif

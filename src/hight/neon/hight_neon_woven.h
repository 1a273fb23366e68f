/* hight_neon_woven.h - the rounds of HIGHT for ARMv7 with F0 and F1 as multiplications, in assembly.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Cortex-A9 issues vector instructions in order, one a cycle, and their results take 3 to 6 cycles.  An application of
 * F0 or F1 is a chain of five steps, each of which needs the result of the previous one:
 *
 *     MULTIPLY  y, t = the products of both halves of x           two cycles, ready 6 later
 *     PART      lower bytes to y, upper ones to t                 two cycles, ready 4 later
 *     FOLD      y = y ^ t: F(x)                                   one cycle, ready 3 later
 *     KEYED     y = y ^ key for F1, y + key for F0                one cycle, ready 3 later
 *     INTO      z = z + y for F1 (decryption -), z ^ y for F0     one cycle, ready 3 later
 *
 * So the steps of four applications alternate: beside the MULTIPLY of application k stand PART and FOLD of k - 1,
 * KEYED of k - 2 and INTO of k - 3.  These take seven cycles, and no instruction waits.
 *
 *     X0 ... X7  16 blocks, byte-sliced     key  a byte of the round key, in every lane
 *     y0 ... y3  F(x), one each             c    86 in the lower half, 58 in the upper one, hexadecimal
 *     t0 t1      upper bytes                SK   where key comes from
 *
 * These are all 16 registers.  The compiler chooses which is which, except X0 to X7.  %q[x] is x, and %e[x] and %f[x]
 * are its lower and upper half. */
#ifndef HAECHI_HIGHT_NEON_WOVEN_H
#define HAECHI_HIGHT_NEON_WOVEN_H

#pragma GCC diagnostic ignored "-Woverlength-strings"

#define OP2(name, a, b) name " %q[" #a "], %q[" #b "]\n\t"
#define OP3(name, a, b, c) name " %q[" #a "], %q[" #b "], %q[" #c "]\n\t"
#define PRODUCT(y, x_half, c_half) "vmull.p8 %q[" #y "], " x_half ", " c_half "\n\t"

/* An application: its kind, x, z, y, t, and how to load the key of the next one.  The kinds E1 and D1 are F1 in
 * encryption and decryption, F0 is F0, and NO is nothing. */
#define MULTIPLY(kind, x, z, y, t, step) MULTIPLY_##kind(x, y, t)
#define MULTIPLY_E1(x, y, t) PRODUCT(y, "%e[" #x "]", "%f[c]") PRODUCT(t, "%f[" #x "]", "%f[c]")
#define MULTIPLY_D1 MULTIPLY_E1
#define MULTIPLY_F0(x, y, t) PRODUCT(y, "%e[" #x "]", "%e[c]") PRODUCT(t, "%f[" #x "]", "%e[c]")
#define MULTIPLY_NO(x, y, t)

#define PART(kind, x, z, y, t, step) PART_##kind(y, t)
#define PART_E1(y, t) OP2("vuzp.8", y, t)
#define PART_D1 PART_E1
#define PART_F0 PART_E1
#define PART_NO(y, t)

#define FOLD(kind, x, z, y, t, step) FOLD_##kind(y, t)
#define FOLD_E1(y, t) OP3("veor", y, y, t)
#define FOLD_D1 FOLD_E1
#define FOLD_F0 FOLD_E1
#define FOLD_NO(y, t)

#define KEYED(kind, x, z, y, t, step) KEYED_##kind(y, step)
#define KEYED_E1(y, step) OP3("veor", y, y, key) step NEXT_KEY
#define KEYED_D1 KEYED_E1
#define KEYED_F0(y, step) OP3("vadd.i8", y, y, key) step NEXT_KEY
#define KEYED_NO(y, step)

#define INTO(kind, x, z, y, t, step) INTO_##kind(z, y)
#define INTO_E1(z, y) OP3("vadd.i8", z, z, y)
#define INTO_D1(z, y) OP3("vsub.i8", z, z, y)
#define INTO_F0(z, y) OP3("veor", z, z, y)
#define INTO_NO(z, y)

#define NEXT_KEY "vld1.8 {%e[key][], %f[key][]}, [%[SK]]!\n\t"
#define GO(n) "add %[SK], %[SK], #" #n "\n\t"

#define WEAVE(k, k_1, k_2, k_3) MULTIPLY k PART k_1 INTO k_3 KEYED k_2 FOLD k_1

/* Eight rounds; r0 to r3 are the applications of round r. */
#define NONE (NO, , , , , )
#define WEAVE_ROUND(a1, a2, a3, b0, b1, b2, b3)                                                              \
    WEAVE(b0, a3, a2, a1) WEAVE(b1, b0, a3, a2) WEAVE(b2, b1, b0, a3) WEAVE(b3, b2, b1, b0)
#define NEXT_ROUND(D, a, b) WEAVE_ROUND(D##a##1, D##a##2, D##a##3, D##b##0, D##b##1, D##b##2, D##b##3)
#define WEAVE_8(D)                                                                                           \
    NEXT_KEY WEAVE_ROUND(NONE, NONE, NONE, D##00, D##01, D##02, D##03)                                       \
    NEXT_ROUND(D, 0, 1) NEXT_ROUND(D, 1, 2) NEXT_ROUND(D, 2, 3) NEXT_ROUND(D, 3, 4)                          \
    NEXT_ROUND(D, 4, 5) NEXT_ROUND(D, 5, 6) NEXT_ROUND(D, 6, 7)                                              \
    WEAVE(NONE, D##73, D##72, D##71) WEAVE(NONE, NONE, D##73, D##72) WEAVE(NONE, NONE, NONE, D##73) GO(-1)

/* In encryption the word that an application reads was made by the application at the same place of the previous
 * round, if every round begins one application further on: with SK0, SK1, SK2, SK3 in turn. */
#define E00 (E1, X0, X1, y0, t0, )
#define E01 (F0, X2, X3, y1, t1, )
#define E02 (E1, X4, X5, y2, t0, )
#define E03 (F0, X6, X7, y3, t1, GO(1))
#define E10 (F0, X1, X2, y0, t0, )
#define E11 (E1, X3, X4, y1, t1, )
#define E12 (F0, X5, X6, y2, t0, GO(-4))
#define E13 (E1, X7, X0, y3, t1, GO(5))
#define E20 (E1, X2, X3, y0, t0, )
#define E21 (F0, X4, X5, y1, t1, GO(-4))
#define E22 (E1, X6, X7, y2, t0, )
#define E23 (F0, X0, X1, y3, t1, GO(5))
#define E30 (F0, X3, X4, y0, t0, GO(-4))
#define E31 (E1, X5, X6, y1, t1, )
#define E32 (F0, X7, X0, y2, t0, )
#define E33 (E1, X1, X2, y3, t1, GO(1))
#define E40 (E1, X4, X5, y0, t0, )
#define E41 (F0, X6, X7, y1, t1, )
#define E42 (E1, X0, X1, y2, t0, )
#define E43 (F0, X2, X3, y3, t1, GO(1))
#define E50 (F0, X5, X6, y0, t0, )
#define E51 (E1, X7, X0, y1, t1, )
#define E52 (F0, X1, X2, y2, t0, GO(-4))
#define E53 (E1, X3, X4, y3, t1, GO(5))
#define E60 (E1, X6, X7, y0, t0, )
#define E61 (F0, X0, X1, y1, t1, GO(-4))
#define E62 (E1, X2, X3, y2, t0, )
#define E63 (F0, X4, X5, y3, t1, GO(5))
#define E70 (F0, X7, X0, y0, t0, GO(-4))
#define E71 (E1, X1, X2, y1, t1, )
#define E72 (F0, X3, X4, y2, t0, )
#define E73 (E1, X5, X6, y3, t1, GO(1))

/* Decryption takes the rounds backwards, and the applications of a round in the order of its keys. */
#define D00 (D1, X1, X2, y0, t0, )
#define D01 (F0, X3, X4, y1, t1, )
#define D02 (D1, X5, X6, y2, t0, )
#define D03 (F0, X7, X0, y3, t1, GO(-8))
#define D10 (D1, X2, X3, y0, t0, )
#define D11 (F0, X4, X5, y1, t1, )
#define D12 (D1, X6, X7, y2, t0, )
#define D13 (F0, X0, X1, y3, t1, GO(-8))
#define D20 (D1, X3, X4, y0, t0, )
#define D21 (F0, X5, X6, y1, t1, )
#define D22 (D1, X7, X0, y2, t0, )
#define D23 (F0, X1, X2, y3, t1, GO(-8))
#define D30 (D1, X4, X5, y0, t0, )
#define D31 (F0, X6, X7, y1, t1, )
#define D32 (D1, X0, X1, y2, t0, )
#define D33 (F0, X2, X3, y3, t1, GO(-8))
#define D40 (D1, X5, X6, y0, t0, )
#define D41 (F0, X7, X0, y1, t1, )
#define D42 (D1, X1, X2, y2, t0, )
#define D43 (F0, X3, X4, y3, t1, GO(-8))
#define D50 (D1, X6, X7, y0, t0, )
#define D51 (F0, X0, X1, y1, t1, )
#define D52 (D1, X2, X3, y2, t0, )
#define D53 (F0, X4, X5, y3, t1, GO(-8))
#define D60 (D1, X7, X0, y0, t0, )
#define D61 (F0, X1, X2, y1, t1, )
#define D62 (D1, X3, X4, y2, t0, )
#define D63 (F0, X5, X6, y3, t1, GO(-8))
#define D70 (D1, X0, X1, y0, t0, )
#define D71 (F0, X2, X3, y1, t1, )
#define D72 (D1, X4, X5, y2, t0, )
#define D73 (F0, X6, X7, y3, t1, GO(-8))

#define ENCRYPT_8 WEAVE_8(E)
#define DECRYPT_8 GO(-4) WEAVE_8(D) GO(4)

#define CONSTANTS const V c = vcombine_u8(vdup_n_u8(0x86), vdup_n_u8(0x58));
#define EIGHT_ROUNDS(ROUNDS)                                                                                 \
    {                                                                                                        \
        V key, y0, y1, y2, y3, t0, t1;                                                                       \
        __asm__(ROUNDS                                                                                       \
                : [X0] "+w"(X0), [X1] "+w"(X1), [X2] "+w"(X2), [X3] "+w"(X3), [X4] "+w"(X4),                 \
                  [X5] "+w"(X5), [X6] "+w"(X6), [X7] "+w"(X7), [SK] "+r"(SK), [key] "=&w"(key),              \
                  [y0] "=&w"(y0), [y1] "=&w"(y1), [y2] "=&w"(y2), [y3] "=&w"(y3),                            \
                  [t0] "=&w"(t0), [t1] "=&w"(t1)                                                             \
                : [c] "w"(c), "m"(*(const uint8_t(*)[ROUND_KEYS])k));                                        \
    }

#endif

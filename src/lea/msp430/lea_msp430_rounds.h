/* lea_msp430_rounds.h - the rounds of LEA for encryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X0' = ((X0 ^ RK0) + (X1 ^ RK1)) <<< 9
 *     X1' = ((X1 ^ RK2) + (X2 ^ RK3)) >>> 5
 *     X2' = ((X2 ^ RK4) + (X3 ^ RK5)) >>> 3       X3' = X0
 *
 * Round keys are words of 32 bits, low half first, in the order in which the rounds read them.
 *
 *     plain4, LEA-128, 16 bytes a round    0         4         8         12
 *     (RK1 = RK3 = RK5)                    | RK1     | RK0     | RK1^RK2 | RK1^RK4 |
 *     chain6, all sizes, 24 bytes a round  0         4         8         12        16        20
 *                                          | RK5^RK0'| RK4     | RK3^RK4 | RK2     | RK1^RK2 | RK0     |
 *
 * RK0' is RK0 of the previous round, and 0 in the first round.  A word that needs two round keys one after the other
 * takes the first, and then the XOR of both: so no copy is made. */
#ifndef HAECHI_LEA_MSP430_ROUNDS_H
#define HAECHI_LEA_MSP430_ROUNDS_H

#include "lea_msp430_words.h"

/* The three rotations of a round. */
.macro Rotations x0L, x0H, x1L, x1H, x2L, x2H, scratch
    ROL8    \x0L, \x0H, \scratch
    ROL1    \x0L, \x0H              ; X0'
    ROR8    \x1L, \x1H, \scratch
    ROL3    \x1L, \x1H              ; X1'
    ROR3    \x2L, \x2H              ; X2'
.endm

/* With round keys as plain4.  The words go out in the order u, x1, x2, x0, with x3 free.  After three rounds every word
 * is in the registers where it began. */
.macro Round_plain4 x0L, x0H, x1L, x1H, x2L, x2H, x3L, x3H, uL, uH
    mov     @rk+, \uL
    xor     \uL, \x1L
    xor     \uL, \x2L
    xor     \uL, \x3L
    mov     @rk+, \uL
    xor     \uL, \x1H               ; X1 ^ RK1
    xor     \uL, \x2H               ; X2 ^ RK3
    xor     \uL, \x3H               ; X3 ^ RK5
    load_next \uL, \uH
    xor_word \uL, \uH, \x0L, \x0H   ; X0 ^ RK0
    add_word \uL, \uH, \x1L, \x1H
    xor_next \x1L, \x1H             ; X1 ^ RK2
    add_word \x1L, \x1H, \x2L, \x2H
    xor_next \x2L, \x2H             ; X2 ^ RK4
    add_word \x2L, \x2H, \x3L, \x3H
    Rotations \uL, \uH, \x1L, \x1H, \x2L, \x2H, \x3L
.endm

/* With round keys as chain6, in place.  X0 keeps its RK0, which the first round key of the next round takes off.  The
 * words go out in the order x1, x2, x3, x0.  After four rounds every word is in the registers where it began. */
.macro Round_chain6 x0L, x0H, x1L, x1H, x2L, x2H, x3L, x3H
    xor_next \x3L, \x3H             ; X3 ^ RK5
    xor_next \x2L, \x2H             ; X2 ^ RK4
    add_word \x3L, \x3H, \x2L, \x2H
    xor_next \x2L, \x2H             ; X2 ^ RK3
    xor_next \x1L, \x1H             ; X1 ^ RK2
    add_word \x2L, \x2H, \x1L, \x1H
    xor_next \x1L, \x1H             ; X1 ^ RK1
    xor_next \x0L, \x0H             ; X0 ^ RK0
    add_word \x1L, \x1H, \x0L, \x0H
    Rotations \x1L, \x1H, \x2L, \x2H, \x3L, \x3H, t
.endm

.macro three_rounds_plain4
    Round_plain4 W0, W1, W2, W3, W4
    Round_plain4 W4, W1, W2, W0, W3
    Round_plain4 W3, W1, W2, W4, W0
.endm

.macro four_rounds_chain6
    Round_chain6 W0, W1, W2, W3
    Round_chain6 W1, W2, W3, W0
    Round_chain6 W2, W3, W0, W1
    Round_chain6 W3, W0, W1, W2
.endm

#endif

/* lea_msp430_inverse_rounds.h - the rounds of LEA for decryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X0 = Y3                                        Y0 to Y3 are what encryption calls X0' to X3'
 *     X1 ^ RK1 = (Y0 >>> 9) - (X0 ^ RK0)
 *     X2 ^ RK3 = (Y1 <<< 5) - (X1 ^ RK2)
 *     X3 ^ RK5 = (Y2 <<< 3) - (X2 ^ RK4)
 *
 *     plain4, last round first             0         4         8         12
 *                                          | RK0     | RK1^RK2 | RK1^RK4 | RK1     |
 *     chain6, as for encryption, but from the last word to the first
 *
 * The words go out in the order y3, y0, y1, y2.  low5 is 31, or a register that holds 31. */
#ifndef HAECHI_LEA_MSP430_INVERSE_ROUNDS_H
#define HAECHI_LEA_MSP430_INVERSE_ROUNDS_H

#include "lea_msp430_words.h"

/* With round keys as plain4; u is scratch.  The differences still carry RK1. */
.macro InverseLines_plain4 y0L, y0H, y1L, y1H, y2L, y2H, y3L, y3H, uL, uH, low5
    ROR8    \y0L, \y0H, \uL
    ROR1    \y0L, \y0H              ; Y0 >>> 9
    load_next \uL, \uH
    xor_word \uL, \uH, \y3L, \y3H   ; X0 ^ RK0
    sub_word \y0L, \y0H, \uL, \uH   ; X1 ^ RK1
    ROL5    \y1L, \y1H, \uL, \low5  ; Y1 <<< 5
    load_next \uL, \uH
    xor_word \uL, \uH, \y0L, \y0H   ; X1 ^ RK2
    sub_word \y1L, \y1H, \uL, \uH   ; X2 ^ RK3
    ROL3    \y2L, \y2H              ; Y2 <<< 3
    load_next \uL, \uH
    xor_word \uL, \uH, \y1L, \y1H   ; X2 ^ RK4
    sub_word \y2L, \y2H, \uL, \uH   ; X3 ^ RK5
.endm

/* x ^= a half of RK1, for half of each of three words */
.macro xor_RK1 half, x1, x2, x3, u
    mov     \half, \u
    xor     \u, \x1                 ; X1
    xor     \u, \x2                 ; X2
    xor     \u, \x3                 ; X3
.endm

.macro InverseRound_plain4 y0L, y0H, y1L, y1H, y2L, y2H, y3L, y3H, uL, uH, low5
    InverseLines_plain4 \y0L, \y0H, \y1L, \y1H, \y2L, \y2H, \y3L, \y3H, \uL, \uH, \low5
    xor_RK1 @rk+, \y0L, \y1L, \y2L, \uL
    xor_RK1 @rk+, \y0H, \y1H, \y2H, \uL
.endm

/* With round keys as chain6.  y3 comes in as X0 ^ RK0, and y2 goes out as X3 ^ RK0'.  xor_key takes the words of round
 * keys one after another. */
.macro InverseRound_chain6 y0L, y0H, y1L, y1H, y2L, y2H, y3L, y3H, low5, xor_key=xor_next
    ROR8    \y0L, \y0H, t
    ROR1    \y0L, \y0H              ; Y0 >>> 9
    sub_word \y0L, \y0H, \y3L, \y3H ; X1 ^ RK1
    \xor_key \y3L, \y3H             ; X0
    \xor_key \y0L, \y0H             ; X1 ^ RK2
    ROL5    \y1L, \y1H, t, \low5    ; Y1 <<< 5
    sub_word \y1L, \y1H, \y0L, \y0H ; X2 ^ RK3
    \xor_key \y0L, \y0H             ; X1
    \xor_key \y1L, \y1H             ; X2 ^ RK4
    ROL3    \y2L, \y2H              ; Y2 <<< 3
    sub_word \y2L, \y2H, \y1L, \y1H ; X3 ^ RK5
    \xor_key \y1L, \y1H             ; X2
    \xor_key \y2L, \y2H             ; X3 ^ RK0'; in the last round X3
.endm

/* After four rounds every word is in the registers where it began. */
.macro four_inverse_rounds_plain4 low5
    InverseRound_plain4 W0, W1, W2, W3, W4, \low5
    InverseRound_plain4 W3, W0, W1, W2, W4, \low5
    InverseRound_plain4 W2, W3, W0, W1, W4, \low5
    InverseRound_plain4 W1, W2, W3, W0, W4, \low5
.endm

.macro four_inverse_rounds_chain6 low5
    InverseRound_chain6 W0, W1, W2, W3, \low5
    InverseRound_chain6 W3, W0, W1, W2, \low5
    InverseRound_chain6 W2, W3, W0, W1, \low5
    InverseRound_chain6 W1, W2, W3, W0, \low5
.endm

#endif

/* lea_avr_rounds.h - the rounds of LEA for encryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X0' = ((X0 ^ RK0) + (X1 ^ RK1)) <<< 9
 *     X1' = ((X1 ^ RK2) + (X2 ^ RK3)) >>> 5
 *     X2' = ((X2 ^ RK4) + (X3 ^ RK5)) >>> 3       X3' = X0
 *
 *     round keys, LEA-128, 16 bytes a round  0         4         8         12
 *     (RK1 = RK3 = RK5)                      | RK1     | RK4     | RK1^RK2 | RK0     |
 *     LEA-192 and LEA-256, 24 bytes          0         4         8         12        16        20
 *                                            | RK1     | RK3     | RK5     | RK3^RK4 | RK1^RK2 | RK0     |
 *
 * Each word of a round key is stored with its low byte first.
 *
 * The two rotations by multiplication wait for the next round, which can XOR the products to its round key.  So a
 * round finds the sums of the previous round, not yet rotated, in x1 and x2; the first round finds words, and after
 * the last round the sums are still to be rotated.  Each sum is made in the place of its second operand, and each
 * operand from the one before by the XOR of two round keys: X1 ^ RK2 is (X1 ^ RK1) ^ (RK1 ^ RK2).
 *
 *     W0 ... W4               c8  c32 zero
 *     in lea_avr_words.h      the constants 8, 32 and 0, in the registers that the including file names */
#ifndef HAECHI_LEA_AVR_ROUNDS_H
#define HAECHI_LEA_AVR_ROUNDS_H

/* LEA-128.  The words come in as rol8(x0), x1, ror8(x2), rol8(x3) to the first round, and as rol8(x0), ror8(x1),
 * rol8(x2), rol8(x3) to the others.  They go out in the order x1, x2, x3, x0 from the first round, and as x2, t, x3,
 * x0 from the others, with x1 free. */

.macro FirstRound_128 x0, x1, x2, x3, t
    load_next \t                            ; RK1
    xor_word rol8(\x3), \t                  ; X3 ^ RK5
    add_xor_next rol8(\x3), ror8(\x2)       ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_word ror8(\x2), \t                  ; X2 ^ RK3
    xor_word \x1, \t                        ; X1 ^ RK1
    add_xor_next ror8(\x2), \x1             ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x1, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x1, zero                       ; rol8 of it is X0'
.endm

.macro Round_128 x0, x1, x2, x3, t
    ROL_by  c32, \t, rol8(\x2)              ; ror8 of it is X2
    load_next \x2                           ; RK1
    xor_word rol8(\x3), \x2                 ; X3 ^ RK5
    add_xor_next rol8(\x3), ror8(\t)        ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_word ror8(\t), \x2                  ; X2 ^ RK3
    xor_ROL_by c8, rol8(\x2), ror8(\x1)     ; X1 ^ RK1
    add_xor_next ror8(\t), \x2              ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x2, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x2, zero                       ; rol8 of it is X0'
.endm

/* LEA-192 and LEA-256.  The words come in as rol8(x0), x1, x2, rol8(x3) to the first round, and as rol8(x0), x1,
 * rol8(x2), rol8(x3) to the others.  They go out in the order x1, x2, x3, x0 from the first round, and as t, x1, x3,
 * x0 from the others, with x2 free. */

.macro FirstRound_256 x0, x1, x2, x3, t
    xor_next \x1                            ; X1 ^ RK1
    xor_next \x2                            ; X2 ^ RK3
    xor_next rol8(\x3)                      ; X3 ^ RK5
    add_xor_next rol8(\x3), \x2             ; (X2 ^ RK4) + (X3 ^ RK5)
    add_xor_next \x2, \x1                   ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x1, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x1, zero                       ; rol8 of it is X0'
.endm

.macro Round_256 x0, x1, x2, x3, t
    load_next \t                            ; RK1
    xor_ROL_by c8, rol8(\t), \x1            ; X1 ^ RK1
    load_next \x1                           ; RK3
    xor_ROL_by c32, rol8(\x1), rol8(\x2)    ; X2 ^ RK3
    xor_next rol8(\x3)                      ; X3 ^ RK5
    add_xor_next rol8(\x3), \x1             ; (X2 ^ RK4) + (X3 ^ RK5)
    add_xor_next \x1, \t                    ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \t, rol8(\x0)              ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \t, zero                        ; rol8 of it is X0'
.endm

/* After six rounds of LEA-128, or four of the others, every word is in the registers where it began. */
.macro six_rounds
    Round_128 W0, W1, W2, W3, W4
    Round_128 W2, W4, W3, W0, W1
    Round_128 W3, W1, W0, W2, W4
    Round_128 W0, W4, W2, W3, W1
    Round_128 W2, W1, W3, W0, W4
    Round_128 W3, W4, W0, W2, W1
.endm

.macro four_rounds
    Round_256 W0, W1, W2, W3, W4
    Round_256 W4, W1, W3, W0, W2
    Round_256 W2, W1, W0, W4, W3
    Round_256 W3, W1, W4, W2, W0
.endm

#endif

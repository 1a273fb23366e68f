/* lea_avr_inverse_rounds.h - the rounds of LEA for decryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X0 = Y3                                        Y0 to Y3 are what encryption calls X0' to X3'
 *     X1 ^ RK1 = (Y0 >>> 9) - (X0 ^ RK0)
 *     X2 ^ RK3 = (Y1 <<< 5) - (X1 ^ RK2)
 *     X3 ^ RK5 = (Y2 <<< 3) - (X2 ^ RK4)
 *
 * The round keys are those of lea_avr_rounds.h, read downwards.  The words come in as y0, ror8(y1), y2, y3 and go out
 * in the order y3, y0, y2, t, with y1 free.  A difference that still carries its round key is the word that the XOR of
 * two round keys turns into the next operand. */
#ifndef HAECHI_LEA_AVR_INVERSE_ROUNDS_H
#define HAECHI_LEA_AVR_INVERSE_ROUNDS_H

#include "lea_avr_rounds.h"

.macro InverseRound_128 y0, y1, y2, y3, t, at
    ROL_by  c8, \t, \y2                     ; Y2 <<< 3
    ROL_by  c32, \y2, ror8(\y1)             ; Y1 <<< 5
    load_key \y1, \at                       ; RK1
    ROR1    \y0                             ; ror8 of it is Y0 >>> 9
    sub_xor_key ror8(\y0), \y3, \at+12      ; X1 ^ RK1
    sub_xor_key \y2, ror8(\y0), \at+8       ; X2 ^ RK3
    xor_word ror8(\y0), \y1                 ; X1
    xor_word \y2, \y1                       ; X2
    sub_xor_key \t, \y2, \at+4              ; X3 ^ RK5
    xor_word \t, \y1                        ; X3
.endm

.macro InverseRound_256 y0, y1, y2, y3, t, at
    ROL_by  c8, \t, \y2                     ; Y2 <<< 3
    ROL_by  c32, \y2, ror8(\y1)             ; Y1 <<< 5
    ROR1    \y0                             ; ror8 of it is Y0 >>> 9
    sub_xor_key ror8(\y0), \y3, \at+20      ; X1 ^ RK1
    sub_xor_key \y2, ror8(\y0), \at+16      ; X2 ^ RK3
    sub_xor_key \t, \y2, \at+12             ; X3 ^ RK5
    xor_key ror8(\y0), \at                  ; X1
    xor_key \y2, \at+4                      ; X2
    xor_key \t, \at+8                       ; X3
.endm

/* One round further down; .Lround is where the keys of the previous round begin.  A load reaches 63 bytes from Z
 * upwards: the keys of four rounds of 16 bytes, or of two rounds of 24. */
.macro inverse_round layout, size, y0, y1, y2, y3, t
    .Lround = .Lround-\size
    .if .Lround < .Lz || .Lround > .Lz+63
    move_Z  .Lround+\size-64/\size*\size
    .endif
    InverseRound_\layout \y0, \y1, \y2, \y3, \t, .Lround
.endm

/* After four rounds every word is in the registers where it began. */
.macro four_inverse_rounds layout, size
    inverse_round \layout, \size, W0, W1, W2, W3, W4
    inverse_round \layout, \size, W3, W0, W2, W4, W1
    inverse_round \layout, \size, W4, W3, W2, W1, W0
    inverse_round \layout, \size, W1, W4, W2, W0, W3
.endm

#endif

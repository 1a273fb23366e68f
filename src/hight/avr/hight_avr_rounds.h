/* hight_avr_rounds.h - the steps of the standard for kernels that store the round keys in the standard's order.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           encryption reads upwards, with X+             decryption reads downwards, with -X
 *
 * X walks through the round keys.  A kernel names the registers x0 to x7 of the block and defines
 *
 *     F1_step op, y, x, next       y = y + (F1(x) ^ the next subkey), with the instruction op for the addition,
 *                                  which is sub in decryption
 *     F0_step y, x, next           y = y ^ (F0(x) + the next subkey)
 *     whiten  op, x, next          x = x + the next whitening key; op is add, sub or eor
 *
 * where next is X+ or -X. */
#ifndef HAECHI_HIGHT_AVR_ROUNDS_H
#define HAECHI_HIGHT_AVR_ROUNDS_H

#include "../hight_round_names.h"

/* X = behind the last round key, where decryption begins. */
.macro to_the_end
    subi    XL, lo8(-136)
    sbci    XH, hi8(-136)           ; X = rk + 136
.endm

/* ---- Encryption. */

.macro InitialTransformation
    whiten  add, x0, X+             ; WK0
    whiten  eor, x2, X+             ; WK1
    whiten  add, x4, X+             ; WK2
    whiten  eor, x6, X+             ; WK3
.endm

.macro Round p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
    F0_step \p7, \p6, X+            ; SK[4i+3]
.endm

/* After eight rounds every byte is again in the register where it began, and so after 32 rounds.  The last round of the
 * standard does not rotate the block, but this one does: byte j of the result is in x(j+1). */
.macro Rounds_8
    rounds_left 8, Round, Round, x7, x6, x5, x4, x3, x2, x1, x0
.endm

.macro FinalTransformation
    whiten  add, x1, X+             ; WK4
    whiten  eor, x3, X+             ; WK5
    whiten  add, x5, X+             ; WK6
    whiten  eor, x7, X+             ; WK7
.endm

/* ---- Decryption undoes the steps in the opposite order. */

.macro InverseFinalTransformation
    whiten  eor, x7, -X             ; WK7
    whiten  sub, x5, -X             ; WK6
    whiten  eor, x3, -X             ; WK5
    whiten  sub, x1, -X             ; WK4
.endm

.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0
    F0_step \p7, \p6, -X            ; SK[4i+3]
    F1_step sub, \p5, \p4, -X       ; SK[4i+2]
    F0_step \p3, \p2, -X            ; SK[4i+1]
    F1_step sub, \p1, \p0, -X       ; SK[4i]
.endm

.macro InverseRounds_8
    rounds_right 8, InverseRound, InverseRound, x0, x7, x6, x5, x4, x3, x2, x1
.endm

.macro InverseInitialTransformation
    whiten  eor, x6, -X             ; WK3
    whiten  sub, x4, -X             ; WK2
    whiten  eor, x2, -X             ; WK1
    whiten  sub, x0, -X             ; WK0
.endm

#endif

/* hight_msp430_rounds.h - the rounds for kernels that store the round keys as bytes in the standard's order.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 *     x0  x1 ... x7   rp           rounds
 *     r4  r5 ... r11  r12          r15
 *     the block       round keys   left, by eights */
#ifndef HAECHI_HIGHT_MSP430_ROUNDS_H
#define HAECHI_HIGHT_MSP430_ROUNDS_H

#define x0 r4
#define rounds r15

#include "../hight_round_names.h"
#include "hight_msp430_block.h"
#include "hight_msp430_round.h"

/* After eight rounds every byte is again in the register where it began, and so after 32 rounds.  The last round of the
 * standard does not rotate the block, but this one does: byte j of the result is in x(j+1). */
.macro Rounds_8
    Rounds_5
    Rounds_3
.endm

.macro Rounds_5
    rounds_left 5, Round, Round, x7, x6, x5, x4, x3, x2, x1, x0
.endm

.macro Rounds_3
    rounds_left 3, Round, Round, x2, x1, x0, x7, x6, x5, x4, x3
.endm

/* ---- Decryption takes the rounds in the opposite order.  The four steps of a round do not depend on one another, so
 * their keys are read upwards.  8 is one of the constants that MSP430 has without an extra word, so going back by 8 is
 * cheap. */

.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0
    sub     #8, rp
    F1_step sub.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step sub.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
.endm

.macro InverseRounds_8
    rounds_right 8, InverseRound, InverseRound, x0, x7, x6, x5, x4, x3, x2, x1
.endm

#endif

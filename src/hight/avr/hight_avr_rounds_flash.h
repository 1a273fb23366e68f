/* hight_avr_rounds_flash.h - the rounds of HIGHT in an order that spares changes of the table's page.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0        4                                                             132      136
 *           | WK0..3 | SK0 SK2 SK1 SK3 | SK5 SK7 SK4 SK6 | SK8 SK10 SK9 SK11 | ... | WK4..7 |
 *
 * The four steps of a round do not depend on one another.  Even rounds take the two steps with F1 first and odd rounds
 * the two with F0, so that ZH changes its page once a round.  The round keys are stored in that order. */
#ifndef HAECHI_HIGHT_AVR_ROUNDS_FLASH_H
#define HAECHI_HIGHT_AVR_ROUNDS_FLASH_H

#include "../hight_round_names.h"

.macro EvenRound p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
    page    F0
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F0_step \p7, \p6, X+            ; SK[4i+3]
.endm

.macro OddRound p7, p6, p5, p4, p3, p2, p1, p0
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F0_step \p7, \p6, X+            ; SK[4i+3]
    page    F1
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
.endm

/* Eight rounds, after which every byte is again in the register where it began. */
.macro EvenOddRounds_8
    rounds_left 8, EvenRound, OddRound, x7, x6, x5, x4, x3, x2, x1, x0
.endm

#endif

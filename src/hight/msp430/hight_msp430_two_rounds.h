/* hight_msp430_two_rounds.h - both directions as loops of two rounds, for kernels in little flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two rounds rename the bytes of the block by two places.  A turn of the loop therefore ends with ten moves, where one
 * round a turn would take nine for half of the work.  `rounds` counts pairs of rounds.  Decryption goes on where
 * encryption stores the block.
 *
 * A kernel includes hight_msp430_rounds.h and the steps, F1_step and F0_step. */
#ifndef HAECHI_HIGHT_MSP430_TWO_ROUNDS_H
#define HAECHI_HIGHT_MSP430_TWO_ROUNDS_H

#include "hight_msp430_shared_end.h"

/* Each byte goes to the register two places on in the list. */
.macro turn_by_2 a, b, c, d, e, f, g, h
    turn    \a, \c, \e, \g
    turn    \b, \d, \f, \h
.endm

.macro rounds_32
    mov     #16, rounds
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    turn_by_2 x0, x1, x2, x3, x4, x5, x6, x7
    dec     rounds
    jnz     1b
    FinalTransformation
.endm

/* rp = rk + 4 at the end. */
.macro inverse_rounds_32
    mov     #16, rounds
    add     #132, rp
    ShiftedInverseFinalTransformation
1:  InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound x2, x1, x0, x7, x6, x5, x4, x3
    turn_by_2 x7, x6, x5, x4, x3, x2, x1, x0
    dec     rounds
    jnz     1b
    sub     #8, rp
    ShiftedInverseInitialTransformation
.endm

.macro loops_of_two_rounds kernel
FUNC haechi_\kernel\()_enc
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    rounds_32
haechi_\kernel\()_end:
    shared_end
ENDF

FUNC haechi_\kernel\()_dec
    enter   x2, x3, x4, x5, x6, x7, x0, x1
    inverse_rounds_32
    br      #haechi_\kernel\()_end
ENDF
.endm

#endif

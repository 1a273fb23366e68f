/* hight_msp430_loop.S - HIGHT for MSP430 in little flash: tables in flash, two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_loop_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_loop_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_loop_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The idea.  Two rounds rename the bytes of the block by two places.  A turn of the loop therefore ends with ten moves,
 * where one round a turn would take nine for half of the work.  `rounds` counts pairs of rounds. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_tables.h"
#include "hight_msp430_shared_end.h"
#include "hight_msp430_schedule_small.h"

#define PART(what) haechi_hight_msp430_loop_##what

/* Each byte goes to the register two places on in the list. */
.macro turn a, b, c, d, e, f, g, h
    turn_half \a, \c, \e, \g
    turn_half \b, \d, \f, \h
.endm

.macro turn_half a, c, e, g
    mov     \g, T
    mov     \e, \g
    mov     \c, \e
    mov     \a, \c
    mov     T, \a
.endm

FUNC PART(enc)
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    mov     #16, rounds
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    turn    x0, x1, x2, x3, x4, x5, x6, x7
    dec     rounds
    jnz     1b
    FinalTransformation
PART(end):
    shared_end
ENDF

FUNC PART(dec)
    enter   x2, x3, x4, x5, x6, x7, x0, x1
    mov     #16, rounds
    add     #132, rp
    ShiftedInverseFinalTransformation
1:  InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound x2, x1, x0, x7, x6, x5, x4, x3
    turn    x7, x6, x5, x4, x3, x2, x1, x0
    dec     rounds
    jnz     1b
    sub     #8, rp
    ShiftedInverseInitialTransformation
    br      #PART(end)
ENDF

FUNC PART(eks)
    SmallKeySchedule
ENDF

    KERNEL hight_msp430_loop, 8, 16, 136, ALIGN2, PART(eks), PART(enc)
    KERNEL hight_msp430_loop_inv, 8, 16, 136, ALIGN2 | INVERSE, PART(eks), PART(dec)

#endif

#include "../../asm/stack_note.h"

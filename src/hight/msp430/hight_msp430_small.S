/* hight_msp430_small.S - HIGHT for MSP430, the smallest: no tables, one round in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_small_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_small_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_small_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The idea.  F0 and F1 are computed by rotations.  The block moves on by a byte a round.  The step that makes the new
 * x0 leaves it in the scratch register until the place of x0 is free, which spares one of nine moves.  Both directions
 * share their end.
 *
 * buf waits on the stack, and U, a second scratch register, takes its place.  `rounds` counts single rounds. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_rotations.h"
#include "hight_msp430_shared_end.h"
#include "hight_msp430_schedule_small.h"

FUNC haechi_hight_msp430_small_end
    shared_end
ENDF

FUNC haechi_hight_msp430_small_enc
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    mov     #32, rounds
    InitialTransformation
1:  F1_step add.b, x1, x0           ; SK[4i]
    F0_step x3, x2                  ; SK[4i+1]
    F1_step add.b, x5, x4           ; SK[4i+2]
    F0_sum  x6                      ; SK[4i+3]
    xor.b   x7, T                   ; the next x0
    mov     x6, x7
    mov     x5, x6
    mov     x4, x5
    mov     x3, x4
    mov     x2, x3
    mov     x1, x2
    mov     x0, x1
    mov     T, x0
    dec     rounds
    jnz     1b
    FinalTransformation
    br      #haechi_hight_msp430_small_end
ENDF

FUNC haechi_hight_msp430_small_dec
    enter   x2, x3, x4, x5, x6, x7, x0, x1
    mov     #32, rounds
    add     #132, rp
    ShiftedInverseFinalTransformation
1:  sub     #8, rp
    F1_step sub.b, x3, x2           ; SK[4i]
    F0_step x5, x4                  ; SK[4i+1]
    F1_step sub.b, x7, x6           ; SK[4i+2]
    F0_sum  x0                      ; SK[4i+3]
    xor.b   x1, T                   ; the next x0
    mov     x2, x1
    mov     x3, x2
    mov     x4, x3
    mov     x5, x4
    mov     x6, x5
    mov     x7, x6
    mov     x0, x7
    mov     T, x0
    dec     rounds
    jnz     1b
    sub     #8, rp
    ShiftedInverseInitialTransformation
    br      #haechi_hight_msp430_small_end
ENDF

FUNC haechi_hight_msp430_small_eks
    SmallKeySchedule
ENDF

    KERNEL hight_msp430_small, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_small_eks, haechi_hight_msp430_small_enc
    KERNEL hight_msp430_small_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_small_eks, haechi_hight_msp430_small_dec

#endif

#include "../../asm/stack_note.h"

/* hight_msp430_bare.S - HIGHT for MSP430: no tables, eight rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_bare_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_bare_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_bare_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The idea.  F0 and F1 are computed by rotations, and rotating the block only renames registers.  buf waits on the
 * stack, and U, a second scratch register, takes its place. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_rotations.h"
#include "hight_msp430_schedule.h"

FUNC haechi_hight_msp430_bare_enc
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    push    buf
    mov     #4, rounds
    InitialTransformation
1:  Rounds_8
    dec     rounds
    jnz     1b
    FinalTransformation
    pop     buf
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

FUNC haechi_hight_msp430_bare_dec
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x1, x2, x3, x4, x5, x6, x7, x0
    push    buf
    mov     #4, rounds
    add     #132, rp
    InverseFinalTransformation
1:  InverseRounds_8
    dec     rounds
    jnz     1b
    sub     #8, rp
    InverseInitialTransformation
    pop     buf
    store   x0, x1, x2, x3, x4, x5, x6, x7
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

    FastKeySchedule hight_msp430_bare

    KERNEL hight_msp430_bare, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_bare_eks, haechi_hight_msp430_bare_enc
    KERNEL hight_msp430_bare_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_bare_eks, haechi_hight_msp430_bare_dec

#endif

#include "../../asm/stack_note.h"

/* hight_msp430_flash.S - HIGHT for MSP430: tables in flash, eight rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_flash_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_flash_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_flash_dec(const void *rk, void *buf);
 *     void haechi_hight_msp430_flash_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The idea.  A byte instruction clears the upper half of its register, so every byte of the block can be an index at
 * once, and F1(x) is one load.  Rotating the block only renames registers. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_tables.h"
#include "hight_msp430_schedule.h"

#define UNIT 1
#define MOV mov.b
#define XOR xor.b
#include "hight_msp430_ctr.h"

.macro set_rounds
    mov     #4, rounds
.endm

/* For counter mode: the steps are the same in all rounds. */
.macro F1_of r, y, x
    F1_step add.b, \y, \x
.endm

.macro F0_of r, y, x
    F0_step \y, \x
.endm

FUNC haechi_hight_msp430_flash_enc
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    mov     #4, rounds
    InitialTransformation
1:  Rounds_5
.Lround_6:
    Rounds_3
    dec     rounds
    jnz     1b
    FinalTransformation
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

FUNC haechi_hight_msp430_flash_ctr
    counter .Lround_6, 7
ENDF

FUNC haechi_hight_msp430_flash_dec
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x1, x2, x3, x4, x5, x6, x7, x0
    mov     #4, rounds
    add     #132, rp
    InverseFinalTransformation
1:  InverseRounds_8
    dec     rounds
    jnz     1b
    sub     #8, rp
    InverseInitialTransformation
    store   x0, x1, x2, x3, x4, x5, x6, x7
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

    FastKeySchedule hight_msp430_flash

    KERNEL hight_msp430_flash, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_flash_eks, haechi_hight_msp430_flash_enc, 0, haechi_hight_msp430_flash_ctr
    KERNEL hight_msp430_flash_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_flash_eks, haechi_hight_msp430_flash_dec

#endif

#include "../../asm/stack_note.h"

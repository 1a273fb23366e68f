/* hight_avr_ram_t.S - HIGHT for AVR, the fastest single block: tables in RAM, rounds unrolled, transformed keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_ram_t_eks(void *rk, const void *key);
 *     void haechi_hight_avr_ram_t_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_ram_t_dec(const void *rk, void *buf);
 *     void haechi_hight_avr_ram_t_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *           with F1^-1(SK_n) in the place of SK_n where n is even
 *
 * The idea.  F1 is linear and invertible, so F1(x) ^ SK = F1(x ^ F1^-1(SK)).  With F1^-1(SK) as the round key, a step
 * with F1 needs neither a copy of x nor a second scratch register.  The key schedule looks F1^-1 up in a
 * table.  Everything else is as in hight_avr_ram.
 *
 *     x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch                            */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_unrolled.h"
#include "hight_avr_schedule.h"

/* The table of F1^-1. */
    .section .data.haechi_hight_avr_ram_t, "aw", %progbits
    .balign 256
    named_table haechi_hight_avr_ram_t_inverse_F1, INVERSE_F1_ROTATIONS

/* y = y + F1(x ^ the next transformed subkey), or y - (...): 6 cycles */
.macro F1_step op, y, x, next
    ld      ZL, \next               ; F1^-1(SK)
    eor     ZL, \x
    ld      ZL, Z                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

/* F1_step with the subkey in a register, for counter mode. */
.macro F1_step_held op, y, x, key
    mov     ZL, \key                ; F1^-1(SK)
    eor     ZL, \x
    ld      ZL, Z                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

    Unrolled hight_avr_ram_t

/* Stores F1^-1(SK_n) where n is even, which takes 5 cycles, and SK_n where n is odd, which takes 2.  YH holds the page
 * of F1^-1. */
.macro put_subkey n, register
    .if \n & 1
    put     4+\n, \register
    .else
    mov     YL, \register
    ld      YL, Y                   ; F1^-1(SK)
    put     4+\n, YL
    .endif
.endm

FUNC haechi_hight_avr_ram_t_eks
    push    YL
    push    YH
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    ldi     YH, hi8(haechi_hight_avr_ram_t_inverse_F1)
    KeySchedule 3, 2, 1, 0, 7, 6, 5, 4
    pop     YH
    pop     YL
    ret
ENDF

    KERNEL hight_avr_ram_t, 8, 16, 136, 0, haechi_hight_avr_ram_t_eks, haechi_hight_avr_ram_t_enc, \
           0, haechi_hight_avr_ram_t_ctr
    KERNEL hight_avr_ram_t_inv, 8, 16, 136, INVERSE, haechi_hight_avr_ram_t_eks, haechi_hight_avr_ram_t_dec

#endif

#include "../../asm/stack_note.h"

/* hight_avr_ram.S - HIGHT for AVR, for speed: F0 and F1 as tables in RAM, rounds unrolled.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_ram_eks(void *rk, const void *key);
 *     void haechi_hight_avr_ram_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_ram_dec(const void *rk, void *buf);
 *     void haechi_hight_avr_ram_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * The idea.  YH holds the page of F0 and ZH the page of F1 all the time, so a byte that is moved to YL or ZL is an
 * address, and the look-up may overwrite it.  Whichever of YL and ZL is not the address takes the round key.  X is free
 * to walk through the round keys, and every other scratch register is free for the block.  The block never moves:
 * eight rounds whose arguments are rotated stand for the rotation of the block.
 *
 *     x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch                            */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_unrolled.h"
#include "hight_avr_schedule.h"

/* y = y + (F1(x) ^ the next subkey), or y - (...): 7 cycles */
.macro F1_step op, y, x, next
    mov     ZL, \x
    ld      ZL, Z                   ; F1(x)
    ld      YL, \next               ; SK
    eor     ZL, YL                  ; F1(x) ^ SK
    \op     \y, ZL
.endm

/* F1_step with the subkey in a register, for counter mode. */
.macro F1_step_held op, y, x, key
    mov     ZL, \x
    ld      ZL, Z                   ; F1(x)
    eor     ZL, \key                ; F1(x) ^ SK
    \op     \y, ZL
.endm

    Unrolled hight_avr_ram

.macro put_subkey n, register
    put     4+\n, \register
.endm

FUNC haechi_hight_avr_ram_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    KeySchedule 3, 2, 1, 0, 7, 6, 5, 4
    ret
ENDF

    KERNEL hight_avr_ram, 8, 16, 136, 0, haechi_hight_avr_ram_eks, haechi_hight_avr_ram_enc, \
           0, haechi_hight_avr_ram_ctr
    KERNEL hight_avr_ram_inv, 8, 16, 136, INVERSE, haechi_hight_avr_ram_eks, haechi_hight_avr_ram_dec

#endif

#include "../../asm/stack_note.h"

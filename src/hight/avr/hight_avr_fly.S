/* hight_avr_fly.S - HIGHT for AVR without stored round keys: tables in RAM, deltas in flash, two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_fly_eks(void *rk, const void *key);
 *     void haechi_hight_avr_fly_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_fly_dec(const void *rk, void *buf);
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 * The idea.  The key stays in registers, and the deltas come one after another from a table in flash.  Each of the
 * three pointers has one table, so a step takes 9 cycles.  hight_avr_turned_keys.h tells how the key turns.
 *
 *     scratch  MK0 ... MK15  x0 ... x7    X            Y            Z       on the stack
 *     r0, r1   r2 ... r17    r18 ... r25  F1, scratch  F0, scratch  deltas  buf                         */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_tables_ram.h"
#include "hight_avr_deltas.h"

/* y = y + (F1(x) ^ (key + the next delta)), or y - (...): 9 cycles */
.macro F1_step op, y, x, key
    mov     XL, \x
    ld      XL, X                   ; F1(x)
    lpm     r0, Z+                  ; delta
    add     r0, \key                ; SK
    eor     XL, r0                  ; F1(x) ^ SK
    \op     \y, XL
.endm

/* y = y ^ (F0(x) + key + the next delta): 9 cycles */
.macro F0_step y, x, key
    mov     YL, \x
    ld      YL, Y                   ; F0(x)
    lpm     r0, Z+                  ; delta
    add     YL, r0
    add     YL, \key                ; F0(x) + SK
    eor     \y, YL
.endm

.macro ready delta
    ldi     XH, hi8(F1)
    ldi     YH, hi8(F0)
    ldi     ZL, lo8(\delta)
    ldi     ZH, hi8(\delta)
.endm

    fly_frame hight_avr_fly
    fly_rounds hight_avr_fly

    KERNEL hight_avr_fly, 8, 16, 16, 0, haechi_hight_avr_fly_eks, haechi_hight_avr_fly_enc
    KERNEL hight_avr_fly_inv, 8, 16, 16, INVERSE, haechi_hight_avr_fly_eks, haechi_hight_avr_fly_dec

#endif

#include "../../asm/stack_note.h"

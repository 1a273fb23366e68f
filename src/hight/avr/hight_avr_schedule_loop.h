/* hight_avr_schedule_loop.h - a key schedule of HIGHT between the fast and the small one: 16 subkeys a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     r18 ... r25         X            Y            Z       r0, r1    r16
 *     MK0..7 or MK8..15,  key, behind  rk + 16i,    deltas  scratch   a bit for the last turn of each half
 *     turned by i places  what is read + 8 for MK8
 *
 * SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with the other half of the key for n = 16i + j + 8.
 * After eight i a half has turned around and is as it was read, so that the whitening keys are stored then. */
#ifndef HAECHI_HIGHT_AVR_SCHEDULE_LOOP_H
#define HAECHI_HIGHT_AVR_SCHEDULE_LOOP_H

#include "../hight_constants.h"

#define MK 18 /* number of the register of MK0 or MK8 */
#define turns r16

/* The deltas in the order in which they are used: by half of the key, by i, by j. */
#define deltas haechi_hight_avr_deltas_by_halves
    .section .progmem.data.haechi_hight_avr_deltas_by_halves, "aG", %progbits, haechi_hight_avr_deltas_by_halves, comdat
    .global deltas
    .type   deltas, %object
    .size   deltas, 128
deltas:
    .irp half, 0, 8
    .irp i, 0, 16, 32, 48, 64, 80, 96, 112
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    delta   \half + \i + \j
    .byte   .Ldelta
    .endr
    .endr
    .endr

/* Four whitening keys, at Y + `at`. */
.macro WhiteningKeyGeneration at, first
    .irp i, 0, 1, 2, 3
    std     Y+\at+\i, \first+\i
    .endr
.endm

/* Eight subkeys for the i that is `more` above that of Y. */
.macro SubkeyGeneration more
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    lpm     r0, Z+                  ; delta
    add     r0, MK + ((\j - \more) & 7)
    std     Y+4+16*\more+\j, r0
    .endr
.endm

.macro LoopKeySchedule
    push    turns
    push    YL
    push    YH
    movw    XL, r22                 ; X = key
    movw    YL, r24                 ; Y = rk
    ldi     ZL, lo8(deltas)
    ldi     ZH, hi8(deltas)
    ldi     turns, 0x88             ; four turns for each half
1:  .irp m, 0, 1, 2, 3, 4, 5, 6, 7
    ld      MK+\m, X+
    .endr
2:  SubkeyGeneration 0
    SubkeyGeneration 1
    movw    r0, MK+6
    movw    MK+6, MK+4
    movw    MK+4, MK+2
    movw    MK+2, MK
    movw    MK, r0
    adiw    YL, 32
    lsr     turns
    brcc    2b
    breq    3f
    WhiteningKeyGeneration 4, MK    ; WK4..7
    subi    YL, 128 - 8
    sbci    YH, 0                   ; Y = rk + 8
    rjmp    1b
3:  subi    YL, 128 + 8
    sbci    YH, 0                   ; Y = rk
    WhiteningKeyGeneration 0, MK+4  ; WK0..3
    clr     r1
    pop     YH
    pop     YL
    pop     turns
    ret
.endm

#endif

/* hight_avr_schedule_small.h - the small key schedule of HIGHT: one subkey after the other, in the standard's order.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X         Z   r0      r18    r19            r20                   r21   r22:r23
 *     key byte  rk  subkey  delta  2i + half      bits 0-2: j-i mod 8,  left  key
 *                                                 bit 3: half
 *
 * The loop from label 3 on makes 8 subkeys from one half of the key.  The whitening keys are copied before (r19 = 0)
 * and after (r19 = 16) all subkeys. */
#ifndef HAECHI_HIGHT_AVR_SCHEDULE_SMALL_H
#define HAECHI_HIGHT_AVR_SCHEDULE_SMALL_H

/* `even` is one instruction that changes r0, the subkey, where n is even; it may be missing.  A subkey takes 19 cycles,
 * or 21 with `even`. */
.macro SmallKeySchedule even:vararg
    movw    ZL, r24                 ; Z = rk
    movw    XL, r22
    adiw    XL, 12                  ; X = MK12, WK0
    clr     r19
1:  ldi     r21, 4
2:  ld      r0, X+
    st      Z+, r0                  ; WK0..3 or WK4..7
    dec     r21
    brne    2b
    sbrc    r19, 4
    ret
    ldi     r18, 0x5a               ; delta_0
    clr     r20
3:  bst     r19, 0                  ; T = half
    ldi     r21, 8
4:  bld     r20, 3
    andi    r20, 15
    movw    XL, r22
    add     XL, r20
    adc     XH, r1
    ld      r0, X                   ; MK
    add     r0, r18                 ; SK
    .ifnb   \even
    sbrs    r21, 0
    \even
    .endif
    st      Z+, r0
    sbrc    r18, 3                  ; bit 7 of r18 = bit 3 ^ bit 0, which the shift makes bit 6
    ori     r18, 0x80
    sbrc    r18, 0
    subi    r18, 0x80
    lsr     r18                     ; next delta
    inc     r20
    dec     r21
    brne    4b
    inc     r19
    sbrs    r19, 0
    dec     r20                     ; next i
    sbrs    r19, 4
    rjmp    3b
    movw    XL, r22                 ; X = MK0, WK4
    rjmp    1b
.endm

#endif

/* avr_ctr_calls.h - counter mode for AVR kernels in little flash: a call of encryption for each block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * A block is a copy of the counter on the stack, which encryption turns into key stream.  The copy goes from the last
 * byte to the first, as the carry does, and takes the same time whatever the carry.
 *
 *     r8:r9  r10:r11  r12:r13  r14:r15  r16:r17  Y      r0, r18  X            Z
 *     rk     ctr      out      in       n        block  scratch  ctr, or in   block, or out */
#ifndef HAECHI_AVR_CTR_CALLS_H
#define HAECHI_AVR_CTR_CALLS_H

#include "avr.h"

/* `each` is a macro for one byte. */
.macro for_bytes each, block
    ldi     r18, \block/4
9:
    .rept 4
    \each
    .endr
    dec     r18
    brne    9b
.endm

.macro copy_and_count
    ld      r0, -X
    st      -Z, r0
    adc     r0, r1
    st      X, r0
.endm

.macro xor_byte
    ld      r0, Y+
    ld      r19, X+
    eor     r0, r19
    st      Z+, r0
.endm

.macro move_byte
    ld      r0, Y+
    st      Z+, r0
.endm

.macro wipe_byte
    st      Y+, r1
.endm

.macro ctr_by_calls encrypt, block
    push_all r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    movw    r8, r24                 ; rk
    movw    r10, r22                ; ctr
    movw    r12, r20                ; out
    movw    r14, r18                ; in
    in      YL, SPL
    in      YH, SPH
    sbiw    YL, \block
    move_SP_to_Y
    adiw    YL, 1                   ; block
1:
    subi    r16, 1
    sbci    r17, 0
    brcc    4f
    rjmp    5f                      ; no block is left
4:
    movw    XL, r10
    adiw    XL, \block
    movw    ZL, YL
    adiw    ZL, \block
    sec
    for_bytes copy_and_count, \block
    movw    r24, r8
    movw    r22, YL
    FAR_CALL \encrypt               ; block = key stream
    movw    XL, r14
    movw    ZL, r12
    adiw    XL, 0
    breq    2f
    for_bytes xor_byte, \block
    movw    r14, XL                 ; the next block of in
    rjmp    3f
2:
    for_bytes move_byte, \block
3:
    movw    r12, ZL                 ; the next block of out
    sbiw    YL, \block
    rjmp    1b
5:
    for_bytes wipe_byte, \block
    sbiw    YL, 1
    move_SP_to_Y
    pop_all YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8
    ret
.endm

#endif

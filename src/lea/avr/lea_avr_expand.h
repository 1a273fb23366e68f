/* lea_avr_expand.h - the key schedule of LEA-192 and LEA-256 in loops.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The n-th word of the round keys is made from the one K words before, or for n < K from the n-th word of the key.  So
 * a loop copies with X behind Y: from the key for K words, and then from what it wrote itself.
 *
 *     delta <<< i+j  word  products  X    Y    Z       rk       8   32  0
 *     W1             W3    W2        old  new  deltas  r24:r25  r8  r9  r7 */
#ifndef HAECHI_LEA_AVR_EXPAND_H
#define HAECHI_LEA_AVR_EXPAND_H

#include "lea_avr_deltas.h"

/* RK j of a round; j is 0 to 5. */
.macro RoundKeyWord kernel, K, j
    .if \K-6 == \j                  ; the K-th word of all may be this one
    cpi     ZL, lo8(haechi_\kernel\()_deltas_\K+8)
    brne    3f
    movw    XL, r24                 ; X = rk in round 1
3:
    .endif
    load_word W3
    add_word W3, W1
    .if \j == 0
    ROL1    W3, r7
    put_next W3
    .elseif \j == 1
    ROL_by  r8, W2, W3
    put_next W2
    .elseif \j == 2
    ROR2    W3
    put_next rol8(W3)
    .elseif \j == 3
    ROL_by  r8, W2, W3
    put_next rol8(W2)
    .elseif \j == 4
    ROL_by  r9, W2, W3
    put_next rol8(W2)
    .else
    ROL1    W3, r7
    put_next rol8(rol8(W3))
    .endif
    .if \j < 5
    ROL1    W1, r7
    .endif
.endm

.macro put_next x
    .irp j, 0, 1, 2, 3
    st      Y+, byte(\x,\j)
    .endr
.endm

/* All words of round keys, RK0 to RK5 of each round in their order. */
.macro expand_words kernel, K, rounds
    push_all r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    movw    XL, r22                 ; X = key
    movw    YL, r24                 ; Y = rk
    point_Z_at haechi_\kernel\()_deltas_\K
    clr     r7
    ldi     r18, 8
    mov     r8, r18
    ldi     r18, 32
    mov     r9, r18
1:
    load_delta W1
    .irp j, 0, 1, 2, 3, 4, 5
    RoundKeyWord \kernel, \K, \j
    .endr
    cpi     ZL, lo8(haechi_\kernel\()_deltas_\K+4*\rounds)
    again
.endm

.macro leave_expand
    clr     r1
    pop_all YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7
    ret
.endm

#endif

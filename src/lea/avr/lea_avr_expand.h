/* lea_avr_expand.h - key schedules in loops.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * LEA-128 has its four words in registers.  Of LEA-192 and LEA-256, the n-th word of the round keys is made from the one K words before, or for n < K from the n-th word of the key.  So
 * a loop copies with X behind Y: from the key for K words, and then from what it wrote itself.
 *
 *     delta <<< i+j  word  products  X    Y    Z       rk       8   32  0
 *     W1             W3    W2        old  new  deltas  r24:r25  r8  r9  r7 */
#ifndef HAECHI_LEA_AVR_EXPAND_H
#define HAECHI_LEA_AVR_EXPAND_H

#include "lea_avr_deltas.h"

/* ---- LEA-128: T0 to T3 in W0 to W3 go one round on, and X stores the round keys in the order of lea_avr_rounds.h.  Z
 * reads delta <<< i.  The registers `nought` and `by` hold 0 and 8. */
.macro KeyRound_128 nought, by
    load_delta W4
    add_word W0, W4
    ROL1    W0, \nought             ; RK0
    ROL1    W4, \nought
    add_word W1, W4
    ROL1    W4, \nought
    add_word W2, W4
    ROL1    W4, \nought
    add_word W3, W4                 ; the last use of delta
    ROL_by  \by, ror8(W4), W3
    move_word W3, W4                ; RK4
    ROL_by  \by, W4, W1
    move_word W1, W4                ; RK1
    ROR2    W2                      ; rol8 of it is RK2
    xor_word W4, rol8(W2)           ; RK1 ^ RK2
    turn    W2
    store_word W1
    store_word W3
    store_word W4
    store_word W0
.endm

/* ---- LEA-192 and LEA-256: RK j of a round; j is 0 to 5. */
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

/* The whole key schedule.  A second loop brings the round keys of each round into the order of lea_avr_rounds.h. */

.macro get x, at
    .irp j, 0, 1, 2, 3
    ldd     byte(\x,\j), Y+\at+\j
    .endr
.endm

.macro put_at at, x
    .irp j, 0, 1, 2, 3
    std     Y+\at+\j, byte(\x,\j)
    .endr
.endm

.macro expand kernel, K, rounds
    expand_words \kernel, \K, \rounds
    movw    YL, r24                 ; Y = rk
    ldi     XL, \rounds
1:
    get     W1, 0                   ; RK0
    get     W2, 4                   ; RK1
    get     W3, 8
    put_at  0, W2
    xor_word W3, W2                 ; RK1 ^ RK2
    get     W2, 12                  ; RK3
    get     W4, 16
    put_at  4, W2
    xor_word W4, W2                 ; RK3 ^ RK4
    get     W2, 20                  ; RK5
    put_at  16, W3
    put_at  12, W4
    put_at  8, W2
    put_at  20, W1
    adiw    YL, 24
    dec     XL
    brne    1b
    leave_expand
.endm

#endif

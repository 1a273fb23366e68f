/* lea_avr_ctr_inside.h - another way to make the cache of counter mode, for measuring.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The first block does its rounds whole.  The cache holds what they have less what changes from block to block: XORs
 * with products, and differences.  r26, r27 and later byte(W0,0) are scratch.  The bench measures this by
 * -DHAECHI_CTR_INSIDE. */
#ifndef HAECHI_LEA_AVR_CTR_INSIDE_H
#define HAECHI_LEA_AVR_CTR_INSIDE_H

#include "lea_avr_ctr_layout.h"

/* Appends bytes `from` to 3 of sum - x. */
.macro cache_difference sum, x, from
    .irp j, 0, 1, 2, 3
    .if \j == \from
    mov     r26, byte(\sum,\j)
    sub     r26, byte(\x,\j)
    cache_byte r26
    .elseif \j > \from
    mov     r26, byte(\sum,\j)
    sbc     r26, byte(\x,\j)
    cache_byte r26
    .endif
    .endr
.endm

/* Appends register ^ r1 ^ r2, where r2 may be missing. */
.macro cache_sum register, r1, r2
    mov     r26, \register
    eor     r26, \r1
    .ifnb \r2
    eor     r26, \r2
    .endif
    cache_byte r26
.endm

.macro InsideRounds size, s1
    .Lz = 0
    .Lnext = 5
    ldd     r0, Z+.LRK5+3
    cache_byte r0
    xor_key W3, .LRK5                       ; X3 ^ RK5
    mov     r27, byte(W3,3)                 ; changes from block to block
    move_word W4, W2
    xor_RK4 W4, 0, 1, 2, 3
    add_word W3, W4                         ; (X2 ^ RK4) + (X3 ^ RK5)
    mov     r26, byte(W3,3)
    sub     r26, r27
    cache_byte r26
    mov     r27, byte(W3,3)                 ; changes from block to block
    xor_key W2, .LRK3                       ; X2 ^ RK3
    xor_key W1, RK1                         ; X1 ^ RK1
    move_word W4, W1
    xor_key W4, .LRK12
    add_word W2, W4                         ; (X1 ^ RK2) + (X2 ^ RK3)
    move_word W4, W0
    xor_key W4, .LRK0
    add_word W1, W4                         ; (X0 ^ RK0) + (X1 ^ RK1)
    clr     r26
    ROL1    W1, r26                         ; rol8 of it is X0
    ROL_by  c8, W4, W2                      ; ror8 of it is X1
    ROL_by  c32, W2, W3                     ; ror8 of it is X2
    adiw    ZL, \size

    /* X0 to X3 are in rol8(W1), ror8(W4), ror8(W2), W0. */
    move_word W3, W2
    xor_RK4 ror8(W3), 0, 1, 2, 3            ; X2 ^ RK4
    xor_key ror8(W2), .LRK3                 ; X2 ^ RK3
    mul     r27, c32
    cache_sum byte(ror8(W2),2), r0
    cache_sum byte(ror8(W2),3), r1
    cache_sum byte(ror8(W3),2), r0
    cache_sum byte(ror8(W3),3), r1
    xor_key W0, .LRK5                       ; X3 ^ RK5
    add_word W0, ror8(W3)                   ; (X2 ^ RK4) + (X3 ^ RK5)
    .Lnext = .Lnext+2
    cache_difference W0, ror8(W3), 2
    .Lnext = .Lnext-4
    xor_key ror8(W4), RK1                   ; X1 ^ RK1
    move_word W3, W4
    xor_key ror8(W3), .LRK12
    mov     r0, byte(ror8(W2),2)
    mov     r1, byte(ror8(W2),3)
    add_word ror8(W2), ror8(W3)             ; (X1 ^ RK2) + (X2 ^ RK3)
    mov     r26, byte(ror8(W2),2)
    mov     r27, byte(ror8(W2),3)
    sub     r26, r0
    sbc     r27, r1
    cache_byte r26
    cache_byte r27
    .Lnext = .Lnext+2
    mov     r26, byte(ror8(W2),2)
    mov     r27, byte(ror8(W2),3)           ; change from block to block
    move_word W3, W1
    xor_key rol8(W3), .LRK0
    add_word ror8(W4), rol8(W3)             ; (X0 ^ RK0) + (X1 ^ RK1)
    clr     r1
    ROL1    ror8(W4), r1                    ; rol8 of it is X0
    ROL_by  c8, W3, ror8(W2)                ; ror8 of it is X1
    ROL_by  c32, rol8(W2), W0               ; ror8 of it is X2
    adiw    ZL, \size

    /* X0 to X3 are in W4, ror8(W3), W2, rol8(W1). */
    xor_key ror8(W3), RK1                   ; X1 ^ RK1
    mul     r26, c8
    cache_sum byte(ror8(W3),1), r0
    mov     byte(W0,0), r1
    mul     r27, c8
    cache_sum byte(ror8(W3),2), byte(W0,0), r0
    cache_sum byte(ror8(W3),3), r1
    mov     r26, byte(W0,2)
    mov     r27, byte(W0,3)                 ; change from block to block
    move_word W0, W2
    xor_RK4 W0, 0, 1, 2, 3                  ; X2 ^ RK4
    xor_key W2, .LRK3                       ; X2 ^ RK3
    cache_byte byte(W2,0)
    mul     r26, c32
    cache_sum byte(W2,1), r0
    mov     r26, r1
    mul     r27, c32
    eor     r0, r26
    cache_sum byte(W2,2), r0
    cache_sum byte(W2,3), r1
    xor_key rol8(W1), .LRK5                 ; X3 ^ RK5
    add_word rol8(W1), W0                   ; (X2 ^ RK4) + (X3 ^ RK5)
    cache_byte byte(rol8(W1),0)
    cache_difference rol8(W1), W0, 1
    cache_RK34
    move_word W0, W3
    xor_key ror8(W0), .LRK12                ; X1 ^ RK2
    cache_byte byte(ror8(W0),0)
    .irp j, 1, 2, 3
    ldd     r0, Z+.LRK12+\j
    cache_byte r0
    .endr
    add_word W2, ror8(W0)                   ; (X1 ^ RK2) + (X2 ^ RK3)
    move_word W0, W4
    xor_key W0, .LRK0                       ; X0 ^ RK0
    add_word W0, ror8(W3)                   ; (X0 ^ RK0) + (X1 ^ RK1)
    cache_byte byte(W0,0)
    cache_difference W0, ror8(W3), 1
    cache_word W4, 0                        ; X3 of round 4
    adiw    ZL, \size
    std     Y+3, ZL
    std     Y+4, ZH

    /* To where the other rounds want the sums. */
    .irp j, 0, 1, 2, 3
    mov     byte(rol8(W3),\j), byte(W4,\j)
    .endr
    move_word W4, W2
    move_word W2, W1
    .irp j, 0, 1, 2, 3
    mov     byte(\s1,\j), byte(W4,\j)
    .endr
    .purgem xor_RK4
    .purgem cache_RK34
.endm

/* Sets the registers of the loop over blocks, and does the rest of FirstRounds. */
.macro end_inside
    ldd     XL, Y+AT_CTR
    ldd     XH, Y+AT_CTR+1
    adiw    XL, 15
    ld      r26, X                          ; last byte
    clr     r27
    ldd     r0, Y+AT_LEFT+1
    ldd     r1, Y+AT_LEFT
    cpse    r0, r27
    clr     r1
    mov     r27, r1                         ; end
    ldd     r1, Y+CACHE+2
    movw    low, r26
    mov     turns, r1
    clr     zero
    ROL1    W0, zero                        ; rol8 of it is X0
    rjmp    7f
.endm

.macro begin_stretch layout, size, s1
    layout_\layout
    InsideRounds \size, \s1
    end_inside
.endm

#endif

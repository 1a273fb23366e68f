/* lea_avr_ctr.h - counter mode for the LEA kernels for AVR that share lea_avr.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From one counter to the next the last byte alone moves, for 256 blocks at the most: byte 3 of X3.  A round
 * spreads it upwards by carries and a byte down by rotation, so that of the sums
 *
 *     round          1    2        3              4
 *     for X0         .    .        bytes 1 to 3   all
 *     for X1         .    2 and 3  bytes 1 to 3   all
 *     for X2         3    2 and 3  bytes 1 to 3   all         and X3 moves from round 5 on
 *
 * move.  The rest is worked out once and lies on the stack, in the order in which blocks read it:
 *
 *     where the round keys of round 4 are
 *     round 1   RK5, byte 3; what it is added to
 *     round 2   X2 ^ RK3, X2 ^ RK4, bytes 2 and 3, without what the moving byte gives; what they are added to
 *     round 3   X1 ^ RK1, bytes 1 to 3, X2 ^ RK3, in the same way; sum for X2: byte 0, the others without
 *               X2 ^ RK4, RK3 ^ RK4; sum for X1: X1 ^ RK2, byte 0, RK1 ^ RK2, the others; sum for X0 like that for X2
 *     round 4   X3
 *     turns of the loop that follows
 *
 * W0 ... W4    r0, r1    c8 c32  out    zero  turns  last byte,  Z            X
 * r6 ... r25   products  r2 r3   r4:r5  r26   r27    end r28 r29 round keys   cache, in, out by turns
 *
 *     SP + 1   3      42    44                             46
 *        | in | cache | last byte + blocks left | ctr      |      T: is there an in?
 */
#ifndef HAECHI_LEA_AVR_CTR_H
#define HAECHI_LEA_AVR_CTR_H

#include "lea_avr.h"

#define CACHE 39
#define FRAME (CACHE + 6)
#define AT_LEFT (CACHE + 3)
#define AT_CTR (CACHE + 5)
#define low r28
#define end r29
#define turns r27

/* ---- Blocks: rounds 1 to 3.  The sum for X1 is made in s1, those for X0 and X2 in W0 and rol8(W2), as the
 * other rounds want them. */

#if !defined(FIXED_LEA)
.macro next_cached register
    ld      \register, X+
.endm
#endif

/* bytes `from` to 3 of x: the next of the cache */
.macro load_cached x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    next_cached byte(\x,\j)
    .endif
    .endr
.endm

/* The products of byte 2 and 3 of sum onto x, which by rotation by bytes are bytes 1 to 3. */
.macro xor_products by, x, sum
    mul     byte(\sum,2), \by
    eor     byte(\x,1), r0
    eor     byte(\x,2), r1
    mul     byte(\sum,3), \by
    eor     byte(\x,2), r0
    eor     byte(\x,3), r1
.endm

/* Bytes `from` to 3 of sum += the next of the cache, ^ x if it is given. */
.macro add_cached sum, from, x
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    next_cached got
    .ifnb \x
    eor     got, byte(\x,\j)
    .endif
    .if \j == \from
    add     byte(\sum,\j), got
    .else
    adc     byte(\sum,\j), got
    .endif
    .endif
    .endr
.endm

.macro FirstRounds s1
    next_cached 22
    eor     r22, low                        ; X3 ^ RK5, byte 3
    next_cached got
    add     r22, got                        ; round 1, sum for X2, byte 3
    mul     r22, c32
    load_cached W4, 2
    eor     byte(W4,2), r0
    eor     byte(W4,3), r1                  ; X2 ^ RK3
    load_cached W3, 2
    eor     byte(W3,2), r0
    eor     byte(W3,3), r1                  ; X2 ^ RK4
    add_cached W4, 2                        ; round 2, sum for X1
    add_cached W3, 2                        ; ... and for X2
    load_cached W0, 1
    xor_products c8, W0, W4                 ; X1 ^ RK1
    load_cached \s1, 0
    xor_products c32, \s1, W3               ; X2 ^ RK3
    load_cached rol8(W2), 0
    add_cached rol8(W2), 1, \s1             ; (X2 ^ RK4) + (X3 ^ RK5)
    next_cached got
    add     byte(\s1,0), got
    .irp j, 1, 2, 3
    next_cached got
    eor     got, byte(W0,\j)
    adc     byte(\s1,\j), got               ; (X1 ^ RK2) + (X2 ^ RK3)
    .endr
    next_cached byte(W0,0)
    add_cached W0, 1                        ; (X0 ^ RK0) + (X1 ^ RK1)
    load_cached rol8(W3), 0                 ; X3
#if !defined(FIXED_LEA)
    ld      turns, X
#endif
    clr     zero
    ROL1    W0, zero                        ; rol8 of it is X0
.endm

/* What comes before FirstRounds where the cache is on the stack. */
.macro point_at_cache
    in      XL, SPL
    in      XH, SPH
    adiw    XL, 3                           ; X = cache
    ld      ZL, X+
    ld      ZH, X+
.endm

/* ---- The cache: the same rounds on what is constant, with 0 for what is not.  Y = SP; Z, which goes from
 * round to round, the round keys; r27 is 0. */

.macro cache_byte register
    std     Y+.Lnext, \register
    .Lnext = .Lnext+1
.endm

.macro cache_word x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    cache_byte byte(\x,\j)
    .endif
    .endr
.endm

.macro clear x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    clr     byte(\x,\j)
    .endif
    .endr
.endm

.macro xor_key_bytes x, at, bytes:vararg
    .irp j, \bytes
    ldd     r0, Z+\at+\j
    eor     byte(\x,\j), r0
    .endr
.endm

/* The round keys of either layout, and x ^ RK4, where x is X2. */
#define RK1 0
.macro layout_128
    .LRK3 = 0
    .LRK5 = 0
    .LRK12 = 8
    .LRK0 = 12
    .macro xor_RK4 x, bytes:vararg
        xor_key_bytes \x, 4, \bytes
    .endm
    .macro cache_RK34
        .irp j, 1, 2, 3
        ldd     r0, Z+\j
        ldd     r1, Z+4+\j
        eor     r0, r1
        cache_byte r0
        .endr
    .endm
.endm

.macro layout_256
    .LRK3 = 4
    .LRK5 = 8
    .LRK12 = 16
    .LRK0 = 20
    .macro xor_RK4 x, bytes:vararg
        xor_key_bytes \x, 4, \bytes
        xor_key_bytes \x, 12, \bytes
    .endm
    .macro cache_RK34
        .irp j, 1, 2, 3
        ldd     r0, Z+12+\j
        cache_byte r0
        .endr
    .endm
.endm

/* The three sums of a round, before rotation, in x1, x2, x3; d is in the place of x2. */
.macro rotate_sums x1, x2, x3, t, d
    ROL1    \x1, r27                        ; rol8 of it is X0
    ROL_by  c8, \t, \x2                     ; ror8 of it is X1
    ROL_by  c32, \d, \x3                    ; ror8 of it is X2
.endm

.macro ConstantRounds size
    .Lz = 0
    .Lnext = 5
    ldd     r0, Z+.LRK5+3
    cache_byte r0
    xor_key_bytes W3, .LRK5, 0, 1, 2        ; X3 ^ RK5
    clear   W3, 3
    move_word W4, W2
    xor_RK4 W4, 0, 1, 2, 3
    add_word W3, W4                         ; (X2 ^ RK4) + (X3 ^ RK5)
    cache_word W3, 3
    clear   W3, 3
    xor_key W2, .LRK3                       ; X2 ^ RK3
    xor_key W1, RK1                         ; X1 ^ RK1
    move_word W4, W1
    xor_key W4, .LRK12
    add_word W2, W4                         ; (X1 ^ RK2) + (X2 ^ RK3)
    move_word W4, W0
    xor_key W4, .LRK0
    add_word W1, W4                         ; (X0 ^ RK0) + (X1 ^ RK1)
    rotate_sums W1, W2, W3, W4, W2
    adiw    ZL, \size

    /* rol8(W1), ror8(W4), ror8(W2), W0 */
    move_word W3, W2
    xor_RK4 ror8(W3), 0, 1, 2, 3            ; X2 ^ RK4
    xor_key ror8(W2), .LRK3                 ; X2 ^ RK3
    cache_word ror8(W2), 2
    cache_word ror8(W3), 2
    clear   ror8(W2), 2
    clear   ror8(W3), 2
    xor_key W0, .LRK5                       ; X3 ^ RK5
    add_word W0, ror8(W3)                   ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_key ror8(W4), RK1                   ; X1 ^ RK1
    move_word W3, W4
    xor_key ror8(W3), .LRK12
    add_word ror8(W2), ror8(W3)             ; (X1 ^ RK2) + (X2 ^ RK3)
    cache_word ror8(W2), 2
    clear   ror8(W2), 2
    cache_word W0, 2
    clear   W0, 2
    move_word W3, W1
    xor_key rol8(W3), .LRK0
    add_word ror8(W4), rol8(W3)             ; (X0 ^ RK0) + (X1 ^ RK1)
    rotate_sums ror8(W4), ror8(W2), W0, W3, rol8(W2)
    adiw    ZL, \size

    /* W4, ror8(W3), W2, rol8(W1) */
    xor_key ror8(W3), RK1                   ; X1 ^ RK1
    cache_word ror8(W3), 1
    clr     byte(W0,1)                      ; 2 and 3 are 0
    mov     byte(W0,0), byte(W2,0)
    xor_RK4 W0, 0                           ; X2 ^ RK4
    xor_key W2, .LRK3                       ; X2 ^ RK3
    cache_word W2, 0
    xor_key rol8(W1), .LRK5                 ; X3 ^ RK5
    add_word rol8(W1), W0                   ; (X2 ^ RK4) + (X3 ^ RK5)
    cache_word rol8(W1), 0
    cache_RK34
    ldd     r0, Z+.LRK12
    eor     r0, byte(ror8(W3),0)
    cache_byte r0                           ; X1 ^ RK2
    .irp j, 1, 2, 3
    ldd     r0, Z+.LRK12+\j
    cache_byte r0
    .endr
    move_word W0, W4
    xor_key W0, .LRK0                       ; X0 ^ RK0
    clear   ror8(W3), 1
    add_word W0, ror8(W3)                   ; (X0 ^ RK0) + (X1 ^ RK1)
    cache_word W0, 0
    cache_word W4, 0                        ; X3 of round 4
    adiw    ZL, \size
    std     Y+3, ZL
    std     Y+4, ZH
    .purgem xor_RK4
    .purgem cache_RK34
.endm

#if defined(HAECHI_CTR_INSIDE)
/* For measuring: ConstantRounds inside the first block.  Its rounds are done whole; what is cached is what they have
 * less what moves: XORs of products, and differences.  r26, r27 and later byte(W0,0) are scratch; s1 as in
 * FirstRounds, whose end this reaches. */
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
    mov     r27, byte(W3,3)                 ; moves
    move_word W4, W2
    xor_RK4 W4, 0, 1, 2, 3
    add_word W3, W4                         ; (X2 ^ RK4) + (X3 ^ RK5)
    mov     r26, byte(W3,3)
    sub     r26, r27
    cache_byte r26
    mov     r27, byte(W3,3)                 ; moves
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

    /* rol8(W1), ror8(W4), ror8(W2), W0 */
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
    mov     r27, byte(ror8(W2),3)           ; move
    move_word W3, W1
    xor_key rol8(W3), .LRK0
    add_word ror8(W4), rol8(W3)             ; (X0 ^ RK0) + (X1 ^ RK1)
    clr     r1
    ROL1    ror8(W4), r1                    ; rol8 of it is X0
    ROL_by  c8, W3, ror8(W2)                ; ror8 of it is X1
    ROL_by  c32, rol8(W2), W0               ; ror8 of it is X2
    adiw    ZL, \size

    /* W4, ror8(W3), W2, rol8(W1) */
    xor_key ror8(W3), RK1                   ; X1 ^ RK1
    mul     r26, c8
    cache_sum byte(ror8(W3),1), r0
    mov     byte(W0,0), r1
    mul     r27, c8
    cache_sum byte(ror8(W3),2), byte(W0,0), r0
    cache_sum byte(ror8(W3),3), r1
    mov     r26, byte(W0,2)
    mov     r27, byte(W0,3)                 ; move
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

    /* As the other rounds want them. */
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

/* What follows in ctr_begin, and the rest of FirstRounds. */
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
#endif

/* ---- What frames them. */

.macro xor_text x
    .irp j, 0, 1, 2, 3
    ld      r0, X+
    eor     byte(\x,\j), r0
    .endr
.endm

/* The caller has set XL to the number of turns.  Up to label 3, where blocks begin. */
.macro ctr_begin layout, size, s1
    push_all r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    in      YL, SPL
    in      YH, SPH
    sbiw    YL, FRAME
    move_SP_to_Y
    std     Y+CACHE+2, XL           ; turns
    movw    r4, r20                 ; out
    movw    ZL, r24                 ; Z = rk
    std     Y+1, r18                ; in
    std     Y+2, r19
    std     Y+AT_CTR, r22
    std     Y+AT_CTR+1, r23
    movw    r24, r16                ; n
    adiw    r24, 0
    brne    1f
    rjmp    5f
1:  clt
    movw    XL, r18
    adiw    XL, 0
    breq    1f
    set
1:  movw    XL, r22                 ; X = ctr
    ldi     r18, 8
    mov     c8, r18
    ldi     r18, 32
    mov     c32, r18
    adiw    XL, 15
    ld      r18, X
    sbiw    XL, 15
    add     r24, r18
    adc     r25, r1                 ; last byte + blocks left

/* Up to where the last byte wraps or the blocks end. */
6:  std     Y+AT_LEFT, r24
    std     Y+AT_LEFT+1, r25
    load_word W0
    load_word W1
    load_word W2
    load_word W3
#if defined(HAECHI_CTR_INSIDE)
    layout_\layout
    InsideRounds \size, \s1
    end_inside
#else
    mov     r26, byte(W3,3)
    clr     r27
    layout_\layout
    ConstantRounds \size
    ldd     r0, Y+AT_LEFT+1
    ldd     r1, Y+AT_LEFT
    cpse    r0, r27
    clr     r1
    mov     r27, r1
    movw    low, r26                ; last byte, end
#endif
3:
.endm

/* XORs and stores the block. */
.macro ctr_end x0, x1, x2, x3, size
    brtc    4f
    pop     XL
    pop     XH                      ; X = in
    xor_text \x0
    xor_text \x1
    xor_text \x2
    xor_text \x3
    push    XH
    push    XL
4:  movw    XL, r4
    store_word \x0
    store_word \x1
    store_word \x2
    store_word \x3
    movw    r4, XL                  ; out, on by a block
    inc     low
    cpse    low, end
    rjmp    3b

    mov     r0, low
    in      YL, SPL
    in      YH, SPH
    ldd     XL, Y+AT_CTR
    ldd     XH, Y+AT_CTR+1
    ldd     r24, Y+AT_LEFT
    ldd     r25, Y+AT_LEFT+1
    ldd     ZL, Y+3
    ldd     ZH, Y+4
    clr     r1
    adiw    XL, 15
    st      X, r0
    subi    r25, 1
    brcs    5f                      ; no wrap
    ldi     r18, 15
    sec
4:  ld      r0, -X
    adc     r0, r1
    st      X, r0
    dec     r18
    brne    4b
    subi    ZL, lo8(3*\size)
    sbci    ZH, hi8(3*\size)        ; Z = rk
    adiw    r24, 0
    breq    5f
    rjmp    6b

5:  .Lnext = 5
    .rept   AT_LEFT-6               ; neither Z nor turns are secret
    cache_byte r1
    .endr
    std     Y+AT_LEFT, r1
    std     Y+AT_LEFT+1, r1
    adiw    YL, FRAME
    move_SP_to_Y
    pop_all YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
.endm

#endif

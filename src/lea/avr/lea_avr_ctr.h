/* lea_avr_ctr.h - counter mode for lea_avr.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_lea_avr_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * W0 ... W4    r0, r1    c8 c32  out    zero  turns  last byte,  Z            X
 * r6 ... r25   products  r2 r3   r4:r5  r26   r27    end r28 r29 round keys   cache, in, out by turns
 *
 *     SP + 1   3                     5       41      42    44                             46
 *        | in | address of round 4's | cache | turns | last byte + blocks left | ctr      |      T: is there an in?
 *               round keys */
#ifndef HAECHI_LEA_AVR_CTR_H
#define HAECHI_LEA_AVR_CTR_H

#include "lea_avr_words.h"

#define CACHE 39
#define turns r27 /* of the loop over the rounds from the fourth on */

.macro next_cached register
    ld      \register, X+
.endm

.macro load_turns
    ld      turns, X
.endm

#include "../../asm/avr_ctr.h"
#include "lea_avr_ctr_rounds.h"
#if defined(HAECHI_CTR_INSIDE)
#include "lea_avr_ctr_inside.h"
#else
#include "lea_avr_ctr_separate.h"
#endif

/* Z = the round keys of round 4, X = the cache. */
.macro point_at_cache
    in      XL, SPL
    in      XH, SPH
    adiw    XL, 3                           ; X = cache
    ld      ZL, X+
    ld      ZH, X+
.endm

/* x ^= the next word of in */
.macro xor_text x
    .irp j, 0, 1, 2, 3
    ld      r0, X+
    eor     byte(\x,\j), r0
    .endr
.endm

/* From the beginning of the function to label 3, where blocks begin.  XL holds the number of turns. */
.macro ctr_begin layout, size, s1
    make_frame
    std     Y+CACHE+2, XL           ; turns
    movw    r4, r20                 ; out
    movw    ZL, r24                 ; Z = rk
    store_arguments 5f
    movw    XL, r22                 ; X = ctr
    ldi     r18, 8
    mov     c8, r18
    ldi     r18, 32
    mov     c32, r18
    adiw    XL, 15
    ld      r18, X
    sbiw    XL, 15
    add     r24, r18
    adc     r25, r1                 ; last byte + blocks left

/* One turn of the outer loop ends where the last byte wraps or where there are no more blocks. */
6:  std     Y+AT_LEFT, r24
    std     Y+AT_LEFT+1, r25
    load_word W0
    load_word W1
    load_word W2
    load_word W3
    begin_stretch \layout, \size, \s1
3:
.endm

/* XORs and stores the block, and goes on with the next one or leaves. */
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
    movw    r4, XL                  ; the next block of out
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
    brcs    5f                      ; the last byte did not wrap
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

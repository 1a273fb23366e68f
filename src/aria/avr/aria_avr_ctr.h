/* aria_avr_ctr.h - counter mode for the ARIA kernels for AVR with unrolled rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * aria_avr_ctr_rounds.h explains the cache, which lies on the stack, and draws the registers.  r11 holds the low byte
 * of the address of the last key.
 *
 *     SP + 1   3   4   11  27    29                             31
 *        | in | k | d | z | last byte + blocks left | ctr       |      T: is there an in? */
#ifndef HAECHI_ARIA_AVR_CTR_H
#define HAECHI_ARIA_AVR_CTR_H

#define CACHE 24
#define AT_K 3

#include "../../asm/avr_ctr.h"

.macro cached to, at
    ldd     \to, Y+\at
.endm

#include "aria_avr_ctr_rounds.h"

/* Appends to the cache: byte i of the round keys ^ x(b). */
.macro cache i, b
    ldd     ZL, Y+\i
    eor     ZL, x(\b)
    st      X+, ZL
.endm

/* UPRIGHT and TURNED without the bytes that change from block to block. */
#define UPRIGHT_CONSTANT 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, none
#define TURNED_CONSTANT 4, none, none, 7, none, none, 0, 15, none, 11, none, 14, 5, 10, 9, none

/* Makes the cache: rounds 1 to 3 with 0 in the place of SB4(last byte ^ k), and of the seven bytes in round 2 that
 * depend on it.  Y = rk, X = cache, x(15) = r1 = 0. */
.macro ConstantRounds
    ldd     ZL, Y+15
    st      X+, ZL                  ; k
    ldi     ZH, hi8(SB1)
    SL1     RoundKey, 0, UPRIGHT_CONSTANT
    A
    cache   17, 12                  ; d1, d2, d4 ... where TURNED has these bytes
    cache   18, 6
    cache   20, 2
    cache   21, 3
    cache   24, 13
    cache   26, 8
    cache   31, 1
    SL2     RoundKey, 16, TURNED_CONSTANT
    .irp b, 12, 6, 2, 3, 13, 8, 1
    clr     x(\b)
    .endr
    A_back
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    cache   32+\i, \i               ; z
    .endr
    ldd     ZL, Y+32+15             ; all of byte 15 changes
    st      X+, ZL
.endm

/* ZL is 16 n for n rounds, the distance from rk to the last key. */
.macro CounterMode
    make_frame
    movw    next_out, r20           ; out
    movw    ek3, r24                ; rk for now
    mov     r11, r24
    add     r11, ZL                 ; last
    store_arguments 5f
    movw    XL, r22
    adiw    XL, 15
    ld      low, X
    add     r24, low
    adc     r25, r1                 ; last byte + blocks left

/* One turn of the outer loop ends where the last byte wraps or where there are no more blocks. */
6:  std     Y+AT_LEFT, r24
    std     Y+AT_LEFT+1, r25
    mov     end, r24
    cpse    r25, r1
    clr     end
    movw    XL, YL
    adiw    XL, AT_K                ; X = cache
    ldd     ZL, Y+AT_CTR
    ldd     ZH, Y+AT_CTR+1
    load    Z, UPRIGHT_CONSTANT
    movw    YL, ek3                 ; Y = rk
    ConstantRounds
    adiw    YL, 32
    movw    ek3, YL

3:  in      YL, SPL
    in      YH, SPH
    FirstRounds
    movw    YL, ek3
    rjmp    2f
1:  A_back
    SL1_round RoundKey, 0, UPRIGHT
2:  A
    SL2_round RoundKey, 16, TURNED
    adiw    YL, 32
    cpse    YL, r11
    rjmp    1b

    .Li = 0
    .irp b, TURNED
    RoundKey ZL, .Li
    eor     x(\b), ZL
    .Li = .Li + 1
    .endr
    finish_block
    inc     low
    cpse    low, end
    rjmp    3b

    clr     r1
    in      YL, SPL
    in      YH, SPH
    ldd     XL, Y+AT_CTR
    ldd     XH, Y+AT_CTR+1
    ldd     r24, Y+AT_LEFT
    ldd     r25, Y+AT_LEFT+1
    adiw    XL, 15
    st      X, low
    subi    r25, 1
    brcs    5f                      ; the last byte did not wrap
    ldi     r18, 15
    sec
4:  ld      r0, -X
    adc     r0, r1
    st      X, r0
    dec     r18
    brne    4b
    movw    ZL, ek3
    sbiw    ZL, 32
    movw    ek3, ZL                 ; rk again
    adiw    r24, 0
    breq    5f
    rjmp    6b

5:  .Li = AT_K
    .rept   CACHE + 2
    std     Y+.Li, r1
    .Li = .Li + 1
    .endr
    adiw    YL, FRAME
    move_SP_to_Y
    pop_all YH, YL, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    ret
.endm

#endif

/* aria_avr_ctr.h - counter mode for the ARIA kernels for AVR with unrolled rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From one counter to the next the last byte alone moves, for 256 blocks at the most.  The first diffusion layer
 * takes it to seven bytes, the second those to all.  So a block begins with
 *
 *     y   = SB4(last byte ^ k)                             k = ek1, byte 15
 *     a   = S(d1 ^ y), b = S(d2 ^ y), c = S(d4 ^ y), d = S(d5 ^ y), e = S(d8 ^ y), f = S(d10 ^ y), g = S(d15 ^ y)
 *
 * where d is what the other bytes make of the layer, ek2 added, and S the S-box of that byte in round 2.  Of the
 * second layer, with p = b^d^e^g and q = a^c^f^g,
 *
 *     byte   0   1  2  3   4  5  6   7   8  9   10  11  12  13  14  15
 *     moves  ce  p  q  df  p  q  bf  ae  q  ad  p   bc  ab  ef  cd  p^q^g
 *
 * and round 3 looks up z ^ that, where z is the constant rest with ek3 added.  k, d and z, 24 bytes, lie on the stack.
 *
 *     x(0) ... x(15)  X, Y, Z   out    ek3    last byte,  a  c  d     low byte of the
 *     as ever         as ever   r2:r3  r4:r5  end r6 r7   r8 r9 r10   last key's address r11
 *     until round 3 takes their places: y x(0), b x(11), e x(7), f x(3), g and p^q^g x(15), p x(10), q x(2)
 *
 *     SP + 1   3   4   11  27    29                             31
 *        | in | k | d | z | last byte + blocks left | ctr       |      T: is there an in?                       */
#ifndef HAECHI_ARIA_AVR_CTR_H
#define HAECHI_ARIA_AVR_CTR_H

#define CACHE 24
#define FRAME (CACHE + 6)
#if defined(FIXED_ARIA)
#define AT_K 0
#else
#define AT_K 3
#endif
#define AT_D (AT_K + 1)
#define AT_Z (AT_K + 8)
#define AT_LEFT (CACHE + 3)
#define AT_CTR (CACHE + 5)
#define next_out r2
#define ek3 r4
#define low r6
#define end r7
#define var_y x(0)
#define var_a 8
#define var_b x(11)
#define var_c 9
#define var_d 10
#define var_e x(7)
#define var_f x(3)
#define var_g x(15)
#define sum_p x(10)
#define sum_q x(2)
#define sum_pqg x(15)

/* to = SB n of (the byte of the frame ^ r1 ^ r2).  The page is set where the pointer has another. */
.macro look_up n, to, at, r1, r2
#if defined(ARIA_AVR_RAM)
    .if \n & 1
    look_up_by Z, .Lz_page, \n, \to, \at, \r1, \r2
    .else
    look_up_by X, .Lx_page, \n, \to, \at, \r1, \r2
    .endif
#else
    look_up_by Z, .Lz_page, \n, \to, \at, \r1, \r2
#endif
.endm

.macro look_up_by pointer, page, n, to, at, r1, r2
    .if \page != \n
    ldi     \pointer\()H, hi8(SB1 + 256 * (\n - 1))
    \page = \n
    .endif
    cached  \pointer\()L, \at
    eor     \pointer\()L, \r1
    .ifnb \r2
    eor     \pointer\()L, \r2
    .endif
    LOOK_UP \to, \pointer
.endm

#if !defined(FIXED_ARIA) /* aria_avr_fixed.h has them as immediates */
.macro cached to, at
    ldd     \to, Y+\at
.endm
#endif

.macro FirstRounds
    .Lz_page = 0
    .Lx_page = 0
    look_up 4, var_y, AT_K, low
    look_up 4, var_a, AT_D, var_y
    look_up 4, var_d, AT_D+3, var_y
    look_up 3, var_c, AT_D+2, var_y
    look_up 3, var_e, AT_D+4, var_y
    look_up 2, var_g, AT_D+6, var_y
    look_up 1, var_b, AT_D+1, var_y
    look_up 1, var_f, AT_D+5, var_y
    mov     sum_p, var_g
    eor     sum_p, var_b
    eor     sum_p, var_d
    eor     sum_p, var_e
    mov     sum_q, var_g
    eor     sum_q, var_a
    eor     sum_q, var_c
    eor     sum_q, var_f
    eor     sum_pqg, sum_p
    eor     sum_pqg, sum_q
    look_up 1, x(0), AT_Z, var_c, var_e
    look_up 1, x(4), AT_Z+4, sum_p
    look_up 1, x(8), AT_Z+8, sum_q
    look_up 1, x(12), AT_Z+12, var_a, var_b
    look_up 2, x(1), AT_Z+1, sum_p
    look_up 2, x(5), AT_Z+5, sum_q
    look_up 2, x(9), AT_Z+9, var_a, var_d
    look_up 2, x(13), AT_Z+13, var_e, var_f
    look_up 3, x(2), AT_Z+2, sum_q
    look_up 3, x(6), AT_Z+6, var_b, var_f
    look_up 3, x(10), AT_Z+10, sum_p
    look_up 3, x(14), AT_Z+14, var_c, var_d
    look_up 4, x(3), AT_Z+3, var_d, var_f
    look_up 4, x(7), AT_Z+7, var_a, var_e
    look_up 4, x(11), AT_Z+11, var_b, var_c
    look_up 4, x(15), AT_Z+15, sum_pqg
.endm

/* The next byte of the cache: byte i of the round keys ^ x(b). */
.macro cache i, b
    ldd     ZL, Y+\i
    eor     ZL, x(\b)
    st      X+, ZL
.endm

/* UPRIGHT and TURNED without the bytes that move. */
#define UPRIGHT_CONSTANT 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, none
#define TURNED_CONSTANT 4, none, none, 7, none, none, 0, 15, none, 11, none, 14, 5, 10, 9, none

/* Rounds 1 to 3 with 0 for the byte that moves behind its S-box, and for the seven in round 2.  Y = rk, X = cache,
 * x(15) = r1 = 0. */
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
    ldd     ZL, Y+32+15             ; all of byte 15 moves
    st      X+, ZL
.endm

/* ZL is 16 n, from rk to the last key.  SL1_loop and SL2_loop are the layers that rounds use. */
.macro CounterMode
    push_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, YL, YH
    in      YL, SPL
    in      YH, SPH
    sbiw    YL, FRAME
    move_SP_to_Y
    movw    next_out, r20           ; out
    movw    ek3, r24                ; rk for now
    mov     r11, r24
    add     r11, ZL                 ; last
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
1:  movw    XL, r22
    adiw    XL, 15
    ld      low, X
    add     r24, low
    adc     r25, r1                 ; last byte + blocks left

/* Up to where the last byte wraps or the blocks end. */
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
    SL1_loop RoundKey, 0, UPRIGHT
2:  A
    SL2_loop RoundKey, 16, TURNED
    adiw    YL, 32
    cpse    YL, r11
    rjmp    1b

    .Li = 0
    .irp b, TURNED
    RoundKey ZL, .Li
    eor     x(\b), ZL
    .Li = .Li + 1
    .endr
    brtc    4f
    pop     ZL
    pop     ZH                      ; Z = in
    .irp b, TURNED
    ld      r8, Z+
    eor     x(\b), r8
    .endr
    push    ZH
    push    ZL
4:  movw    XL, next_out
    .irp b, TURNED
    st      X+, x(\b)
    .endr
    movw    next_out, XL            ; on by a block
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
    brcs    5f                      ; no wrap
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

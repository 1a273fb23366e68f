/* aria_avr_ctr_rounds.h - rounds 1 to 3 of counter mode for AVR, but for what the cache holds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Successive counter blocks differ only in their last byte, until it wraps after 256 blocks at most.  The first
 * diffusion layer takes the last byte to seven bytes, and the second layer takes those to all.  So a block begins with
 *
 *     y   = SB4(last byte ^ k)                             k = ek1, byte 15
 *     a   = S(d1 ^ y), b = S(d2 ^ y), c = S(d4 ^ y), d = S(d5 ^ y), e = S(d8 ^ y), f = S(d10 ^ y), g = S(d15 ^ y)
 *
 * where d is what the other bytes contribute to the first layer, with ek2 added, and S is the S-box of that byte in
 * round 2. With p = b^d^e^g and q = a^c^f^g, the parts of the second layer that change from block to block are
 *
 *     byte   0   1  2  3   4  5  6   7   8  9   10  11  12  13  14  15
 *     part   ce  p  q  df  p  q  bf  ae  q  ad  p   bc  ab  ef  cd  p^q^g
 *
 * and round 3 looks up z ^ that part, where z is the constant part with ek3 added.  The cache is k, d and z, 24 bytes.
 *
 *     x(0) ... x(15)  X, Y, Z  out    ek3    last byte  end  a  c  d
 *     as in aria_avr.h         r2:r3  r4:r5  r6         r7   r8 r9 r10
 *     until round 3 takes their places: y x(0), b x(11), e x(7), f x(3), g and p^q^g x(15), p x(10), q x(2)
 *
 * The including header defines AT_K, where k is in the cache, and
 *
 *     cached to, at                    to = the byte `at` of the cache; to is the low byte of a pointer
 *     look_up n, to, at, r1, r2        to = SB n of (the byte `at` of the cache ^ r1 ^ r2); r2 may be missing */
#ifndef HAECHI_ARIA_AVR_CTR_ROUNDS_H
#define HAECHI_ARIA_AVR_CTR_ROUNDS_H

#define AT_D (AT_K + 1)
#define AT_Z (AT_K + 8)
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

/* look_up by one pointer.  .Lz_page and .Lx_page hold at assembly time the S-box that Z or X points to. */
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

/* XORs the block to the next one of in, whose address lies on the stack, if T says that there is an in; stores it to
 * out. */
.macro finish_block
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
    movw    next_out, XL            ; the next block of out
.endm

#endif

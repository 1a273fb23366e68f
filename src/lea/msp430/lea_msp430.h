/* lea_msp430.h - what the LEA kernels for MSP430 share: words in registers, rounds, key schedules.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round keys, words of 32 bits, low half first, in the order in which the rounds read them.
 *
 *     plain4, LEA-128, 16 bytes a round    0         4         8         12
 *     (RK1 = RK3 = RK5)      encryption    | RK1     | RK0     | RK1^RK2 | RK1^RK4 |
 *                            decryption    | RK0     | RK1^RK2 | RK1^RK4 | RK1     |     last round first
 *     chain6, all sizes, 24 bytes a round  0         4         8         12        16        20
 *                            encryption    | RK5^RK0'| RK4     | RK3^RK4 | RK2     | RK1^RK2 | RK0     |
 *                            decryption    the same words from the last to the first
 *     RK0' is RK0 of the round before, 0 in the first.
 *
 * A word is a pair of registers, low half first: W0 to W4 are enough for the block and one more word.  Where
 * a macro wants a word it takes both registers, xL and xH.
 *
 *     rounds          W0      W1      W2       W3        W4        rk    buf
 *                     r5, r6  r7, r8  r9, r10  r11, r14  r15, r4   r12   r13
 *     key schedules   T0      T1      T2       T3        u
 *                     r6, r7  r8, r9  r10, r11 r14, r15  r13             */
#ifndef HAECHI_LEA_MSP430_H
#define HAECHI_LEA_MSP430_H

#include "../../asm/msp430.h"

#define W0 r5, r6
#define W1 r7, r8
#define W2 r9, r10
#define W3 r11, r14
#define W4 r15, r4
#define t r15 /* the low half of W4, where that is scratch */
#define rk r12
#define buf r13

#define T0 r6, r7
#define T1 r8, r9
#define T2 r10, r11
#define T3 r14, r15
#define u r13
#define key r13

/* ---- Rotations.  By 1: 3 cycles.  By 8: halves swap their bytes, then the low bytes change places: 6. */

.macro ROL1 xL, xH
    add     \xL, \xL
    addc    \xH, \xH
    adc     \xL                     ; x <<< 1
.endm

.macro ROR1 xL, xH
    bit     #1, \xL
    rrc     \xH
    rrc     \xL                     ; x >>> 1
.endm

.macro swap_low_bytes xL, xH, scratch
    mov.b   \xH, \scratch
    xor.b   \xL, \scratch
    xor     \scratch, \xH
    xor     \scratch, \xL
.endm

.macro ROL8 xL, xH, scratch
    swpb    \xH
    swpb    \xL
    swap_low_bytes \xL, \xH, \scratch
.endm

.macro ROR8 xL, xH, scratch
    swap_low_bytes \xL, \xH, \scratch
    swpb    \xH
    swpb    \xL
.endm

.macro ROL2 xL, xH
    ROL1    \xL, \xH
    ROL1    \xL, \xH
.endm

.macro ROL3 xL, xH
    ROL2    \xL, \xH
    ROL1    \xL, \xH
.endm

.macro ROR2 xL, xH
    ROR1    \xL, \xH
    ROR1    \xL, \xH
.endm

.macro ROR3 xL, xH
    ROR2    \xL, \xH
    ROR1    \xL, \xH
.endm

/* x <<< 5 in 14 cycles, ROR3 and ROL8 take 15.  The carry goes round through both halves, 33 bits, so that
 * bits come back one place too low and the last one is in the carry.  low5 = 31. */
.macro ROL5 xL, xH, scratch, low5
    add     \xL, \xL
    addc    \xH, \xH
    .rept 4
    addc    \xL, \xL
    addc    \xH, \xH
    .endr
    mov     \xL, \scratch
    adc     \xL
    and     \low5, \scratch         ; the four bits that came back
    add     \scratch, \xL           ; twice these, and the last: x <<< 5
.endm

/* ---- Arithmetic on words. */

.macro xor_next xL, xH              /* x ^= next key */
    xor     @rk+, \xL
    xor     @rk+, \xH
.endm

.macro load_next xL, xH
    mov     @rk+, \xL
    mov     @rk+, \xH
.endm

.macro xor_word xL, xH, yL, yH      /* x ^= y */
    xor     \yL, \xL
    xor     \yH, \xH
.endm

.macro add_word xL, xH, yL, yH
    add     \yL, \xL
    addc    \yH, \xH
.endm

.macro sub_word xL, xH, yL, yH
    sub     \yL, \xL
    subc    \yH, \xH
.endm

/* ---- Encryption.
 *
 *     X0' = ((X0 ^ RK0) + (X1 ^ RK1)) <<< 9
 *     X1' = ((X1 ^ RK2) + (X2 ^ RK3)) >>> 5
 *     X2' = ((X2 ^ RK4) + (X3 ^ RK5)) >>> 3       X3' = X0
 *
 * A word that two keys are XORed to takes the first, and then their XOR: no copy. */

.macro Rotations x0L, x0H, x1L, x1H, x2L, x2H, scratch
    ROL8    \x0L, \x0H, \scratch
    ROL1    \x0L, \x0H              ; X0'
    ROR8    \x1L, \x1H, \scratch
    ROL3    \x1L, \x1H              ; X1'
    ROR3    \x2L, \x2H              ; X2'
.endm

/* Keys as plain4.  Out, in this order: u, x1, x2, x0 with x3 to spare: three rounds bring all words back. */
.macro Round_plain4 x0L, x0H, x1L, x1H, x2L, x2H, x3L, x3H, uL, uH
    mov     @rk+, \uL
    xor     \uL, \x1L
    xor     \uL, \x2L
    xor     \uL, \x3L
    mov     @rk+, \uL
    xor     \uL, \x1H               ; X1 ^ RK1
    xor     \uL, \x2H               ; X2 ^ RK3
    xor     \uL, \x3H               ; X3 ^ RK5
    load_next \uL, \uH
    xor_word \uL, \uH, \x0L, \x0H   ; X0 ^ RK0
    add_word \uL, \uH, \x1L, \x1H
    xor_next \x1L, \x1H             ; X1 ^ RK2
    add_word \x1L, \x1H, \x2L, \x2H
    xor_next \x2L, \x2H             ; X2 ^ RK4
    add_word \x2L, \x2H, \x3L, \x3H
    Rotations \uL, \uH, \x1L, \x1H, \x2L, \x2H, \x3L
.endm

/* Keys as chain6: all in place.  X0 keeps its RK0, which the next round's first key takes off.  Out, in this
 * order: x1, x2, x3, x0: four rounds bring all words back. */
.macro Round_chain6 x0L, x0H, x1L, x1H, x2L, x2H, x3L, x3H
    xor_next \x3L, \x3H             ; X3 ^ RK5
    xor_next \x2L, \x2H             ; X2 ^ RK4
    add_word \x3L, \x3H, \x2L, \x2H
    xor_next \x2L, \x2H             ; X2 ^ RK3
    xor_next \x1L, \x1H             ; X1 ^ RK2
    add_word \x2L, \x2H, \x1L, \x1H
    xor_next \x1L, \x1H             ; X1 ^ RK1
    xor_next \x0L, \x0H             ; X0 ^ RK0
    add_word \x1L, \x1H, \x0L, \x0H
    Rotations \x1L, \x1H, \x2L, \x2H, \x3L, \x3H, t
.endm

.macro three_rounds_plain4
    Round_plain4 W0, W1, W2, W3, W4
    Round_plain4 W4, W1, W2, W0, W3
    Round_plain4 W3, W1, W2, W4, W0
.endm

.macro four_rounds_chain6
    Round_chain6 W0, W1, W2, W3
    Round_chain6 W1, W2, W3, W0
    Round_chain6 W2, W3, W0, W1
    Round_chain6 W3, W0, W1, W2
.endm

/* ---- Decryption undoes it.  low5 is 31, in a register if one is free. */

/* Keys as plain4, u scratch.  Out, in this order: y3, y0, y1, y2. */
.macro InverseRound_plain4 y0L, y0H, y1L, y1H, y2L, y2H, y3L, y3H, uL, uH, low5
    ROR8    \y0L, \y0H, \uL
    ROR1    \y0L, \y0H              ; Y0 >>> 9
    load_next \uL, \uH
    xor_word \uL, \uH, \y3L, \y3H   ; X0 ^ RK0
    sub_word \y0L, \y0H, \uL, \uH   ; X1 ^ RK1
    ROL5    \y1L, \y1H, \uL, \low5  ; Y1 <<< 5
    load_next \uL, \uH
    xor_word \uL, \uH, \y0L, \y0H   ; X1 ^ RK2
    sub_word \y1L, \y1H, \uL, \uH   ; X2 ^ RK3
    ROL3    \y2L, \y2H              ; Y2 <<< 3
    load_next \uL, \uH
    xor_word \uL, \uH, \y1L, \y1H   ; X2 ^ RK4
    sub_word \y2L, \y2H, \uL, \uH   ; X3 ^ RK5
    mov     @rk+, \uL
    xor     \uL, \y0L
    xor     \uL, \y1L
    xor     \uL, \y2L
    mov     @rk+, \uL
    xor     \uL, \y0H               ; X1
    xor     \uL, \y1H               ; X2
    xor     \uL, \y2H               ; X3
.endm

/* Keys as chain6.  In: Y3 = X0 ^ RK0.  Out, in this order: y3, y0, y1, y2, the last ^ RK0' again. */
.macro InverseRound_chain6 y0L, y0H, y1L, y1H, y2L, y2H, y3L, y3H, low5
    ROR8    \y0L, \y0H, t
    ROR1    \y0L, \y0H              ; Y0 >>> 9
    sub_word \y0L, \y0H, \y3L, \y3H ; X1 ^ RK1
    xor_next \y3L, \y3H             ; X0
    xor_next \y0L, \y0H             ; X1 ^ RK2
    ROL5    \y1L, \y1H, t, \low5    ; Y1 <<< 5
    sub_word \y1L, \y1H, \y0L, \y0H ; X2 ^ RK3
    xor_next \y0L, \y0H             ; X1
    xor_next \y1L, \y1H             ; X2 ^ RK4
    ROL3    \y2L, \y2H              ; Y2 <<< 3
    sub_word \y2L, \y2H, \y1L, \y1H ; X3 ^ RK5
    xor_next \y1L, \y1H             ; X2
    xor_next \y2L, \y2H             ; X3 ^ RK0', X3 in the last
.endm

.macro four_inverse_rounds_plain4 low5
    InverseRound_plain4 W0, W1, W2, W3, W4, \low5
    InverseRound_plain4 W3, W0, W1, W2, W4, \low5
    InverseRound_plain4 W2, W3, W0, W1, W4, \low5
    InverseRound_plain4 W1, W2, W3, W0, W4, \low5
.endm

.macro four_inverse_rounds_chain6 low5
    InverseRound_chain6 W0, W1, W2, W3, \low5
    InverseRound_chain6 W3, W0, W1, W2, \low5
    InverseRound_chain6 W2, W3, W0, W1, \low5
    InverseRound_chain6 W1, W2, W3, W0, \low5
.endm

/* ---- The block. */

.macro load_block
    mov     buf, t
    .irp r, W0, W1, W2, W3
    mov     @t+, \r
    .endr
.endm

.macro store_block
    .Lat = 0
    .irp r, W0, W1, W2, W3
    mov     \r, .Lat(buf)
    .Lat = .Lat+2
    .endr
.endm

/* ---- Key schedule of LEA-128.  Round i adds delta[i mod 4], rotated by i + j, to T j and rotates that. */

/* .Ldelta = delta_n <<< r */
.macro delta n, r
    .Ln = 0
    .irp d, 0xc3efe9db, 0x44626b02, 0x79e27c8a, 0x78df30ec, 0x715ea49e, 0xc785da0a, 0xe04ef22a, 0xe5c40957
    .if .Ln == \n
    .Ldelta = ((\d<<((\r)&31))|(\d>>((32-(\r))&31)))&0xffffffff
    .endif
    .Ln = .Ln+1
    .endr
.endm

.macro put at, xL, xH
    mov     \xL, \at(rk)
    mov     \xH, \at+2(rk)
.endm

.macro put_sum at, xL, xH, yL, yH   /* x ^ y */
    .irp half, 0, 2
    .if \half
    mov     \xH, u
    xor     \yH, u
    .else
    mov     \xL, u
    xor     \yL, u
    .endif
    mov     u, \at+\half(rk)
    .endr
.endm

.macro Rotations_T
    ROL1    T0                      ; RK0
    ROL3    T1                      ; RK1
    ROL8    T2, u
    ROR2    T2                      ; RK2
    ROL8    T3, u
    ROL3    T3                      ; RK4
.endm

.macro put_plain4 at
    put     \at, T1
    put     \at+4, T0
    put_sum \at+8, T1, T2
    put_sum \at+12, T1, T3
.endm

.macro put_inverse_plain4 at
    put     \at, T0
    put_sum \at+4, T1, T2
    put_sum \at+8, T1, T3
    put     \at+12, T1
.endm

#endif

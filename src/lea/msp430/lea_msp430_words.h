/* lea_msp430_words.h - words of 32 bits in the registers of MSP430.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A word is a pair of registers, low half first.  W0 to W4 are enough for the block and one more word.  A macro that
 * wants a word takes both registers, xL and xH.
 *
 *     W0      W1      W2       W3        W4        rk    buf
 *     r5, r6  r7, r8  r9, r10  r11, r14  r15, r4   r12   r13 */
#ifndef HAECHI_LEA_MSP430_WORDS_H
#define HAECHI_LEA_MSP430_WORDS_H

#include "../../asm/msp430.h"

#define W0 r5, r6
#define W1 r7, r8
#define W2 r9, r10
#define W3 r11, r14
#define W4 r15, r4
#define t r15 /* the low half of W4, where that is scratch */
#define rk r12
#define buf r13

/* ---- Rotations.  A rotation by 1 takes 3 cycles.  A rotation by 8 swaps the bytes of each half and then exchanges the
 * low bytes of the halves, which takes 6. */

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

/* x <<< 5 in 14 cycles, where ROR3 and ROL8 would take 15.  The 33 bits of both halves and the carry rotate together,
 * so the bits that come back are one place too low, and the last one is in the carry.  low5 is 31, or a register that
 * holds 31. */
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

.macro xor_next xL, xH              /* x ^= the next word of round keys */
    xor     @rk+, \xL
    xor     @rk+, \xH
.endm

.macro load_next xL, xH             /* x = the next word of round keys */
    mov     @rk+, \xL
    mov     @rk+, \xH
.endm

.macro xor_word xL, xH, yL, yH      /* x ^= y */
    xor     \yL, \xL
    xor     \yH, \xH
.endm

.macro add_word xL, xH, yL, yH      /* x += y */
    add     \yL, \xL
    addc    \yH, \xH
.endm

.macro sub_word xL, xH, yL, yH      /* x -= y */
    sub     \yL, \xL
    subc    \yH, \xH
.endm

/* ---- The block at buf. */

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

#endif

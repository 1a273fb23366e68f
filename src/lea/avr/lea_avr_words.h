/* lea_avr_words.h - words of 32 bits in the registers of AVR.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A word is four registers and has the number of the first.  W0 to W4 are enough for the block and one more
 * word.  Rotation by whole bytes costs nothing: rol8(x) is x with byte 0 in the register that had byte 3, and so
 * on.  The number of such a word is the number of its first register + 32 * the place of byte 0.
 *
 *     W0    W1      W2      W3      W4      r0, r1
 *     r6-r9 r10-r13 r14-r17 r18-r21 r22-r25 products, scratch */
#ifndef HAECHI_LEA_AVR_WORDS_H
#define HAECHI_LEA_AVR_WORDS_H

#include "../../asm/avr.h"

#define byte(x, j) (((x)&31)+((((x)>>5)+(j))&3))
#define rol8(x) (((x)+96)&127)
#define ror8(x) (((x)+32)&127)

#define W0 6
#define W1 10
#define W2 14
#define W3 18
#define W4 22

.macro move_word dst, x
    movw    \dst, \x
    movw    \dst+2, \x+2
.endm

.macro xor_word x, y
    .irp j, 0, 1, 2, 3
    eor     byte(\x,\j), byte(\y,\j)
    .endr
.endm

.macro add_word x, y
    add     byte(\x,0), byte(\y,0)
    adc     byte(\x,1), byte(\y,1)
    adc     byte(\x,2), byte(\y,2)
    adc     byte(\x,3), byte(\y,3)
.endm

.macro load_word x
    .irp j, 0, 1, 2, 3
    ld      byte(\x,\j), X+
    .endr
.endm

.macro store_word x
    .irp j, 0, 1, 2, 3
    st      X+, byte(\x,\j)
    .endr
.endm

/* The end of a loop whose beginning, label 1, is out of the reach of a branch. */
.macro again
    breq    2f
    rjmp    1b
2:
.endm

/* ---- Rotations.
 *
 * A multiplication of one byte of x by 2^k gives 16 bits: the low half belongs to that byte of x <<< k and the high
 * half to the next.  movw takes two products to their places at once, so a rotation takes 14 cycles, and x survives. */

/* dst = x <<< k, where the register `by` holds 2^k: 8 for k = 3, 32 for k = 5.  .Lj is a byte of dst in an even
 * register. */
.macro ROL_by by, dst, x
    .Lj = (\dst>>5)&1
    mul     byte(\x,.Lj), \by
    movw    byte(\dst,.Lj), r0
    mul     byte(\x,.Lj+2), \by
    movw    byte(\dst,.Lj+2), r0
    mul     byte(\x,.Lj+1), \by
    eor     byte(\dst,.Lj+1), r0
    eor     byte(\dst,.Lj+2), r1
    mul     byte(\x,.Lj+3), \by
    eor     byte(\dst,.Lj+3), r0
    eor     byte(\dst,.Lj), r1      ; dst = x <<< 3 or 5
.endm

/* dst ^= x <<< 3 or 5, in 16 cycles; a rotation and four XORs would take 18. */
.macro xor_ROL_by by, dst, x
    .irp j, 0, 1, 2, 3
    mul     byte(\x,\j), \by
    eor     byte(\dst,\j), r0
    eor     byte(\dst,\j+1), r1     ; dst ^ (x_j * by <<< 8j)
    .endr
.endm

/* x = x <<< 1; the register `nought` holds 0. */
.macro ROL1 x, nought
    lsl     byte(\x,0)
    rol     byte(\x,1)
    rol     byte(\x,2)
    rol     byte(\x,3)
    adc     byte(\x,0), \nought
.endm

/* x = x >>> 1 */
.macro ROR1 x
    mov     r0, byte(\x,0)
    lsr     r0
    ror     byte(\x,3)
    ror     byte(\x,2)
    ror     byte(\x,1)
    ror     byte(\x,0)
.endm

/* x = x >>> 2; rol8 of the result is x <<< 6. */
.macro ROR2 x
    mov     r0, byte(\x,0)
    .rept 2
    lsr     r0
    ror     byte(\x,3)
    ror     byte(\x,2)
    ror     byte(\x,1)
    ror     byte(\x,0)
    .endr
.endm

/* x = x <<< 8 in the same registers */
.macro turn x
    mov     r0, \x+3
    mov     \x+3, \x+2
    mov     \x+2, \x+1
    mov     \x+1, \x
    mov     \x, r0
.endm

#endif

/* lea_avr.h - what the LEA kernels for AVR share: words in registers, rounds, frames.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round keys of lea_avr and lea_avr_compact, each word low byte first; ENC reads upwards, DEC walks the same
 * keys down.
 *
 *     LEA-128, 16 bytes a round              0         4         8         12
 *     (RK1 = RK3 = RK5)                      | RK1     | RK4     | RK1^RK2 | RK0     |
 *     LEA-192 and LEA-256, 24 bytes          0         4         8         12        16        20
 *                                            | RK1     | RK3     | RK5     | RK3^RK4 | RK1^RK2 | RK0     |
 *
 * A word is four registers, named by the first: W0 to W4 are enough for the block and one more word.
 * Rotation by bytes costs nothing: rol8(x) is x with byte 0 in the register that had byte 3, and so on.
 * (Number of the first register + 32 * place of byte 0.)
 *
 *     W0    W1      W2      W3      W4      r0, r1    c8  c32 zero  Z          X
 *     r6-r9 r10-r13 r14-r17 r18-r21 r22-r25 products, r26 r27 r28   round keys buf, before r26:r27
 *                                           scratch                           become c8 and c32       */
#ifndef HAECHI_LEA_AVR_H
#define HAECHI_LEA_AVR_H

#include "../../asm/avr.h"

#define byte(x, j) (((x)&31)+((((x)>>5)+(j))&3))
#define rol8(x) (((x)+96)&127)
#define ror8(x) (((x)+32)&127)

#define W0 6
#define W1 10
#define W2 14
#define W3 18
#define W4 22

/* Symbols, as counter mode has them elsewhere. */
    c8 = 26
    c32 = 27
    zero = 28

/* ---- Rotations.  As products: x * 8 and x * 32, each byte apart, are 16 bits whose halves meet in the
 * neighbour's; movw takes two products to their places, so 14 cycles, and x survives. */

/* dst = x <<< 3 (by = 8), x <<< 5 (by = 32); likewise 1 and 7 (2 and 128).  .Lj: a byte of dst in an even register */
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

/* dst ^= x <<< 3 or 5: 16 cycles, where rotation and XOR one by one take 18 */
.macro xor_ROL_by by, dst, x
    .irp j, 0, 1, 2, 3
    mul     byte(\x,\j), \by
    eor     byte(\dst,\j), r0
    eor     byte(\dst,\j+1), r1     ; dst ^ (x_j * by <<< 8j)
    .endr
.endm

/* x = x <<< 1 */
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

/* x = x >>> 2, and x <<< 6 is rol8 of it */
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

/* ---- Round keys.  Encryption takes the next ones; decryption names them by their place, `at` bytes from
 * rk, while Z is rk + .Lz. */

#if !defined(FIXED_LEA) /* lea_avr_fixed.h has them as immediates */
.macro next_key register
    ld      \register, Z+
.endm
#define got 0 /* register of a round key's byte on its way */
#endif

.macro load_next x
    .irp j, 0, 1, 2, 3
    next_key byte(\x,\j)
    .endr
.endm

.macro load_key x, at
    .irp j, 0, 1, 2, 3
    ldd     byte(\x,\j), Z+\at+\j-.Lz
    .endr
.endm

.macro xor_word x, y
    .irp j, 0, 1, 2, 3
    eor     byte(\x,\j), byte(\y,\j)
    .endr
.endm

.macro move_word dst, x
    movw    \dst, \x
    movw    \dst+2, \x+2
.endm

/* x ^= next key */
.macro xor_next x
    .irp j, 0, 1, 2, 3
    next_key got
    eor     byte(\x,\j), got
    .endr
.endm

.macro xor_key x, at
    .irp j, 0, 1, 2, 3
    ldd     r0, Z+\at+\j-.Lz
    eor     byte(\x,\j), r0
    .endr
.endm

/* sum += x ^ next key.  Neither ld nor eor touches the carry. */
.macro add_xor_next sum, x
    .irp j, 0, 1, 2, 3
    next_key got
    eor     got, byte(\x,\j)
    .if \j == 0
    add     byte(\sum,\j), got
    .else
    adc     byte(\sum,\j), got
    .endif
    .endr
.endm

.macro add_xor_key sum, x, at
    .irp j, 0, 1, 2, 3
    ldd     r0, Z+\at+\j-.Lz
    eor     r0, byte(\x,\j)
    .if \j == 0
    add     byte(\sum,\j), r0
    .else
    adc     byte(\sum,\j), r0
    .endif
    .endr
.endm

/* difference -= x ^ key */
.macro sub_xor_next difference, x
    .irp j, 0, 1, 2, 3
    ld      r0, Z+
    eor     r0, byte(\x,\j)
    .if \j == 0
    sub     byte(\difference,\j), r0
    .else
    sbc     byte(\difference,\j), r0
    .endif
    .endr
.endm

.macro sub_xor_key difference, x, at
    .irp j, 0, 1, 2, 3
    ldd     r0, Z+\at+\j-.Lz
    eor     r0, byte(\x,\j)
    .if \j == 0
    sub     byte(\difference,\j), r0
    .else
    sbc     byte(\difference,\j), r0
    .endif
    .endr
.endm

.macro move_Z to
    .if \to != .Lz
    subi    ZL, lo8(.Lz-(\to))
    sbci    ZH, hi8(.Lz-(\to))      ; Z = rk + to
    .Lz = \to
    .endif
.endm

/* ---- Encryption.
 *
 *     X0' = ((X0 ^ RK0) + (X1 ^ RK1)) <<< 9
 *     X1' = ((X1 ^ RK2) + (X2 ^ RK3)) >>> 5
 *     X2' = ((X2 ^ RK4) + (X3 ^ RK5)) >>> 3       X3' = X0
 *
 * The two rotations that take products wait for the next round, whose key they can be XORed to.  So a
 * round finds sums in x1 and x2; the first finds words, and after the last the sums are rotated.  Each sum
 * is made in the place of its second operand, and each operand of the XOR of two keys that it needs:
 * X1 ^ RK2 is (X1 ^ RK1) ^ (RK1 ^ RK2). */

/* LEA-128.  Words in: rol8(x0), x1 or ror8(x1), ror8(x2) or rol8(x2), rol8(x3).  Out, in this order:
 * x1, x2, x3, x0 after the first round; x2, t, x3, x0 after the others, with x1 to spare. */

.macro FirstRound_128 x0, x1, x2, x3, t
    load_next \t                            ; RK1
    xor_word rol8(\x3), \t                  ; X3 ^ RK5
    add_xor_next rol8(\x3), ror8(\x2)       ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_word ror8(\x2), \t                  ; X2 ^ RK3
    xor_word \x1, \t                        ; X1 ^ RK1
    add_xor_next ror8(\x2), \x1             ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x1, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x1, zero                       ; rol8 of it is X0'
.endm

.macro Round_128 x0, x1, x2, x3, t
    ROL_by  c32, \t, rol8(\x2)              ; ror8 of it is X2
    load_next \x2                           ; RK1
    xor_word rol8(\x3), \x2                 ; X3 ^ RK5
    add_xor_next rol8(\x3), ror8(\t)        ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_word ror8(\t), \x2                  ; X2 ^ RK3
    xor_ROL_by c8, rol8(\x2), ror8(\x1)     ; X1 ^ RK1
    add_xor_next ror8(\t), \x2              ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x2, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x2, zero                       ; rol8 of it is X0'
.endm

/* LEA-192 and LEA-256.  Words in: rol8(x0), x1, x2 or rol8(x2), rol8(x3).  Out, in this order: x1, x2, x3,
 * x0 after the first round; t, x1, x3, x0 after the others, with x2 to spare. */

.macro FirstRound_256 x0, x1, x2, x3, t
    xor_next \x1                            ; X1 ^ RK1
    xor_next \x2                            ; X2 ^ RK3
    xor_next rol8(\x3)                      ; X3 ^ RK5
    add_xor_next rol8(\x3), \x2             ; (X2 ^ RK4) + (X3 ^ RK5)
    add_xor_next \x2, \x1                   ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \x1, rol8(\x0)             ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \x1, zero                       ; rol8 of it is X0'
.endm

.macro Round_256 x0, x1, x2, x3, t
    load_next \t                            ; RK1
    xor_ROL_by c8, rol8(\t), \x1            ; X1 ^ RK1
    load_next \x1                           ; RK3
    xor_ROL_by c32, rol8(\x1), rol8(\x2)    ; X2 ^ RK3
    xor_next rol8(\x3)                      ; X3 ^ RK5
    add_xor_next rol8(\x3), \x1             ; (X2 ^ RK4) + (X3 ^ RK5)
    add_xor_next \x1, \t                    ; (X1 ^ RK2) + (X2 ^ RK3)
    add_xor_next \t, rol8(\x0)              ; (X0 ^ RK0) + (X1 ^ RK1)
    ROL1    \t, zero                        ; rol8 of it is X0'
.endm

/* After these names and registers belong together as before. */
.macro six_rounds
    Round_128 W0, W1, W2, W3, W4
    Round_128 W2, W4, W3, W0, W1
    Round_128 W3, W1, W0, W2, W4
    Round_128 W0, W4, W2, W3, W1
    Round_128 W2, W1, W3, W0, W4
    Round_128 W3, W4, W0, W2, W1
.endm

.macro four_rounds
    Round_256 W0, W1, W2, W3, W4
    Round_256 W4, W1, W3, W0, W2
    Round_256 W2, W1, W0, W4, W3
    Round_256 W3, W1, W4, W2, W0
.endm

/* ---- Decryption undoes it.  Words in: y0, ror8(y1), y2, y3.  Out, in this order: y3, y0, y2, t, with y1
 * to spare, which comes round after four rounds.  A difference with its key still on it is what the key
 * XORed to another wants. */

.macro InverseRound_128 y0, y1, y2, y3, t, at
    ROL_by  c8, \t, \y2                     ; Y2 <<< 3
    ROL_by  c32, \y2, ror8(\y1)             ; Y1 <<< 5
    load_key \y1, \at                       ; RK1
    ROR1    \y0                             ; ror8 of it is Y0 >>> 9
    sub_xor_key ror8(\y0), \y3, \at+12      ; X1 ^ RK1
    sub_xor_key \y2, ror8(\y0), \at+8       ; X2 ^ RK3
    xor_word ror8(\y0), \y1                 ; X1
    xor_word \y2, \y1                       ; X2
    sub_xor_key \t, \y2, \at+4              ; X3 ^ RK5
    xor_word \t, \y1                        ; X3
.endm

.macro InverseRound_256 y0, y1, y2, y3, t, at
    ROL_by  c8, \t, \y2                     ; Y2 <<< 3
    ROL_by  c32, \y2, ror8(\y1)             ; Y1 <<< 5
    ROR1    \y0                             ; ror8 of it is Y0 >>> 9
    sub_xor_key ror8(\y0), \y3, \at+20      ; X1 ^ RK1
    sub_xor_key \y2, ror8(\y0), \at+16      ; X2 ^ RK3
    sub_xor_key \t, \y2, \at+12             ; X3 ^ RK5
    xor_key ror8(\y0), \at                  ; X1
    xor_key \y2, \at+4                      ; X2
    xor_key \t, \at+8                       ; X3
.endm

/* Round by round downwards; .Lround is where the keys of the last one began.  A load reaches 63 bytes up
 * from Z: four rounds of 16 bytes, two of 24. */
.macro inverse_round layout, size, y0, y1, y2, y3, t
    .Lround = .Lround-\size
    .if .Lround < .Lz || .Lround > .Lz+63
    move_Z  .Lround+\size-64/\size*\size
    .endif
    InverseRound_\layout \y0, \y1, \y2, \y3, \t, .Lround
.endm

.macro four_inverse_rounds layout, size
    inverse_round \layout, \size, W0, W1, W2, W3, W4
    inverse_round \layout, \size, W3, W0, W2, W4, W1
    inverse_round \layout, \size, W4, W3, W2, W1, W0
    inverse_round \layout, \size, W1, W4, W2, W0, W3
.endm

/* ---- What frames them. */

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

/* Z = rk; X = buf, kept on the stack too; the block in x0 ... x3 */
.macro load_block x0, x1, x2, x3
    push_all r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    push    r22
    push    r23
    movw    ZL, r24
    movw    XL, r22
    load_word \x0
    load_word \x1
    load_word \x2
    load_word \x3
.endm

.macro load_factors
    ldi     c8, 8
    ldi     c32, 32
.endm

.macro store_block x0, x1, x2, x3
    pop     XH
    pop     XL
    store_word \x0
    store_word \x1
    store_word \x2
    store_word \x3
    clr     r1
    pop_all r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
.endm

/* The end of a loop whose beginning is out of a branch's reach. */
.macro again
    breq    2f
    rjmp    1b
2:
.endm

/* ---- The deltas of all rounds: delta_(i mod K) <<< i, for K words of key. */

.macro deltas kernel, K, rounds, align=1
    .section .progmem.data.haechi_\kernel\()_deltas_\K, "a", %progbits
    .balign \align
    .global haechi_\kernel\()_deltas_\K
    .type   haechi_\kernel\()_deltas_\K, %object
haechi_\kernel\()_deltas_\K:
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li
    .byte   .Ldelta&0xff, .Ldelta>>8&0xff, .Ldelta>>16&0xff, .Ldelta>>24&0xff
    .Li = .Li+1
    .endr
    .byte   0                       ; loops compare with this address: it shall be the table's own
    .size   haechi_\kernel\()_deltas_\K, . - haechi_\kernel\()_deltas_\K
.endm

.macro point_Z_at deltas
    ldi     ZL, lo8(\deltas)
    ldi     ZH, hi8(\deltas)
.endm

.macro load_delta x
    .irp j, 0, 1, 2, 3
    lpm     byte(\x,\j), Z+
    .endr
.endm

.macro add_word x, y
    add     byte(\x,0), byte(\y,0)
    adc     byte(\x,1), byte(\y,1)
    adc     byte(\x,2), byte(\y,2)
    adc     byte(\x,3), byte(\y,3)
.endm

/* x = x <<< 8 where it stands */
.macro turn x
    mov     r0, \x+3
    mov     \x+3, \x+2
    mov     \x+2, \x+1
    mov     \x+1, \x
    mov     \x, r0
.endm

/* ---- The key schedule of LEA-192 and LEA-256 as loops.  The n-th word of round keys comes from the one K
 * words before, or from the n-th word of key: so a loop copies with X behind Y, from the key for K words and
 * then from what it wrote, RK0 to RK5 of each round in their order.
 *
 *     delta <<< i+j  word  products  X    Y    Z       rk       8   32  0
 *     W1             W3    W2        old  new  deltas  r24:r25  r8  r9  r7 */
.macro RoundKeyWord kernel, K, j
    .if \K-6 == \j                  ; the word that may be the K-th
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

#endif

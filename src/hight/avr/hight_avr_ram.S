/* hight_avr_ram.S - HIGHT for AVR, for speed: F0 and F1 as tables in RAM, rounds unrolled.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_ram_eks(void *rk, const void *key);
 *     void haechi_hight_avr_ram_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_ram_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * The idea.  YH holds the page of F0 and ZH that of F1 all the time, so a byte moved into YL or ZL is an
 * address, and the look-up may overwrite it.  Whichever of YL and ZL is not the address takes the round
 * key.  That leaves X to walk through the round keys and every other scratch register to the block, which
 * never moves: eight rounds with their arguments rotated stand for the rotation of the block.
 *
 *     x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch                            */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r24
#define x5 r25
#define x6 r0
#define x7 r1

/* ---- The tables: F0(x) = x<<<1 ^ x<<<2 ^ x<<<7, F1(x) = x<<<3 ^ x<<<4 ^ x<<<6.
 * Of xx, the byte x written twice, bits 8-s to 15-s are x<<<s. */
    .section .data.haechi_hight_avr_ram, "aw", %progbits
    .global __do_copy_data          ; has start-up code fill the section
    .balign 256

.macro table name, s, t, u
    .type \name, %object
    .size \name, 256
\name:
    .Lxx = 0
    .rept 256
    .byte (.Lxx >> (8 - \s) ^ .Lxx >> (8 - \t) ^ .Lxx >> (8 - \u)) & 0xff
    .Lxx = .Lxx + 0x0101
    .endr
.endm

    table F0, 1, 2, 7
    table F1, 3, 4, 6

/* ---- One application of F each: 7 cycles. */

/* y = y + (F1(x) ^ the next subkey), or y - (...) */
.macro F1_step op, y, x, next
    mov     ZL, \x
    ld      ZL, Z                   ; F1(x)
    ld      YL, \next               ; SK
    eor     ZL, YL                  ; F1(x) ^ SK
    \op     \y, ZL
.endm

/* y = y ^ (F0(x) + the next subkey) */
.macro F0_step y, x, next
    mov     YL, \x
    ld      YL, Y                   ; F0(x)
    ld      ZL, \next               ; SK
    add     YL, ZL                  ; F0(x) + SK
    eor     \y, YL
.endm

.macro whiten op, x, next
    ld      ZL, \next               ; WK
    \op     \x, ZL
.endm

/* ---- Encryption: the standard's steps. */

.macro InitialTransformation
    whiten  add, x0, X+             ; WK0
    whiten  eor, x2, X+             ; WK1
    whiten  add, x4, X+             ; WK2
    whiten  eor, x6, X+             ; WK3
.endm

.macro Round p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
    F0_step \p7, \p6, X+            ; SK[4i+3]
.endm

/* After 32 rounds the names stand as at first; the last round does not rotate, hence byte j of the
 * result is x(j+1). */
.macro FinalTransformation
    whiten  add, x1, X+             ; WK4
    whiten  eor, x3, X+             ; WK5
    whiten  add, x5, X+             ; WK6
    whiten  eor, x7, X+             ; WK7
.endm

/* ---- Decryption undoes them, last step first. */

.macro InverseFinalTransformation
    whiten  eor, x7, -X             ; WK7
    whiten  sub, x5, -X             ; WK6
    whiten  eor, x3, -X             ; WK5
    whiten  sub, x1, -X             ; WK4
.endm

.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0
    F0_step \p7, \p6, -X            ; SK[4i+3]
    F1_step sub, \p5, \p4, -X       ; SK[4i+2]
    F0_step \p3, \p2, -X            ; SK[4i+1]
    F1_step sub, \p1, \p0, -X       ; SK[4i]
.endm

.macro InverseInitialTransformation
    whiten  eor, x6, -X             ; WK3
    whiten  sub, x4, -X             ; WK2
    whiten  eor, x2, -X             ; WK1
    whiten  sub, x0, -X             ; WK0
.endm

/* ---- What frames them.  Bytes are named in the block's order, b0 first. */

.macro load_block b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    ldd     \b0, Z+0
    ldd     \b1, Z+1
    ldd     \b2, Z+2
    ldd     \b3, Z+3
    ldd     \b4, Z+4
    ldd     \b5, Z+5
    ldd     \b6, Z+6
    ldd     \b7, Z+7
    ldi     YH, hi8(F0)
    ldi     ZH, hi8(F1)
.endm

.macro store_block b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    std     Z+0, \b0
    std     Z+1, \b1
    std     Z+2, \b2
    std     Z+3, \b3
    std     Z+4, \b4
    std     Z+5, \b5
    std     Z+6, \b6
    std     Z+7, \b7
.endm

FUNC haechi_hight_avr_ram_enc
    push    YL
    push    YH
    movw    XL, r24                 ; X = rk
    load_block x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    .rept 4
    Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    Round   x5, x4, x3, x2, x1, x0, x7, x6
    Round   x4, x3, x2, x1, x0, x7, x6, x5
    Round   x3, x2, x1, x0, x7, x6, x5, x4
    Round   x2, x1, x0, x7, x6, x5, x4, x3
    Round   x1, x0, x7, x6, x5, x4, x3, x2
    Round   x0, x7, x6, x5, x4, x3, x2, x1
    .endr
    FinalTransformation
    store_block x1, x2, x3, x4, x5, x6, x7, x0
    clr     r1
    pop     YH
    pop     YL
    ret
ENDF

FUNC haechi_hight_avr_ram_dec
    push    YL
    push    YH
    movw    XL, r24
    subi    XL, lo8(-136)
    sbci    XH, hi8(-136)           ; X = rk + 136, behind the last
    load_block x1, x2, x3, x4, x5, x6, x7, x0
    InverseFinalTransformation
    .rept 4
    InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound x3, x2, x1, x0, x7, x6, x5, x4
    InverseRound x4, x3, x2, x1, x0, x7, x6, x5
    InverseRound x5, x4, x3, x2, x1, x0, x7, x6
    InverseRound x6, x5, x4, x3, x2, x1, x0, x7
    InverseRound x7, x6, x5, x4, x3, x2, x1, x0
    .endr
    InverseInitialTransformation
    store_block x0, x1, x2, x3, x4, x5, x6, x7
    clr     r1
    pop     YH
    pop     YL
    ret
ENDF

/* ---- The key schedule: the two halves of the key, MK0..7 and MK8..15, in turn.
 *
 *     MK       X            Z
 *     r18-r25  key, behind  rk + .Lz
 *              what is read
 *
 * Eight key bytes stay in registers.  A register that holds MK + delta of its last subkey becomes the next
 * one by adding the difference of the deltas: 3 cycles a subkey, its store included.  What is left to save
 * is moving Z, whose stores reach 64 bytes: downwards through the first half, which begins at WK4..7, and
 * upwards through the second, which begins at WK0..3. */
#define MK 18 /* register of MK0 or MK8 */

/* delta_n: the state of the LFSR x^7 + x^3 + 1 after n steps from 0x5a. */
.macro delta n
    .Ldelta = 0x5a
    .rept \n
    .Ldelta = .Ldelta >> 1 | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 6
    .endr
.endm

.macro move_Z to
    subi    ZL, lo8(.Lz - \to)
    sbci    ZH, hi8(.Lz - \to)      ; Z = rk + to
    .Lz = \to
.endm

/* rk[at] = register.  At Z itself and just below it, a store moves Z for nothing. */
.macro put at, register
    .if \at == .Lz
    st      Z+, \register
    .Lz = .Lz + 1
    .elseif \at == .Lz - 1
    st      -Z, \register
    .Lz = .Lz - 1
    .else
    std     Z+\at-.Lz, \register
    .endif
.endm

.macro load_half
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7
    ld      MK+\m, X+
    .Lheld_\m = 0                   ; the register holds MK_m + this
    .endr
.endm

/* WK_i = MK_(i+12) for i = 0..3, MK_(i-4) for i = 4..7: four registers from `first` on, to rk[at...]. */
.macro WhiteningKeyGeneration at, first
    .irp i, 0, 1, 2, 3
    put     \at+\i, \first+\i
    .endr
.endm

/* SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same for the other half with n = 16i + j + 8.
 * In the order given for m = j-i mod 8, i = 4 counts j down: then Z can step down with the stores. */
.macro SubkeyGeneration half, i
    .irp m, 3, 2, 1, 0, 7, 6, 5, 4
    .Ln = 16 * \i + ((\m + \i) & 7) + \half
    delta   .Ln
    subi    MK+\m, (.Lheld_\m - .Ldelta) & 0xff
    .Lheld_\m = .Ldelta
    put     4+.Ln, MK+\m
    .endr
.endm

FUNC haechi_hight_avr_ram_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    .Lz = 0
    load_half                       ; MK0..7
    move_Z  76
    WhiteningKeyGeneration 132, MK  ; WK4..7
    .irp i, 7, 6, 5, 4
    SubkeyGeneration 0, \i
    .endr
    move_Z  0
    .irp i, 3, 2, 1, 0
    SubkeyGeneration 0, \i
    .endr
    load_half                       ; MK8..15
    WhiteningKeyGeneration 0, MK+4  ; WK0..3
    .irp i, 0, 1, 2, 3
    SubkeyGeneration 8, \i
    .endr
    move_Z  76
    .irp i, 4, 5, 6, 7
    SubkeyGeneration 8, \i
    .endr
    ret
ENDF

    KERNEL hight_avr_ram, 8, 16, 136, 0, haechi_hight_avr_ram_eks, haechi_hight_avr_ram_enc
    KERNEL hight_avr_ram_inv, 8, 16, 136, INVERSE, haechi_hight_avr_ram_eks, haechi_hight_avr_ram_dec

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

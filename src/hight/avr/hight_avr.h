/* hight_avr.h - what the HIGHT kernels for AVR share: tables, the standard's steps, key schedules, frames.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel names its registers, says below what it takes of this, and defines the steps with F0 and F1.
 *
 *     HIGHT_TABLES_IN_RAM, HIGHT_TABLES_IN_FLASH     F0 and F1, or
 *     HIGHT_NO_TABLES                                the products that make them
 *     HIGHT_STORED_KEYS                              X walks through the round keys
 *     HIGHT_TURNED_KEYS                              the key is in registers and turns
 *     HIGHT_DELTAS                                   and Z walks through the deltas in flash */
#ifndef HAECHI_HIGHT_AVR_H
#define HAECHI_HIGHT_AVR_H

#include "../../asm/avr.h"
#include "../hight_constants.h"

#if defined(HIGHT_TURNED_KEYS)
#define HALF_A 2  /* register of MK0 */
#define HALF_B 10 /* register of MK8 */
#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r22
#define x5 r23
#define x6 r24
#define x7 r25
#endif

/* ---- The tables: F0(x) = x<<<1 ^ x<<<2 ^ x<<<7, F1(x) = x<<<3 ^ x<<<4 ^ x<<<6, each on a page.
 * They stand in a COMDAT group, of which the linker keeps one: a program has them once, whatever kernels
 * it holds. */
#if defined(HIGHT_TABLES_IN_RAM)
#define F0 haechi_hight_ram_F0
#define F1 haechi_hight_ram_F1
    .section .data.haechi_hight_ram_F, "awG", %progbits, haechi_hight_ram_F, comdat
    .global __do_copy_data          ; has start-up code fill the section
#elif defined(HIGHT_TABLES_IN_FLASH)
#define F0 haechi_hight_flash_F0
#define F1 haechi_hight_flash_F1
    .section .progmem.data.haechi_hight_flash_F, "aG", %progbits, haechi_hight_flash_F, comdat
#endif

.macro named_table name, rotations:vararg
    .global \name
    .type   \name, %object
    .size   \name, 256
\name:
    table   \rotations
.endm

#if defined(F0)
    .balign 256
    named_table F0, F0_ROTATIONS
    named_table F1, F1_ROTATIONS
#endif

/* ---- The block at Z, bytes named in its order. */

.macro load_block b0, b1, b2, b3, b4, b5, b6, b7
    ldd     \b0, Z+0
    ldd     \b1, Z+1
    ldd     \b2, Z+2
    ldd     \b3, Z+3
    ldd     \b4, Z+4
    ldd     \b5, Z+5
    ldd     \b6, Z+6
    ldd     \b7, Z+7
.endm

.macro store_block b0, b1, b2, b3, b4, b5, b6, b7
    std     Z+0, \b0
    std     Z+1, \b1
    std     Z+2, \b2
    std     Z+3, \b3
    std     Z+4, \b4
    std     Z+5, \b5
    std     Z+6, \b6
    std     Z+7, \b7
.endm

/* Short loops turn the block in its registers, which then are four pairs: by two names, as two rounds do,
 * and back, as two inverse rounds do.  t is a free pair. */
.macro turn_by_2 t
    movw    \t, x6
    movw    x6, x4
    movw    x4, x2
    movw    x2, x0
    movw    x0, \t
.endm

.macro turn_back_by_2 t
    movw    \t, x0
    movw    x0, x2
    movw    x2, x4
    movw    x4, x6
    movw    x6, \t
.endm

#if defined(HIGHT_NO_TABLES)

/* x<<<2 and x<<<7 are what the two bytes of x * 4 and of x * 128 add up to; so U, which held x<<<1, becomes F0(x).
 * U is scratch, FOUR and HALF = 128 are constants.  8 cycles. */
.macro multiples x
    mul     \x, FOUR
    eor     U, r0
    eor     U, r1                   ; ... ^ x<<<2
    mul     \x, HALF
    eor     U, r0
    eor     U, r1                   ; ... ^ x<<<7
.endm

#endif

/* ---- Kernels that store round keys.  They define
 *
 *     F1_step op, y, x, next       y = y + (F1(x) ^ the next subkey), or y - (...)
 *     F0_step y, x, next           y = y ^ (F0(x) + the next subkey)
 *     whiten  op, x, next          x = x + the next whitening key, or -, or ^
 *     put_subkey n, register       SK_n to its place in rk, for KeySchedule
 *
 * or take those that follow.  next is X+ or -X: X walks upwards through the round keys to encrypt, downwards to
 * decrypt. */
#if defined(HIGHT_STORED_KEYS)

#if defined(HIGHT_TABLES_IN_RAM)

/* 7 cycles with YH = page of F0 */
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

.macro enter
    push    YL
    push    YH
    movw    XL, r24                 ; X = rk
.endm

.macro load b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    load_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    ldi     YH, hi8(F0)
    ldi     ZH, hi8(F1)
.endm

.macro leave b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    pop     YH
    pop     YL
.endm

#elif defined(HIGHT_NO_TABLES)

/* 13 cycles: a swap of nibbles turns x ^ x<<<2 ^ x<<<7 into F1(x), and the round key lies with its nibbles swapped. */
.macro F1_step op, y, x, next
    ld      U, \next                ; SK<<<4
    eor     U, \x
    multiples \x
    swap    U                       ; F1(x) ^ SK
    \op     \y, U
.endm

/* U = F0(x) + the next subkey: 14 cycles */
.macro F0_sum x, next
    mov     U, \x
    lsl     U
    adc     U, ZERO                 ; x<<<1
    multiples \x                    ; F0(x)
    ld      r0, \next               ; SK
    add     U, r0
.endm

.macro F0_step y, x, next
    F0_sum  \x, \next
    eor     \y, U
.endm

.macro whiten op, x, next
    ld      U, \next                ; WK
    \op     \x, U
.endm

.macro enter
    push    FOUR
    push    HALF
    push    ZERO
    push    r22
    push    r23
    movw    XL, r24                 ; X = rk
    movw    ZL, r22                 ; Z = buf
.endm

.macro constants
    ldi     FOUR, 4
    ldi     HALF, 128
    clr     ZERO
.endm

.macro leave b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    pop     ZERO
    pop     HALF
    pop     FOUR
.endm

#endif

.macro to_the_end
    subi    XL, lo8(-136)
    sbci    XH, hi8(-136)           ; X = rk + 136, behind the last
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

/* Eight rounds, after which the names stand as at first.  So after 32 rounds; and as the last round of
 * the cipher does not rotate, byte j of the result is x(j+1). */
.macro Rounds_8
    Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    Round   x5, x4, x3, x2, x1, x0, x7, x6
    Round   x4, x3, x2, x1, x0, x7, x6, x5
    Round   x3, x2, x1, x0, x7, x6, x5, x4
    Round   x2, x1, x0, x7, x6, x5, x4, x3
    Round   x1, x0, x7, x6, x5, x4, x3, x2
    Round   x0, x7, x6, x5, x4, x3, x2, x1
.endm

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

.macro InverseRounds_8
    InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound x3, x2, x1, x0, x7, x6, x5, x4
    InverseRound x4, x3, x2, x1, x0, x7, x6, x5
    InverseRound x5, x4, x3, x2, x1, x0, x7, x6
    InverseRound x6, x5, x4, x3, x2, x1, x0, x7
    InverseRound x7, x6, x5, x4, x3, x2, x1, x0
.endm

.macro InverseInitialTransformation
    whiten  eor, x6, -X             ; WK3
    whiten  sub, x4, -X             ; WK2
    whiten  eor, x2, -X             ; WK1
    whiten  sub, x0, -X             ; WK0
.endm

/* ---- The fast key schedule: the two halves of the key, MK0..7 and MK8..15, in turn.
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
 * order lists m = j-i mod 8 so that i = 4 counts places down: then Z can step down with the stores. */
.macro SubkeyGeneration half, i, order:vararg
    .irp m, \order
    .Ln = 16 * \i + ((\m + \i) & 7) + \half
    delta   .Ln
    subi    MK+\m, (.Lheld_\m - .Ldelta) & 0xff
    .Lheld_\m = .Ldelta
    put_subkey .Ln, MK+\m
    .endr
.endm

/* From X = key and Z = rk: 432 cycles, 6 of moving Z, and what put_subkey takes beyond a store. */
.macro KeySchedule order:vararg
    .Lz = 0
    load_half                       ; MK0..7
    move_Z  76
    WhiteningKeyGeneration 132, MK  ; WK4..7
    .irp i, 7, 6, 5, 4
    SubkeyGeneration 0, \i, \order
    .endr
    move_Z  0
    .irp i, 3, 2, 1, 0
    SubkeyGeneration 0, \i, \order
    .endr
    load_half                       ; MK8..15
    WhiteningKeyGeneration 0, MK+4  ; WK0..3
    .irp i, 0, 1, 2, 3
    SubkeyGeneration 8, \i, \order
    .endr
    move_Z  76
    .irp i, 4, 5, 6, 7
    SubkeyGeneration 8, \i, \order
    .endr
.endm

/* ---- The small key schedule: the subkeys one by one, in the standard's order.
 *
 *     X         Z   r0      r18    r19            r20                   r21   r22:r23
 *     key byte  rk  subkey  delta  2i + which     low bits: j-i mod 8,  left  key
 *                                  half           bit 3: which half
 *
 * Whitening keys are copied before (r19 = 0) and after (r19 = 16).  even is an instruction on the
 * subkeys of even number, if it is given.  19 cycles a subkey, 21 with even. */
.macro SmallKeySchedule even:vararg
    movw    ZL, r24                 ; Z = rk
    movw    XL, r22
    adiw    XL, 12                  ; X = MK12, WK0
    clr     r19
1:  ldi     r21, 4
2:  ld      r0, X+
    st      Z+, r0                  ; WK0..3 or WK4..7
    dec     r21
    brne    2b
    sbrc    r19, 4
    ret
    ldi     r18, 0x5a               ; delta_0
    clr     r20
3:  bst     r19, 0                  ; T = which half
    ldi     r21, 8
4:  bld     r20, 3
    andi    r20, 15
    movw    XL, r22
    add     XL, r20
    adc     XH, r1
    ld      r0, X                   ; MK
    add     r0, r18                 ; SK
    .ifnb   \even
    sbrs    r21, 0
    \even
    .endif
    st      Z+, r0
    sbrc    r18, 3                  ; bit 7 of r18: bit 3 ^ bit 0, the next bit 6
    ori     r18, 0x80
    sbrc    r18, 0
    subi    r18, 0x80
    lsr     r18                     ; next delta
    inc     r20
    dec     r21
    brne    4b
    inc     r19
    sbrs    r19, 0
    dec     r20                     ; next i
    sbrs    r19, 4
    rjmp    3b
    movw    XL, r22                 ; X = MK0, WK4
    rjmp    1b
.endm

#endif

/* ---- On the fly: kernels that store the key alone hold all of it in registers.
 *
 *     MK0 ... MK15  the block
 *     r2 ... r17    r18 ... r25
 *
 * Sixteen subkeys, of four rounds, take each half of the key once, in order; then both halves turn by one.  So a
 * loop of two rounds takes eight subkeys from one half; then the halves turn and change places.
 *
 * begin and end are the same code for both directions: enc and dec leave the address of what follows in Z.  They
 * need no more stack than their pushes, and only what a program uses is linked. */
#if defined(HIGHT_TURNED_KEYS)

#if defined(__AVR_HAVE_JMP_CALL__)
#define far_jump jmp
#else
#define far_jump rjmp
#endif

.macro fly_frame kernel
FUNC haechi_\kernel\()_begin
    .irp r, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 22, 23
    push    \r
    .endr
    movw    XL, r22                 ; X = buf
    movw    YL, r24                 ; Y = rk
    .irp b, 0, 1, 2, 3, 4, 5, 6, 7
    ld      18+\b, X+
    .endr
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd     2+\m, Y+\m
    .endr
    ijmp
ENDF

FUNC haechi_\kernel\()_end
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block r19, r20, r21, r22, r23, r24, r25, r18
    clr     r1
    .irp r, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop     \r
    .endr
    ret
ENDF

FUNC haechi_\kernel\()_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    ldi     r18, 16
1:  ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    1b
    ret
ENDF
.endm

.macro begin kernel, body
    ldi     ZL, lo8(gs(\body))
    ldi     ZH, hi8(gs(\body))
    far_jump haechi_\kernel\()_begin
\body:
.endm

/* After eight subkeys from M: M'[j] = N[j], N'[j] = M[j-1].  M and N are numbers of registers, t is scratch. */
.macro turn_keys M, N, t
    mov     \t, \M
    mov     \M, \N
    .irp j, 7, 6, 5, 4, 3, 2, 1
    mov     \N+((\j+1)&7), \M+\j
    mov     \M+\j, \N+\j
    .endr
    mov     \N+1, \t
.endm

/* And back: M'[j] = N[j], N'[j] = M[j+1]. */
.macro turn_keys_back M, N, t
    mov     \t, \M
    mov     \M, \N
    .irp j, 0, 1, 2, 3, 4, 5, 6
    mov     \N+\j, \M+\j+1
    mov     \M+\j+1, \N+\j+1
    .endr
    mov     \N+7, \t
.endm

.macro InitialTransformation
    add     x0, r14                 ; WK0 = MK12
    eor     x2, r15                 ; WK1
    add     x4, r16                 ; WK2
    eor     x6, r17                 ; WK3
.endm

.macro FinalTransformation
    add     x1, r2                  ; WK4 = MK0
    eor     x3, r3                  ; WK5
    add     x5, r4                  ; WK6
    eor     x7, r5                  ; WK7
.endm

/* In decryption x0 ... x7 hold what the standard calls X1 ... X7, X0; and as the last turn of the block and of the key
 * is left out, they hold X7, X0 ... X6 at the end, where MK8 ... MK15 have come to r2 ... r9. */
.macro InverseFinalTransformation
    sub     x0, r2                  ; WK4 = MK0
    eor     x2, r3                  ; WK5
    sub     x4, r4                  ; WK6
    eor     x6, r5                  ; WK7
.endm

.macro InverseInitialTransformation
    sub     x1, r6                  ; WK0 = MK12
    eor     x3, r7                  ; WK1
    sub     x5, r8                  ; WK2
    eor     x7, r9                  ; WK3
.endm

#if defined(HIGHT_DELTAS)

#define deltas haechi_hight_deltas
    .section .progmem.data.haechi_hight_deltas, "aG", %progbits, haechi_hight_deltas, comdat
    .global deltas
    .type   deltas, %object
    .size   deltas, 128
deltas:
    .Ldelta = 0x5a
    .rept 128
    .byte .Ldelta
    .Ldelta = .Ldelta >> 1 | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 6
    .endr

/* Such kernels define
 *
 *     F1_step op, y, x, key        y = y + (F1(x) ^ (key + the next delta)), or y - (...)
 *     F0_step y, x, key            y = y ^ (F0(x) + key + the next delta)
 *     ready delta                  Z = where delta stands, and what else the steps want
 *
 * A round takes subkeys j to j+3 of a half. */
.macro Round p7, p6, p5, p4, p3, p2, p1, p0, j
    F1_step add, \p1, \p0, HALF_A+\j
    F0_step \p3, \p2, HALF_A+\j+1
    F1_step add, \p5, \p4, HALF_A+\j+2
    F0_step \p7, \p6, HALF_A+\j+3
.endm

/* The steps of a round do not depend on one another: the inverse round, too, takes its deltas upwards.  The half has
 * turned seven times. */
.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0, j
    F1_step sub, \p1, \p0, HALF_B+((\j+1)&7)
    F0_step \p3, \p2, HALF_B+((\j+2)&7)
    F1_step sub, \p5, \p4, HALF_B+((\j+3)&7)
    F0_step \p7, \p6, HALF_B+((\j+4)&7)
    sbiw    ZL, 8                   ; Z = deltas of the round before
.endm

.macro fly_rounds kernel
FUNC haechi_\kernel\()_enc
    begin   \kernel, .Lenc
    ready   deltas
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0, 0
    Round   x6, x5, x4, x3, x2, x1, x0, x7, 4
    turn_by_2 r0
    turn_keys HALF_A, HALF_B, r0
    cpi     ZL, lo8(deltas + 128)
    breq    2f
    rjmp    1b
2:  FinalTransformation
    far_jump haechi_\kernel\()_end
ENDF

FUNC haechi_\kernel\()_dec
    begin   \kernel, .Ldec
    ready   deltas+124
    InverseFinalTransformation
1:  InverseRound x7, x6, x5, x4, x3, x2, x1, x0, 4
    InverseRound x0, x7, x6, x5, x4, x3, x2, x1, 0
    cpi     ZL, lo8(deltas - 4)
    breq    2f
    turn_back_by_2 r0
    turn_keys_back HALF_B, HALF_A, r0
    rjmp    1b
2:  InverseInitialTransformation
    far_jump haechi_\kernel\()_end
ENDF
.endm

#endif
#endif

#endif

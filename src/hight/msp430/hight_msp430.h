/* hight_msp430.h - what the HIGHT kernels for MSP430 share: tables, frames, the standard's steps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel says below what it takes of this.
 *
 *     HIGHT_TABLES        F0 and F1 in flash, a table each
 *     HIGHT_PLAIN_KEYS    rounds in a loop, whose keys are bytes, for both directions the same
 *     HIGHT_SIGNED_KEYS   rounds in a loop that a sign among the keys ends, for each direction its own
 *     HIGHT_FAST_KEYS     their key schedule, two subkeys at once, its deltas in flash
 *     HIGHT_SMALL_KEYS    their key schedule, one subkey after another
 *     HIGHT_NO_TABLES     F0 and F1 by rotations
 *
 *     x0  x1  x2  x3  x4  x5  x6   x7   rp           buf                  T        rounds
 *     r4  r5  r6  r7  r8  r9  r10  r11  r12          r13                  r14      r15
 *     the block, a byte each            round keys   block, then 8 more   scratch  left, by eights      */
#ifndef HAECHI_HIGHT_MSP430_H
#define HAECHI_HIGHT_MSP430_H

#include "../../asm/msp430.h"
#include "../hight_constants.h"

#if defined(HIGHT_PLAIN_KEYS)
#define x0 r4
#define rounds r15
#else
#define x0 r15 /* no counter: r4 stays as it is */
#endif
#define x1 r5
#define x2 r6
#define x3 r7
#define x4 r8
#define x5 r9
#define x6 r10
#define x7 r11
#define rp r12
#define buf r13
#define T r14

/* ---- Constants.  Each stands in a COMDAT group, of which the linker keeps one for all kernels. */

.macro constant name, size
    .section .rodata.\name, "aG", %progbits, \name, comdat
    .p2align 1
    .global \name
    .type   \name, %object
    .size   \name, \size
\name:
.endm

#if defined(HIGHT_TABLES)
#define F0 haechi_hight_msp430_F0
#define F1 haechi_hight_msp430_F1
    constant haechi_hight_msp430_F0, 256
    table   F0_ROTATIONS
    constant haechi_hight_msp430_F1, 256
    table   F1_ROTATIONS

/* y = y + (F1(x) ^ the next subkey), or y - (...): 6 cycles */
.macro F1_step op, y, x
    mov.b   F1(\x), T
    xor.b   @rp+, T                 ; F1(x) ^ SK
    \op     T, \y
.endm

/* y = y ^ (F0(x) + the next subkey): 6 cycles */
.macro F0_step y, x
    mov.b   F0(\x), T
    add.b   @rp+, T                 ; F0(x) + SK
    xor.b   T, \y
.endm
#endif

/* ---- F0 and F1 without tables. */
#if defined(HIGHT_NO_TABLES)
#define U r13

/* T = F0(x) = x>>>1 ^ (x ^ x<<<1)<<<1: 10 cycles */
.macro F0 x
    mov.b   \x, T
    rla.b   T
    adc.b   T                       ; x<<<1
    xor.b   \x, T
    rla.b   T
    adc.b   T                       ; x<<<1 ^ x<<<2
    mov.b   \x, U
    bit     #1, U
    rrc.b   U
    xor.b   U, T                    ; ... ^ x<<<7
.endm

/* U = F1(x) = x>>>2 ^ x>>>4 ^ x>>>5 in its lower byte, from x twice in a word: 11 cycles */
.macro F1 x
    mov.b   \x, T
    swpb    T
    xor     \x, T                   ; x:x
    mov     T, U
    rra     U
    xor     T, U                    ; x ^ x>>>1
    rra     U
    rra     U
    xor     T, U                    ; x ^ x>>>2 ^ x>>>3
    rra     U
    rra     U
.endm

/* y = y + (F1(x) ^ the next subkey), or y - (...): 14 cycles */
.macro F1_step op, y, x
    F1      \x
    xor.b   @rp+, U                 ; F1(x) ^ SK
    \op     U, \y
.endm

/* T = F0(x) + the next subkey: 12 cycles */
.macro F0_sum x
    F0      \x
    add.b   @rp+, T
.endm

/* y = y ^ (F0(x) + the next subkey): 13 cycles */
.macro F0_step y, x
    F0_sum  \x
    xor.b   T, \y
.endm
#endif

/* ---- Frames: the block comes in and goes out; bytes are named in its order. */

.macro load b:vararg
    .irp    r, \b
    mov.b   @buf+, \r
    .endr
.endm

/* Two bytes of the block go out as one word: 6 cycles. */
.macro store_pair at, low, high
    swpb    \high
    bis     \low, \high
    mov     \high, \at - 8(buf)
.endm

.macro store b0, b1, b2, b3, b4, b5, b6, b7
    store_pair 0, \b0, \b1
    store_pair 2, \b2, \b3
    store_pair 4, \b4, \b5
    store_pair 6, \b6, \b7
.endm

/* x = x + the next whitening key, or -, or ^ */
.macro whiten op, x
    \op     @rp+, \x
.endm

/* ---- Whitening. */

.macro FinalTransformation
    whiten  add.b, x1               ; WK4
    whiten  xor.b, x3               ; WK5
    whiten  add.b, x5               ; WK6
    whiten  xor.b, x7               ; WK7
.endm

.macro InverseFinalTransformation
    whiten  sub.b, x1               ; WK4
    whiten  xor.b, x3               ; WK5
    whiten  sub.b, x5               ; WK6
    whiten  xor.b, x7               ; WK7
.endm

.macro InverseInitialTransformation
    whiten  sub.b, x0               ; WK0
    whiten  xor.b, x2               ; WK1
    whiten  sub.b, x4               ; WK2
    whiten  xor.b, x6               ; WK3
.endm

#if defined(HIGHT_PLAIN_KEYS) || defined(HIGHT_SIGNED_KEYS)

/* ---- Encryption: the standard's steps. */

.macro InitialTransformation
    whiten  add.b, x0               ; WK0
    whiten  xor.b, x2               ; WK1
    whiten  add.b, x4               ; WK2
    whiten  xor.b, x6               ; WK3
.endm

.macro Round p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step add.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
.endm

#endif

#if defined(HIGHT_PLAIN_KEYS)

/* Eight rounds, after which the names stand as at first.  So after 32 rounds; and as the last round of
 * the cipher does not rotate, byte j of the result is x(j+1). */
.macro Rounds_8
    Rounds_5
    Rounds_3
.endm

.macro Rounds_5
    Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    Round   x5, x4, x3, x2, x1, x0, x7, x6
    Round   x4, x3, x2, x1, x0, x7, x6, x5
    Round   x3, x2, x1, x0, x7, x6, x5, x4
.endm

.macro Rounds_3
    Round   x2, x1, x0, x7, x6, x5, x4, x3
    Round   x1, x0, x7, x6, x5, x4, x3, x2
    Round   x0, x7, x6, x5, x4, x3, x2, x1
.endm

/* ---- Decryption: the rounds backwards.  The four steps of one round do not touch one another, so their
 * keys are read forwards, and 8 is a constant that costs nothing to go back by. */

.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0
    sub     #8, rp
    F1_step sub.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step sub.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
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

#if defined(HIGHT_FAST_KEYS)

/* ---- The fast key schedule: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same for the other
 * half of the key with n = 16i + j + 8.  Two subkeys at once, MK_m and MK_(m+1) in a word: m even serves
 * even i, m odd the others.
 *
 *     w0 w1 w2 w3     v0 v1 v2 v3     rp          key       T   deltas
 *     r4 r5 r6 r7     r8 r9 r10 r11   r12         r13       r14 r15
 *     two key bytes   their top       rk + 16i
 *     but for the     bits            of SK0
 *     top bits
 *
 * As a delta has seven bits, and what is added to it too, no carry leaves a byte; the top bits come back by
 * XOR. */
#define w0 r4
#define w1 r5
#define w2 r6
#define w3 r7
#define v0 r8
#define v1 r9
#define v2 r10
#define v3 r11
#define key r13
#define deltas r15

/* In the order in which they are used: by half of the key, by i mod 2, by i / 2, by j / 2. */
    constant haechi_hight_msp430_deltas, 128
    .irp half, 0, 8
    .irp odd, 0, 16
    .irp i, 0, 32, 64, 96
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    delta   \half + \odd + \i + \j
    .byte   .Ldelta
    .endr
    .endr
    .endr
    .endr

.macro split w, v
    mov     \w, \v
    and     T, \v                   ; the top bits
    xor     \v, \w                  ; all but them
.endm

.macro put at, w, v
    mov     @deltas+, T
    add     \w, T
    xor     \v, T                   ; two subkeys
    mov     T, \at(rp)
.endm

.macro put_all i, wa, va, wb, vb, wc, vc, wd, vd
    put     16*\i, \wa, \va
    put     16*\i+2, \wb, \vb
    put     16*\i+4, \wc, \vc
    put     16*\i+6, \wd, \vd
.endm

.macro FastKeySchedule kernel
FUNC haechi_\kernel\()_put
    mov     #0x8080, T
    split   w0, v0
    split   w1, v1
    split   w2, v2
    split   w3, v3
    put_all 0, w0, v0, w1, v1, w2, v2, w3, v3
    put_all 2, w3, v3, w0, v0, w1, v1, w2, v2
    put_all 4, w2, v2, w3, v3, w0, v0, w1, v1
    put_all 6, w1, v1, w2, v2, w3, v3, w0, v0
    ret
ENDF

FUNC haechi_\kernel\()_eks
    push_all r4, r5, r6, r7, r8, r9, r10
    mov     @key+, w0
    mov     @key+, w1
    mov     w0, 132(rp)             ; WK4, WK5
    mov     w1, 134(rp)             ; WK6, WK7
    mov     8(key), 0(rp)           ; WK0, WK1
    mov     10(key), 2(rp)          ; WK2, WK3
    add     #4, rp
    mov     #haechi_hight_msp430_deltas, deltas
    jmp     2f
1:  mov     @key+, w0
    mov     @key+, w1
2:  mov     @key+, w2
    mov     @key+, w3               ; MK0..7 or MK8..15
    call    #haechi_\kernel\()_put
    add     #16, rp
    mov.b   -1(key), T
    sub     #8, key
    .irp w, w0, w1, w2
    mov.b   @key+, \w
    swpb    \w
    bis     T, \w
    mov.b   @key+, T
    .endr
    mov.b   @key+, w3
    swpb    w3
    bis     T, w3                   ; MK7, MK0..6, or MK15, MK8..14
    inc     key
    call    #haechi_\kernel\()_put
    sub     #8, rp
    cmp     #haechi_hight_msp430_deltas + 128, deltas
    jne     1b
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF
.endm

#endif

#if defined(HIGHT_SMALL_KEYS)

/* ---- The small key schedule: the subkeys one by one, in the standard's order.
 *
 *     r9                r10  r11              r12  r13  r14    r15
 *     address, subkey   i    8 * half + j     rk   key  delta  2 * delta, and a bit that does not matter */
.macro SmallKeySchedule
    push_all r9, r10
    mov     12(r13), 0(r12)         ; WK0, WK1
    mov     14(r13), 2(r12)         ; WK2, WK3
    mov     @r13, 132(r12)          ; WK4, WK5
    mov     2(r13), 134(r12)        ; WK6, WK7
    mov     #2 * 0x5a, r15
    clr     r10
1:  clr     r11
2:  mov     r11, r9
    sub     r10, r9
    xor     r11, r9
    and     #7, r9
    xor     r11, r9                 ; 8 * half + (j-i mod 8)
    add     r13, r9
    mov.b   @r9, r9                 ; MK
    mov     r15, r14
    rra     r14                     ; delta
    add.b   r14, r9                 ; SK
    mov.b   r9, 4(r12)
    inc     r12
    bit     #8, r14
    adc     r14                     ; bit 0: the next bit 6, bit 3 ^ bit 0 of delta
    rrc     r14
    rrc.b   r15                     ; the next delta
    inc     r11
    bit     #16, r11
    jz      2b
    inc     r10
    cmp     #8, r10
    jne     1b
    pop_all r10, r9
    ret
.endm

#endif

#endif

#endif

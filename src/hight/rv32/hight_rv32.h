/* hight_rv32.h - what the HIGHT kernels for RISC-V share: the steps of the standard on two bytes at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Bytes i and i+4 of the block go through the same step of a round, so they share a register:
 *
 *          31    24 23    16 15     8 7      0
 *     R0  |    0   |   x4   |    0   |   x0   |
 *     R1  |    0   |   x5   |    0   |   x1   |
 *     R2  |    0   |   x6   |    0   |   x2   |
 *     R3  |    0   |   x7   |    0   |   x3   |
 *
 * A round does B += F1(A) ^ SK and D ^= F0(C) + SK, and then each byte moves on by one place: A becomes B, B becomes C,
 * C becomes D, and D becomes A with its two bytes exchanged, because x3 becomes x4, and x7 becomes x0.  Here neither words
 * nor bytes move.  In the next round A, B, C and D are R3, R0, R1 and R2, and so on.  After four rounds each register is
 * again what it was, with its bytes exchanged, and after eight rounds everything is in its place.
 *
 * The bytes of a register suit those of the next one, but for R3, whose bytes R0 has in the other order.  Only in every
 * second round a step goes from R3 to R0.  It turns F1 or F0 of R3 by 16 bits where another one shifts it.
 *
 * Because every other byte is empty, a byte can be written twice, xx = x | x << 8, and xx contains every rotation of x:
 *     F0(x) = x<<<1 ^ x<<<2 ^ x<<<7:    xx ^ xx >> 5 ^ xx >> 6, from bit 1 on
 *     F1(x) = x<<<3 ^ x<<<4 ^ x<<<6:    xx ^ xx >> 2 ^ xx >> 3, from bit 2 on
 * The bits beside these eight would carry into the next byte, and so do sums.  Therefore an AND precedes each
 * addition, and another one follows it.
 *
 * The key of a round is a word.  Its even bytes are the subkeys SK0 and SK2 for F1, and its odd bytes SK1 and SK3 for F0,
 * each in the order that the bytes of B and D have in this round:
 *
 *     rounds i mod 8 = 0, 1    SK0 SK1 SK2 SK3        lowest byte first
 *                      2, 3    SK2 SK1 SK0 SK3
 *                      4, 5    SK2 SK3 SK0 SK1
 *                      6, 7    SK0 SK3 SK2 SK1
 *
 *     a0   a1   a2 a3 a4 a5  a6          a7     t0 t1    t2
 *     rk   buf  R0 R1 R2 R3  0x00ff00ff  a key  scratch  end of a loop */
#ifndef HAECHI_HIGHT_RV32_H
#define HAECHI_HIGHT_RV32_H

#include "../../asm/rv32.h"
#include "../hight_constants.h"

#if defined(HAECHI_RV32)

#define R0 a2
#define R1 a3
#define R2 a4
#define R3 a5
#define M a6
#define K a7

/* t0 = xx ^ xx >> m ^ xx >> n, moved down to bit 0 from the place where F is: bit 1 or 2.  If `turn` is set, its bytes
 * are exchanged. */
.macro F x, m, n, from, turn
    slli    t0, \x, 8
    or      t0, t0, \x              # xx
    srli    t1, t0, \m
    xor     t1, t1, t0
    srli    t0, t0, \n
    xor     t0, t0, t1
    .if \turn
    ROR     t0, t0, 16+\from, t1
    .else
    srli    t0, t0, \from
    .endif
.endm

/* b = b + (F1(a) ^ SK), or b - (F1(a) ^ SK). */
.macro F1_step op, b, a, turn
    F       \a, 2, 3, 2, \turn
    xor     t0, t0, K
    and     t0, t0, M
    .ifc \op, sub
    ori     \b, \b, 0x100           # so that the lower byte borrows nothing from the upper one
    .endif
    \op     \b, \b, t0
    and     \b, \b, M
.endm

/* d = d ^ (F0(c) + SK) */
.macro F0_step d, c, turn
    F       \c, 5, 6, 1, \turn
    and     t0, t0, M
    srli    K, K, 8
    and     K, K, M
    add     t0, t0, K
    xor     \d, \d, t0
    and     \d, \d, M
.endm

/* A round or, with op = sub, its inverse.  turn1 and turn0 say whether the step with F1 or F0 goes from R3 to R0. */
.macro Round op, at, a, b, c, d, turn1=0, turn0=0
    lw      K, \at(a0)
    F1_step \op, \b, \a, \turn1
    F0_step \d, \c, \turn0
.endm

.macro FourRounds at
    Round   add, \at, R0, R1, R2, R3
    Round   add, \at+4, R3, R0, R1, R2, turn1=1
    Round   add, \at+8, R2, R3, R0, R1
    Round   add, \at+12, R1, R2, R3, R0, turn0=1
.endm

.macro FourInverseRounds at
    Round   sub, \at+12, R1, R2, R3, R0, turn0=1
    Round   sub, \at+8, R2, R3, R0, R1
    Round   sub, \at+4, R3, R0, R1, R2, turn1=1
    Round   sub, \at, R0, R1, R2, R3
.endm

/* ---- From the block's order in memory to that of the rounds and back. */

/* p and q hold x3 x2 x1 x0 and x7 x6 x5 x4, lowest byte last, and become x5 x4 x1 x0 and x7 x6 x3 x2, or the other way
 * round. */
.macro exchange p, q
    srli    t0, \p, 16
    xor     t0, t0, \q
    slli    t0, t0, 16
    xor     \p, \p, t0
    srli    t0, t0, 16
    xor     \q, \q, t0
.endm

.macro load_block
    lw      R0, 0(a1)
    lw      R2, 4(a1)
    exchange R0, R2
.endm

.macro store_block p, q
    exchange \p, \q
    sw      \p, 0(a1)
    sw      \q, 4(a1)
.endm

/* x = x + k or x - k in both bytes, for the whitening keys in the even bytes of K. */
.macro whiten_sum op, x
    and     t0, K, M
    .ifc \op, sub
    ori     \x, \x, 0x100
    .endif
    \op     \x, \x, t0
    and     \x, \x, M
.endm

/* The whitening keys in the odd bytes of K, in both bytes of a word. */
.macro whitening_xors to
    srli    \to, K, 8
    and     \to, \to, M
.endm

/* The block at a1, with the whitening keys at a0 added.  It comes out as R0 to R3. */
.macro InitialTransformation
    lw      K, 0(a0)
    load_block
    srli    R1, R0, 8
    and     R1, R1, M
    and     R0, R0, M
    whiten_sum add, R0
    srli    R3, R2, 8               # the first round masks R3
    srli    t0, K, 8
    xor     R2, R2, t0
    and     R2, R2, M
.endm

/* The last round moves no bytes, so that x1, x2 ... x7, x0 are now the block's bytes 0 to 7. */
.macro FinalTransformation at
    lw      K, \at(a0)
    whiten_sum add, R1
    whitening_xors t0
    xor     R3, R3, t0
    slli    R2, R2, 8
    or      R1, R1, R2              # bytes 5 4 1 0
    srli    t0, R0, 8
    or      R3, R3, t0
    slli    R0, R0, 24
    or      R3, R3, R0              # bytes 7 6 3 2
    store_block R1, R3
.endm

.macro InverseFinalTransformation at
    lw      K, \at(a0)
    lw      R1, 0(a1)
    lw      R3, 4(a1)
    exchange R1, R3
    srli    R2, R1, 8               # the first round masks R2, and the subtraction R1
    whiten_sum sub, R1
    srli    R0, R3, 24              # x0
    srli    t0, R3, 8
    slli    t0, t0, 24
    srli    t0, t0, 8
    or      R0, R0, t0              # x4, x0
    srli    t0, K, 8
    xor     R3, R3, t0
    and     R3, R3, M
.endm

.macro InverseInitialTransformation
    lw      K, 0(a0)
    whiten_sum sub, R0
    whitening_xors t0
    xor     R2, R2, t0
    slli    R1, R1, 8
    or      R0, R0, R1
    slli    R3, R3, 8
    or      R2, R2, R3
    store_block R0, R2
.endm

/* ---- One block, in turns of 4 * `fours` rounds. */

.macro encrypt fours
    li      M, 0x00ff00ff
    InitialTransformation
    addi    t2, a0, 128
1:  .Lat = 4
    .rept \fours
    FourRounds .Lat
    .Lat = .Lat + 16
    .endr
    addi    a0, a0, 16*\fours
    bne     a0, t2, 1b
    FinalTransformation 4
    ret
.endm

.macro decrypt fours
    li      M, 0x00ff00ff
    InverseFinalTransformation 132
    mv      t2, a0
    addi    a0, a0, 128
1:  addi    a0, a0, -16*\fours
    .Lat = 16*\fours-12
    .rept \fours
    FourInverseRounds .Lat
    .Lat = .Lat - 16
    .endr
    bne     a0, t2, 1b
    InverseInitialTransformation
    ret
.endm

/* ---- The key schedule: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with MK8 to MK15 for n = 16i +
 * j + 8.  Four subkeys are made at once.  A delta has seven bits, so the sum of it and the low seven bits of a key byte
 * carries into bit 7 at most, where the eighth bit of the key is XORed.
 *
 *     a0   a1      a2 a3         a4 a5           a6          a7          t0       t1       t2   t3          t4
 *     rk   deltas  half the key  its other half  0x7f7f7f7f  0x80808080  subkeys  scratch  end  0x0000ff00  scratch */

/* t0 = the subkeys of a round with this part of the key. */
.macro subkeys at, key
    lw      t0, \at(a1)
    and     t1, \key, a6
    add     t0, t0, t1
    and     t1, \key, a7
    xor     t0, t0, t1
.endm

/* Exchanges bytes 0 and 2 of t0. */
.macro exchange_even
    srli    t1, t0, 16
    xor     t1, t1, t0
    andi    t1, t1, 0xff
    xor     t0, t0, t1
    slli    t1, t1, 16
    xor     t0, t0, t1
.endm

/* Exchanges bytes 1 and 3 of t0. */
.macro exchange_odd
    srli    t1, t0, 16
    xor     t1, t1, t0
    and     t1, t1, t3
    xor     t0, t0, t1
    slli    t1, t1, 16
    xor     t0, t0, t1
.endm

/* Half the key moves up by a byte. */
.macro turn_half low, high
    srli    t0, \low, 24
    srli    t1, \high, 24
    slli    \low, \low, 8
    slli    \high, \high, 8
    or      \low, \low, t1
    or      \high, \high, t0
.endm

.macro KeySchedule deltas
    load_words a1, 0, a2, a3, a4, a5
    la      a1, \deltas
    li      a6, 0x7f7f7f7f
    not     a7, a6
    li      t3, 0xff00
    sw      a5, 0(a0)               # WK0 to WK3
    sw      a2, 132(a0)             # WK4 to WK7
    addi    t2, a0, 128
1:  subkeys 0, a2
    sw      t0, 4(a0)
    subkeys 4, a3
    sw      t0, 8(a0)
    subkeys 8, a4
    exchange_even
    sw      t0, 12(a0)
    subkeys 12, a5
    exchange_even
    sw      t0, 16(a0)
    turn_half a2, a3
    turn_half a4, a5
    subkeys 16, a2
    ROR     t0, t0, 16, t1
    sw      t0, 20(a0)
    subkeys 20, a3
    ROR     t0, t0, 16, t1
    sw      t0, 24(a0)
    subkeys 24, a4
    exchange_odd
    sw      t0, 28(a0)
    subkeys 28, a5
    exchange_odd
    sw      t0, 32(a0)
    turn_half a2, a3
    turn_half a4, a5
    addi    a0, a0, 32
    addi    a1, a1, 32
    bne     a0, t2, 1b
    ret
.endm

/* The deltas, as an object with a name: 128 bytes. */
.macro named_deltas name
    .section .rodata.\name, "a", %progbits
    .p2align 2
    .type   \name, %object
    .size   \name, 128
\name:
    .Ldelta = 0x5a
    .rept 128
    .byte   .Ldelta
    .Ldelta = .Ldelta >> 1 | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 6
    .endr
.endm

#endif
#endif

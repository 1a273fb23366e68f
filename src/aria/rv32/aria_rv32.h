/* aria_rv32.h - ARIA for RISC-V: the steps of a round on words of the block, and the key schedule.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Byte 4r + c of the block is byte c of word r, of row r and column c.  Column c is looked up in table Tc by SL1; SL2
 * exchanges T0 with T2 and T1 with T3.
 *
 *     a0         a1   a2 a3 a4 a5  a6          a7          t0 ... t4  t5               t6
 *     round key  buf  x0 x1 x2 x3  the tables  0x00ff00ff  scratch    end of the keys  not used
 *
 * a6 points behind T1, so that the offsets of all four tables fit in a load. */
#ifndef HAECHI_ARIA_RV32_H
#define HAECHI_ARIA_RV32_H

#include "../../asm/rv32.h"
#include "../aria_words.h"

#if defined(HAECHI_RV32)

#define x0 a2
#define x1 a3
#define x2 a4
#define x3 a5
#define T a6
#define M a7

#define T0 -2048
#define T1 -1024
#define T2 0
#define T3 1024
#define SL1 T0, T1, T2, T3
#define SL2 T2, T3, T0, T1

.macro AddRoundKey at
    load_words a0, \at, t0, t1, t2, t3
    xor     x0, x0, t0
    xor     x1, x1, t1
    xor     x2, x2, t2
    xor     x3, x3, t3
.endm

/* x = x <<< 16 */
.macro turn x, t
    ROR     \x, \x, 16, \t
.endm

/* Reverses the bytes of each half of x. */
.macro REV16 x, t
#if defined(__riscv_zbb)
    rev8    \x, \x
    turn    \x, \t
#else
    srli    \t, \x, 8
    and     \t, \t, M
    and     \x, \x, M
    slli    \x, \x, 8
    or      \x, \x, \t
#endif
.endm

/* Reverses the bytes of x. */
.macro REV x, t
#if defined(__riscv_zbb)
    rev8    \x, \x
#else
    REV16   \x, \t
    turn    \x, \t
#endif
.endm

/* x = the sum of the entries for its four bytes in tables a to d, in which entries have four bytes. */
.macro LookUp x, a, b, c, d
    slli    t0, \x, 2
    srli    t1, \x, 6
    srli    t2, \x, 14
    srli    t3, \x, 22
    andi    t0, t0, 0x3fc
    andi    t1, t1, 0x3fc
    andi    t2, t2, 0x3fc
    andi    t3, t3, 0x3fc
    add     t0, t0, T
    add     t1, t1, T
    add     t2, t2, T
    add     t3, t3, T
    lw      t0, \a(t0)
    lw      t1, \b(t1)
    lw      t2, \c(t2)
    lw      t3, \d(t3)
    xor     t0, t0, t1
    xor     t2, t2, t3
    xor     \x, t0, t2
.endm

.macro SubstLayer a, b, c, d
    LookUp  x0, \a, \b, \c, \d
    LookUp  x1, \a, \b, \c, \d
    LookUp  x2, \a, \b, \c, \d
    LookUp  x3, \a, \b, \c, \d
.endm

/* Each word becomes the sum of the three others, and a and d change places. */
.macro OtherWords a, b, c, d
    xor     \b, \b, \c
    xor     \c, \c, \d
    xor     \a, \a, \b
    xor     \d, \d, \b
    xor     \c, \c, \a
    xor     \b, \b, \c
.endm

/* The diffusion layer after its first step, in which each byte becomes the sum of the three others of its word.  Sums
 * of words come first.  Then column c of word r goes to column c ^ 3, c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Sums
 * of words follow again, after which every word is in its place. */
.macro Words a, b, c, d
    OtherWords \a, \b, \c, \d
    REV     \d, t0                  # word 0
    REV16   \b, t0
    turn    \c, t0
    OtherWords \d, \b, \c, \a
.endm

/* The same for words that come turned by 16 bits, where the columns go to c ^ 1, c ^ 3, c or c ^ 2. */
.macro WordsTurned a, b, c, d
    OtherWords \a, \c, \d, \b
    REV16   \b, t0                  # word 0
    REV     \a, t0                  # word 1
    turn    \d, t0
    OtherWords \b, \c, \d, \a
.endm

/* x = the bytes at these places for its four bytes: those of the entries in tables a to d. */
.macro LookUpBytes x, a, b, c, d
    slli    t0, \x, 2
    srli    t1, \x, 6
    srli    t2, \x, 14
    srli    t3, \x, 22
    andi    t0, t0, 0x3fc
    andi    t1, t1, 0x3fc
    andi    t2, t2, 0x3fc
    andi    t3, t3, 0x3fc
    add     t0, t0, T
    add     t1, t1, T
    add     t2, t2, T
    add     t3, t3, T
    lbu     t0, \a(t0)
    lbu     t1, \b(t1)
    lbu     t2, \c(t2)
    lbu     t3, \d(t3)
    slli    t1, t1, 8
    slli    t2, t2, 16
    slli    t3, t3, 24
    or      t0, t0, t1
    or      t2, t2, t3
    or      \x, t0, t2
.endm

.macro FO at=0
    AddRoundKey \at
    SubstLayer SL1
    Words   x0, x1, x2, x3
.endm

.macro FE at
    AddRoundKey \at
    SubstLayer SL2
    WordsTurned x0, x1, x2, x3
.endm

/* The last round has no diffusion layer, and adds a second key.  An entry of T0 has nothing in its first byte. */
.macro FF at
    AddRoundKey \at
    LookUpBytes x0, T2, T3, T0+1, T1
    LookUpBytes x1, T2, T3, T0+1, T1
    LookUpBytes x2, T2, T3, T0+1, T1
    LookUpBytes x3, T2, T3, T0+1, T1
    AddRoundKey \at+16
.endm

/* T and M for what follows. */
.macro constants tables
    la      T, \tables+2048
    li      M, 0x00ff00ff
.endm

#endif
#endif

/* aria_armv7m_layers.h - the diffusion layer of ARIA on words of the block, for Cortex-M.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Byte 4r + c of the block is byte c of word r, of row r and column c.
 *
 * Whoever includes this defines XOR, the instruction: eor.w where every instruction must have four bytes, and eors
 * where two are better and flags may change. */
#ifndef HAECHI_ARIA_ARMV7M_LAYERS_H
#define HAECHI_ARIA_ARMV7M_LAYERS_H

#include "../../asm/armv7m.h"

#if defined(HAECHI_ARMV7M)

/* x |= a byte at bit `at` */
.macro byte x, s, at
    orr.w   \x, \x, \s, lsl #\at
.endm

/* Each word becomes the sum of the three others, and a and d change places.  c is still to be rotated by `turn` bits. */
.macro OtherWords a, b, c, d, turn=0
    .if \turn
    XOR     \b, \b, \c, ror #\turn
    XOR     \c, \d, \c, ror #\turn
    .else
    XOR     \b, \b, \c
    XOR     \c, \c, \d
    .endif
    XOR     \a, \a, \b
    XOR     \d, \d, \b
    XOR     \c, \c, \a
    XOR     \b, \b, \c
.endm

/* The diffusion layer after its first step, in which each byte becomes the sum of the three others of its word.  Sums
 * of words come first.  Then column c of word r goes to column c ^ 3, c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Sums
 * of words follow again, after which every word is in its place. */
.macro Words a, b, c, d
    OtherWords \a, \b, \c, \d
    rev.w   \d, \d                  // word 0
    rev16.w \b, \b
    OtherWords \d, \b, \c, \a, 16
.endm

/* The same, after which all words are turned by 16 bits: column c goes to column c ^ 2. */
.macro WordsAndTurn a, b, c, d
    OtherWords \a, \c, \d, \b
    rev16   \b, \b                  // word 0
    rev     \a, \a
    OtherWords \b, \c, \d, \a, 16
.endm

/* The first step. */
.macro Bytes a, b, c, d, scratch
    .irp x, \a, \b, \c, \d
    XOR     \scratch, \x, \x, ror #16
    XOR     \scratch, \scratch, \scratch, ror #8
    XOR     \x, \x, \scratch        // each byte the sum of the three others
    .endr
.endm

/* The whole diffusion layer. */
.macro A a, b, c, d, scratch
    Bytes   \a, \b, \c, \d, \scratch
    Words   \a, \b, \c, \d
.endm

#endif
#endif

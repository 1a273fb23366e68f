/* aria_armv7m.h - ARIA on Cortex-M with tables of words: the layers of a round.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Byte 4r + c of the block is byte c of word r.  The tables give an S-box's output in three bytes of a word:
 *
 *     column           0    1    2    3
 *     SB1 of x (T0)    .    s    s    s       so that in SL1 the sum of a word's four look-ups is the
 *     SB2 of x (T1)    s    .    s    s       substituted word with each byte replaced by the sum of the
 *     SB3 of x (T2)    s    s    .    s       three others, the first step of the diffusion layer.
 *     SB4 of x (T3)    s    s    s    .       In SL2 it is that word turned by 16 bits.
 *
 *     r0                r4 r5 r6 r7    r8 r9 r10 r11    r1 r2 r3 r12 lr
 *     next round key    T0 T1 T2 T3    the block        scratch
 *
 * Every instruction here is 32 bits wide and starts at a multiple of four: a load that straddles words would not
 * pipeline behind another load. */
#ifndef HAECHI_ARIA_ARMV7M_H
#define HAECHI_ARIA_ARMV7M_H

#include "../../asm/armv7m.h"

#if defined(HAECHI_ARMV7M)

#define T0 r4
#define T1 r5
#define T2 r6
#define T3 r7
#define x0 r8
#define x1 r9
#define x2 r10
#define x3 r11
#define s0 r1
#define s1 r2
#define s2 r3
#define s3 r12
#define s4 lr

#define SL1 T0, T1, T2, T3
#define SL2 T2, T3, T0, T1

/* T0 to T3 = the addresses of the tables. */
.macro tables
    movw    T0, #:lower16:haechi_aria_armv7m_T
    movt    T0, #:upper16:haechi_aria_armv7m_T
    add.w   T1, T0, #1024
    add.w   T2, T0, #2048
    add.w   T3, T0, #3072
.endm

.macro AddRoundKey
    ldmia.w r0!, {s0, s1, s2, s3}
    eor.w   x0, x0, s0
    eor.w   x1, x1, s1
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3
.endm

/* Looks up all bytes in three chains of loads, which are as long as the number of registers allows.  A register holds
 * a byte and then the entry of the table for it.  `lookup` is ldr, or ldrb where one byte of the entry is needed;
 * `add` combines the entries of a word; a, b, c and d are the tables of the columns. */
.macro SubstLayer lookup, add, a, b, c, d
    ubfx    s0, x0, #8, #8
    ubfx    s1, x0, #16, #8
    lsr.w   s2, x0, #24
    ubfx    s3, x1, #8, #8
    ubfx    s4, x1, #16, #8
    uxtb.w  x0, x0
    \lookup s0, [\b, s0, lsl #2]
    \lookup s1, [\c, s1, lsl #2]
    \lookup s2, [\d, s2, lsl #2]
    \lookup s3, [\b, s3, lsl #2]
    \lookup s4, [\c, s4, lsl #2]
    \lookup x0, [\a, x0, lsl #2]
    \add    x0, s0, 8
    \add    x0, s1, 16
    \add    x0, s2, 24              // S(word 0)
    \add    s3, s4, 8               // columns 1 and 2 of word 1

    lsr.w   s0, x1, #24
    ubfx    s1, x2, #8, #8
    ubfx    s2, x2, #16, #8
    lsr.w   s4, x2, #24
    uxtb.w  x1, x1
    uxtb.w  x2, x2
    \lookup s0, [\d, s0, lsl #2]
    \lookup s1, [\b, s1, lsl #2]
    \lookup s2, [\c, s2, lsl #2]
    \lookup s4, [\d, s4, lsl #2]
    \lookup x1, [\a, x1, lsl #2]
    \lookup x2, [\a, x2, lsl #2]
    \add    x1, s3, 8
    \add    x1, s0, 24              // S(word 1)
    \add    x2, s1, 8
    \add    x2, s2, 16
    \add    x2, s4, 24              // S(word 2)

    ubfx    s0, x3, #8, #8
    ubfx    s1, x3, #16, #8
    lsr.w   s2, x3, #24
    uxtb.w  x3, x3
    \lookup s0, [\b, s0, lsl #2]
    \lookup s1, [\c, s1, lsl #2]
    \lookup s2, [\d, s2, lsl #2]
    \lookup x3, [\a, x3, lsl #2]
    \add    x3, s0, 8
    \add    x3, s1, 16
    \add    x3, s2, 24              // S(word 3)
.endm

/* The two forms of `add`: entries of words that are summed, and entries of one byte each. */
.macro whole x, s, at
    eor.w   \x, \x, \s
.endm

.macro byte x, s, at
    orr.w   \x, \x, \s, lsl #\at
.endm

/* Each word becomes the sum of the three others, and a and d change places.  c is still to be rotated by `turn` bits. */
.macro OtherWords a, b, c, d, turn=0
    .if \turn
    eor.w   \b, \b, \c, ror #\turn
    eor.w   \c, \d, \c, ror #\turn
    .else
    eor.w   \b, \b, \c
    eor.w   \c, \c, \d
    .endif
    eor.w   \a, \a, \b
    eor.w   \d, \d, \b
    eor.w   \c, \c, \a
    eor.w   \b, \b, \c
.endm

/* The diffusion layer after its first step, which the tables have done.  Sums of words come first.  Then column c of
 * word r goes to column c ^ 3, c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Sums of words follow again, after which every
 * word is in its place. */
.macro Words a, b, c, d
    OtherWords \a, \b, \c, \d
    rev.w   \d, \d                  // word 0
    rev16.w \b, \b
    OtherWords \d, \b, \c, \a, 16
.endm

/* The same for words that come rotated by 16 bits, where the columns go to c ^ 1, c ^ 3, c or c ^ 2. */
.macro WordsTurned a, b, c, d
    OtherWords \a, \c, \d, \b
    rev16.w \b, \b                  // word 0
    rev.w   \a, \a                  // word 1
    OtherWords \b, \c, \d, \a, 16
.endm

/* The whole diffusion layer, for words that no table has begun. */
.macro A a, b, c, d, scratch
    .irp x, \a, \b, \c, \d
    eor.w   \scratch, \x, \x, ror #16
    eor.w   \scratch, \scratch, \scratch, ror #8
    eor.w   \x, \x, \scratch        // each byte the sum of the three others
    .endr
    Words   \a, \b, \c, \d
.endm

/* The odd and the even rounds of the standard. */
.macro FO
    AddRoundKey
    SubstLayer ldr.w, whole, SL1
    Words   x0, x1, x2, x3
.endm

.macro FE
    AddRoundKey
    SubstLayer ldr.w, whole, SL2
    WordsTurned x0, x1, x2, x3
.endm

/* The last round has no diffusion layer, and adds a second key.  The loads of bytes begin one byte further, as the
 * entries of T0 have nothing in their lowest byte. */
.macro FF
    AddRoundKey
    add.w   T0, T0, #1
    SubstLayer ldrb.w, byte, SL2
    AddRoundKey
.endm

.macro load_block from
    ldr.w   x0, [\from]
    ldr.w   x1, [\from, #4]
    ldr.w   x2, [\from, #8]
    ldr.w   x3, [\from, #12]
.endm

#endif
#endif

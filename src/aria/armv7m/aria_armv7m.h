/* aria_armv7m.h - ARIA on Cortex-M with tables: what the kernels with tables of words and of bytes share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Byte 4r + c of the block is byte c of word r, of row r and column c.  SL1 looks up column c in table Tc; SL2 exchanges
 * T0 with T2 and T1 with T3.
 *
 *     r0                r4 r5 r6 r7    r8 r9 r10 r11    r1 r2 r3 r12 lr
 *     next round key    T0 T1 T2 T3    the block        scratch
 *
 * Whoever includes this defines PART(what), the name of a part of the kernel, and TABLE, the bytes of a table.
 *
 * Every instruction here is 32 bits wide and starts at a multiple of four: a load that straddles words would not
 * pipeline behind another load. */
#ifndef HAECHI_ARIA_ARMV7M_H
#define HAECHI_ARIA_ARMV7M_H

#define XOR eor.w
#include "aria_armv7m_layers.h"

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
    movw    T0, #:lower16:PART(T)
    movt    T0, #:upper16:PART(T)
    add.w   T1, T0, #TABLE
    add.w   T2, T0, #2*TABLE
    add.w   T3, T0, #3*TABLE
.endm

.macro AddRoundKey
    ldmia.w r0!, {s0, s1, s2, s3}
    eor.w   x0, x0, s0
    eor.w   x1, x1, s1
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3
.endm

/* Looks up all bytes in three chains of loads, which are as long as the number of registers allows.  A register holds
 * a byte and then the entry of the table for it.  `lookup` loads an entry, `add` combines the entries of a word; a, b,
 * c and d are the tables of the columns. */
.macro SubstLayer lookup, add, a, b, c, d
    ubfx    s0, x0, #8, #8
    ubfx    s1, x0, #16, #8
    lsr.w   s2, x0, #24
    ubfx    s3, x1, #8, #8
    ubfx    s4, x1, #16, #8
    uxtb.w  x0, x0
    \lookup s0, \b
    \lookup s1, \c
    \lookup s2, \d
    \lookup s3, \b
    \lookup s4, \c
    \lookup x0, \a
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
    \lookup s0, \d
    \lookup s1, \b
    \lookup s2, \c
    \lookup s4, \d
    \lookup x1, \a
    \lookup x2, \a
    \add    x1, s3, 8
    \add    x1, s0, 24              // S(word 1)
    \add    x2, s1, 8
    \add    x2, s2, 16
    \add    x2, s4, 24              // S(word 2)

    ubfx    s0, x3, #8, #8
    ubfx    s1, x3, #16, #8
    lsr.w   s2, x3, #24
    uxtb.w  x3, x3
    \lookup s0, \b
    \lookup s1, \c
    \lookup s2, \d
    \lookup x3, \a
    \add    x3, s0, 8
    \add    x3, s1, 16
    \add    x3, s2, 24              // S(word 3)
.endm

/* The odd rounds of the standard.  Who includes this has the macro SL1_and_bytes: the substitution layer and the first
 * step of the diffusion layer. */
.macro FO
    AddRoundKey
    SL1_and_bytes
    Words   x0, x1, x2, x3
.endm

.macro load_block from
    ldr.w   x0, [\from]
    ldr.w   x1, [\from, #4]
    ldr.w   x2, [\from, #8]
    ldr.w   x3, [\from, #12]
.endm

.macro enter
    push.w  {r1, r4-r11, lr}
    load_block r1
    tables
.endm

.macro store_block to
    str.w   x0, [\to]
    str.w   x1, [\to, #4]
    str.w   x2, [\to, #8]
    str.w   x3, [\to, #12]
.endm

#endif
#endif

/* hight_msp430_block.h - the block in registers and in memory, and whitening.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x1  x2  x3  x4  x5  x6   x7   rp           buf                  T
 *     r5  r6  r7  r8  r9  r10  r11  r12          r13                  r14
 *     the block, a byte each        round keys   block, then 8 more   scratch
 *
 * A kernel defines x0 before: r4 where r15 counts rounds, else r15, which spares pushing r4. */
#ifndef HAECHI_HIGHT_MSP430_BLOCK_H
#define HAECHI_HIGHT_MSP430_BLOCK_H

#include "../../asm/msp430.h"

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

/* ---- The block at buf.  The arguments name the registers of its bytes in their order in memory. */

.macro load b:vararg
    .irp    r, \b
    mov.b   @buf+, \r
    .endr
.endm

/* Stores two bytes of the block as one word, in 6 cycles. */
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

/* x = x + the next whitening key; op is add.b, sub.b or xor.b. */
.macro whiten op, x
    \op     @rp+, \x
.endm

/* ---- Whitening and its inverse. */

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

/* Moves words on by a place, the last one to the front. */
.macro turn a, b, c, d
    mov     \d, T
    mov     \c, \d
    mov     \b, \c
    mov     \a, \b
    mov     T, \a
.endm

#endif

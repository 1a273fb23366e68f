/* lea_msp430_ctr.h - counter mode for the LEA kernels for MSP430: the first two rounds of a block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * asm/msp430_ctr.h has what surrounds a block.  The last byte of the counter is the highest byte of X3.  In round 1 it
 * affects only the sum for X2.  After the rotation by 3 bits to the right the difference is still in the upper half of
 * X2, from where it affects the upper halves of the sums for X1 and X2 in round 2, and nothing else.  The rest is in
 * the cache, in the order in which blocks read it.  f is the sum whose round key comes first and s the other one: X2
 * and X1 with chain6, X1 and X2 with plain4.  H and L are the upper and lower halves of words.
 *
 *     0       2      4   6      8    10   12   14   16   18   20   22   24   26
 *     | X3, H | RK5 | C | E f  | E s | D f | f L | D s | s L | X0 of      | X3 of      | round keys
 *                         round 2, keys                        round 3      round 3      of round 3
 *
 *     sum for X2 of round 1 = (X3 ^ RK5) + C       f of round 2 = (X2 ^ E f) + D f       s = (X2 ^ E f ^ E s) + D s */
#ifndef HAECHI_LEA_MSP430_CTR_H
#define HAECHI_LEA_MSP430_CTR_H

#define CACHE 28
#define BLOCK 16
#define LAST_BYTE 1
#include "../../asm/msp430_ctr.h"
#include "lea_msp430_rounds.h"

/* ---- Blocks. */

.macro FirstRounds x0L, x0H, x3L, x3H, fL, fH, sL, sH
    mov     r1, rk
    mov     @rk+, \fH
    xor     @rk+, \fH               ; X3 ^ RK5
    add     @rk+, \fH               ; + (X2 ^ RK4)
    .rept 3
    rra     \fH
    .endr
    and     #0x1fff, \fH            ; X2 without the bits from its lower half
    xor     @rk+, \fH
    mov     \fH, \sH
    xor     @rk+, \sH
    add     @rk+, \fH
    mov     @rk+, \fL
    add     @rk+, \sH
    mov     @rk+, \sL
    .irp x, \x0L, \x0H, \x3L, \x3H
    mov     @rk+, \x
    .endr
    mov     @rk, rk
.endm

.macro SecondRotations x1L, x1H, x2L, x2H, scratch
    ROR8    \x1L, \x1H, \scratch
    ROL3    \x1L, \x1H              ; X1
    ROR3    \x2L, \x2H              ; X2
.endm

/* ---- The cache.  Both rounds are done on the counter as it is, and then what depends on the last byte is taken off.
 * */

/* After round 1.  buf = round keys; Ef and Es are the places of the round keys that round 2 XORs for f and s. */
.macro cache_round_1 x2H, uL, uH, Ef, Es
    mov     \x2H, \uH
    .rept 3
    add     \uH, \uH                ; the upper half of the sum for X2
    .endr
    mov     RK(r1), buf
    mov     2(buf), \uL
    mov     \uL, 2(r1)
    xor     0(r1), \uL
    sub     \uL, \uH
    mov     \uH, 4(r1)
    mov     \x2H, \uL
    and     #0xe000, \uL            ; the bits from its lower half
    xor     \Ef(buf), \uL
    mov     \uL, 6(r1)
    mov     \Es(buf), 8(r1)
    mov     \x2H, \uL
    xor     \Ef(buf), \uL
    mov     \uL, 10(r1)             ; f = this + D f
    xor     8(r1), \uL
    mov     \uL, 14(r1)             ; s = this + D s
.endm

/* After round 2. */
.macro cache_round_2 x1L, x1H, x2L, x2H, x0L, x0H, x3L, x3H, fL, fH, sL, sH
    ROL5    \x1L, \x1H, buf, #31
    ROL3    \x2L, \x2H              ; the sums
    sub     10(r1), \fH
    mov     \fH, 10(r1)
    mov     \fL, 12(r1)
    sub     14(r1), \sH
    mov     \sH, 14(r1)
    mov     \sL, 16(r1)
    .Lat = 18
    .irp x, \x0L, \x0H, \x3L, \x3H, rk
    mov     \x, .Lat(r1)
    .Lat = .Lat+2
    .endr
.endm

.macro begin_cache
    mov     14(buf), 0(r1)
    mov     RK(r1), rk
    load_block
.endm

/* `late` is the instruction or macro that goes on after round 2 of encryption, which finds `registers` kept on the
 * stack. */
.macro ctr_plain4 late:vararg
    enter_ctr
    jz      9f
5:
    begin_stretch
    begin_cache
    Round_plain4 W0, W1, W2, W3, W4
    cache_round_1 r10, W3, 16+2, 16+14
    Round_plain4 W4, W1, W2, W0, W3
    cache_round_2 W1, W2, W3, W4, W1, W2
    advance_counter
    mov     DEST(r1), buf
6:
    FirstRounds W3, W4, W1, W2
    SecondRotations W1, W2, r5
    join_block 7f
    \late
7:
    next_block 6b, 5b
9:
    leave_ctr
.endm

.macro ctr_chain6 registers, late:vararg
    enter_ctr
    jz      9f
5:
    begin_stretch
    begin_cache
    Round_chain6 W0, W1, W2, W3
    cache_round_1 r14, W4, 24+6, 24+10
    Round_chain6 W1, W2, W3, W0
    cache_round_2 W3, W0, W2, W1, W0, W3
    advance_counter
    mov     DEST(r1), buf
6:
    FirstRounds W2, W1, W0, W3
    SecondRotations W3, W0, t
    join_block 7f, \registers
    \late
7:
    next_block 6b, 5b
9:
    leave_ctr
.endm

#endif

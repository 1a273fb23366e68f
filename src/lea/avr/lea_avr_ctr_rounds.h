/* lea_avr_ctr_rounds.h - rounds 1 to 3 of counter mode, but for what the cache holds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Successive counter blocks differ only in their last byte, byte 3 of X3, until it wraps after 256 blocks at most.  A
 * round spreads the difference upwards by carries and one byte down by rotation.  These bytes of the sums change from
 * block to block:
 *
 *     round          1    2        3              4
 *     sum for X0     none none     bytes 1 to 3   all
 *     sum for X1     none 2 and 3  bytes 1 to 3   all
 *     sum for X2     3    2 and 3  bytes 1 to 3   all         and X3 changes from round 5 on
 *
 * All other bytes are computed once and form the cache, in the order in which blocks read them:
 *
 *     round 1   byte 3 of RK5; byte 3 of what is added to it
 *     round 2   bytes 2 and 3 of X2 ^ RK3 and of X2 ^ RK4, without the part that changes; bytes 2 and 3 of what is
 *               added to them
 *     round 3   bytes 1 to 3 of X1 ^ RK1 and X2 ^ RK3, likewise; of the sum for X2 byte 0, and bytes 1 to 3 without
 *               X2 ^ RK4; RK3 ^ RK4; of the sum for X1 byte 0 of X1 ^ RK2, and bytes 1 to 3 of RK1 ^ RK2; the sum
 *               for X0 like that for X2
 *     round 4   X3
 *
 * The including header defines next_cached, which loads the next byte of the cache, and load_turns, which then loads
 * what follows the cache. */
#ifndef HAECHI_LEA_AVR_CTR_ROUNDS_H
#define HAECHI_LEA_AVR_CTR_ROUNDS_H

#define low r28 /* the last byte of the counter */
#define end r29 /* the last byte behind the last block */

/* Bytes `from` to 3 of x = the next of the cache. */
.macro load_cached x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    next_cached byte(\x,\j)
    .endif
    .endr
.endm

/* XORs to x the products of bytes 2 and 3 of sum, which after a rotation by bytes are in bytes 1 to 3. */
.macro xor_products by, x, sum
    mul     byte(\sum,2), \by
    eor     byte(\x,1), r0
    eor     byte(\x,2), r1
    mul     byte(\sum,3), \by
    eor     byte(\x,2), r0
    eor     byte(\x,3), r1
.endm

/* Bytes `from` to 3 of sum += the next of the cache, XORed to x if it is given. */
.macro add_cached sum, from, x
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    next_cached got
    .ifnb \x
    eor     got, byte(\x,\j)
    .endif
    .if \j == \from
    add     byte(\sum,\j), got
    .else
    adc     byte(\sum,\j), got
    .endif
    .endif
    .endr
.endm

/* The sum for X1 is made in s1, those for X0 and X2 in W0 and rol8(W2), as the rounds of lea_avr_rounds.h want them. */
.macro FirstRounds s1
    next_cached 22
    eor     r22, low                        ; X3 ^ RK5, byte 3
    next_cached got
    add     r22, got                        ; round 1, sum for X2, byte 3
    mul     r22, c32
    load_cached W4, 2
    eor     byte(W4,2), r0
    eor     byte(W4,3), r1                  ; X2 ^ RK3
    load_cached W3, 2
    eor     byte(W3,2), r0
    eor     byte(W3,3), r1                  ; X2 ^ RK4
    add_cached W4, 2                        ; round 2, sum for X1
    add_cached W3, 2                        ; ... and for X2
    load_cached W0, 1
    xor_products c8, W0, W4                 ; X1 ^ RK1
    load_cached \s1, 0
    xor_products c32, \s1, W3               ; X2 ^ RK3
    load_cached rol8(W2), 0
    add_cached rol8(W2), 1, \s1             ; (X2 ^ RK4) + (X3 ^ RK5)
    next_cached got
    add     byte(\s1,0), got
    .irp j, 1, 2, 3
    next_cached got
    eor     got, byte(W0,\j)
    adc     byte(\s1,\j), got               ; (X1 ^ RK2) + (X2 ^ RK3)
    .endr
    next_cached byte(W0,0)
    add_cached W0, 1                        ; (X0 ^ RK0) + (X1 ^ RK1)
    load_cached rol8(W3), 0                 ; X3
    load_turns
    clr     zero
    ROL1    W0, zero                        ; rol8 of it is X0
.endm

#endif

/* lea_armv7m.h - what the LEA kernels for Cortex-M3 share: the lines of a round, and the steps of the key schedule.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Rotations stay pending: a register x in which n is pending stands for the word x >>> n.  An instruction that reads
 * it rotates it, which costs nothing in a second operand.  After a round of encryption all four words are pending: X0,
 * X1 and X2 are new, and X3 is X0 of the previous round.  Decryption leaves nothing pending.  RK4 leaves the key
 * schedule with its rotation by 11 or 13 pending. */
#ifndef HAECHI_LEA_ARMV7M_H
#define HAECHI_LEA_ARMV7M_H

#include "../../asm/armv7m.h"
#include "../lea_delta.h"

#if defined(HAECHI_ARMV7M)

#define X0 r2
#define X1 r3
#define X2 r12
#define X3 lr

#define PENDING 23, 5, 3, 23 /* in X0, X1, X2, X3 after a round */
#define RK4_128 21 /* pending: <<< 11 */
#define RK4_256 19 /* LEA-192 and LEA-256: <<< 13 */

/* dst = a op (b >>> n), for any n */
.macro with_ROR op, dst, a, b, n
    .if (\n) & 31
    \op     \dst, \a, \b, ror #((\n)&31)
    .else
    \op     \dst, \a, \b
    .endif
.endm

/* A line of an encryption round: x = (x ^ kx) + (s ^ ks), whose rotation stays pending.  px, ps and pk are pending in
 * x, s and ks. t is scratch and may be ks. */
.macro Line x, px, kx, s, ps, ks, pk, t
    with_ROR eor, \x, \kx, \x, \px
    with_ROR eor, \t, \s, \ks, (\pk)-(\ps)
    with_ROR add, \x, \x, \t, \ps
.endm

/* A line of a decryption round: x = ((x >>> n) - (s ^ ks)) ^ kx */
.macro InverseLine x, n, kx, s, ks, pk, t
    with_ROR eor, \t, \s, \ks, \pk
    with_ROR rsb, \x, \t, \x, \n
    eor     \x, \x, \kx
.endm

/* The rotations of the last round. */
.macro last_rotations x0, x1, x2, x3
    ror     \x0, \x0, #23
    ror     \x1, \x1, #5
    ror     \x2, \x2, #3
    ror     \x3, \x3, #23
.endm

.macro load_words from, words:vararg
    .Lat = 0
    .irp w, \words
    ldr     \w, [\from, #.Lat]
    .Lat = .Lat + 4
    .endr
.endm

.macro store_words to, words:vararg
    .Lat = 0
    .irp w, \words
    str     \w, [\to, #.Lat]
    .Lat = .Lat + 4
    .endr
.endm

/* ---- The key schedule: in round i, T_j = (T_j + (delta <<< i + j)) <<< r_j.  d holds delta <<< i + e. */

.macro KeyWord T, d, e, j, r
    with_ROR add, \T, \T, \d, (\e)-(\j)
    ror     \T, \T, #32-\r
.endm

/* The same for j = e, where delta needs no rotation: what is pending in T is done here, from some round on (`if`),
 * and the rotation by r_j stays pending. */
.macro PendingKeyWord T, d, pending, if
    .if \if
    add     \T, \d, \T, ror #\pending
    .else
    add     \T, \T, \d
    .endif
.endm

/* A table of delta_(i mod K) <<< i + e for i = 0, 1, ... */
.macro deltas K, rounds, e
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li+\e
    .word   .Ldelta
    .Li = .Li + 1
    .endr
.endm

#endif
#endif

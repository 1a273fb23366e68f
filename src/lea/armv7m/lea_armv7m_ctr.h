/* lea_armv7m_ctr.h - counter mode for the LEA kernels for Cortex-M3 with stored round keys: the first two rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * asm/armv7m_ctr.h has what surrounds a block.  Only X3 changes from block to block.  In round 1 it affects only the
 * sum for X2, and in round 2 the sums for X1 and X2.  The cache has the rest, in the order in which one LDM loads it:
 *
 *     0    4            8     12         16    20         24    28         32
 *     | X3 | X3 of      | RK5 | X2 ^ RK4 | RK3 | X1 ^ RK2 | RK4 | X3 ^ RK5 | X0 of
 *            round 3      round 1          round 2                           round 3
 *     r2     r3           r4    r5         r6    r7         r8    r9         r12
 *
 * RK4 of round 2 is stored rotated.  X2 and X3 of round 1 have 3 and 23 bits pending, and all words of round 3 are
 * pending. */
#ifndef HAECHI_LEA_ARMV7M_CTR_H
#define HAECHI_LEA_ARMV7M_CTR_H

#define CACHE 36
#define BLOCK 16
#include "../../asm/armv7m_ctr.h"
#include "lea_armv7m.h"

#if defined(HAECHI_ARMV7M)

/* Rounds 1 and 2 of a block.  They leave X0 in r12, X1 in lr, X2 in r2 and X3 in r3, as two rounds of encryption do. */
.macro FirstRounds
    ldmia.w sp, {r2-r9, r12}
    add     r10, r2, #0x01000000    // the next counter's
    str     r10, [sp]
    eor     r2, r2, r4
    add     r10, r2, r5             // X2
    eor     lr, r6, r10, ror #3
    add     lr, lr, r7              // X1
    eor     r2, r8, r10, ror #3
    add     r2, r2, r9              // X2
.endm

/* Makes the cache from X0 to X3 in r4 to r7 and the round keys at r0.  a to f are the places of RK0 to RK5 in a round
 * of `size` bytes; RK4 is pending. */
.macro fill_cache size, pending, a, b, c, d, e, f
    str     r7, [sp]
    ldr     r2, [r0, #\f]
    str     r2, [sp, #8]
    ldr     r2, [r0, #\e]
    eor     r2, r6, r2, ror #\pending
    str     r2, [sp, #12]
    ldr     r2, [r0, #\d]
    eor     r6, r6, r2              // X2 ^ RK3
    ldr     r2, [r0, #\c]
    eor     r2, r5, r2
    add     r6, r6, r2              // round 1: X1, 5 bits pending
    ldr     r2, [r0, #\b]
    eor     r5, r5, r2
    ldr     r2, [r0, #\a]
    eor     r2, r4, r2
    add     r5, r5, r2              // X0, 23 bits pending
    str     r5, [sp, #4]
    ldr     r2, [r0, #\size+\d]
    str     r2, [sp, #16]
    ldr     r2, [r0, #\size+\c]
    eor     r2, r2, r6, ror #5
    str     r2, [sp, #20]
    ldr     r2, [r0, #\size+\e]
    ror     r2, r2, #\pending
    str     r2, [sp, #24]
    ldr     r2, [r0, #\size+\f]
    eor     r2, r2, r4
    str     r2, [sp, #28]
    ldr     r2, [r0, #\size+\b]
    eor     r2, r2, r6, ror #5
    ldr     r3, [r0, #\size+\a]
    eor     r3, r3, r5, ror #23
    add     r2, r2, r3
    str     r2, [sp, #32]
.endm

/* Counter mode of one key size.  `rounds` is a macro that does all rounds from the third on, with r0 at their round
 * keys. */
.macro counter size, keys, rounds, fill:vararg
    enter_ctr
    beq.w   9f
5:  begin_stretch
    str     r2, [sp, #LEFT]
    load_words r1, r4, r5, r6, r7
    fill_cache \size, \fill
    add     r0, r0, #2*\size        // round 3
    ldr     r2, [sp, #LEFT]
    advance_counter
    destination r1
6:  FirstRounds
    \rounds
    last_rotations X0, X1, X2, X3
    store_words r1, X0, X1, X2, X3
    sub     r0, r0, #\keys-2*\size
    ldr     r2, [sp, #IN]
    cbnz    r2, 8f
    add     r1, r1, #16
7:  ldr     r2, [sp, #LEFT]
    subs    r2, r2, #1
    str     r2, [sp, #LEFT]
    bne.w   6b
    ldr     r2, [sp, #IN]
    cbnz    r2, 2f
    str     r1, [sp, #OUT]
2:  ldr     r6, [sp, #N]
    cmp     r6, #0
    bne.w   5b
9:  leave_ctr
8:  xor_block
    b       7b
.endm

#endif
#endif

/* lea_rv32.h - what the LEA kernels for RISC-V share: the lines of a round, and the words of the key schedule.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_LEA_RV32_H
#define HAECHI_LEA_RV32_H

#include "../../asm/rv32.h"
#include "../lea_delta.h"

#if defined(HAECHI_RV32)

/* A line of an encryption round: x = ((x ^ kx) + (s ^ ks)) >>> n.  t is scratch. */
.macro Line x, kx, s, ks, n, t
    xor     \x, \x, \kx
    xor     \t, \s, \ks
    add     \x, \x, \t
    ROR     \x, \x, \n, \t
.endm

/* A round.  X0 to X3 are in x0 to x3 before it and in x1, x2, x3 and x0 after it. */
.macro Round x0, x1, x2, x3, k0, k1, k2, k3, k4, k5, t
    Line    \x3, \k5, \x2, \k4, 3, \t     # X2'
    Line    \x2, \k3, \x1, \k2, 5, \t     # X1'
    Line    \x1, \k1, \x0, \k0, 23, \t    # X0', and X3' = X0
.endm

/* A line of a decryption round: x = ((x >>> n) - (s ^ ks)) ^ kx. */
.macro InverseLine x, kx, s, ks, n, t
    ROR     \x, \x, \n, \t
    xor     \t, \s, \ks
    sub     \x, \x, \t
    xor     \x, \x, \kx
.endm

/* A round of decryption.  X0' to X3' are in x0 to x3 before it, and X0 to X3 in x3, x0, x1 and x2 after it. */
.macro InverseRound x0, x1, x2, x3, k0, k1, k2, k3, k4, k5, t
    InverseLine \x0, \k1, \x3, \k0, 9, \t     # X1
    InverseLine \x1, \k3, \x0, \k2, 27, \t    # X2
    InverseLine \x2, \k5, \x1, \k4, 29, \t    # X3
.endm

/* A word of the key schedule: T = (T + d) <<< r, where d = delta <<< i + j.  Then d is turned for the next word. */
.macro KeyWord T, d, r, t
    add     \T, \T, \d
    ROR     \T, \T, 32-\r, \t
    ROR     \d, \d, 31, \t
.endm

/* Each register takes the next delta, delta_n turned by n. */
.macro load_deltas registers:vararg
    .Lnext = 0
    .irp d, \registers
    delta   .Lnext, .Lnext
    li      \d, .Ldelta
    .Lnext = .Lnext + 1
    .endr
.endm

#endif
#endif

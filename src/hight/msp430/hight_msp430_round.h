/* hight_msp430_round.h - the initial transformation and a round of encryption in the words of the standard.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel defines
 *
 *     F1_step op, y, x             y = y + (F1(x) ^ the next subkey), with the instruction op for the addition
 *     F0_step y, x                 y = y ^ (F0(x) + the next subkey) */
#ifndef HAECHI_HIGHT_MSP430_ROUND_H
#define HAECHI_HIGHT_MSP430_ROUND_H

.macro InitialTransformation
    whiten  add.b, x0               ; WK0
    whiten  xor.b, x2               ; WK1
    whiten  add.b, x4               ; WK2
    whiten  xor.b, x6               ; WK3
.endm

.macro Round p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step add.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
.endm

#endif

/* hight_constants.h - the constants of the HIGHT standard for assembly on any machine: F0, F1 and the deltas.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_HIGHT_CONSTANTS_H
#define HAECHI_HIGHT_CONSTANTS_H

#define F0_ROTATIONS 1, 2, 7
#define F1_ROTATIONS 3, 4, 6
#define INVERSE_F1_ROTATIONS 2, 3, 4, 5, 7 /* F1^-1 = F1^7, as F1^8 is the identity */

/* 256 bytes: for each x the XOR of its rotations.  .Lxx holds the byte x twice, so that its bits 8-s to 15-s are
 * x<<<s. */
.macro table rotations:vararg
    .Lxx = 0
    .rept 256
    .Lsum = 0
    .irp s, \rotations
    .Lsum = .Lsum ^ .Lxx >> (8 - \s)
    .endr
    .byte .Lsum & 0xff
    .Lxx = .Lxx + 0x0101
    .endr
.endm

/* The same as an object with a name. */
.macro named_table name, rotations:vararg
    .global \name
    .type   \name, %object
    .size   \name, 256
\name:
    table   \rotations
.endm

/* .Ldelta = delta_n: the state of the LFSR x^7 + x^3 + 1 after n steps from 0x5a. */
.macro delta n
    .Ldelta = 0x5a
    .rept \n
    .Ldelta = .Ldelta >> 1 | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 6
    .endr
.endm

#endif

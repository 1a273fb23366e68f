/* hight_avr_deltas.h - both directions of the kernels that turn the key and read the deltas from a table in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     deltas    | delta_0 delta_1 ... delta_127 |
 *
 * Z walks through the deltas.  A kernel includes hight_avr_turned_keys.h and defines
 *
 *     F1_step op, y, x, key        y = y + (F1(x) ^ (key + the next delta)), with op for the addition, or sub
 *     F0_step y, x, key            y = y ^ (F0(x) + key + the next delta)
 *     ready delta                  Z = the address of a delta, and whatever else the two steps need */
#ifndef HAECHI_HIGHT_AVR_DELTAS_H
#define HAECHI_HIGHT_AVR_DELTAS_H

#include "hight_avr_turned_keys.h"

#define deltas haechi_hight_deltas
    .section .progmem.data.haechi_hight_deltas, "aG", %progbits, haechi_hight_deltas, comdat
    .global deltas
    .type   deltas, %object
    .size   deltas, 128
deltas:
    .Ldelta = 0x5a
    .rept 128
    .byte .Ldelta
    .Ldelta = .Ldelta >> 1 | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 6
    .endr

/* A round takes the subkeys j to j+3 of a half. */
.macro Round p7, p6, p5, p4, p3, p2, p1, p0, j
    F1_step add, \p1, \p0, HALF_A+\j
    F0_step \p3, \p2, HALF_A+\j+1
    F1_step add, \p5, \p4, HALF_A+\j+2
    F0_step \p7, \p6, HALF_A+\j+3
.endm

/* The steps of a round do not depend on one another, so the inverse round takes its deltas upwards too.  In decryption
 * a half has turned seven times when its rounds begin. */
.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0, j
    F1_step sub, \p1, \p0, HALF_B+((\j+1)&7)
    F0_step \p3, \p2, HALF_B+((\j+2)&7)
    F1_step sub, \p5, \p4, HALF_B+((\j+3)&7)
    F0_step \p7, \p6, HALF_B+((\j+4)&7)
    sbiw    ZL, 8                   ; Z = deltas of the previous round
.endm

.macro fly_rounds kernel
FUNC haechi_\kernel\()_enc
    begin   \kernel, .Lenc
    ready   deltas
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0, 0
    Round   x6, x5, x4, x3, x2, x1, x0, x7, 4
    turn_by_2 r0
    turn_keys HALF_A, HALF_B, r0
    cpi     ZL, lo8(deltas + 128)
    breq    2f
    rjmp    1b
2:  FinalTransformation
    far_jump haechi_\kernel\()_end
ENDF

FUNC haechi_\kernel\()_dec
    begin   \kernel, .Ldec
    ready   deltas+124
    InverseFinalTransformation
1:  InverseRound x7, x6, x5, x4, x3, x2, x1, x0, 4
    InverseRound x0, x7, x6, x5, x4, x3, x2, x1, 0
    cpi     ZL, lo8(deltas - 4)
    breq    2f
    turn_back_by_2 r0
    turn_keys_back HALF_B, HALF_A, r0
    rjmp    1b
2:  InverseInitialTransformation
    far_jump haechi_\kernel\()_end
ENDF
.endm

#endif

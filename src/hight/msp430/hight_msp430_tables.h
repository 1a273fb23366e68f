/* hight_msp430_tables.h - F0 and F1 as tables in flash, and the steps with them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     F0    | F0(0) F0(1) ... F0(255) |     256 bytes
 *     F1    | F1(0) F1(1) ... F1(255) |     256 bytes */
#ifndef HAECHI_HIGHT_MSP430_TABLES_H
#define HAECHI_HIGHT_MSP430_TABLES_H

#include "hight_msp430_constant.h"
#include "hight_msp430_block.h"

#define F0 haechi_hight_msp430_F0
#define F1 haechi_hight_msp430_F1
    constant haechi_hight_msp430_F0, 256
    table   F0_ROTATIONS
    constant haechi_hight_msp430_F1, 256
    table   F1_ROTATIONS

/* y = y + (F1(x) ^ the next subkey), or y - (...): 6 cycles */
.macro F1_step op, y, x
    mov.b   F1(\x), T
    xor.b   @rp+, T                 ; F1(x) ^ SK
    \op     T, \y
.endm

/* y = y ^ (F0(x) + the next subkey): 6 cycles */
.macro F0_step y, x
    mov.b   F0(\x), T
    add.b   @rp+, T                 ; F0(x) + SK
    xor.b   T, \y
.endm

#endif

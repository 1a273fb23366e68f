/* aria_avr_substitution_ram.h - the substitution layers of ARIA by two pointers, for S-boxes in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Z looks up in SB1 and SB3, and X in SB2 and SB4.  SL1 begins with SB1 and SB2 and SL2 ends with them, so each pointer
 * changes its page only once a round. */
#ifndef HAECHI_ARIA_AVR_SUBSTITUTION_RAM_H
#define HAECHI_ARIA_AVR_SUBSTITUTION_RAM_H

#include "aria_avr_sboxes_ram.h"
#include "aria_avr_substitution.h"

.macro columns_0_1 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    column  \get, \at, \b0, \b4, \b8, \b12
    column  \get, \at+1, \b1, \b5, \b9, \b13, X
.endm

.macro columns_2_3 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    columns_0_1 \get, \at+2, \b2, \b3, \b0, \b1, \b6, \b7, \b4, \b5, \b10, \b11, \b8, \b9, \b14, \b15, \b12, \b13
.endm

.macro SL1_XZ get, at, bytes:vararg
    columns_0_1 \get, \at, \bytes
    ldi     ZH, hi8(SB3)
    ldi     XH, hi8(SB4)
    columns_2_3 \get, \at, \bytes
.endm

.macro SL2_XZ get, at, bytes:vararg
    columns_0_1 \get, \at, \bytes
    ldi     ZH, hi8(SB1)
    ldi     XH, hi8(SB2)
    columns_2_3 \get, \at, \bytes
.endm

#endif

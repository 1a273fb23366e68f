/* aria_avr_layers_ram.h - the substitution layers of the rounds with S-boxes in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SL1_round and SL2_round are the layers of the rounds; key schedules use SL1 and SL2, which leave X alone. */
#ifndef HAECHI_ARIA_AVR_LAYERS_RAM_H
#define HAECHI_ARIA_AVR_LAYERS_RAM_H

#include "aria_avr_substitution_ram.h"

#define SL1_round SL1_XZ
#define SL2_round SL2_XZ

/* For counter mode: to = SB n of (the byte `at` of the cache ^ r1 ^ r2). */
.macro look_up n, to, at, r1, r2
    .if \n & 1
    look_up_by Z, .Lz_page, \n, \to, \at, \r1, \r2
    .else
    look_up_by X, .Lx_page, \n, \to, \at, \r1, \r2
    .endif
.endm

#endif

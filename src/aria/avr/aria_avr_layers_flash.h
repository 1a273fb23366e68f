/* aria_avr_layers_flash.h - the substitution layers of the rounds with S-boxes in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SL1_round and SL2_round are the layers of the rounds; key schedules use SL1 and SL2. */
#ifndef HAECHI_ARIA_AVR_LAYERS_FLASH_H
#define HAECHI_ARIA_AVR_LAYERS_FLASH_H

#include "aria_avr_sboxes_flash.h"
#include "aria_avr_substitution.h"

#define SL1_round SL1
#define SL2_round SL2

/* For counter mode: to = SB n of (the byte `at` of the cache ^ r1 ^ r2). */
.macro look_up n, to, at, r1, r2
    look_up_by Z, .Lz_page, \n, \to, \at, \r1, \r2
.endm

#endif

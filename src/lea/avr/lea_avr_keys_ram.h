/* lea_avr_keys_ram.h - round keys that Z reads from RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_LEA_AVR_KEYS_RAM_H
#define HAECHI_LEA_AVR_KEYS_RAM_H

#include "lea_avr_words.h"

#define got 0 /* r0 holds a byte of the round keys until it is used */

/* register = the next byte of the round keys; `at` is for names of places, which this does without. */
.macro next_key register, at
    ld      \register, Z+
.endm

#include "lea_avr_keys.h"

#endif

/* aria_avr_sboxes_ram.h - the S-boxes of ARIA in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each S-box fills one page of 256 bytes: the high byte of a pointer selects the S-box, the low byte is the argument. */
#ifndef HAECHI_ARIA_AVR_SBOXES_RAM_H
#define HAECHI_ARIA_AVR_SBOXES_RAM_H

#include "../aria_sboxes.h"

#define SB1 haechi_aria_avr_ram_sboxes
#define LOOK_UP ld
    .section .data.haechi_aria_avr_ram_sboxes, "aw", %progbits
    .global __do_copy_data          ; makes the start-up code copy the section from flash to RAM
#define SB2 SB1 + 256
#define SB3 SB1 + 512
#define SB4 SB1 + 768
    .balign 256
    .type   SB1, %object
    .size   SB1, 1024
SB1:
    aria_sboxes

#endif

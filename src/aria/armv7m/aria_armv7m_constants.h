/* aria_armv7m_constants.h - the constants of ARIA for Cortex-M: those of aria_words.h, and S-boxes of bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whoever includes this defines PART(what), the name of a part of the kernel. */
#ifndef HAECHI_ARIA_ARMV7M_CONSTANTS_H
#define HAECHI_ARIA_ARMV7M_CONSTANTS_H

#include "../../asm/armv7m.h"
#include "../aria_words.h"

#if defined(HAECHI_ARMV7M)

/* The tables: SB1, SB2, SB3 and SB4, 256 bytes each. */
.macro S_boxes
    .p2align 2
    .global PART(T)
    .type   PART(T), %object
PART(T):
    aria_sboxes
    .size   PART(T), . - PART(T)
.endm

#endif
#endif

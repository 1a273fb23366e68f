/* aria_armv7m_constants.h - the constants of ARIA for Cortex-M: those of the key schedule, and S-boxes of bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whoever includes this defines PART(what), the name of a part of the kernel. */
#ifndef HAECHI_ARIA_ARMV7M_CONSTANTS_H
#define HAECHI_ARIA_ARMV7M_CONSTANTS_H

#include "../../asm/armv7m.h"
#include "../aria_sboxes.h"

#if defined(HAECHI_ARMV7M)

/* C1, C2 and C3, the fractional part of 1/pi, as words of a block. */
.macro C1 emit
    \emit   0xb7c17c51, 0x940a2227, 0xe8ab13fe, 0xe06e9afa
.endm

.macro C2 emit
    \emit   0xcc4ab16d, 0x20c8219e, 0xd5b128ff, 0xb0e25def
.endm

.macro C3 emit
    \emit   0x1d3792db, 0x70e92621, 0x75972403, 0x0ec9e804
.endm

/* Words turned by 16 bits. */
.macro turned words:vararg
    .irp x, \words
    .word   \x >> 16 | (\x & 0xffff) << 16
    .endr
.endm

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

/* aria_msp430_constants.h - the constants of ARIA's key schedule for MSP430.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_ARIA_MSP430_CONSTANTS_H
#define HAECHI_ARIA_MSP430_CONSTANTS_H

#include "aria_msp430.h"

/* Three of the constants C1, C2, C3 (the fractional part of 1/pi), cyclically from number `first` on, with their
 * bytes in the order in which SL1, SL2 and SL1 take them. */
.macro constants name, first
    .section .rodata.\name, "a", %progbits
    .p2align 1
    .global \name
    .type   \name, %object
\name:
    constant \first, SWAPPED_UPRIGHT
    constant \first+1, SWAPPED_TURNED
    constant \first+2, SWAPPED_UPRIGHT
    .size   \name, . - \name
.endm

.macro constant n, swapped:vararg
    .Li = (\n)%3*8
    .irp s, \swapped
    .Lk = 0
    .irp w, 0x517c, 0xc1b7, 0x2722, 0x0a94, 0xfe13, 0xabe8, 0xfa9a, 0x6ee0, 0x6db1, 0x4acc, 0x9e21, 0xc820, \
            0xff28, 0xb1d5, 0xef5d, 0xe2b0, 0xdb92, 0x371d, 0x2126, 0xe970, 0x0324, 0x9775, 0x04e8, 0xc90e
    .if .Lk == .Li
    .if \s
    .word   \w
    .else
    .word   (\w>>8)|(\w&0xff)<<8
    .endif
    .endif
    .Lk = .Lk+1
    .endr
    .Li = .Li+1
    .endr
.endm

#endif

/* hight_msp430_constant.h - constants in flash that several kernels share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each stands in a COMDAT group: the linker keeps one copy, however many kernels a program holds. */
#ifndef HAECHI_HIGHT_MSP430_CONSTANT_H
#define HAECHI_HIGHT_MSP430_CONSTANT_H

#include "../../asm/msp430.h"
#include "../hight_constants.h"

.macro constant name, size, align=1
    .section .rodata.\name, "aG", %progbits, \name, comdat
    .p2align \align
    .global \name
    .type   \name, %object
    .size   \name, \size
\name:
.endm

#endif

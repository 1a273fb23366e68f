/* planted.h - PLANT name ... END name defines a function in a section of its own, aligned to 2^ALIGNMENT bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */

.macro PLANT name
    .section .text.\name, "ax", %progbits
    .p2align ALIGNMENT
    .global \name
    .type \name, %function
\name:
.endm
.macro END name
    .size \name, . - \name
.endm

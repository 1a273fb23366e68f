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

/* Functions that are called as bulk: planted_increment for each of n blocks.  planted_many does so for every n, _byte looks
 * at the last 8 bits of n alone, _borrow takes 1 from these bits without a borrow, and _late adds 2 instead of 1 from the
 * ninth block on.  Whoever uses this has the macro `many bits, late, borrow`, whose first argument says which bits of n it
 * looks at. */
.macro loops all, byte
PLANT planted_many
    many    \all
END planted_many

PLANT planted_many_byte
    many    \byte
END planted_many_byte

PLANT planted_many_late
    many    \all, late
END planted_many_late

PLANT planted_many_borrow
    many    \all, , borrow
END planted_many_borrow
.endm

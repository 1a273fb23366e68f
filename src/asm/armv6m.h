/* armv6m.h - what the kernels for Cortex-M0, Cortex-M0+ and Cortex-M23 share: the calling convention, functions and
 * descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The procedure call standard (AAPCS)
 *     arguments    r0, r1, r2, r3, one pointer or size_t each; a fifth at [sp], as the caller left it
 *     scratch      r0-r3, r12; flags
 *     kept         r4-r11 and the stack pointer; lr holds the return address
 *
 * Nearly all instructions name r0 to r7 only, and write one of their operands.  Only MOV, ADD and CMP know r8 to lr.
 * There is no rotation by a constant: a register holds the number of places.  Words must lie at multiples of four, so
 * every kernel that reads words in a buffer has the flag ALIGN4. */
#ifndef HAECHI_ASM_ARMV6M_H
#define HAECHI_ASM_ARMV6M_H

#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define HAECHI_ARMV6M 1

    .syntax unified
    .thumb

#define ALIGNMENT 2
#define DESCRIPTORS .rodata

.macro function_pointers functions:vararg
    .word   \functions
.endm

#include "kernel.h"

/* x = x >>> n; s is scratch. */
.macro ROR x, n, s
    movs    \s, #\n
    rors    \x, \s
.endm

#endif
#endif

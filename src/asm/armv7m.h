/* armv7m.h - what the Cortex-M kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The procedure call standard (AAPCS)
 *     arguments    r0, r1, r2, r3, one pointer or size_t each; a fifth at [sp], as the caller left it
 *     scratch      r0-r3, r12; flags
 *     kept         r4-r11 and the stack pointer; lr holds the return address
 *
 * LDR and STR take any address.  LDM, STM and LDRD need multiples of four, so the kernels use them for round keys and
 * for the stack only. */
#ifndef HAECHI_ASM_ARMV7M_H
#define HAECHI_ASM_ARMV7M_H

/* Cores with Thumb-2: Cortex-M3 and up. */
#if defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define HAECHI_ARMV7M 1

    .syntax unified
    .thumb

#define ALIGNMENT 2
#define DESCRIPTORS .rodata

.macro function_pointers functions:vararg
    .word   \functions
.endm

#include "kernel.h"

/* A place inside a function where other functions go on.  Newer linkers refuse a branch from another section to a label
 * that is not marked as a function in Thumb code. */
.macro INNER name
    .global \name
    .type   \name, %function
\name:
.endm

#endif
#endif

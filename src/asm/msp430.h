/* msp430.h - what the MSP430 kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calling convention of clang and of TI's EABI
 *     arguments    r12, r13, r14, r15, one pointer or size_t each; a fifth at 2(sp), above the return address
 *     scratch      r11-r15
 *     kept         r4-r10 and the stack pointer
 *
 * Words lie at even addresses: a kernel that reads or writes words in a buffer says so by ALIGN2.  An interrupt may
 * come at any time and pushes to the stack. */
#ifndef HAECHI_ASM_MSP430_H
#define HAECHI_ASM_MSP430_H

#if defined(__MSP430__)

#define ALIGNMENT 1
#define DESCRIPTORS .rodata

.macro function_pointers functions:vararg
    .word   \functions
.endm

#include "kernel.h"

#endif
#endif

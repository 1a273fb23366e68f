/* armv7m.h - what the Cortex-M kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The procedure call standard (AAPCS)
 *     arguments    r0, r1, r2, r3, one pointer or size_t each; a fifth at [sp], as the caller left it
 *     scratch      r0-r3, r12; flags
 *     kept         r4-r11 and the stack pointer; lr returns
 * LDR and STR take any address; LDM, STM and LDRD want multiples of four: for round keys and the stack only. */
#ifndef HAECHI_ASM_ARMV7M_H
#define HAECHI_ASM_ARMV7M_H

/* Cores with Thumb-2: Cortex-M3 and up. */
#if defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define HAECHI_ARMV7M 1

    .syntax unified
    .thumb

/* FUNC name ... ENDF: one function in a section of its own. */
.macro FUNC name
    .section .text.\name, "ax", %progbits
    .p2align 2
    .global \name
    .type   \name, %function
\name:
    .macro ENDF
        .size \name, . - \name
        .purgem ENDF
    .endm
.endm

/* A place inside a function where other functions go on.  Newer linkers refuse a branch from another section to a label
 * that is not marked as a function in Thumb code. */
.macro ENTRY name
    .global \name
    .type   \name, %function
\name:
.endm

/* KERNEL defines haechi_<name>, a struct haechi_kernel (core/kernel.h) in flash.  rk, block and key are
 * sizes in bytes. */
#define INVERSE 1

.macro KERNEL name, block, key, rk, flags, expand, crypt, bulk=0, ctr=0
    .section .rodata.haechi_\name, "a", %progbits
    .p2align 2
    .global haechi_\name
    .type   haechi_\name, %object
haechi_\name:
    .short  \rk, 0
    .byte   \block, \key, \flags, 0
    .word   \expand, \crypt, \bulk, \ctr
    .size   haechi_\name, . - haechi_\name
.endm

#endif
#endif

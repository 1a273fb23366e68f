/* msp430.h - what the MSP430 kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calling convention of clang and of TI's EABI
 *     arguments    r12, r13, r14, r15, one pointer or size_t each; a fifth at 2(sp), above the return address
 *     scratch      r11-r15
 *     kept         r4-r10 and the stack pointer
 * Words lie at even addresses: whoever uses them says HAECHI_ALIGN2.  Interrupts may come anywhere and push. */
#ifndef HAECHI_ASM_MSP430_H
#define HAECHI_ASM_MSP430_H

#if defined(__MSP430__)

/* FUNC name ... ENDF: one function in a section of its own. */
.macro FUNC name
    .section .text.\name, "ax", %progbits
    .p2align 1
    .global \name
    .type   \name, %function
\name:
    .macro ENDF
        .size \name, . - \name
        .purgem ENDF
    .endm
.endm

/* Registers kept on the stack: push_all r4, r5 ... pop_all r5, r4. */
.macro push_all registers:vararg
    .irp r, \registers
    push    \r
    .endr
.endm

.macro pop_all registers:vararg
    .irp r, \registers
    pop     \r
    .endr
.endm

/* KERNEL defines haechi_<name>, a struct haechi_kernel (core/kernel.h) in flash.  rk, block and key are
 * sizes in bytes. */
#define INVERSE 1
#define ALIGN2 2

.macro KERNEL name, block, key, rk, flags, expand, crypt, bulk=0, ctr=0
    .section .rodata.haechi_\name, "a", %progbits
    .p2align 1
    .global haechi_\name
    .type   haechi_\name, %object
haechi_\name:
    .word   \rk, 0
    .byte   \block, \key, \flags, 0
    .word   \expand, \crypt, \bulk, \ctr
    .size   haechi_\name, . - haechi_\name
.endm

#endif
#endif

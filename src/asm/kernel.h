/* kernel.h - functions and descriptors, as the kernels for all small machines define them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The header of a machine includes this file.  Before, it defines
 *
 *     ALIGNMENT                          of functions and descriptors, as a power of two
 *     DESCRIPTORS                        the section of descriptors, which every linker script keeps in flash
 *     function_pointers functions        a macro that stores pointers to functions, or 0 */
#ifndef HAECHI_ASM_KERNEL_H
#define HAECHI_ASM_KERNEL_H

/* FUNC name ... ENDF: one function in a section of its own. */
.macro FUNC name
    .section .text.\name, "ax", %progbits
    .p2align ALIGNMENT
    ENTRY   \name
.endm

/* ENTRY name ... ENDF: one more function in the section that FUNC began. */
.macro ENTRY name
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

/* KERNEL defines haechi_<name>, a struct haechi_kernel (core/kernel.h) in flash.  rk, block and key are sizes in
 * bytes. */
#define INVERSE 1
#define ALIGN2 2
#define ALIGN4 4

.macro KERNEL name, block, key, rk, flags, expand, crypt, bulk=0, ctr=0
    .section DESCRIPTORS.haechi_\name, "a", %progbits
    .p2align ALIGNMENT
    .global haechi_\name
    .type   haechi_\name, %object
haechi_\name:
    .short  \rk, 0
    .byte   \block, \key, \flags
    .p2align ALIGNMENT
    function_pointers \expand, \crypt, \bulk, \ctr
    .size   haechi_\name, . - haechi_\name
.endm

#endif

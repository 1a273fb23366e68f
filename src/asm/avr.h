/* avr.h - what the AVR kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * avr-gcc's calling convention
 *     arguments    r24:r25, r22:r23, r20:r21, r18:r19, one pointer or size_t each, low byte first
 *     scratch      r0, r18-r27, r30, r31; r1 too, but it must be 0 on return
 *     kept         r2-r17, r28, r29 and the stack pointer
 * Interrupts may come anywhere: they save what they use, r0 and r1 included, and write below the stack
 * pointer. */
#ifndef HAECHI_ASM_AVR_H
#define HAECHI_ASM_AVR_H

#if defined(__AVR__)

#define XL r26
#define XH r27
#define YL r28
#define YH r29
#define ZL r30
#define ZH r31
#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

/* FUNC name ... ENDF: one function in a section of its own. */
.macro FUNC name
    .section .text.\name, "ax", %progbits
    .global \name
    .type   \name, %function
\name:
    .macro ENDF
        .size \name, . - \name
        .purgem ENDF
    .endm
.endm

/* FUNC begins a section; ENTRY is one more function in the same. */
.macro ENTRY name
    .global \name
    .type   \name, %function
\name:
    .macro ENDF
        .size \name, . - \name
        .purgem ENDF
    .endm
.endm

/* Registers kept on the stack: push_all r2, r3 ... pop_all r3, r2. */
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

/* Interrupts must not find half of a stack pointer.  r0 is scratch. */
.macro move_SP_to_Y
    in      r0, SREG
    cli
    out     SPH, YH
    out     SREG, r0                ; takes effect an instruction later
    out     SPL, YL
.endm

/* KERNEL defines haechi_<name>, a struct haechi_kernel (core/kernel.h) in flash.  rk, block and key are
 * sizes in bytes.  gs() gives a pointer that holds on parts with a program counter of 22 bits too. */
#define INVERSE 1

.macro KERNEL name, block, key, rk, flags, expand, crypt, bulk=0, ctr=0
    .section .progmem.data.haechi_\name, "a", %progbits
    .global haechi_\name
    .type   haechi_\name, %object
haechi_\name:
    .word   \rk, 0
    .byte   \block, \key, \flags
    .irp function, \expand, \crypt, \bulk, \ctr
    .ifc \function, 0
    .word   0
    .else
    .word   gs(\function)
    .endif
    .endr
    .size   haechi_\name, . - haechi_\name
.endm

#endif
#endif

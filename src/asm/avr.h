/* avr.h - what the AVR kernels share: the calling convention, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * avr-gcc's calling convention
 *     arguments    r24:r25, r22:r23, r20:r21, r18:r19, one pointer or size_t each, low byte first
 *     scratch      r0, r18-r27, r30, r31; r1 too, but it must be 0 on return
 *     kept         r2-r17, r28, r29 and the stack pointer
 *
 * An interrupt may come at any time.  It saves what it uses, r0 and r1 included, and writes below the stack pointer. */
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

#define ALIGNMENT 0
#define DESCRIPTORS .progmem.data

/* gs() gives a pointer that also holds on parts with a program counter of 22 bits. */
.macro function_pointers functions:vararg
    .irp function, \functions
    .ifc \function, 0
    .word   0
    .else
    .word   gs(\function)
    .endif
    .endr
.endm

#include "kernel.h"

/* A jump or call to another section, which may be out of the reach of rjmp and rcall. */
#if defined(__AVR_HAVE_JMP_CALL__)
#define FAR_JMP jmp
#define FAR_CALL call
#else
#define FAR_JMP rjmp
#define FAR_CALL rcall
#endif

/* For a routine that calls another one: even_stack push, and pop at the end, put a byte more on the stack of parts whose
 * return addresses take two bytes, so that all parts use as much.  r24 is scratch. */
.macro even_stack op
#if !defined(__AVR_3_BYTE_PC__)
    \op     r24
#endif
.endm

/* SP = Y.  An interrupt must not find half of a new stack pointer.  r0 is scratch. */
.macro move_SP_to_Y
    in      r0, SREG
    cli
    out     SPH, YH
    out     SREG, r0                ; takes effect after the next instruction
    out     SPL, YL
.endm

#endif
#endif

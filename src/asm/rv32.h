/* rv32.h - what the RISC-V kernels share: the calling convention, rotations, functions and descriptors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The calling convention ilp32
 *     arguments    a0 to a7, one pointer or size_t each
 *     scratch      t0-t6, a0-a7, ra, which holds the return address
 *     kept         s0-s11, gp, tp and sp, which is a multiple of 16 at any time
 *
 * Many cores have no accesses that are not aligned: a kernel that reads or writes words in a buffer says so by ALIGN4.
 * The kernels need no extension but use two where the compiler names them: C, for the size of the code alone, and Zbb,
 * which rotates in one instruction. */
#ifndef HAECHI_ASM_RV32_H
#define HAECHI_ASM_RV32_H

#include "../core/riscv.h"

#if defined(HAECHI_RV32)

#define ALIGNMENT 2
#define DESCRIPTORS .rodata

.macro function_pointers functions:vararg
    .word   \functions
.endm

#include "kernel.h"

/* to = from >>> n, for n from 1 to 31.  t is scratch, which may not be `from`. */
.macro ROR to, from, n, t
#if defined(__riscv_zbb)
    rori    \to, \from, \n
#else
    slli    \t, \from, 32-(\n)
    srli    \to, \from, \n
    or      \to, \to, \t
#endif
.endm

/* Registers kept on the stack: save s0, s1 ... restore s0, s1. */
.macro save registers:vararg
    .Lframe = 0
    .irp r, \registers
    .Lframe = .Lframe + 4
    .endr
    .Lframe = (.Lframe + 15) & ~15
    addi    sp, sp, -.Lframe
    .Lat = 0
    .irp r, \registers
    sw      \r, .Lat(sp)
    .Lat = .Lat + 4
    .endr
.endm

.macro restore registers:vararg
    .Lat = 0
    .irp r, \registers
    lw      \r, .Lat(sp)
    .Lat = .Lat + 4
    .endr
    .Lframe = (.Lat + 15) & ~15
    addi    sp, sp, .Lframe
.endm

/* Words at `from` + at, `from` + at + 4 ... */
.macro load_words from, at, words:vararg
    .Lat = \at
    .irp w, \words
    lw      \w, .Lat(\from)
    .Lat = .Lat + 4
    .endr
.endm

.macro store_words to, at, words:vararg
    .Lat = \at
    .irp w, \words
    sw      \w, .Lat(\to)
    .Lat = .Lat + 4
    .endr
.endm

#endif
#endif

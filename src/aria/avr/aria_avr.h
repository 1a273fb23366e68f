/* aria_avr.h - the block of ARIA in the registers of AVR, and the diffusion layer.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x(0) ... x(13)   x(14)  x(15)    X, Y                Z
 *     r12  ... r25     r0     r1       buffers and keys    ZH the page of an S-box, ZL scratch
 *
 * In the order UPRIGHT byte i of the block is in x(i).  The diffusion layer is a program of XORs in place.  It leaves
 * byte i in x(p), where p is the i-th number of TURNED.  The layer is its own inverse, so the same program backwards
 * computes the layer too and takes TURNED to UPRIGHT.  After two rounds every byte is where it began, and no byte is
 * ever moved. */
#ifndef HAECHI_ARIA_AVR_H
#define HAECHI_ARIA_AVR_H

#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__) /* AVR, but for the oldest and the smallest */
#define ARIA_AVR 1

#define x(i) ((((i) & 15) + 12) % 26)

#define UPRIGHT 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define TURNED 4, 12, 6, 7, 2, 3, 0, 15, 13, 11, 8, 14, 5, 10, 9, 1

/* ---- The diffusion layer A.  In the list, a, b stands for x(a) ^= x(b).  It has 46 XORs, one less than the 47 in the
 * literature on quantum circuits, which counts the same operations; a search found the list, and
 * test/spec/test_constants.py checks it. */
#define DIFFUSION                                                                                            \
    8, 15,  0, 14,  14, 9,  3, 4,  9, 7,  11, 5,  5, 2,  15, 14,  4, 5,  11, 0,                              \
    7, 3,  3, 10,  7, 11,  11, 12,  10, 4,  4, 15,  15, 1,  1, 6,  12, 8,  5, 9,                             \
    2, 11,  3, 13,  6, 10,  8, 6,  14, 2,  13, 15,  11, 1,  2, 12,  9, 7,  12, 5,                            \
    5, 0,  0, 14,  1, 8,  14, 7,  8, 3,  15, 0,  10, 5,  4, 8,  6, 15,  15, 8,                               \
    7, 3,  5, 11,  0, 7,  3, 13,  13, 10,  10, 4

.macro forwards a, b, rest:vararg
    eor     x(\a), x(\b)
    .ifnb \rest
    forwards \rest
    .endif
.endm

.macro backwards a, b, rest:vararg
    .ifnb \rest
    backwards \rest
    .endif
    eor     x(\a), x(\b)
.endm

.macro A                            ; UPRIGHT to TURNED
    forwards DIFFUSION
.endm

.macro A_back                       ; TURNED to UPRIGHT
    backwards DIFFUSION
.endm

/* ---- The registers kept by a function that uses those from `first` on. */

.macro push_from first
    .irp r, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    .if \r >= \first
    push    \r
    .endif
    .endr
.endm

.macro pop_from first
    .irp r, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6
    .if \r >= \first
    pop     \r
    .endif
    .endr
.endm

/* ---- The block in memory.  The sixteen numbers are the places of bytes 0 to 15; the place `none` leaves a byte out. */

.macro load from, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    .ifnc \b, none
    ldd     x(\b), \from+.Li
    .endif
    .Li = .Li + 1
    .endr
.endm

.macro store to, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    std     \to+.Li, x(\b)
    .Li = .Li + 1
    .endr
.endm

#endif

#endif

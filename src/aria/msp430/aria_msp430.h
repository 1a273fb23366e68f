/* aria_msp430.h - the block of ARIA in the registers of MSP430, and the layers of a round.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The block is eight words in r4 to r11 and never leaves them.  Word k holds bytes 2k and 2k+1.  In the lists of
 * registers below, the number after a word says how: 0 means that byte 2k is in the low half, 1 that it is in the
 * high half.
 *
 * In the order UPRIGHT the words follow one another.  The diffusion layer is a program of XORs and byte swaps in place
 * and leaves the words in the order TURNED.  The layer is its own inverse, so the same program backwards computes it
 * too and takes TURNED to UPRIGHT.  After two rounds every byte is where it began, and no word is ever moved.
 *
 *     r12              r13   r14      r15
 *     the round keys   buf   scratch  where they end */
#ifndef HAECHI_ARIA_MSP430_H
#define HAECHI_ARIA_MSP430_H

#include "../../asm/msp430.h"
#include "../aria_sboxes.h"

#define UPRIGHT r4, 1, r5, 0, r6, 0, r7, 0, r8, 0, r9, 1, r10, 0, r11, 0
#define TURNED r7, 0, r6, 0, r4, 1, r5, 1, r11, 1, r10, 1, r8, 0, r9, 0
/* The order after the last round: words as in TURNED, bytes as in UPRIGHT. */
#define LAST r7, 1, r6, 0, r4, 0, r5, 0, r11, 0, r10, 1, r8, 0, r9, 0

#define rk r12
#define buf r13
#define t r14

/* ---- The diffusion layer A.  In the list, a, b stands for a ^= b, and a, a for a swap of the bytes of a.  It has 24
 * XORs and 6 swaps, where the 16 bytes one by one take 46 XORs; a search found the list, and
 * test/spec/test_constants.py checks it. */
#define DIFFUSION_1                                                                                          \
    r7, r4,  r10, r9,  r4, r6,  r6, r7,  r6, r6,  r6, r5,  r9, r11,  r5, r9,  r11, r10,  r11, r11
#define DIFFUSION_2                                                                                          \
    r11, r8,  r5, r5,  r5, r10,  r8, r4,  r8, r8,  r8, r7,  r10, r6,  r4, r5,  r7, r11,  r9, r8
#define DIFFUSION_3                                                                                          \
    r11, r11,  r4, r11,  r11, r8,  r8, r10,  r6, r6,  r9, r6,  r10, r9,  r6, r5,  r5, r7,  r7, r4

.macro step a, b
    .ifc \a, \b
    swpb    \a
    .else
    xor     \b, \a
    .endif
.endm

.macro forwards a, b, rest:vararg
    step    \a, \b
    .ifnb \rest
    forwards \rest
    .endif
.endm

.macro backwards a, b, rest:vararg
    .ifnb \rest
    backwards \rest
    .endif
    step    \a, \b
.endm

.macro A                            ; UPRIGHT to TURNED
    forwards DIFFUSION_1
    forwards DIFFUSION_2
    forwards DIFFUSION_3
.endm

.macro A_back                       ; TURNED to UPRIGHT
    backwards DIFFUSION_3
    backwards DIFFUSION_2
    backwards DIFFUSION_1
.endm

/* ---- The S-boxes. */
#define SB1 haechi_aria_msp430_sboxes
#define SB2 SB1+256
#define SB3 SB1+512
#define SB4 SB1+768
    .section .rodata.haechi_aria_msp430_sboxes, "aG", %progbits, haechi_aria_msp430_sboxes, comdat
    .weak   SB1                     ; a program holds one copy, however many kernels include it
    .type   SB1, %object
    .size   SB1, 1024
SB1:
    aria_sboxes

/* ---- Substitution layers: key addition and S-boxes, 13 cycles a word. */

/* Adds the key to the two bytes of x and applies one S-box to each. */
.macro S x, swapped, first, second
    xor     @rk+, \x
    mov.b   \x, t
    swpb    \x
    mov.b   \x, \x
    .if \swapped
    mov.b   \second(t), t
    mov.b   \first(\x), \x
    .else
    mov.b   \first(t), t
    mov.b   \second(\x), \x
    .endif
    swpb    \x
    xor     t, \x                   ; S(both bytes ^ key)
.endm

.macro SL1 x0, s0, x1, s1, x2, s2, x3, s3, x4, s4, x5, s5, x6, s6, x7, s7
    S       \x0, \s0, SB1, SB2
    S       \x1, \s1, SB3, SB4
    S       \x2, \s2, SB1, SB2
    S       \x3, \s3, SB3, SB4
    S       \x4, \s4, SB1, SB2
    S       \x5, \s5, SB3, SB4
    S       \x6, \s6, SB1, SB2
    S       \x7, \s7, SB3, SB4
.endm

.macro SL2 x0, s0, x1, s1, x2, s2, x3, s3, x4, s4, x5, s5, x6, s6, x7, s7
    S       \x0, \s0, SB3, SB4
    S       \x1, \s1, SB1, SB2
    S       \x2, \s2, SB3, SB4
    S       \x3, \s3, SB1, SB2
    S       \x4, \s4, SB3, SB4
    S       \x5, \s5, SB1, SB2
    S       \x6, \s6, SB3, SB4
    S       \x7, \s7, SB1, SB2
.endm

/* ---- The block in memory.  The lists name each word and whether its bytes are swapped. */

.macro load from, x, swapped, rest:vararg
    mov     @\from+, \x
    .ifnb \rest
    load    \from, \rest
    .endif
.endm

/* Stores words from at(base) on. */
.macro store at, base, x, swapped, rest:vararg
    mov     \x, \at(\base)
    .ifnb \rest
    store   \at+2, \base, \rest
    .endif
.endm

.macro add_from from, x, swapped, rest:vararg
    xor     @\from+, \x
    .ifnb \rest
    add_from \from, \rest
    .endif
.endm

/* Swaps the bytes of the words that the list calls swapped: to the order of memory and back again. */
.macro straighten x, swapped, rest:vararg
    .if \swapped
    swpb    \x
    .endif
    .ifnb \rest
    straighten \rest
    .endif
.endm

/* From the order of the bytes in one list to that in another, over the same order of words. */
.macro reorder y0, u0, y1, u1, y2, u2, y3, u3, y4, u4, y5, u5, y6, u6, y7, u7, \
               v0, v1, v2, v3, v4, v5, v6, v7
    straighten \y0, \u0-\v0, \y1, \u1-\v1, \y2, \u2-\v2, \y3, \u3-\v3
    straighten \y4, \u4-\v4, \y5, \u5-\v5, \y6, \u6-\v6, \y7, \u7-\v7
.endm
#define SWAPPED_UPRIGHT 1, 0, 0, 0, 0, 1, 0, 0
#define SWAPPED_TURNED 0, 0, 1, 1, 1, 1, 0, 0

#endif

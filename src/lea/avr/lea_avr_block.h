/* lea_avr_block.h - the beginning and the end of encryption and decryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     Z            X                             c8  c32
 *     round keys   buf, before c8 and c32 take   r26 r27
 *                  its registers */
#ifndef HAECHI_LEA_AVR_BLOCK_H
#define HAECHI_LEA_AVR_BLOCK_H

#include "lea_avr_words.h"

/* Z = rk; X = buf, which is kept on the stack too; the block goes to x0 to x3. */
.macro load_block x0, x1, x2, x3
    push_all r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    push    r22
    push    r23
    movw    ZL, r24
    movw    XL, r22
    load_word \x0
    load_word \x1
    load_word \x2
    load_word \x3
.endm

/* The factors of the rotations by 3 and 5. */
.macro load_factors
    ldi     c8, 8
    ldi     c32, 32
.endm

.macro store_at_buf x0, x1, x2, x3
    pop     XH
    pop     XL
    store_word \x0
    store_word \x1
    store_word \x2
    store_word \x3
.endm

.macro restore_words
    clr     r1
    pop_all r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
.endm

.macro store_block x0, x1, x2, x3
    store_at_buf \x0, \x1, \x2, \x3
    restore_words
.endm

#endif

/* aria_avr_substitution.h - key addition and substitution layers of ARIA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Key addition and S-box of a byte take 5 cycles with S-boxes in RAM and 6 with S-boxes in flash.  Include
 * aria_avr_sboxes_flash.h or aria_avr_sboxes_ram.h before. */
#ifndef HAECHI_ARIA_AVR_SUBSTITUTION_H
#define HAECHI_ARIA_AVR_SUBSTITUTION_H

#include "aria_avr.h"

/* Replaces byte i of the block, which is in x(b), by the S-box whose page is in the high byte of the pointer.  \get
 * loads byte i of the round key into a register; `none` adds no key.  The place `none` leaves a byte out. */
.macro S get, i, b, pointer=Z
    .ifnc \b, none
    .ifc \get, none
    mov     \pointer\()L, x(\b)
    .else
    \get    \pointer\()L, \i
    eor     \pointer\()L, x(\b)
    .endif
    LOOK_UP x(\b), \pointer         ; S(byte ^ key)
    .endif
.endm

/* A column: bytes i, i+4, i+8 and i+12, which go through the same S-box. */
.macro column get, i, a, b, c, d, pointer=Z
    S       \get, \i, \a, \pointer
    S       \get, \i+4, \b, \pointer
    S       \get, \i+8, \c, \pointer
    S       \get, \i+12, \d, \pointer
.endm

/* SL1 begins with ZH on SB1 and ends on SB4, SL2 begins on SB4 and ends on SB1: ZH changes its page three times a
 * round. */
.macro SL1 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    column  \get, \at, \b0, \b4, \b8, \b12
    ldi     ZH, hi8(SB2)
    column  \get, \at+1, \b1, \b5, \b9, \b13
    ldi     ZH, hi8(SB3)
    column  \get, \at+2, \b2, \b6, \b10, \b14
    ldi     ZH, hi8(SB4)
    column  \get, \at+3, \b3, \b7, \b11, \b15
.endm

.macro SL2 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    column  \get, \at+1, \b1, \b5, \b9, \b13
    ldi     ZH, hi8(SB3)
    column  \get, \at, \b0, \b4, \b8, \b12
    ldi     ZH, hi8(SB2)
    column  \get, \at+3, \b3, \b7, \b11, \b15
    ldi     ZH, hi8(SB1)
    column  \get, \at+2, \b2, \b6, \b10, \b14
.endm

/* The `get` of the layers that takes round keys from Y on. */
.macro RoundKey to, i
    ldd     \to, Y+\i
.endm

/* The last key addition: stores the block below X, from byte 15 down to byte 0. */
.macro store_sum get, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 15
    .irp b, \b15, \b14, \b13, \b12, \b11, \b10, \b9, \b8, \b7, \b6, \b5, \b4, \b3, \b2, \b1, \b0
    \get    ZL, .Li
    eor     x(\b), ZL
    st      -X, x(\b)
    .Li = .Li - 1
    .endr
.endm

#endif

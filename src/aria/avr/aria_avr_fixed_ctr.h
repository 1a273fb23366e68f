/* aria_avr_fixed_ctr.h - the code that aria_avr_fixed.h and aria_avr_fixed_ram.h share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Counter mode with the round keys and the cache as immediate operands.  The including header chooses the layers. */
#ifndef HAECHI_ARIA_AVR_FIXED_CTR_H
#define HAECHI_ARIA_AVR_FIXED_CTR_H

#define AT_K 0

#include "../../asm/avr_fixed.h"
#include "aria_avr_ctr_rounds.h"

/* to = byte i of the cache, or of the round keys from ek4 on; to is the low byte of a pointer. */
.macro cached to, i
    pointer_byte \to, CACHE, \i
.endm

.macro FixedKey to, i
    pointer_byte \to, KEYS, \i
.endm

.macro pointer_byte to, name, i
    .ifc \to, X\()L
    fixed_byte 26, \name, \i
    .else
    fixed_byte 30, \name, \i
    .endif
.endm

FUNC haechi_aria_fixed
    push_all 2, 3, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17
    fixed_begin next_out, low, end
    push    r23
    push    r22                     ; in
3:  FirstRounds
    A
    .Lat = 0
    SL2_round FixedKey, .Lat, TURNED
    .rept FIXED_ARIA / 64 + 2       ; twice as many rounds, and the first four: 12, 14 or 16
    A_back
    SL1_round FixedKey, .Lat+16, UPRIGHT
    A
    SL2_round FixedKey, .Lat+32, TURNED
    .Lat = .Lat+32
    .endr
    .Li = 0
    .irp b, TURNED
    FixedKey ZL, .Lat+16+.Li
    eor     x(\b), ZL
    .Li = .Li+1
    .endr
    finish_block
    inc     low
    cpse    low, end
    FIXED_JMP 3b
    pop     r24
    pop     r25
    clr     r1
5:  pop     r25
    pop     r24
    pop_all 17, 16, 15, 14, 13, 12, 10, 9, 8, 7, 6, 3, 2
    ret
ENDF

#endif

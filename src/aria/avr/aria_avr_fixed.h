/* aria_avr_fixed.h - ARIA in counter mode for AVR with key and nonce known at build time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * To be included by an assembly file after what `python -m bench fixed` wrote; defines haechi_aria_fixed, which
 * asm/avr_fixed.h describes.  S-boxes are in flash, or in RAM if ARIA_AVR_RAM is defined before.
 *
 * The idea.  Counter mode of aria_avr_flash or aria_avr_ram with round keys and cache as immediates: key addition and
 * S-box of a byte take 5 cycles, 4 in RAM.
 *
 *     x(0) ... x(15)  X, Z      out    last byte,  a  c  d
 *     as ever         as ever   r2:r3  end r6 r7   r8 r9 r10
 *
 *     on the stack: in, and what is returned.  T: is there an in? */
#include "aria_avr.h"
#include "aria_avr_ctr.h"
#include "../../asm/avr_fixed.h"

/* to = byte i of the cache, of the round keys from ek4 on; to is a pointer's low byte */
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

#if defined(ARIA_AVR_RAM)
#define SL1_fixed SL1_XZ
#define SL2_fixed SL2_XZ
#else
#define SL1_fixed SL1
#define SL2_fixed SL2
#endif

FUNC haechi_aria_fixed
    push_all 2, 3, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17
    fixed_begin next_out, low, end
    push    r23
    push    r22                     ; in
3:  FirstRounds
    A
    .Lat = 0
    SL2_fixed FixedKey, .Lat, TURNED
    .rept FIXED_ARIA / 64 + 2       ; twice as many rounds, and the first four: 12, 14 or 16
    A_back
    SL1_fixed FixedKey, .Lat+16, UPRIGHT
    A
    SL2_fixed FixedKey, .Lat+32, TURNED
    .Lat = .Lat+32
    .endr
    .Li = 0
    .irp b, TURNED
    FixedKey ZL, .Lat+16+.Li
    eor     x(\b), ZL
    .Li = .Li+1
    .endr
    brtc    4f
    pop     ZL
    pop     ZH                      ; Z = in
    .irp b, TURNED
    ld      r8, Z+
    eor     x(\b), r8
    .endr
    push    ZH
    push    ZL
4:  movw    XL, next_out
    .irp b, TURNED
    st      X+, x(\b)
    .endr
    movw    next_out, XL            ; on by a block
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

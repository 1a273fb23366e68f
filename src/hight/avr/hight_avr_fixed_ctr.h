/* hight_avr_fixed_ctr.h - the code that hight_avr_fixed.h and hight_avr_fixed_ram.h share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The including header names the registers of the block and defines next_subkey, look_up_F1, look_up_F0 and
 * EightRounds. FIXED_CACHE holds k0 to k6, F1^-1(SK4) and to_1 to to_7 of hight_avr_ctr_cache.h; all but SK4 go to
 * registers. */
#ifndef HAECHI_HIGHT_AVR_FIXED_CTR_H
#define HAECHI_HIGHT_AVR_FIXED_CTR_H

#include "../../asm/avr_fixed.h"

/* Leaves out n subkeys that are not needed because of the cache. */
.macro skip_subkeys n
    .Lkey = .Lkey+\n
.endm

.macro F1_step op, y, x, next
    next_subkey
    fixed_byte 30, KEYS, .Lindex    ; F1^-1(SK)
    eor     ZL, \x
    look_up_F1                      ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro F1_step_held op, y, x, key
    fixed_byte 30, CACHE, 7         ; F1^-1(SK4)
    eor     ZL, \x
    look_up_F1                      ; F1(x) ^ SK4
    \op     \y, ZL
.endm

.macro F0_step y, x, next
    next_subkey
    mov     F0_pointer, \x
    look_up_F0                      ; F0(x)
    fixed_add F0_pointer, KEYS, .Lindex ; F0(x) + SK
    eor     \y, F0_pointer
.endm

.macro whiten op, x, next
    next_subkey
    .ifc \op, add
    fixed_add \x, KEYS, .Lindex
    .else
    fixed_byte 30, KEYS, .Lindex
    \op     \x, ZL
    .endif
.endm

FUNC haechi_hight_fixed
    push_all 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    movw    r16, r22                ; in
    fixed_begin r14, low, end
    .irp i, 0, 1, 2, 3, 4, 5, 6
    fixed_byte 2+\i, CACHE, \i
    .endr
    .irp i, 0, 1, 2, 3
    fixed_byte 10+\i, CACHE, 8+\i
    .endr
    pages
3:  .Lkey = SK9
    FirstRounds
    .rept 3
    EightRounds
    .endr
    FinalTransformation
    brtc    4f
    movw    XL, r16
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    ld      ZL, X+
    eor     \x, ZL
    .endr
    movw    r16, XL                 ; the next block of in
4:  movw    XL, r14
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    st      X+, \x
    .endr
    movw    r14, XL                 ; the next block of out
    inc     low
    cpse    low, end
    FIXED_JMP 3b
    clr     r1
5:  pop     r25
    pop     r24
    pop_all 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2
    ret
ENDF

#endif

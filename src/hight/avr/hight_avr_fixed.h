/* hight_avr_fixed.h - HIGHT in counter mode for AVR with key and nonce known at build time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * To be included by an assembly file after what `python -m bench fixed` wrote; defines haechi_hight_fixed, which
 * asm/avr_fixed.h describes.  Tables are in flash, or in RAM if HIGHT_TABLES_IN_RAM is defined before.
 *
 * The idea.  Counter mode of hight_avr_flash or hight_avr_ram_t with subkeys as immediates.  F1 takes them
 * transformed, as in hight_avr_ram_t, where its argument goes; F0's go onto what it gives by subi: 6 cycles a step,
 * 5 in RAM, and no register beside the pointer's.  The cache is in registers, as there, but for SK4.
 *
 *     x0 ... x7                  X         Y, Z    k0 ... k6  to_1 ... to_7  out      in       last byte, end
 *     r18 ... r21 r24 r25 r0 r1  in, out   tables  r2 ... r8  r10 ... r13    r14:r15  r16:r17  as in
 *                                by turns                                                      hight_avr_ctr.h
 *     on the stack: what is returned.  T: is there an in? */
#if !defined(HIGHT_TABLES_IN_RAM)
#define HIGHT_TABLES_IN_FLASH
#endif
#define HIGHT_STORED_KEYS
#define x0 18
#define x1 19
#define x2 20
#define x3 21
#define x4 24
#define x5 25
#define x6 0
#define x7 1

#include "hight_avr.h"
#include "hight_avr_ctr.h"
#include "../../asm/avr_fixed.h"

#if defined(HIGHT_TABLES_IN_RAM)
#define LOOK_UP ld
#define F0_pointer 28 /* YL */
    .purgem F0_step                 ; those of hight_avr_ram
    .purgem whiten
#else
#define LOOK_UP lpm
#define F0_pointer 30 /* ZL */
#endif

/* .Lkey: where X would be in round keys; .Lindex: where that byte is in FIXED_KEYS, in the standard's order. */
.macro next_subkey
    .Lindex = .Lkey
#if defined(HIGHT_TABLES_IN_FLASH)
    .if .Lkey < 132                 ; of two rounds 0 2 1 3 5 7 4 6
    .Lp = .Lkey-4
    .Lindex = 4+(.Lp & ~3)+((.Lp & 1) << 1)+((.Lp >> 1 ^ .Lp >> 2) & 1)
    .endif
#endif
    .Lkey = .Lkey+1
.endm

.macro skip_subkeys n
    .Lkey = .Lkey+\n
.endm

.macro F1_step op, y, x, next
    next_subkey
    fixed_byte 30, KEYS, .Lindex    ; F1^-1(SK)
    eor     ZL, \x
    LOOK_UP ZL, Z                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro F1_step_held op, y, x, key
    fixed_byte 30, CACHE, 7         ; F1^-1(SK4)
    eor     ZL, \x
    LOOK_UP ZL, Z                   ; F1(x) ^ SK4
    \op     \y, ZL
.endm

.macro F0_step y, x, next
    next_subkey
    mov     F0_pointer, \x
#if defined(HIGHT_TABLES_IN_RAM)
    ld      F0_pointer, Y           ; F0(x)
#else
    lpm     F0_pointer, Z           ; F0(x)
#endif
    fixed_add F0_pointer, KEYS, .Lindex
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
#if defined(HIGHT_TABLES_IN_RAM)
    Rounds_8
#else
    EvenRound x7, x6, x5, x4, x3, x2, x1, x0
    OddRound  x6, x5, x4, x3, x2, x1, x0, x7
    EvenRound x5, x4, x3, x2, x1, x0, x7, x6
    OddRound  x4, x3, x2, x1, x0, x7, x6, x5
    EvenRound x3, x2, x1, x0, x7, x6, x5, x4
    OddRound  x2, x1, x0, x7, x6, x5, x4, x3
    EvenRound x1, x0, x7, x6, x5, x4, x3, x2
    OddRound  x0, x7, x6, x5, x4, x3, x2, x1
#endif
    .endr
    FinalTransformation
    brtc    4f
    movw    XL, r16
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    ld      ZL, X+
    eor     \x, ZL
    .endr
    movw    r16, XL                 ; in, on by a block
4:  movw    XL, r14
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    st      X+, \x
    .endr
    movw    r14, XL                 ; out, on by a block
    inc     low
    cpse    low, end
    FIXED_JMP 3b
    clr     r1
5:  pop     r25
    pop     r24
    pop_all 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 8, 7, 6, 5, 4, 3, 2
    ret
ENDF

/* hight_avr_flash_tiny.S - HIGHT for AVR, small with tables in flash: two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_flash_tiny_eks(void *rk, const void *key);
 *     void haechi_hight_avr_flash_tiny_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_flash_tiny_dec(const void *rk, void *buf);
 *     void haechi_hight_avr_flash_tiny_enc_flash(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * enc_flash encrypts with round keys that lie in the first 64 KB of flash.
 *
 * The idea.  This is hight_avr_tiny with lpm.  As only Z reads flash, ZH is loaded before each look-up.  The order of
 * round keys that spares most of these loads (hight_avr_flash) cannot be had from the small key schedule.
 *
 *     x0  x1  x2  x3  x4  x5  x6  x7  T    rounds  X    Z              on the stack
 *     r18 r19 r20 r21 r24 r25 r0  r1  r22  r23     rk   F0 or F1, x    buf                          */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_steps_flash.h"
#include "hight_avr_schedule_small.h"

/* ---- The steps, 9 cycles each. */

.macro F1_with key, op, y, x
    page    F1
    mov     ZL, \x
    lpm     ZL, Z                   ; F1(x)
    eor     ZL, \key                ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro F0_with key, y, x
    page    F0
    mov     ZL, \x
    lpm     ZL, Z                   ; F0(x)
    add     ZL, \key                ; F0(x) + SK
    eor     \y, ZL
.endm

.macro F1_step op, y, x, next
    ld      T, \next                ; SK
    F1_with T, \op, \y, \x
.endm

.macro F0_step y, x, next
    ld      T, \next                ; SK
    F0_with T, \y, \x
.endm

.macro rounds_32
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    turn_by_2 ZL
    dec     rounds
    brne    1b
.endm

.macro inverse_rounds_32
1:  InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    turn_back_by_2 ZL
    dec     rounds
    brne    1b
.endm

FUNC haechi_hight_avr_flash_tiny_enc
    movw    XL, r24                 ; X = rk
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    ldi     rounds, 16              ; times two
    InitialTransformation
    rounds_32
    FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
ENDF

FUNC haechi_hight_avr_flash_tiny_dec
    movw    XL, r24
    to_the_end
    enter   x1, x2, x3, x4, x5, x6, x7, x0
    ldi     rounds, 16              ; times two
    InverseFinalTransformation
    inverse_rounds_32
    InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
ENDF

FUNC haechi_hight_avr_flash_tiny_eks
    SmallKeySchedule
ENDF

/* ---- Encryption with round keys in flash, which only Z reads.  X keeps their address while Z looks up.  Whitening keys
 * are taken one by one.  The step F1 takes its subkey and, to U, that of the step F0 which follows. */

#define U r28

    .purgem whiten
.macro whiten op, x, next
    lpm     T, Z+                   ; WK
    \op     \x, T
.endm

    .purgem F1_step
.macro F1_step op, y, x, next
    movw    ZL, XL
    lpm     T, Z+
    lpm     U, Z+
    movw    XL, ZL
    F1_with T, \op, \y, \x
.endm

    .purgem F0_step
.macro F0_step y, x, next
    F0_with U, \y, \x
.endm

FUNC haechi_hight_avr_flash_tiny_enc_flash
    push    U
    movw    XL, r24                 ; X = rk
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    movw    ZL, XL
    ldi     rounds, 16              ; times two
    InitialTransformation
    movw    XL, ZL
    rounds_32
    movw    ZL, XL
    FinalTransformation
    store_at_buf x1, x2, x3, x4, x5, x6, x7, x0
    pop     U
    ret
ENDF

    KERNEL hight_avr_flash_tiny, 8, 16, 136, 0, haechi_hight_avr_flash_tiny_eks, haechi_hight_avr_flash_tiny_enc
    KERNEL hight_avr_flash_tiny_inv, 8, 16, 136, INVERSE, haechi_hight_avr_flash_tiny_eks, \
           haechi_hight_avr_flash_tiny_dec

#endif

#include "../../asm/stack_note.h"

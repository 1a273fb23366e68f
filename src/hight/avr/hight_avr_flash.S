/* hight_avr_flash.S - HIGHT for AVR, the default: F0 and F1 as tables in flash, eight rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_flash_eks(void *rk, const void *key);
 *     void haechi_hight_avr_flash_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_flash_dec(const void *rk, void *buf);
 *     void haechi_hight_avr_flash_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0        4                                                             132      136
 *           | WK0..3 | SK0 SK2 SK1 SK3 | SK5 SK7 SK4 SK6 | SK8 SK10 SK9 SK11 | ... | WK4..7 |
 *           enc reads upwards ->                                           <- dec reads downwards
 *
 * The idea.  Only Z reads flash, so ZH has to change between the pages of the two tables.  The four steps of a round do
 * not depend on one another.  Even rounds take the two steps with F1 first and odd rounds the two with F0, so ZH
 * changes once a round.  The round keys are stored in that order.
 *
 *     x0  x1  x2  x3  x4  x5  x6  x7  T    rounds  X    Z              on the stack
 *     r18 r19 r20 r21 r24 r25 r0  r1  r22  r23     rk   F0 or F1, x    buf                          */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest: they lack movw and lpm to Z */

#include "hight_avr_steps_flash.h"
#include "hight_avr_schedule.h"
#include "hight_avr_ctr_flash.h"
#include "hight_avr_ctr.h"

/* ---- The steps, 8 cycles each.  ZH must hold the page of their table. */

.macro F1_step op, y, x, next
    mov     ZL, \x
    lpm     ZL, Z                   ; F1(x)
    ld      T, \next                ; SK
    eor     ZL, T                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro F0_step y, x, next
    mov     ZL, \x
    lpm     ZL, Z                   ; F0(x)
    ld      T, \next                ; SK
    add     ZL, T                   ; F0(x) + SK
    eor     \y, ZL
.endm

/* ---- Inverse rounds in the order that spares changes of the page, two by two. */

.macro InverseOddRound p7, p6, p5, p4, p3, p2, p1, p0
    F1_step sub, \p5, \p4, -X       ; SK[4i+2]
    F1_step sub, \p1, \p0, -X       ; SK[4i]
    page    F0
    F0_step \p7, \p6, -X            ; SK[4i+3]
    F0_step \p3, \p2, -X            ; SK[4i+1]
.endm

.macro InverseEvenRound p7, p6, p5, p4, p3, p2, p1, p0
    F0_step \p7, \p6, -X            ; SK[4i+3]
    F0_step \p3, \p2, -X            ; SK[4i+1]
    page    F1
    F1_step sub, \p5, \p4, -X       ; SK[4i+2]
    F1_step sub, \p1, \p0, -X       ; SK[4i]
.endm

/* A loop of eight rounds in each turn; `rounds` holds the number of turns. */
.macro EightRoundsEach
1:  EvenOddRounds_8
    dec     rounds
    breq    2f
    rjmp    1b
2:
.endm

FUNC haechi_hight_avr_flash_enc
    movw    XL, r24                 ; X = rk
    enter   x0, x1, x2, x3, x4, x5, x6, x7
    page    F1
    ldi     rounds, 4               ; times eight
    InitialTransformation
    EightRoundsEach
    FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
ENDF

FUNC haechi_hight_avr_flash_dec
    movw    XL, r24
    to_the_end
    enter   x1, x2, x3, x4, x5, x6, x7, x0
    page    F1
    ldi     rounds, 4               ; times eight
    InverseFinalTransformation
1:  InverseOddRound  x0, x7, x6, x5, x4, x3, x2, x1
    InverseEvenRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseOddRound  x2, x1, x0, x7, x6, x5, x4, x3
    InverseEvenRound x3, x2, x1, x0, x7, x6, x5, x4
    InverseOddRound  x4, x3, x2, x1, x0, x7, x6, x5
    InverseEvenRound x5, x4, x3, x2, x1, x0, x7, x6
    InverseOddRound  x6, x5, x4, x3, x2, x1, x0, x7
    InverseEvenRound x7, x6, x5, x4, x3, x2, x1, x0
    dec     rounds
    breq    2f
    rjmp    1b
2:  InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
ENDF

/* ---- Counter mode. */

.macro F1_step_held op, y, x, key
    mov     ZL, \x
    lpm     ZL, Z                   ; F1(x)
    eor     ZL, \key                ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro TwentyFourRounds
    ldi     rounds, 3
    EightRoundsEach
.endm

    CounterMode hight_avr_flash

/* The round keys 0 1 2 3 4 5 6 7 of two rounds are stored in the order 0 2 1 3 5 7 4 6. */
.macro put_subkey n, register
    put     4 + (\n & ~3) + (((\n ^ \n >> 2) & 1) << 1) + (\n >> 1 & 1), \register
.endm

FUNC haechi_hight_avr_flash_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    KeySchedule 2, 0, 3, 1, 7, 5, 6, 4
    ret
ENDF

    KERNEL hight_avr_flash, 8, 16, 136, 0, haechi_hight_avr_flash_eks, haechi_hight_avr_flash_enc, \
           0, haechi_hight_avr_flash_ctr
    KERNEL hight_avr_flash_inv, 8, 16, 136, INVERSE, haechi_hight_avr_flash_eks, haechi_hight_avr_flash_dec

#endif

#include "../../asm/stack_note.h"

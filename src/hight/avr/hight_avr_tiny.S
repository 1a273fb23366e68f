/* hight_avr_tiny.S - HIGHT for AVR, small with tables in RAM: two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_tiny_eks(void *rk, const void *key);
 *     void haechi_hight_avr_tiny_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_tiny_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * The idea.  Two rounds rename the block by two bytes.  If its bytes lie in register pairs, five movw move it
 * back.  With the loop this takes 8 cycles for every two rounds, where a loop of one round takes 12 cycles a round.
 *
 *     rounds  x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r16     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch                    */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_steps_ram.h"
#include "hight_avr_schedule_loop.h"

#define rounds r16

/* y = y + (F1(x) ^ the next subkey), or y - (...): 7 cycles */
.macro F1_step op, y, x, next
    mov     ZL, \x
    ld      ZL, Z                   ; F1(x)
    ld      YL, \next               ; SK
    eor     ZL, YL                  ; F1(x) ^ SK
    \op     \y, ZL
.endm

FUNC haechi_hight_avr_tiny_enc
    push    rounds
    enter
    load    x0, x1, x2, x3, x4, x5, x6, x7
    ldi     rounds, 16              ; times two
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    turn_by_2 ZL
    ldi     ZH, hi8(F1)             ; the page again
    dec     rounds
    brne    1b
    FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
    pop     rounds
    ret
ENDF

FUNC haechi_hight_avr_tiny_dec
    push    rounds
    enter
    to_the_end
    load    x1, x2, x3, x4, x5, x6, x7, x0
    ldi     rounds, 16              ; times two
    InverseFinalTransformation
1:  InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    turn_back_by_2 ZL
    ldi     ZH, hi8(F1)             ; the page again
    dec     rounds
    brne    1b
    InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
    pop     rounds
    ret
ENDF

FUNC haechi_hight_avr_tiny_eks
    LoopKeySchedule
ENDF

    KERNEL hight_avr_tiny, 8, 16, 136, 0, haechi_hight_avr_tiny_eks, haechi_hight_avr_tiny_enc
    KERNEL hight_avr_tiny_inv, 8, 16, 136, INVERSE, haechi_hight_avr_tiny_eks, haechi_hight_avr_tiny_dec

#endif

#include "../../asm/stack_note.h"

/* hight_avr_steps_bare.h - what the kernels with stored round keys and without tables share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     r0, r1    FOUR HALF x0  x1  x2  x3  x4  x5  x6  x7  X    ZERO ZL  ZH      on the stack
 *     products  r16  r17  r18 r19 r20 r21 r22 r23 r24 r25 rk   r28  U   rounds  buf
 *
 * In rk the subkeys of F1, which are those with an even n, have their nibbles swapped: SK_n<<<4. */
#ifndef HAECHI_HIGHT_AVR_STEPS_BARE_H
#define HAECHI_HIGHT_AVR_STEPS_BARE_H

#define FOUR r16
#define HALF r17
#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r22
#define x5 r23
#define x6 r24
#define x7 r25
#define ZERO YL
#define U ZL
#define rounds ZH

#include "hight_avr_block.h"
#include "hight_avr_products.h"
#include "hight_avr_rounds.h"

/* y = y + (F1(x) ^ the next subkey), or y - (...): 13 cycles.  A swap of nibbles turns x ^ x<<<2 ^ x<<<7 into F1(x),
 * and turns the round key back, which is stored with its nibbles swapped. */
.macro F1_step op, y, x, next
    ld      U, \next                ; SK<<<4
    eor     U, \x
    multiples \x
    swap    U                       ; F1(x) ^ SK
    \op     \y, U
.endm

/* U = F0(x) + the next subkey: 14 cycles */
.macro F0_sum x, next
    mov     U, \x
    lsl     U
    adc     U, ZERO                 ; x<<<1
    multiples \x                    ; F0(x)
    ld      r0, \next               ; SK
    add     U, r0
.endm

.macro F0_step y, x, next
    F0_sum  \x, \next
    eor     \y, U
.endm

.macro whiten op, x, next
    ld      U, \next                ; WK
    \op     \x, U
.endm

/* The beginning and the end of a function.  load_block comes between enter and constants. */

.macro enter
    push    FOUR
    push    HALF
    push    ZERO
    push    r22
    push    r23
    movw    XL, r24                 ; X = rk
    movw    ZL, r22                 ; Z = buf
.endm

.macro constants
    ldi     FOUR, 4
    ldi     HALF, 128
    clr     ZERO
.endm

.macro leave b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    pop     ZERO
    pop     HALF
    pop     FOUR
.endm

#endif

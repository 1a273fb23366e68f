/* hight_avr_steps_bare.h - what the kernels with stored round keys and without tables share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     r0, r1    r16, r17, r28  x0  x1  x2  x3  x4  x5  x6  x7  X    ZL  ZH      on the stack
 *     products  constants      r18 r19 r20 r21 r22 r23 r24 r25 rk   U   rounds  buf
 *
 * In rk the subkeys of F1, which are those with an even n, have their nibbles swapped: SK_n<<<4.  A kernel says which
 * constants it keeps and defines
 *
 *     multiples x                  U = U ^ x<<<2 ^ x<<<7
 *     rotated_by_1 x               U = x<<<1 */
#ifndef HAECHI_HIGHT_AVR_STEPS_BARE_H
#define HAECHI_HIGHT_AVR_STEPS_BARE_H

#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r22
#define x5 r23
#define x6 r24
#define x7 r25
#define U ZL
#define rounds ZH

#include "hight_avr_block.h"
#include "hight_avr_rounds.h"

/* y = y + (F1(x) ^ the next subkey), or y - (...).  A swap of nibbles turns x ^ x<<<2 ^ x<<<7 into F1(x),
 * and turns the round key back, which is stored with its nibbles swapped. */
.macro F1_step op, y, x, next
    ld      U, \next                ; SK<<<4
    eor     U, \x
    multiples \x
    swap    U                       ; F1(x) ^ SK
    \op     \y, U
.endm

/* U = F0(x) + the next subkey */
.macro F0_sum x, next
    rotated_by_1 \x                 ; x<<<1
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

/* The beginning and the end of a function.  load_block comes after the beginning. */

.macro enter
    push    r22
    push    r23
    movw    XL, r24                 ; X = rk
    movw    ZL, r22                 ; Z = buf
.endm

.macro leave b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
.endm

#endif

/* hight_avr_steps_ram.h - what the kernels with stored round keys and tables in RAM share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch
 *
 * YH holds the page of F0 and ZH the page of F1 all the time, so a byte that is moved to YL or ZL is an address, and
 * the look-up may overwrite it.  Whichever of YL and ZL is not the address takes the round key.  A kernel defines
 * F1_step, as it decides in which form the subkeys of F1 are stored. */
#ifndef HAECHI_HIGHT_AVR_STEPS_RAM_H
#define HAECHI_HIGHT_AVR_STEPS_RAM_H

#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r24
#define x5 r25
#define x6 r0
#define x7 r1

#include "hight_avr_block.h"
#include "hight_avr_tables_ram.h"
#include "hight_avr_rounds.h"

/* y = y ^ (F0(x) + the next subkey): 7 cycles */
.macro F0_step y, x, next
    mov     YL, \x
    ld      YL, Y                   ; F0(x)
    ld      ZL, \next               ; SK
    add     YL, ZL                  ; F0(x) + SK
    eor     \y, YL
.endm

.macro whiten op, x, next
    ld      ZL, \next               ; WK
    \op     \x, ZL
.endm

/* The beginning and the end of a function.  load is not part of enter, because decryption moves X between them. */

.macro enter
    push    YL
    push    YH
    movw    XL, r24                 ; X = rk
.endm

.macro load b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    load_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    ldi     YH, hi8(F0)
    ldi     ZH, hi8(F1)
.endm

.macro leave b0, b1, b2, b3, b4, b5, b6, b7
    movw    ZL, r22                 ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    pop     YH
    pop     YL
.endm

#endif

/* hight_avr_steps_flash.h - what the kernels with stored round keys and tables in flash share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x0  x1  x2  x3  x4  x5  x6  x7  T        rounds  X    Z              on the stack
 *     r18 r19 r20 r21 r24 r25 r0  r1  scratch  r23     rk   F0 or F1, x    buf
 *                                     r22
 *
 * Only Z reads flash, so ZH must select the page of F0 or of F1 before a look-up. */
#ifndef HAECHI_HIGHT_AVR_STEPS_FLASH_H
#define HAECHI_HIGHT_AVR_STEPS_FLASH_H

#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r24
#define x5 r25
#define x6 r0
#define x7 r1
#define T r22
#define rounds r23

#include "hight_avr_block.h"
#include "hight_avr_tables_flash.h"
#include "hight_avr_rounds.h"

.macro whiten op, x, next
    ld      T, \next                ; WK
    \op     \x, T
.endm

/* The beginning and the end of a function. */

.macro enter b0, b1, b2, b3, b4, b5, b6, b7
    push    r22
    push    r23
    movw    ZL, r22                 ; Z = buf
    load_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
.endm

.macro store_at_buf b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
.endm

.macro leave words:vararg
    store_at_buf \words
    ret
.endm

#endif

/* hight_avr_flash_tiny.S - HIGHT for AVR, small with tables in flash: two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_flash_tiny_eks(void *rk, const void *key);
 *     void haechi_hight_avr_flash_tiny_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_flash_tiny_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * The idea.  hight_avr_tiny with lpm.  As only Z reads flash, ZH takes the page before each look-up: the order of
 * round keys that would spare most of that (hight_avr_flash) has no place in the small key schedule.
 *
 *     x0  x1  x2  x3  x4  x5  x6  x7  T    rounds  X    Z              on the stack
 *     r18 r19 r20 r21 r24 r25 r0  r1  r22  r23     rk   F0 or F1, x    buf                          */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

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

#define HIGHT_TABLES_IN_FLASH
#define HIGHT_STORED_KEYS
#include "hight_avr.h"

/* ---- One application of F each: 9 cycles. */

.macro F1_step op, y, x, next
    ldi     ZH, hi8(F1)
    mov     ZL, \x
    lpm     ZL, Z                   ; F1(x)
    ld      T, \next                ; SK
    eor     ZL, T                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

.macro F0_step y, x, next
    ldi     ZH, hi8(F0)
    mov     ZL, \x
    lpm     ZL, Z                   ; F0(x)
    ld      T, \next                ; SK
    add     ZL, T                   ; F0(x) + SK
    eor     \y, ZL
.endm

.macro whiten op, x, next
    ld      T, \next                ; WK
    \op     \x, T
.endm

.macro frame_in b0, b1, b2, b3, b4, b5, b6, b7
    push    r22
    push    r23
    movw    ZL, r22                 ; Z = buf
    load_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    ldi     rounds, 16              ; times two
.endm

.macro frame_out b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    ret
.endm

FUNC haechi_hight_avr_flash_tiny_enc
    movw    XL, r24                 ; X = rk
    frame_in x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    turn_by_2 ZL
    dec     rounds
    brne    1b
    FinalTransformation
    frame_out x1, x2, x3, x4, x5, x6, x7, x0
ENDF

FUNC haechi_hight_avr_flash_tiny_dec
    movw    XL, r24
    to_the_end
    frame_in x1, x2, x3, x4, x5, x6, x7, x0
    InverseFinalTransformation
1:  InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    turn_back_by_2 ZL
    dec     rounds
    brne    1b
    InverseInitialTransformation
    frame_out x0, x1, x2, x3, x4, x5, x6, x7
ENDF

FUNC haechi_hight_avr_flash_tiny_eks
    SmallKeySchedule
ENDF

    KERNEL hight_avr_flash_tiny, 8, 16, 136, 0, haechi_hight_avr_flash_tiny_eks, haechi_hight_avr_flash_tiny_enc
    KERNEL hight_avr_flash_tiny_inv, 8, 16, 136, INVERSE, haechi_hight_avr_flash_tiny_eks, haechi_hight_avr_flash_tiny_dec

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

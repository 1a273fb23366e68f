/* hight_avr_compact.S - HIGHT for AVR, nearly as fast as unrolled in a third of the code.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_compact_eks(void *rk, const void *key);
 *     void haechi_hight_avr_compact_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_compact_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *           with F1^-1(SK_n) in the place of SK_n where n is even
 *
 * The idea.  Encryption and decryption are those of hight_avr_ram_t as a loop of eight rounds.  The key schedule has no
 * table of F1^-1: as F1^4 is the swap of nibbles and F1^8 is the identity, F1^-1 is F1 applied three times and a
 * swap.
 *
 *     rounds  x0  x1  x2  x3  buf      x4  x5  x6  x7  X    Y            Z
 *     r16     r18 r19 r20 r21 r22:r23  r24 r25 r0  r1  rk   F0, scratch  F1, scratch                    */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#include "hight_avr_steps_ram.h"
#include "hight_avr_schedule.h"

#define rounds r16

/* y = y + F1(x ^ the next transformed subkey), or y - (...): 6 cycles */
.macro F1_step op, y, x, next
    ld      ZL, \next               ; F1^-1(SK)
    eor     ZL, \x
    ld      ZL, Z                   ; F1(x) ^ SK
    \op     \y, ZL
.endm

FUNC haechi_hight_avr_compact_enc
    push    rounds
    enter
    load    x0, x1, x2, x3, x4, x5, x6, x7
    ldi     rounds, 4               ; times eight
    InitialTransformation
1:  Rounds_8
    dec     rounds
    breq    2f
    rjmp    1b
2:  FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
    pop     rounds
    ret
ENDF

FUNC haechi_hight_avr_compact_dec
    push    rounds
    enter
    to_the_end
    load    x1, x2, x3, x4, x5, x6, x7, x0
    ldi     rounds, 4               ; times eight
    InverseFinalTransformation
1:  InverseRounds_8
    dec     rounds
    breq    2f
    rjmp    1b
2:  InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
    pop     rounds
    ret
ENDF

.macro put_subkey n, register
    put     4+\n, \register
.endm

FUNC haechi_hight_avr_compact_eks
    push    YL
    push    YH
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    KeySchedule 3, 2, 1, 0, 7, 6, 5, 4
    move_Z  4
    movw    YL, ZL                  ; Y = SK0
    ldi     ZH, hi8(F1)
    ldi     r18, 16
1:  .irp n, 0, 2, 4, 6
    ldd     ZL, Y+\n                ; SK
    ld      ZL, Z                   ; F1(SK)
    ld      ZL, Z                   ; F1^2(SK)
    ld      ZL, Z                   ; F1^3(SK)
    swap    ZL                      ; F1^7(SK)
    std     Y+\n, ZL
    .endr
    adiw    YL, 8
    dec     r18
    brne    1b
    pop     YH
    pop     YL
    ret
ENDF

    KERNEL hight_avr_compact, 8, 16, 136, 0, haechi_hight_avr_compact_eks, haechi_hight_avr_compact_enc
    KERNEL hight_avr_compact_inv, 8, 16, 136, INVERSE, haechi_hight_avr_compact_eks, haechi_hight_avr_compact_dec

#endif

#include "../../asm/stack_note.h"

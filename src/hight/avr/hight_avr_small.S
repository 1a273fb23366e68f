/* hight_avr_small.S - HIGHT for AVR in little flash and RAM: no tables, one round in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_small_eks(void *rk, const void *key);
 *     void haechi_hight_avr_small_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_small_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *           with SK_n<<<4, its nibbles swapped, in the place of SK_n where n is even
 *
 * The idea.  Each step of hight_avr_bare stands once.  The block moves on by a byte a round.  The step that makes the
 * new x0 leaves it in the scratch register until the place of x0 is free, which spares one of nine moves.  One register
 * holds 4 and 128 by turns: each application of F begins with the factor that the one before left.
 *
 *     r0, r1    FACTOR  x0  x1  x2  x3  x4  x5  x6  x7  X    ZL  ZH      on the stack
 *     products  r17     r18 r19 r20 r21 r22 r23 r24 r25 rk   U   rounds  buf                         */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_MUL__)

#define FACTOR r17

#include "hight_avr_steps_bare.h"
#include "hight_avr_schedule_small.h"

/* U = x<<<1, without a register that holds 0 */
.macro rotated_by_1 x
    mov     U, \x
    lsl     U
    bst     \x, 7
    bld     U, 0
.endm

/* U = U ^ x<<<2 ^ x<<<7.  r0 and r1 are lost.  .Lfactor is what FACTOR holds.  A loop has an even number of these. */
.macro multiples x
    .Lother = 4 + 128 - .Lfactor
    mul     \x, FACTOR
    eor     U, r0
    eor     U, r1
    ldi     FACTOR, .Lother
    mul     \x, FACTOR
    eor     U, r0
    eor     U, r1
    .Lfactor = .Lother
.endm

.macro constants
    .Lfactor = 4
    ldi     FACTOR, .Lfactor
.endm

FUNC haechi_hight_avr_small_enc
    push    FACTOR
    enter
    load_block x0, x1, x2, x3, x4, x5, x6, x7
    constants
    ldi     rounds, 32
    InitialTransformation
1:  F1_step add, x1, x0, X+         ; SK[4i]
    F0_step x3, x2, X+              ; SK[4i+1]
    F1_step add, x5, x4, X+         ; SK[4i+2]
    F0_sum  x6, X+                  ; SK[4i+3]
    eor     U, x7                   ; the next x0
    mov     x7, x6
    mov     x6, x5
    mov     x5, x4
    mov     x4, x3
    mov     x3, x2
    mov     x2, x1
    mov     x1, x0
    mov     x0, U
    dec     rounds
    brne    1b
    FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
    pop     FACTOR
    ret
ENDF

FUNC haechi_hight_avr_small_dec
    push    FACTOR
    enter
    load_block x1, x2, x3, x4, x5, x6, x7, x0
    constants
    ldi     rounds, 32
    to_the_end
    InverseFinalTransformation
1:  F0_sum  x7, -X                  ; SK[4i+3]
    eor     U, x0                   ; the next x7
    mov     x0, x1
    mov     x1, x2
    mov     x2, x3
    mov     x3, x4
    mov     x4, x5
    mov     x5, x6
    mov     x6, x7
    mov     x7, U
    F1_step sub, x5, x4, -X         ; SK[4i+2]
    F0_step x3, x2, -X              ; SK[4i+1]
    F1_step sub, x1, x0, -X         ; SK[4i]
    dec     rounds
    brne    1b
    InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
    pop     FACTOR
    ret
ENDF

FUNC haechi_hight_avr_small_eks
    SmallKeySchedule swap r0
ENDF

    KERNEL hight_avr_small, 8, 16, 136, 0, haechi_hight_avr_small_eks, haechi_hight_avr_small_enc
    KERNEL hight_avr_small_inv, 8, 16, 136, INVERSE, haechi_hight_avr_small_eks, haechi_hight_avr_small_dec

#endif

#include "../../asm/stack_note.h"

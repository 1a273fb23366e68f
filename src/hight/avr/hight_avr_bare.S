/* hight_avr_bare.S - HIGHT for AVR without tables, for speed: four rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_bare_eks(void *rk, const void *key);
 *     void haechi_hight_avr_bare_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_bare_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *           with SK_n<<<4, its nibbles swapped, in the place of SK_n where n is even
 *
 * The idea.  A multiplication shifts by any distance in two cycles, and the two bytes of the product are the two parts
 * of a rotated byte.  A swap of nibbles turns the sum of such parts into F1.  If the round key is stored with its
 * nibbles swapped, the sum can begin with it.  There is no table: addresses do not depend on key or block.
 *
 * Four rounds rename the block by half of its bytes; six movw move it back.
 *
 *     r0, r1    FOUR HALF x0  x1  x2  x3  x4  x5  x6  x7  X    ZERO ZL  ZH      on the stack
 *     products  r16  r17  r18 r19 r20 r21 r22 r23 r24 r25 rk   r28  U   rounds  buf                  */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_MUL__)

#define FOUR r16
#define HALF r17
#define ZERO r28

#include "hight_avr_steps_bare.h"
#include "hight_avr_products.h"
#include "hight_avr_schedule_small.h"

.macro rotated_by_1 x
    mov     U, \x
    lsl     U
    adc     U, ZERO
.endm

.macro constants
    ldi     FOUR, 4
    ldi     HALF, 128
    clr     ZERO
.endm

/* Four rounds rename the block by four bytes; this moves it back. */
.macro swap_halves
    movw    r0, x0
    movw    x0, x4
    movw    x4, r0
    movw    r0, x2
    movw    x2, x6
    movw    x6, r0
.endm

FUNC haechi_hight_avr_bare_enc
    push_all FOUR, HALF, ZERO
    enter
    load_block x0, x1, x2, x3, x4, x5, x6, x7
    constants
    ldi     rounds, 8               ; times four
    InitialTransformation
1:  Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    Round   x5, x4, x3, x2, x1, x0, x7, x6
    Round   x4, x3, x2, x1, x0, x7, x6, x5
    swap_halves
    dec     rounds
    breq    2f
    rjmp    1b
2:  FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all ZERO, HALF, FOUR
    ret
ENDF

FUNC haechi_hight_avr_bare_dec
    push_all FOUR, HALF, ZERO
    enter
    load_block x1, x2, x3, x4, x5, x6, x7, x0
    constants
    ldi     rounds, 8               ; times four
    to_the_end
    InverseFinalTransformation
1:  InverseRound x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound x3, x2, x1, x0, x7, x6, x5, x4
    swap_halves
    dec     rounds
    breq    2f
    rjmp    1b
2:  InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
    pop_all ZERO, HALF, FOUR
    ret
ENDF

FUNC haechi_hight_avr_bare_eks
    SmallKeySchedule swap r0
ENDF

    KERNEL hight_avr_bare, 8, 16, 136, 0, haechi_hight_avr_bare_eks, haechi_hight_avr_bare_enc
    KERNEL hight_avr_bare_inv, 8, 16, 136, INVERSE, haechi_hight_avr_bare_eks, haechi_hight_avr_bare_dec

#endif

#include "../../asm/stack_note.h"

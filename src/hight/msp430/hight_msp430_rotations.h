/* hight_msp430_rotations.h - F0 and F1 by rotations, and the steps with them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * U is a second scratch register.  It takes the place of buf, which waits on the stack during the rounds. */
#ifndef HAECHI_HIGHT_MSP430_ROTATIONS_H
#define HAECHI_HIGHT_MSP430_ROTATIONS_H

#include "hight_msp430_block.h"

#define U r13

/* T = F0(x) = x>>>1 ^ (x ^ x<<<1)<<<1: 10 cycles */
.macro F0 x
    mov.b   \x, T
    rla.b   T
    adc.b   T                       ; x<<<1
    xor.b   \x, T
    rla.b   T
    adc.b   T                       ; x<<<1 ^ x<<<2
    mov.b   \x, U
    bit     #1, U
    rrc.b   U
    xor.b   U, T                    ; ... ^ x<<<7
.endm

/* U = F1(x) = x>>>2 ^ x>>>4 ^ x>>>5 in its lower byte, from x twice in a word: 11 cycles */
.macro F1 x
    mov.b   \x, T
    swpb    T
    xor     \x, T                   ; x:x
    mov     T, U
    rra     U
    xor     T, U                    ; x ^ x>>>1
    rra     U
    rra     U
    xor     T, U                    ; x ^ x>>>2 ^ x>>>3
    rra     U
    rra     U
.endm

/* y = y + (F1(x) ^ the next subkey), or y - (...): 14 cycles */
.macro F1_step op, y, x
    F1      \x
    xor.b   @rp+, U                 ; F1(x) ^ SK
    \op     U, \y
.endm

/* T = F0(x) + the next subkey: 12 cycles */
.macro F0_sum x
    F0      \x
    add.b   @rp+, T
.endm

/* y = y ^ (F0(x) + the next subkey): 13 cycles */
.macro F0_step y, x
    F0_sum  \x
    xor.b   T, \y
.endm

#endif

/* lea_avr_fours.h - LEA for AVR in loops of four rounds: all but the key schedule of LEA-128.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel says by PART(what) how its functions and tables are called, and by KERNEL_NAME how the kernel is.
 *
 * lea_avr_rounds.h draws the round keys and has the rounds.  A turn of the loop is four rounds, which begin and end
 * with the block in W0 to W3.  r29 counts the turns.  The key schedules read the delta of each round, rotated by i,
 * from flash. */
#ifndef HAECHI_LEA_AVR_FOURS_H
#define HAECHI_LEA_AVR_FOURS_H

#include "lea_avr_keys_ram.h"
#include "lea_avr_inverse_rounds.h"
#include "lea_avr_block.h"
#include "lea_avr_expand.h"

    c8 = 26
    c32 = 27
    zero = 28

#define counter r29

/* ---- Encryption. */

.macro enter_enc fours, x0, x1, x2, x3
    push_all counter, zero
    load_block \x0, \x1, \x2, \x3
    load_factors
    clr     zero
    ldi     counter, \fours
.endm

.macro leave_enc x0, x1, x2, x3
    store_block \x0, \x1, \x2, \x3
    pop_all zero, counter
    ret
.endm

FUNC PART(128_enc)
    enter_enc 6, rol8(W0), W1, ror8(W2), rol8(W3)
1:
    FirstRound_128 W0, W1, W2, W3, W4
    Round_128 W1, W2, W3, W0, W4
    Round_128 W3, W4, W0, W1, W2
    Round_128 W0, W2, W1, W3, W4
    ROL_by  c32, W2, rol8(W3)       ; X2 = ror8(W2)
    move_word W3, W0                ; X3 = rol8(W3)
    move_word W0, W1                ; X0 = rol8(W0)
    ROL_by  c8, rol8(W1), ror8(W4)  ; X1 = W1
    dec     counter
    again
    leave_enc rol8(W0), W1, ror8(W2), rol8(W3)
ENDF

.macro encrypt fours
    enter_enc \fours, rol8(W0), W1, W2, rol8(W3)
1:
    FirstRound_256 W0, W1, W2, W3, W4
    Round_256 W1, W2, W3, W0, W4
    Round_256 W4, W2, W0, W1, W3
    Round_256 W3, W2, W1, W4, W0
    ROL_by  c8, rol8(W1), W2        ; X1 = W1
    ROL_by  c32, rol8(W2), rol8(W4) ; X2 = W2
    dec     counter
    again
    leave_enc rol8(W0), W1, W2, rol8(W3)
.endm

FUNC PART(192_enc)
    encrypt 7
ENDF

FUNC PART(256_enc)
    encrypt 8
ENDF

/* ---- Decryption.  .Lz and .Lround are offsets from the beginning of the keys of the present four rounds, where the
 * keys of the previous four rounds end. */

.macro decrypt layout, size, fours
    push    counter
    load_block W0, ror8(W1), W2, W3
    load_factors
    ldi     counter, \fours
    .Lz = 0
    move_Z  4*\fours*\size
1:
    .Lz = 4*\size
    .Lround = .Lz
    four_inverse_rounds \layout, \size
    dec     counter
    again
    store_block W0, ror8(W1), W2, W3
    pop     counter
    ret
.endm

FUNC PART(128_dec)
    decrypt 128, 16, 6
ENDF

FUNC PART(192_dec)
    decrypt 256, 24, 7
ENDF

FUNC PART(256_dec)
    decrypt 256, 24, 8
ENDF

    deltas  KERNEL_NAME, 4, 24
    deltas  KERNEL_NAME, 6, 28
    deltas  KERNEL_NAME, 8, 32

/* ---- The key schedule of LEA-128 has T0 to T3 in W0 to W3.
 *
 *     delta <<< i+j, then products  X    Z       zero  8
 *     W4                            rk   deltas  r28   r29 */
.macro enter_eks_128
    push_all r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw    XL, r22
    load_word W0
    load_word W1
    load_word W2
    load_word W3
    movw    XL, r24                 ; X = rk
    point_Z_at PART(deltas_4)
    clr     r28
    ldi     r29, 8
.endm

.macro leave_eks_128
    clr     r1
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
    ret
.endm

FUNC PART(192_eks)
    expand  KERNEL_NAME, 6, 28
ENDF

FUNC PART(256_eks)
    expand  KERNEL_NAME, 8, 32
ENDF

#endif

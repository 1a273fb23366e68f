/* hight_msp430_ctr.h - counter mode for the HIGHT kernels for MSP430: the first five rounds of a block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * asm/msp430_ctr.h has what surrounds a block.  The last byte of the counter is x7.  It affects x0 in round 2, x1 in
 * round 3, x2 in round 4 and x3 in round 5.  Rounds 1, 3 and 5 add constants to x7 itself.  The cache has all constants
 * in the order in which blocks read them, with round keys between them, and the address of the next round's keys:
 *
 *     0         1      2    3     4      5    6     7      8    9      10     11     12   13     14   15   16       18
 *     | x7, the | to_1 | x0 | SK4 | to_3 | x1 | SK9 | SK13 | x2 | SK14 | to_5 | SK18 | x3 | SK19 | x4 | x5 | x6 |   | SK20's
 *       last byte                                                                                                     address
 *
 * A kernel defines
 *
 *     UNIT                         the bytes of a round key, and of each entry of the cache: 1 or 2
 *     MOV, XOR                     the instructions for entries: mov.b and xor.b, or mov and xor
 *     F1_of r, y, x; F0_of r, y, x the steps of round r
 *     set_rounds                   what encryption has done by round 6, beside the rounds */
#ifndef HAECHI_HIGHT_MSP430_CTR_H
#define HAECHI_HIGHT_MSP430_CTR_H

#define SK20 18*UNIT
#define CACHE SK20+2
#define BLOCK 8
#define LAST_BYTE 0
#include "../../asm/msp430_ctr.h"
#include "hight_msp430_block.h"

/* An entry of the cache = x, or the next round key. */
.macro keep at, x
    MOV     \x, \at*UNIT(r1)
.endm

.macro keep_key at
    MOV     @rp+, T
    keep    \at, T
.endm

/* Keeps what a step gives for x7 = 0. */
.macro keep_step at, step, r, x
    clr     x7
    \step   \r, x7, \x
    keep    \at, x7
.endm

/* Makes the cache: the part of rounds 1 to 5 that the last byte does not affect.  r13 = ctr. */
.macro ConstantRounds
    mov     RK(r1), rp
    load    x0, x1, x2, x3, x4, x5, x6, x7
    keep    0, x7
    InitialTransformation
    F1_of   0, x1, x0               ; SK0
    F0_of   0, x3, x2
    F1_of   0, x5, x4
    keep_step 1, F0_of, 0, x6       ; to_1
    keep_key 3                      ; SK4
    F0_of   1, x2, x1
    F1_of   1, x4, x3
    F0_of   1, x6, x5
    keep_step 4, F1_of, 2, x6       ; to_3, by SK8
    keep_key 6
    F1_of   2, x3, x2
    F0_of   2, x5, x4
    F1_of   3, x6, x5               ; SK12
    keep_key 7
    keep_key 9
    F0_of   3, x4, x3
    F1_of   4, x5, x4               ; SK16
    keep_step 10, F0_of, 4, x6      ; to_5
    keep_key 11
    keep_key 13
    keep    2, x0
    keep    5, x1
    keep    8, x2
    keep    12, x3
    keep    14, x4
    keep    15, x5
    keep    16, x6
    mov     rp, SK20(r1)
.endm

/* Rounds 1 to 5 of a block, but for what the cache holds.  The sum in round 3 is a byte, whatever the unit. */
.macro FirstRounds
    mov     r1, rp
    MOV     @rp+, x7
    XOR     @rp+, x7                ; after round 1
    MOV     @rp+, x0
    F1_of   1, x0, x7               ; SK4
    add.b   @rp+, x7                ; after round 3
    .if     UNIT == 2
    inc     rp
    .endif
    MOV     @rp+, x1
    F0_of   2, x1, x0               ; SK9
    F0_of   3, x0, x7
    MOV     @rp+, x2
    F1_of   3, x2, x1               ; SK14
    XOR     @rp+, x7                ; after round 5
    F1_of   4, x1, x0               ; SK18
    MOV     @rp+, x3
    F0_of   4, x3, x2
    MOV     @rp+, x4
    MOV     @rp+, x5
    MOV     @rp+, x6
    mov     SK20(r1), rp
.endm

/* A block goes on at the label round_6 of encryption, which finds `registers` kept on the stack. */
.macro counter round_6, registers
    enter_ctr
    jz      9f
    add     #BLOCK, DEST(r1)        ; buf as load leaves it
5:
    begin_stretch
    ConstantRounds
    advance_counter
    mov     DEST(r1), buf
6:
    FirstRounds
    set_rounds
    join_block 7f, \registers
    br      #\round_6
7:
    next_block 6b, 5b
9:
    leave_ctr
.endm

#endif

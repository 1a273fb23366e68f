/* hight_msp430_flash.S - HIGHT for MSP430: tables in flash, eight rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_flash_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_flash_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_flash_dec(const void *rk, void *buf);
 *     void haechi_hight_msp430_flash_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The idea.  A byte instruction clears the upper half of its register, so every byte of the block is an
 * index as it stands, and F1(x) is one load.  Rotation of the block is renaming. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#define HIGHT_TABLES
#define HIGHT_PLAIN_KEYS
#define HIGHT_FAST_KEYS
#include "hight_msp430.h"

#define CACHE 20
#define BLOCK 8
#define LAST_BYTE 0
#include "../../asm/msp430_ctr.h"

/* T = F1(x) ^ the next subkey: 5 cycles */
.macro F1_sum x
    mov.b   F1(\x), T
    xor.b   @rp+, T
.endm

/* y = y + (F1(x) ^ the next subkey), or y - (...): 6 cycles */
.macro F1_step op, y, x
    F1_sum  \x
    \op     T, \y
.endm

/* T = F0(x) + the next subkey: 5 cycles */
.macro F0_sum x
    mov.b   F0(\x), T
    add.b   @rp+, T
.endm

/* y = y ^ (F0(x) + the next subkey): 6 cycles */
.macro F0_step y, x
    F0_sum  \x
    xor.b   T, \y
.endm

FUNC haechi_hight_msp430_flash_enc
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    mov     #4, rounds
    InitialTransformation
1:  Rounds_5
.Lround_6:
    Rounds_3
    dec     rounds
    jnz     1b
    FinalTransformation
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

/* ---- Counter mode.  asm/msp430_ctr.h has what goes around a block.  The last byte of the counter is x7.  It reaches x0 in
 * round 2, x1 in round 3, x2 in round 4, x3 in round 5; to x7 itself rounds 1, 3 and 5 add constants.  The cache has all
 * constants in the order in which blocks read them, round keys between them, and where rounds 6 to 32 have theirs:
 *
 *     0         1      2    3     4      5    6     7      8    9      10     11     12   13     14   15   16       18
 *     | last    | to_1 | x0 | SK4 | to_3 | x1 | SK9 | SK13 | x2 | SK14 | to_5 | SK18 | x3 | SK19 | x4 | x5 | x6 |   | SK20
 *       byte, x7                                                                                                      at */

.macro keep at
    mov.b   @rp+, T
    mov.b   T, \at(r1)
.endm

/* Rounds 1 to 5 without what the last byte reaches, from r13 = ctr. */
.macro ConstantRounds
    mov     RK(r1), rp
    load    x0, x1, x2, x3, x4, x5, x6
    mov.b   @buf, LAST_BYTE(r1)
    InitialTransformation
    F1_step add.b, x1, x0           ; SK0
    F0_step x3, x2
    F1_step add.b, x5, x4
    F0_sum  x6
    mov.b   T, 1(r1)                ; to_1
    keep    3                       ; SK4
    F0_step x2, x1
    F1_step add.b, x4, x3
    F0_step x6, x5
    F1_sum  x6                      ; SK8
    mov.b   T, 4(r1)                ; to_3
    keep    6
    F1_step add.b, x3, x2
    F0_step x5, x4
    F1_step add.b, x6, x5           ; SK12
    keep    7
    keep    9
    F0_step x4, x3
    F1_step add.b, x5, x4           ; SK16
    F0_sum  x6
    mov.b   T, 10(r1)               ; to_5
    keep    11
    keep    13
.endm

FUNC haechi_hight_msp430_flash_ctr
    enter_ctr
    jz      9f
    add     #BLOCK, DEST(r1)        ; buf as it is after load
5:
    begin_stretch
    ConstantRounds
    mov.b   x0, 2(r1)
    mov.b   x1, 5(r1)
    mov.b   x2, 8(r1)
    mov.b   x3, 12(r1)
    mov.b   x4, 14(r1)
    mov.b   x5, 15(r1)
    mov.b   x6, 16(r1)
    mov     rp, 18(r1)
    advance_counter
    mov     DEST(r1), buf
6:
    mov     r1, rp
    mov.b   @rp+, x7
    xor.b   @rp+, x7                ; after round 1
    mov.b   @rp+, x0
    F1_step add.b, x0, x7           ; SK4
    add.b   @rp+, x7                ; after round 3
    mov.b   @rp+, x1
    F0_step x1, x0                  ; SK9
    F0_step x0, x7                  ; SK13
    mov.b   @rp+, x2
    F1_step add.b, x2, x1           ; SK14
    xor.b   @rp+, x7                ; after round 5
    F1_step add.b, x1, x0           ; SK18
    mov.b   @rp+, x3
    F0_step x3, x2                  ; SK19
    mov.b   @rp+, x4
    mov.b   @rp+, x5
    mov.b   @rp+, x6
    mov     18(r1), rp
    mov     #4, rounds
    join_block 7f
    br      #.Lround_6
7:
    next_block 6b, 5b
9:
    leave_ctr
ENDF

/* ---- Decryption. */

FUNC haechi_hight_msp430_flash_dec
    push_all r4, r5, r6, r7, r8, r9, r10
    load    x1, x2, x3, x4, x5, x6, x7, x0
    mov     #4, rounds
    add     #132, rp
    InverseFinalTransformation
1:  InverseRounds_8
    dec     rounds
    jnz     1b
    sub     #8, rp
    InverseInitialTransformation
    store   x0, x1, x2, x3, x4, x5, x6, x7
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

    FastKeySchedule hight_msp430_flash

    KERNEL hight_msp430_flash, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_flash_eks, haechi_hight_msp430_flash_enc, 0, haechi_hight_msp430_flash_ctr
    KERNEL hight_msp430_flash_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_flash_eks, haechi_hight_msp430_flash_dec

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

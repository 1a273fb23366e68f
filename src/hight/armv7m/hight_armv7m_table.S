/* hight_armv7m_table.S - HIGHT for Cortex-M with tables of F0 and F1: a byte in each register, eight rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_armv7m_table_eks(void *rk, const void *key);
 *     void haechi_hight_armv7m_table_enc(const void *rk, void *buf);
 *     void haechi_hight_armv7m_table_dec(const void *rk, void *buf);
 *
 *     rk, words    0      1                              32     33
 *                  WK0..3 SK0 SK1 SK2 SK3  ...  ... SK127 WK4..7
 *                  enc reads upwards ->          <- dec reads downwards
 *
 * The index of a look-up must be a byte with nothing above it, so each sum and each XOR with a word of subkeys ends
 * with UXTB. Loads come in pairs: the second load of a pair takes one cycle if its instruction does not straddle two
 * words, and therefore the rounds consist of 32-bit instructions.  The names move with the bytes, and after eight
 * rounds every register has its first name again.
 *
 *     r0  r1  r2  r3                r12  lr  r4 ... r11   on the stack
 *     rk  F0  F1  four subkeys      t    u   x0 ... x7    where rk ends, buf */
#include "hight_armv7m.h"
#include "../hight_round_names.h"

#if defined(HAECHI_ARMV7M)

k       .req    r3
t       .req    r12
u       .req    lr
x0      .req    r4
x1      .req    r5
x2      .req    r6
x3      .req    r7
x4      .req    r8
x5      .req    r9
x6      .req    r10
x7      .req    r11

/* ---- F0(x) = x<<<1 ^ x<<<2 ^ x<<<7 and F1(x) = x<<<3 ^ x<<<4 ^ x<<<6.  A linker script may place them in RAM. */

    .section .rodata.hight_armv7m_table, "a", %progbits

    .type   haechi_hight_armv7m_table_F, %object
    .size   haechi_hight_armv7m_table_F, 512
haechi_hight_armv7m_table_F:
    table   F0_ROTATIONS
    table   F1_ROTATIONS

.macro point_at_tables
    movw    r1, #:lower16:haechi_hight_armv7m_table_F
    movt    r1, #:upper16:haechi_hight_armv7m_table_F
    add     r2, r1, #256
.endm

/* ---- The steps.  op is add in encryption and sub in decryption. */

.macro F1_steps op, x0, x1, x4, x5
    ldrb    t, [r2, \x0]
    ldrb    u, [r2, \x4]
    eor     t, t, k                 @ F1(x0) ^ SK
    \op\().w  \x1, \x1, t
    eor     u, u, k, lsr #16        @ F1(x4) ^ SK
    \op\().w  \x5, \x5, u
    uxtb.w  \x1, \x1
    uxtb.w  \x5, \x5
.endm

.macro F0_steps x2, x3, x6, x7
    ldrb    t, [r1, \x2]
    ldrb    u, [r1, \x6]
    add     t, t, k, lsr #8         @ F0(x2) + SK
    eor     \x3, \x3, t
    add     u, u, k, lsr #24        @ F0(x6) + SK
    eor     \x7, \x7, u
    uxtb.w  \x3, \x3
    uxtb.w  \x7, \x7
.endm

.macro Round x0, x1, x2, x3, x4, x5, x6, x7
    ldr     k, [r0], #4
    F1_steps add, \x0, \x1, \x4, \x5
    F0_steps \x2, \x3, \x6, \x7
.endm

/* The last round has put x7 in the place of byte 0. */
.macro InverseRound x7, x0, x1, x2, x3, x4, x5, x6
    ldr     k, [r0, #-4]!
    F1_steps sub, \x0, \x1, \x4, \x5
    F0_steps \x2, \x3, \x6, \x7
.endm

/* Whitening of the even bytes.  Three of them need a clean_up afterwards if they are to be an index. */
.macro whiten op, x0, x2, x4, x6
    \op     \x0, \x0, k
    eor     \x2, \x2, k, lsr #8
    \op     \x4, \x4, k, lsr #16
    eor     \x6, \x6, k, lsr #24
.endm

.macro clean_up x0, x2, x4
    uxtb.w  \x0, \x0                @ in 32 bits: the loop begins at a multiple of 4
    uxtb    \x2, \x2
    uxtb    \x4, \x4
.endm

.macro load_bytes b0, b1, b2, b3, b4, b5, b6, b7
    ldrb    \b0, [r1]
    ldrb    \b1, [r1, #1]
    ldrb    \b2, [r1, #2]
    ldrb    \b3, [r1, #3]
    ldrb    \b4, [r1, #4]
    ldrb    \b5, [r1, #5]
    ldrb    \b6, [r1, #6]
    ldrb    \b7, [r1, #7]
.endm

.macro store_bytes b0, b1, b2, b3, b4, b5, b6, b7
    pop     {r0, r1}
    strb    \b0, [r1]
    strb    \b1, [r1, #1]
    strb    \b2, [r1, #2]
    strb    \b3, [r1, #3]
    strb    \b4, [r1, #4]
    strb    \b5, [r1, #5]
    strb    \b6, [r1, #6]
    strb    \b7, [r1, #7]
    pop     {r4-r11, pc}
.endm

/* The end of the loop: are there more round keys? */
.macro again
    ldr     k, [sp]
    cmp     r0, k
    bne     1b
.endm

FUNC haechi_hight_armv7m_table_enc
    push    {r0, r1, r4-r11, lr}
    load_bytes x0, x1, x2, x3, x4, x5, x6, x7
    ldr     k, [r0], #4
    add     t, r0, #128
    str     t, [sp]
    whiten  add, x0, x2, x4, x6
    clean_up x0, x2, x4
    point_at_tables
1:  rounds_right 8, Round, Round, x0, x1, x2, x3, x4, x5, x6, x7
    again
    ldr     k, [r0]
    whiten  add, x1, x3, x5, x7     @ moved on by a byte, as in all rounds but the standard's last
    store_bytes x1, x2, x3, x4, x5, x6, x7, x0
ENDF

FUNC haechi_hight_armv7m_table_dec
    push    {r0, r1, r4-r11, lr}
    load_bytes x1, x2, x3, x4, x5, x6, x7, x0
    add     r0, #4
    str     r0, [sp]
    ldr     k, [r0, #128]!
    whiten  sub, x1, x3, x5, x7
    clean_up x1, x3, x5
    point_at_tables
1:  rounds_left 8, InverseRound, InverseRound, x0, x1, x2, x3, x4, x5, x6, x7
    again
    ldr     k, [r0, #-4]
    whiten  sub, x0, x2, x4, x6
    store_bytes x0, x1, x2, x3, x4, x5, x6, x7
ENDF

FUNC haechi_hight_armv7m_table_eks
    KeySchedule plain
ENDF

    KERNEL hight_armv7m_table, 8, 16, 136, 0, \
        haechi_hight_armv7m_table_eks, haechi_hight_armv7m_table_enc
    KERNEL hight_armv7m_table_inv, 8, 16, 136, INVERSE, \
        haechi_hight_armv7m_table_eks, haechi_hight_armv7m_table_dec

#endif

#include "../../asm/stack_note.h"

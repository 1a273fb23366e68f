/* aria_armv7m_bytes.h - ARIA on Cortex-M with the four S-boxes as tables of bytes: all functions of a kernel but its
 * tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void <kernel>_<bits>_eks(void *rk, const void *key);
 *     void <kernel>_<bits>_dks(void *rk, const void *key);
 *     void <kernel>_<bits>_crypt(const void *rk, void *buf);
 *     void <kernel>_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * Whoever includes this defines PART(what), and puts S_boxes into a section. */
#define TABLE 256
#define CK_OF_SIZE 48
#include "aria_armv7m.h"

#if defined(HAECHI_ARMV7M)

/* ---- Rounds. */

.macro load_entry to, table
    ldrb.w  \to, [\table, \to]
.endm

.macro SL1_and_bytes
    SubstLayer load_entry, byte, SL1
    Bytes   x0, x1, x2, x3, s0
.endm

.macro FE
    AddRoundKey
    SubstLayer load_entry, byte, SL2
    A       x0, x1, x2, x3, s0
.endm

/* FO, FE, FO ... while round keys are left: s0 is where they end.  The number of rounds is odd.
 *
 *     stack   0            4
 *             s0 at first  lr */
FUNC PART(rounds)
    push.w  {s0, lr}
    b.w     2f
1:  FE
2:  FO
INNER PART(late)
    ldr.w   s0, [sp]
    cmp.w   r0, s0
    bne.w   1b
    pop.w   {s0, pc}
ENDF

FUNC PART(192_crypt)
    enter
    add.w   s0, r0, #16*13
    b.w     PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter
    add.w   s0, r0, #16*15
    b.w     PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter
    add.w   s0, r0, #16*11
INNER PART(crypt)
    bl      PART(rounds)
INNER PART(last)                        // the last round has no diffusion layer, and adds a second key
    AddRoundKey
    SubstLayer load_entry, byte, SL2
    AddRoundKey
    ldr.w   s0, [sp], #4            // buf
    store_block s0
    pop.w   {r4-r11, pc}
ENDF

/* ---- Counter mode.  SB4 of byte 15 is added to the three other bytes of word 3. */

.macro last_byte
    ldrb.w  s0, [T3, s0]
    orr.w   s1, s0, s0, lsl #8
    orr.w   s0, s1, s0, lsl #16
.endm

.macro other_rounds bits
    add.w   s0, r0, #16*(\bits/32+6)
    movw    lr, #:lower16:PART(last)
    movt    lr, #:upper16:PART(last)
    push.w  {s0, lr}                // as at the beginning of `rounds`
    b.w     PART(late)
.endm

#include "aria_armv7m_ctr.h"

/* ---- Key schedule.  SL2 is SL1 on words turned by 16 bits, and turns go through the diffusion layer.  So FE is FO
 * between two turns, with CK2 turned. */

.macro step_FO
    add.w   s0, r0, #16
    bl      PART(rounds)
.endm

.macro turn
    .irp x, x0, x1, x2, x3
    ror.w   \x, \x, #16
    .endr
.endm

.macro step_FE
    turn
    step_FO
    turn
.endm

#include "aria_armv7m_schedule.h"

/* ---- Constants. */

/* CK1, CK2 turned and CK3 for keys of 128, 192 and 256 bits. */
    .section .rodata.aria_armv7m_bytes_CK, "a", %progbits
    .p2align 2
    .type   PART(CK), %object
PART(CK):
    C1      .word
    C2      turned
    C3      .word
    C2      .word
    C3      turned
    C1      .word
    C3      .word
    C1      turned
    C2      .word
    .size   PART(CK), . - PART(CK)

#endif

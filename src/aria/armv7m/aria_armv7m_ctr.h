/* aria_armv7m_ctr.h - counter mode of ARIA on Cortex-M with tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * asm/armv7m_ctr.h has what surrounds a block.  The last byte of the counter takes part in one look-up of round 1.  The
 * sums of the other look-ups are the cache.  It lies, with the registers of the loop, where encryption expects the
 * registers of its caller: below the frame
 *
 *     sp   0     4      8           12     16            20               36
 *          | buf | dest | last byte | left | is there in | round 1, words | 7f |          r0 = ek2
 *     loop         r4     r5          r6     r7            r8 ... r11      lr
 *
 * Whoever includes this defines
 *     last_byte                          turns byte 15 in s0 into what it adds to x3 in round 1; s1 is lost
 *     SL1_and_bytes                      the substitution layer and the first step of the diffusion layer
 *     other_rounds bits                  goes on behind round 1 and returns as crypt does */
#ifndef HAECHI_ARIA_ARMV7M_CTR_H
#define HAECHI_ARIA_ARMV7M_CTR_H

#define CACHE 0
#define BLOCK 16
#include "../../asm/armv7m_ctr.h"
#include "aria_armv7m.h"

#if defined(HAECHI_ARMV7M)

.macro counter bits
    enter_ctr
    beq.w   9f
5:  begin_stretch
    str.w   r2, [sp, #LEFT]
    load_block r1
    ldrb.w  s4, [r1, #15]
    tables
    AddRoundKey
    lsr.w   s0, x3, #24
    last_byte
    push.w  {s0, s4}
    SL1_and_bytes
    pop.w   {s0, r5}
    eor.w   x3, x3, s0              // without SB4 of byte 15
    destination r4
    ldr.w   r6, [sp, #LEFT]
    ldr.w   r7, [sp, #IN]
    ldr.w   r1, [sp, #CTR]
    mov.w   r2, r6
    advance_counter
6:  adr.w   lr, 7f+1
    push.w  {r4-r11, lr}
    str.w   r4, [sp, #-4]!
    ldrb.w  s0, [r0, #-1]
    eor.w   s0, s0, r5
    tables
    last_byte
    eor.w   x3, x3, s0
    Words   x0, x1, x2, x3
    other_rounds \bits
7:  sub.w   r0, r0, #\bits/2+128    // ek2
    add.w   r5, r5, #1
    cmp.w   r7, #0
    bne.w   8f
    add.w   r4, r4, #16
1:
    subs.w  r6, r6, #1
    bne.w   6b
    cmp.w   r7, #0
    bne.w   2f
    str.w   r4, [sp, #OUT]
2:  ldr.w   r6, [sp, #N]
    cmp.w   r6, #0
    bne.w   5b
9:  leave_ctr 40, 8, 16, 20, 24, 28, 32, 40+LEFT // left depends on the counter
8:  ldr.w   r2, [sp, #IN]
    xor_block
    b.w     1b
.endm

FUNC PART(128_ctr)
    counter 128
ENDF

FUNC PART(192_ctr)
    counter 192
ENDF

FUNC PART(256_ctr)
    counter 256
ENDF

#endif
#endif

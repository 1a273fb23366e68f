/* aria_armv7m_schedule.h - the key schedule of ARIA on Cortex-M with tables (RFC 5794, 2.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0     64     128   144   160   176   192    208    240    256    272
 *           | ek1 | ek5  | W1  | W2  |     | W3  | ek13 | ek14 |      | ek17 |
 *
 * W1, W2 and W3 wait in rk at the places of round keys that are written after the last use of the W there.  W0 is the
 * first half of the key.
 *
 *     stack   0    4     8
 *             rk   key   end of rk
 *
 * Whoever includes this defines
 *     step_FO, step_FE       x0 ... x3 = FO or FE of itself and the key at r0, which goes on to the next one
 *     CK_OF_SIZE             the constants CK1, CK2, CK3 at PART(CK): bytes from those of a key size to those of the
 *                            next one */
#ifndef HAECHI_ARIA_ARMV7M_SCHEDULE_H
#define HAECHI_ARIA_ARMV7M_SCHEDULE_H

#include "aria_armv7m.h"
#include "aria_armv7m_constants.h"

#if defined(HAECHI_ARMV7M)

#define W1 128
#define W2 144
#define W3 176
#define RK 0
#define KEY 4
#define END 8

.macro store_W at
    ldr.w   s1, [sp, #RK]
    add.w   s1, s1, #\at
    stmia.w s1, {x0, x1, x2, x3}
.endm

/* W1 = FO(W0, CK1) ^ KR; W2 = FE(W1, CK2) ^ W0 and W3 = FO(W2, CK3) ^ W1 follow in PART(eks). */
.macro Initialization bits
    add.w   r2, r0, #16*(\bits/32+9)
    push.w  {r0, r1, r2, r4-r11, lr}
    load_block r1
    tables
    movw    r0, #:lower16:PART(CK)
    movt    r0, #:upper16:PART(CK)
    .if \bits > 128
    add.w   r0, r0, #CK_OF_SIZE*(\bits-128)/64
    .endif
    step_FO
    .if \bits > 128
    ldr.w   s1, [sp, #KEY]
    ldr.w   s2, [s1, #16]
    ldr.w   s3, [s1, #20]
    eor.w   x0, x0, s2
    eor.w   x1, x1, s3
    .endif
    .if \bits > 192
    ldr.w   s2, [s1, #24]
    ldr.w   s3, [s1, #28]
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3
    .endif
    b.w     PART(eks)
.endm

/* r4 to r7 hold W n and r8 to r11 hold W n+1, all with the first byte highest. */
#define V0 r8
#define V1 r9
#define V2 r10
#define V3 r11

.macro highest_first words:vararg
    .irp x, \words
    rev.w   \x, \x
    .endr
.endm

/* ek = W n ^ (W n+1 >>> bits) with bits < 32.  For a rotation by words the caller gives the words in another order. */
.macro ek bits, v0, v1, v2, v3
    ek_word r1, r4, \bits, \v0, \v3
    ek_word r2, r5, \bits, \v1, \v0
    ek_word r3, r6, \bits, \v2, \v1
    ek_word r12, r7, \bits, \v3, \v2
    stmia.w r0, {r1, r2, r3, r12}
.endm

.macro ek_word ek, w, bits, v, before
    eor.w   \ek, \w, \v, lsr #\bits
    eor.w   \ek, \ek, \before, lsl #32-\bits
    rev.w   \ek, \ek
.endm

/* Stores all round keys that are made of W n and W n+1, the first of them at r0. */
FUNC PART(RoundKeys)
    highest_first r4, r5, r6, r7, r8, r9, r10, r11
    ek      19, V0, V1, V2, V3      // >>> 19
    add.w   r0, r0, #64
    ek      31, V0, V1, V2, V3      // >>> 31
    add.w   r0, r0, #64
    ek      3, V2, V3, V0, V1       // <<< 61
    add.w   r0, r0, #64
    ldr.w   r1, [sp, #END]
    cmp     r0, r1
    bhs.w   1f
    ek      1, V1, V2, V3, V0       // <<< 31
    add.w   r0, r0, #64
    ldr.w   r1, [sp, #END]
    cmp     r0, r1
    bhs.w   1f
    ek      13, V1, V2, V3, V0      // <<< 19
1:
    bx      lr
ENDF

.macro load_W at, x0, x1, x2, x3
    add.w   r1, r0, #\at
    ldmia.w r1, {\x0, \x1, \x2, \x3}
.endm

.macro load_W0 x0, x1, x2, x3
    ldr.w   r1, [sp, #KEY]
    ldr.w   \x0, [r1]
    ldr.w   \x1, [r1, #4]
    ldr.w   \x2, [r1, #8]
    ldr.w   \x3, [r1, #12]
.endm

/* The part of the key schedule that all key sizes share, from W1 in registers on. */
FUNC PART(eks)
    store_W W1
    step_FE
    ldr.w   s4, [sp, #KEY]
    ldr.w   s0, [s4]
    ldr.w   s1, [s4, #4]
    ldr.w   s2, [s4, #8]
    ldr.w   s3, [s4, #12]
    eor.w   x0, x0, s0
    eor.w   x1, x1, s1
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3              // W2
    store_W W2
    step_FO
    ldr.w   r0, [sp, #RK]
    add.w   r0, r0, #W1
    AddRoundKey                     // W3
    store_W W3
    ldr.w   r0, [sp, #RK]
    load_W  W2, r4, r5, r6, r7
    add.w   r0, r0, #32
    bl      PART(RoundKeys)         // ek3 ... of W2, W3
    ldr.w   r0, [sp, #RK]
    load_W  W3, r4, r5, r6, r7
    load_W0 r8, r9, r10, r11
    add.w   r0, r0, #48
    bl      PART(RoundKeys)         // ek4 ... of W3, W0
    ldr.w   r0, [sp, #RK]
    load_W  W1, r4, r5, r6, r7
    load_W  W2, r8, r9, r10, r11
    add.w   r0, r0, #16
    bl      PART(RoundKeys)         // ek2 ... of W1, W2
    ldr.w   r0, [sp, #RK]
    load_W0 r4, r5, r6, r7
    load_W  W1, r8, r9, r10, r11
    bl      PART(RoundKeys)         // ek1 ... of W0, W1
    add.w   sp, sp, #12
    pop.w   {r4-r11, pc}
ENDF

FUNC PART(128_eks)
    Initialization 128
ENDF

FUNC PART(192_eks)
    Initialization 192
ENDF

FUNC PART(256_eks)
    Initialization 256
ENDF

/* Decryption keys from encryption keys, where r0 is the first and r1 the last: the order is reversed, and the
 * diffusion layer is applied to all but the first and the last.  The key in the middle changes places with itself. */
FUNC PART(dks)
    push.w  {r4-r11}
    ldmia.w r0, {r4-r7}
    ldmia.w r1, {r8-r11}
    b.w     2f
1:
    ldmia.w r0, {r4-r7}
    ldmia.w r1, {r8-r11}
    A       r4, r5, r6, r7, r2
    A       r8, r9, r10, r11, r2
2:
    stmia.w r1, {r4-r7}
    stmia.w r0!, {r8-r11}
    sub.w   r1, r1, #16
    cmp     r0, r1
    bls.w   1b
    pop.w   {r4-r11}
    bx      lr
ENDF

.macro expand_inverse bits, eks
    push.w  {r0, lr}
    bl      \eks
    pop.w   {r0, lr}
    add.w   r1, r0, #16*(\bits/32+8)
    b.w     PART(dks)
.endm

FUNC PART(128_dks)
    expand_inverse 128, PART(128_eks)
ENDF

FUNC PART(192_dks)
    expand_inverse 192, PART(192_eks)
ENDF

FUNC PART(256_dks)
    expand_inverse 256, PART(256_eks)
ENDF

#endif
#endif

/* aria_armv7m_small_schedule.h - key schedules of ARIA in loops, which use the rounds of encryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The including file has the rounds of aria_armv7m_small_rounds.h in one of its functions. */
#ifndef HAECHI_ARIA_ARMV7M_SMALL_SCHEDULE_H
#define HAECHI_ARIA_ARMV7M_SMALL_SCHEDULE_H

#include "aria_armv7m_small_rounds.h"

/* ---- Parts of it for the key schedule.  The block is in its registers. */

/* One round with the key at r0, which goes on to the next one. */
FUNC PART(one_round)
    push    {lr}
    add     r12, r0, #16
    mov     lr, sp
    b       PART(add_key)
ENDF

/* The diffusion layer. */
FUNC PART(diffusion)
    push    {lr}
    mov     r12, r0
    b       PART(diffuse)
ENDF

FUNC PART(xor_key)
    AddRoundKey
    bx      lr
ENDF

/* ---- The key schedule.  W0 to W3 lie where the first four round keys will be, which are written last.  W1 and W3 are
 * turned.  The key has W0 once more, for the time when ek1 has taken its place.
 *
 *     rk    0    16    32   48            sp    0    4     8
 *           | W0 | W1' | W2 | W3' | ek5 ...     | rk | key | end of rk |        W1' begins as KR, turned */

/* The W at `to` from a round with the constant at r3 and from what is at `at`. */
.macro W_from_round at, to
    mov     r0, r3
    bl      PART(one_round)
    .if \to < 48
    mov     r3, r0                  // the next constant
    .endif
    ldr     r0, [sp]
    .if \at
    adds    r0, #\at
    .endif
    bl      PART(xor_key)
    adds    r0, #\to-\at-16
    stm     r0, {x0, x1, x2, x3}
.endm

/* Two words of KR, turned, or 0 if the key ends before them. */
.macro KR_words at, left, k0, k1
    .if \left > 0
    ldr     \k0, [r1, #\at]
    ldr     \k1, [r1, #\at+4]
    turn    \k0, \k1
    .else
    movs    \k0, #0
    movs    \k1, #0
    .endif
.endm

.macro enter_eks bits
    add     r2, r0, #16*(\bits/32+9)
    push    {r0, r1, r2, SAVED, lr}
    KR_words 16, \bits-128, r4, r5
    KR_words 24, \bits-192, r6, r7
    movw    r3, #:lower16:PART(\bits\()_CK)
    movt    r3, #:upper16:PART(\bits\()_CK)
.endm

FUNC PART(192_eks)
    enter_eks 192
    b       PART(eks)
ENDF

FUNC PART(256_eks)
    enter_eks 256
    b       PART(eks)
ENDF

FUNC PART(128_eks)
    enter_eks 128
INNER PART(eks)
    add     r2, r0, #16
    stm     r2, {r4, r5, r6, r7}    // KR'
    load_block r1
    stm     r0, {x0, x1, x2, x3}    // W0
    tables
    W_from_round 16, 16             // W1' = FO(W0, CK1)' ^ KR'
    W_from_round 0, 32              // W2 = FE(W1, CK2) ^ W0
    W_from_round 16, 48             // W3' = FO(W2, CK3)' ^ W1'

/* Round key i, counted from 0, is W i ^ (W i+1 >>> n).  After the last one come the first four.  Rotations are made on
 * words with the first byte highest.
 *
 *     r0       r1    r2 r3  r4   r5     r6  r7               r8      r9       r10     r11   r12          lr
 *     next ek  4 j   words  W i  W i+1  i   16 if W i+1 is   n % 32  32 - r8  n / 32  end   rotations    16 if the ek
 *                                           turned, else 0                                  n            is turned */
    adds    r0, #16
    ldr     r11, [sp, #8]
    adr     r12, 9f
    movs    r6, #4
1:
    lsrs    r2, r6, #2
    ldrb    r2, [r12, r2]
    and     r8, r2, #31
    rsb     r9, r8, #32
    lsr     r10, r2, #5
    ldr     r3, [sp]
    and     r2, r6, #3
    add     r4, r3, r2, lsl #4
    ldr     r5, [sp, #4]
    adds    r6, #1
    ands    r2, r6, #3
    beq     2f                      // W0
    add     r5, r3, r2, lsl #4
2:
    and     r7, r6, #1
    lsls    r7, r7, #4
    eor     lr, r7, #16
    movs    r1, #0
3:
    sub     r2, r1, r10, lsl #2
    subs    r3, r2, #4
    and     r2, r2, #12
    and     r3, r3, #12
    ldr     r2, [r5, r2]
    ldr     r3, [r5, r3]
    rors    r2, r2, r7
    rors    r3, r3, r7
    rev     r2, r2
    rev     r3, r3
    lsr     r2, r2, r8
    lsl     r3, r3, r9
    orrs    r2, r3
    rev     r2, r2                  // word j of W i+1 >>> n
    ror     r2, r2, lr
    ldr     r3, [r4, r1]
    eors    r2, r3
    stm     r0!, {r2}
    adds    r1, #4
    cmp     r1, #16
    bne     3b
    cmp     r0, r11
    bne     4f
    ldr     r0, [sp]
    movs    r6, #0
4:
    cmp     r6, #4
    bne     1b
    add     sp, sp, #12
    pop     {SAVED, pc}
9:  .byte   19, 31, 67, 97, 109
    .p2align 1
ENDF

/* Decryption keys from encryption keys: the diffusion layer is applied to all but the first and the last, and the order
 * is reversed. */
.macro expand_inverse bits
    push    {r0, lr}
    bl      PART(\bits\()_eks)
    pop     {r0, lr}
    add     r1, r0, #16*(\bits/32+8)
.endm

FUNC PART(192_dks)
    expand_inverse 192
    b       PART(dks)
ENDF

FUNC PART(256_dks)
    expand_inverse 256
    b       PART(dks)
ENDF

/* r8 is the last round key, and r9 the first one. */
FUNC PART(128_dks)
    expand_inverse 128
INNER PART(dks)
    push    {SAVED, lr}
    mov     r8, r1
    mov     r9, r0
1:  adds    r0, #16
    ldm     r0, {x0, x1, x2, x3}
    bl      PART(diffusion)
    turn    x0, x1, x2, x3
    stm     r0, {x0, x1, x2, x3}
    add     r1, r0, #32
    cmp     r1, r8
    bls     1b
2:  ldm     r9, {r4, r5, r6, r7}
    ldm     r8, {r0, r1, r2, r3}
    stm     r8, {r4, r5, r6, r7}
    stm     r9!, {r0, r1, r2, r3}
    sub     r8, r8, #16
    cmp     r9, r8
    bls     2b
    pop     {SAVED, pc}
ENDF

/* ---- Constants: CK1, CK2 turned and CK3 of each key size. */

.macro constants bits, first, second, third
    .section .rodata.aria_armv7m_small_\bits\()_CK, "a", %progbits
    .p2align 2
    .type   PART(\bits\()_CK), %object
PART(\bits\()_CK):
    \first .word
    \second turned
    \third .word
    .size   PART(\bits\()_CK), . - PART(\bits\()_CK)
.endm

    constants 128, C1, C2, C3
    constants 192, C2, C3, C1
    constants 256, C3, C1, C2

#endif

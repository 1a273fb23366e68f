/* hight_armv7m_small.S - HIGHT for Cortex-M, small: one round in a loop, no tables of F.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_armv7m_small_eks(void *rk, const void *key);
 *     void haechi_hight_armv7m_small_enc(const void *rk, void *buf);
 *     void haechi_hight_armv7m_small_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *           enc reads upwards ->                              <- dec reads downwards
 *
 * hight_armv7m.h has the steps.  Here the bytes do move on by a place each round: two of the four registers are
 * copied, and the masked sums of the other two go to the registers where they belong.  In encryption all bytes are
 * plain, in decryption all but C, which is complemented as it is copied.
 *
 *     r0  r1  r2  r3  r4 r5 r6 r7  r12  lr
 *     rk  M   t   u   A  B  C  D   k    where rk ends; on the stack: buf */
#include "hight_armv7m.h"

#if defined(HAECHI_ARMV7M)

M       .req    r1
t       .req    r2
u       .req    r3

.macro F0_sum c, k
    F0      \c
    and     t, M, \k, lsr #8
    add     u, u, t                 @ F0(c) + SK
.endm

.macro leave p, q
    ldr     r0, [sp]
    store_block \p, \q, r0
    pop     {r1, r4-r7, pc}
.endm

FUNC haechi_hight_armv7m_small_enc
    push    {r1, r4-r7, lr}
    load_block r4, r5, r1
    ldr     u, [r0], #4
    add     lr, r0, #128
    mov     M, #0x00ff00ff
    InitialTransformation r4, r5, r6, r7, u, t
    eor     r6, r6, M
    eor     r7, r7, M               @ C and D are plain
1:  ldr     r12, [r0], #4
    F1_sum  r5, r4, r12
    F0_sum  r6, r12
    eors    u, u, r7
    mov     r7, r6                  @ D
    and     r6, M, r5               @ C
    mov     r5, r4                  @ B
    and     r4, M, u, ror #16       @ A
    cmp     r0, lr
    bne     1b
    ldr     u, [r0]
    eor     r6, r6, M
    eor     r7, r7, M               @ as that of other kernels takes them
    FinalTransformation r4, r5, r6, r7, u, t
    leave   r5, r7
ENDF

FUNC haechi_hight_armv7m_small_dec
    push    {r1, r4-r7, lr}
    add     r0, r0, #136            @ in 32 bits: the loop begins at a multiple of 4
    load_block r5, r7, r1
    ldr     u, [r0, #-4]!
    sub     lr, r0, #128
    mov     M, #0x00ff00ff
    InverseFinalTransformation r4, r5, r6, r7, u, t
    eor     r7, r7, M               @ D is plain
1:  ldr     r12, [r0, #-4]!
    F1_sum  r6, r5, r12
    F0_sum  r7, r12
    eor     u, u, r4, ror #16
    mov     r4, r5                  @ A
    bic     r5, M, r6               @ B
    eor     r6, r7, M               @ ~C
    and     r7, M, u                @ D
    cmp     r0, lr
    bne     1b
    ldr     u, [r0, #-4]
    InverseInitialTransformation r4, r5, r6, r7, u, t
    leave   r4, r6
ENDF

FUNC haechi_hight_armv7m_small_eks
    ComputedKeySchedule plain
ENDF

    KERNEL hight_armv7m_small, 8, 16, 136, 0, \
        haechi_hight_armv7m_small_eks, haechi_hight_armv7m_small_enc
    KERNEL hight_armv7m_small_inv, 8, 16, 136, INVERSE, \
        haechi_hight_armv7m_small_eks, haechi_hight_armv7m_small_dec

#endif

#include "../../asm/stack_note.h"

/* hight_armv7m_loop.S - HIGHT for Cortex-M in little flash: two rounds in a loop, no tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_armv7m_loop_eks(void *rk, const void *key);
 *     void haechi_hight_armv7m_loop_enc(const void *rk, void *buf);
 *     void haechi_hight_armv7m_loop_dec(const void *rk, void *buf);
 *
 *     rk, words    0      1                                        32     33
 *                  WK0..3 SK0 -SK1 SK2 -SK3  ...  SK124 ... -SK127 WK4..7
 *                  enc reads upwards ->          <- dec reads downwards
 *
 * hight_armv7m.h has the steps.  A round leaves its sums where the registers of the next one are, but for two pairs that
 * have changed places.  After two rounds every byte is where it began, and no word is ever moved.  One LDM loads the
 * keys of both rounds.
 *
 *     r0  r1  r2  r3  r4 r5 r6 r7  r8 r12  lr
 *     rk  M   t   u   A  B  C  D   keys    where rk ends; on the stack: buf */
#include "hight_armv7m.h"

#if defined(HAECHI_ARMV7M)

M       .req    r1
t       .req    r2
u       .req    r3

.macro F0_sum c, k
    F0      \c
    and     t, M, \k, lsr #8
    add     u, u, t                 @ F0(c) - SK
.endm

/* The next round has A, B, C and D in b, a, d and c. */
.macro Round a, b, c, d, k
    F1_sum  \b, \a, \k
    F0_sum  \c, \k
    eors    u, u, \d
    bic     \d, M, \b               @ C
    and     \b, M, u, ror #16       @ A
.endm

/* The round before has A, B, C and D in b, a, d and c. */
.macro InverseRound a, b, c, d, k
    F1_sum  \c, \b, \k
    F0_sum  \d, \k
    eor     u, u, \a, ror #16
    bic     \a, M, \c               @ B
    and     \c, M, u                @ ~D
.endm

.macro leave p, q
    pop     {r0}
    store_block \p, \q, r0
    pop     {r4-r8, pc}
.endm

/* The loops begin at a multiple of 4: what stands before them may need an instruction in 32 bits for that. */
.macro rounds
1:  ldm     r0!, {r8, r12}
    Round   r4, r5, r6, r7, r8
    Round   r5, r4, r7, r6, r12
    cmp     r0, lr
    bne     1b
.endm

.macro inverse_rounds
1:  ldmdb   r0!, {r8, r12}
    InverseRound r4, r5, r6, r7, r12
    InverseRound r5, r4, r7, r6, r8
    cmp     r0, lr
    bne     1b
.endm

FUNC haechi_hight_armv7m_loop_enc
    push    {r1, r4-r8, lr}
    ldr.w   r4, [r1]                @ in 32 bits, for the loop
    ldr     r5, [r1, #4]
    ldr     u, [r0], #4
    add     lr, r0, #128
    mov     M, #0x00ff00ff
    InitialTransformation r4, r5, r6, r7, u, t
    rounds
    ldr     u, [r0]
    FinalTransformation r4, r5, r6, r7, u, t
    leave   r5, r7
ENDF

FUNC haechi_hight_armv7m_loop_dec
    push    {r1, r4-r8, lr}
    add     r0, r0, #136
    ldr.w   r5, [r1]                @ in 32 bits, for the loop
    ldr     r7, [r1, #4]
    ldr     u, [r0, #-4]!
    sub     lr, r0, #128
    mov     M, #0x00ff00ff
    InverseFinalTransformation r4, r5, r6, r7, u, t
    inverse_rounds
    ldr     u, [r0, #-4]
    bic     r7, M, r7               @ D
    InverseInitialTransformation r4, r5, r6, r7, u, t
    leave   r4, r6
ENDF

FUNC haechi_hight_armv7m_loop_eks
    ComputedKeySchedule signed
ENDF

    KERNEL hight_armv7m_loop, 8, 16, 136, 0, haechi_hight_armv7m_loop_eks, haechi_hight_armv7m_loop_enc
    KERNEL hight_armv7m_loop_inv, 8, 16, 136, INVERSE, haechi_hight_armv7m_loop_eks, haechi_hight_armv7m_loop_dec

#endif

#include "../../asm/stack_note.h"

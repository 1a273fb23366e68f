/* felics_lea_armv7m_small.S - the scenarios of FELICS in assembly around the rounds of lea_armv7m_small.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_cbc_decrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_ctr(uint32_t *data, const void *rk, uint32_t *counter);
 *     void felics_128_dks(void *rk, const void *key);
 *
 * The registers are those of the kernel, in whose place this file is linked.  The block that was encrypted last stays in
 * X0 to X3.
 *
 *     r10         r11 */
#include "../../../src/lea/armv7m/lea_armv7m_small.S"

#define data r10
#define rk r11

.macro xor_words a0, a1, a2, a3
    eors    X0, \a0
    eors    X1, \a1
    eors    X2, \a2
    eors    X3, \a3
.endm

FUNC felics_cbc_encrypt
    add     r3, r0, #128
/* The same up to the block that ends at r3. */
INNER felics_cbc_encrypt_until
    push    {r3-r11, lr}
    mov     data, r0
    mov     rk, r1
    ldm     r2, {X0, X1, X2, X3}
    adr     r8, 2f
3:
    ldm     data, {r0, r1, r2, r3}
    xor_words r0, r1, r2, r3
    ldm     rk, {T0, T1, T2, T3}
    rounds_128
    stm     data!, {X0, X1, X2, X3}
    ldr     r0, [sp]
    cmp     data, r0
    bne     3b
    pop     {r1, r4-r11, pc}        // r3 has T1
    .p2align 2, 0
2:  deltas_by_counter
ENDF

/* From the last block to the first, whose predecessor is the IV. */
ENTRY felics_cbc_decrypt
    push    {r0, r2, r4-r11, lr}
    add     data, r0, #112
    mov.w   rk, r1                  // in 32 bits: the loop of the rounds begins with a word
    adr     r8, 2b
3:
    ldm     data, {X0, X1, X2, X3}
    ldm     rk, {T0, T1, T2, T3}
    inverse_rounds_128
    ldrd    r0, r1, [sp]            // the first block, the IV
    cmp     data, r0
    it      ne
    subne   r1, data, #16
    ldm     r1, {r0, r1, r2, r3}
    eor     X0, X0, r0              // these leave the flags
    eor     X1, X1, r1
    eor     X2, X2, r2
    eor     X3, X3, r3
    stm     data, {X0, X1, X2, X3}
    sub     data, data, #16
    bne     3b
    pop     {r0, r1, r4-r11, pc}
ENDF

FUNC felics_ctr
    push    {r4-r10, lr}
    mov     data, r0
    ldm     r2, {X0, X1, X2, X3}
    ldrb    r0, [r2, #15]
    adds    r0, #1
    strb    r0, [r2, #15]
    ldm     r1, {T0, T1, T2, T3}
    adr     r8, 2f
    rounds_128
    ldm     data, {r0, r1, r2, r3}
    xor_words r0, r1, r2, r3
    stm     data, {X0, X1, X2, X3}
    pop     {r4-r10, pc}
    .p2align 2, 0
2:  deltas_by_counter
ENDF

/* As the kernel's, but with the rounds above: the round keys are the block. */
FUNC felics_128_dks
    push    {r0, lr}
    bl      haechi_lea_armv7m_small_128_eks
    mov     r1, r0
    mov     r2, r0
    add     r3, r0, #16
    bl      felics_cbc_encrypt_until
    keep_T
ENDF

/* felics_aria_armv7m_small.S - the scenarios of FELICS in assembly around the rounds of aria_armv7m_small.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_cbc_decrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_ctr(uint32_t *data, const void *rk, uint32_t *counter);
 *     void felics_128_eks(void *rk, const void *key);
 *     void felics_128_dks(void *rk, const void *key);
 *
 * The registers are those of the kernel, whose headers this file includes.  The key schedules use the rounds of CBC.  The
 * S-boxes stay in their registers for all blocks, and the block that was encrypted last in x0 to x3. */
#define PART(what) felics_##what
#include "../../../src/aria/armv7m/aria_armv7m_small_rounds.h"

.macro xor_words
    eors    x0, r0
    eors    x1, r1
    eors    x2, r2
    eors    x3, r3
.endm

FUNC felics_ctr
    push    {SAVED, lr}
    mov     r12, r0
    mov     r0, r1
    add     lr, r1, #192
    ldm     r2, {x0, x1, x2, x3}
    add     r1, x3, #0x01000000
    str     r1, [r2, #12]
    tables
    b.n     2f
    .p2align 2
1:
    diffusion_layer
2:
    AddRoundKey
    SL1
    cmp     r0, lr
    bne     1b
    AddLastKey
    ldm     r12, {r0, r1, r2, r3}
    xor_words
    stm     r12, {x0, x1, x2, x3}
    pop     {SAVED, pc}
ENDF

/* ---- CBC.  From here on the S-boxes come from a function, which the key schedule calls too. */

FUNC felics_tables
    tables
    bx      lr
ENDF

    .purgem tables
.macro tables
    bl      felics_tables
.endm

FUNC felics_one_block
    push    {lr}
    mov     r12, sp                 // where no round key is
    add     lr, r0, #192
    rounds
2:  pop     {pc}
ENDF

/* On the stack: data, rk, where the data end. */
FUNC felics_cbc_encrypt
    add     r3, r0, #128
    push    {r0, r1, r3, SAVED, lr}
    ldm     r2, {x0, x1, x2, x3}
    tables
1:
    ldr     r3, [sp]
    ldm     r3, {r0, r1, r2, r3}
    xor_words
    ldr     r0, [sp, #4]
    bl      felics_one_block
    ldr     r1, [sp]
    stm     r1!, {x0, x1, x2, x3}
    ldr     r2, [sp, #8]
    str     r1, [sp]
    cmp     r1, r2
    bne     1b
    pop     {r0, r1, r2, SAVED, pc}
ENDF

/* From the last block to the first, whose predecessor is the IV.  On the stack: the first block, rk, IV, the block. */
FUNC felics_cbc_decrypt
    add     r3, r0, #112
    push    {r0, r1, r2, r3, SAVED, lr}
    tables
1:
    ldm     r3, {x0, x1, x2, x3}
    ldr     r0, [sp, #4]
    bl      felics_one_block
    ldr     r12, [sp, #12]
    ldr     r1, [sp]
    sub     r0, r12, #16
    str     r0, [sp, #12]
    cmp     r12, r1
    it      eq
    ldreq   r0, [sp, #8]
    ldm     r0, {r0, r1, r2, r3}
    xor_words
    stm     r12, {x0, x1, x2, x3}
    ldr     r3, [sp, #12]
    ldr     r0, [sp]
    cmp     r12, r0
    bne     1b
    pop     {r0, r1, r2, r3, SAVED, pc}
ENDF

#include "../../../src/aria/armv7m/aria_armv7m_small_schedule.h"

    .section .rodata.felics_T, "a", %progbits
    S_boxes

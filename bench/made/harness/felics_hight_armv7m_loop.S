/* felics_hight_armv7m_loop.S - the scenarios of FELICS in assembly around the rounds of hight_armv7m_loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_cbc_decrypt(uint32_t *data, const void *rk, const uint32_t *iv);
 *     void felics_ctr(uint32_t *data, const void *rk, uint32_t *counter);
 *
 * The registers are those of the kernel, in whose place this file is linked.  lr stays for all blocks.
 *
 *     r9     r10                          r11
 *     data   where they end; IV; counter  where they begin or end */
#include "../../../src/hight/armv7m/hight_armv7m_loop.S"

#define data r9

/* The block comes in r4 and r5 and goes out in r5 and r7, and lr = rk + 132. */
.macro encrypt_block
    sub     r0, lr, #132
    ldr     u, [r0], #4
    InitialTransformation r4, r5, r6, r7, u, t
    rounds
    ldr     u, [r0]
    FinalTransformation r4, r5, r6, r7, u, t
.endm

FUNC felics_cbc_encrypt
    push    {r4-r10, lr}
    mov     data, r0
    add     r10, r0, #128
    add     lr, r1, #132
    mov     M, #0x00ff00ff
    ldm     r2, {r5, r7}
2:
    ldm     data, {r2, r3}
    eor     r4, r5, r2
    eor     r5, r7, r3
    encrypt_block
    stm     data!, {r5, r7}
    cmp     data, r10
    bne     2b
    pop     {r4-r10, pc}
ENDF

/* From the last block to the first, whose predecessor is the IV. */
FUNC felics_cbc_decrypt
    push    {r4-r11, lr}
    mov.w   r11, r0                 @ in 32 bits, for the loop
    mov     r10, r2
    add     data, r0, #120
    adds    r0, r1, #4
    mov     lr, r0
    mov     M, #0x00ff00ff
2:
    ldm     data, {r5, r7}
    ldr     u, [r0, #128]!
    InverseFinalTransformation r4, r5, r6, r7, u, t
    inverse_rounds
    ldr     u, [r0, #-4]
    bic     r7, M, r7               @ D
    InverseInitialTransformation r4, r5, r6, r7, u, t
    mov     r2, r10
    cmp     data, r11
    it      ne
    subne   r2, data, #8
    ldm     r2, {r2, r3}
    eor     r4, r4, r2              @ these leave the flags
    eor     r6, r6, r3
    stm     data, {r4, r6}
    sub     data, data, #8
    bne     2b
    pop     {r4-r11, pc}
ENDF

FUNC felics_ctr
    push    {r4-r11, lr}
    mov.w   data, r0                @ in 32 bits, for the loop
    mov     r10, r2
    add     r11, r0, #16
    add     lr, r1, #132
    mov     M, #0x00ff00ff
2:
    ldm     r10, {r4, r5}
    add     r0, r5, #0x01000000
    str     r0, [r10, #4]
    encrypt_block
    ldm     data, {r2, r3}
    eors    r5, r5, r2
    eors    r7, r7, r3
    stm     data!, {r5, r7}
    cmp     data, r11
    bne     2b
    pop     {r4-r11, pc}
ENDF

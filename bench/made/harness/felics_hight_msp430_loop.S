/* felics_hight_msp430_loop.S - the scenarios of FELICS in assembly around the rounds of hight_msp430_loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_cbc_decrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_ctr(uint16_t *data, const void *rk, uint16_t *counter);
 *
 * The registers are those of the kernel, in whose place this file is linked.  buf goes through the data.  Between blocks,
 * r15 is scratch. */
#include "../../../src/hight/msp430/hight_msp430_loop.S"

.macro keep_registers more:vararg
    push_all r4, r5, r6, r7, r8, r9, r10, \more
.endm

.macro restore
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

.macro for_each_byte do, bytes:vararg
    .irp r, \bytes
    \do     \r
    .endr
.endm

.macro xor_previous r
    xor.b   @r15+, \r
.endm

.macro load_and_xor r
    mov.b   @r15+, \r
    xor.b   @buf+, \r
.endm

.macro load_counter r
    mov.b   @r15+, \r
.endm

FUNC felics_cbc_encrypt
    keep_registers
    mov     r12, r15
    mov     r13, rp
    mov     r15, buf
    add     #128, r15
    push    r15                     ; where the data end
    mov     r14, r15
2:
    for_each_byte load_and_xor, x0, x1, x2, x3, x4, x5, x6, x7
    rounds_32
    store   x1, x2, x3, x4, x5, x6, x7, x0
    mov     buf, r15
    sub     #8, r15
    sub     #136, rp
    cmp     @r1, buf
    jne     2b
    incd    r1
felics_restored:
    restore
ENDF

/* From the last block to the first, whose predecessor is the IV. */
FUNC felics_cbc_decrypt
    keep_registers r14
    mov     r12, r15
    mov     r13, rp
    mov     r15, buf
    sub     #8, r15
    push    r15                     ; the block before the data
    add     #120, buf
2:
    load    x2, x3, x4, x5, x6, x7, x0, x1
    inverse_rounds_32
    sub     #4, rp
    sub     #16, buf                ; the block before
    mov     buf, r15
    cmp     @r1, r15
    jne     3f
    mov     2(r1), r15
3:
    for_each_byte xor_previous, x1, x2, x3, x4, x5, x6, x7, x0
    add     #16, buf
    store   x1, x2, x3, x4, x5, x6, x7, x0
    sub     #16, buf
    cmp     @r1, buf
    jne     2b
    add     #4, r1
    br      #felics_restored
ENDF

/* Joins two bytes to a word and XORs it to the data. */
.macro xor_pair at, low, high
    swpb    \high
    bis     \low, \high
    xor     \high, \at(buf)
.endm

FUNC felics_ctr
    keep_registers r14
    mov     r12, r15
    mov     r13, rp
    mov     r15, buf
    add     #16, r15
    push    r15                     ; where the data end
2:
    mov     2(r1), r15
    for_each_byte load_counter, x0, x1, x2, x3, x4, x5, x6, x7
    inc.b   -1(r15)
    rounds_32
    sub     #136, rp
    xor_pair 0, x1, x2
    xor_pair 2, x3, x4
    xor_pair 4, x5, x6
    xor_pair 6, x7, x0
    add     #8, buf
    cmp     @r1, buf
    jne     2b
    add     #4, r1
    restore
ENDF

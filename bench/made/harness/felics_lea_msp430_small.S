/* felics_lea_msp430_small.S - the scenarios of FELICS in assembly around the rounds of lea_msp430_small.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_cbc_decrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_ctr(uint16_t *data, const void *rk, uint16_t *counter);
 *     void felics_128_eks(void *rk, const void *key);
 *
 * The registers are those of the kernel, in whose place this file is linked.  The block that was encrypted last stays in
 * its registers, and `end` stays for all blocks.  Between blocks, W4 is free: r4 goes through the data, and r15 is
 * scratch. */
#include "../../../src/lea/msp430/lea_msp430_small.S"

#undef end
#define end r13
#define data r4
#define KEPT_REGISTERS r4, r5, r6, r7, r8, r9, r10

.macro load_from pointer
    .irp r, W0, W1, W2, W3
    mov     @\pointer+, \r
    .endr
.endm

.macro xor_from pointer
    .irp r, W0, W1, W2, W3
    xor     @\pointer+, \r
    .endr
.endm

.macro store_at at
    .Lat = \at
    .irp r, W0, W1, W2, W3
    mov     \r, .Lat(data)
    .Lat = .Lat+2
    .endr
.endm

.macro restore
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

FUNC felics_cbc_encrypt
    push_all KEPT_REGISTERS
    mov     r14, r15
    load_from r15
    mov     r12, data
    add     #128, r12
    push    r12                     ; where the data end
    mov     r13, rk
    add     #384, end
2:
    xor_from data
    push    data
    rounds_128
    pop     data
    store_at -16
    sub     #384, rk
    cmp     @r1, data
    jne     2b
    incd    r1
felics_restored:
    restore
ENDF

/* From the last block to the first, whose predecessor is the IV. */
FUNC felics_cbc_decrypt
    push_all KEPT_REGISTERS, r14
    mov     r12, data
    add     #112, data
    sub     #16, r12
    push    r12                     ; the block before the data
    mov     r13, rk
    sub     #16-4, end
    add     #384-16+4, rk
2:
    load_from data
    push    data
    inverse_rounds_128
    pop     data
    sub     #32, data               ; the block before
    mov     data, r15
    cmp     @r1, data
    jne     3f
    mov     2(r1), r15
3:
    xor_from r15
    store_at 16
    add     #384, rk
    cmp     @r1, data
    jne     2b
    add     #4, r1
    br      #felics_restored
ENDF

FUNC felics_ctr
    push_all KEPT_REGISTERS, r12
    mov     r14, r15
    load_from r15
    inc.b   -1(r15)
    mov     r13, rk
    add     #384, end
    rounds_128
    pop     r15
    .Lat = 0
    .irp r, W0, W1, W2, W3
    xor     \r, .Lat(r15)
    .Lat = .Lat+2
    .endr
    restore
ENDF

FUNC felics_128_eks
    expand_128 PART(deltas_4), put_plain4, 16
    br      #felics_restored
ENDF

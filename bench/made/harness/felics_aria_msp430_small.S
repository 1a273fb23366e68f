/* felics_aria_msp430_small.S - the scenarios of FELICS in assembly around the rounds of aria_msp430_small.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_cbc_decrypt(uint16_t *data, const void *rk, const uint16_t *iv);
 *     void felics_ctr(uint16_t *data, const void *rk, uint16_t *counter);
 *     void felics_128_eks(void *rk, const void *key);
 *     void felics_128_dks(void *rk, const void *key);
 *
 * The registers are those of the kernel, whose headers this file includes.  The key schedules use the rounds of CBC. */
#define PART(what) felics_##what
#include "../../../src/aria/msp430/aria_msp430_small_rounds.h"

.macro keep_registers more:vararg
    push_all r4, r5, r6, r7, r8, r9, r10, \more
.endm

.macro restore
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

/* With the round keys at rk.  LAST has the words in the order of TURNED, in which felics_store_turned stores them at r15. */
FUNC felics_one_block
    mov     rk, r15
    add     #192, r15               ; the last key
    clr     stop                    ; no key is there
    rounds
1:
    ret
ENDF

/* On the stack: rk, where the data end, data. */
FUNC felics_cbc_encrypt
    keep_registers r13
    mov     r12, r13
    add     #128, r12
    push    r12
    push    r13
2:
    load    r14, UPRIGHT            ; the previous block
    add_from r13, UPRIGHT
    mov     r13, 0(r1)
    mov     4(r1), rk
    call    #felics_one_block
    mov     @r1, r15
    sub     #16, r15
    mov     r15, r14
    call    #felics_store_turned
    mov     r15, r13
    cmp     2(r1), r15
    jne     2b
    add     #6, r1
PART(restored):
    restore
ENDF

/* From the last block to the first, whose predecessor is the IV.  On the stack: rk, IV, the block before the data, the
 * block. */
FUNC felics_cbc_decrypt
    keep_registers r13, r14
    mov     r12, r14
    sub     #16, r12
    add     #112, r14
    push    r12
    push    r14
2:
    load    r14, UPRIGHT
    mov     6(r1), rk
    call    #felics_one_block
    mov     @r1, r15
    mov     r15, r14
    sub     #16, r14                ; the block before
    mov     r14, 0(r1)
    cmp     2(r1), r14
    jne     3f
    mov     4(r1), r14
3:
    add_from r14, LAST
    call    #felics_store_turned
    mov     @r1, r14
    cmp     2(r1), r14
    jne     2b
    add     #8, r1
    br      #PART(restored)
ENDF

#include "../../../src/aria/msp430/aria_msp430_small_schedule.h"

.macro xor_to base, at, x, swapped, rest:vararg
    xor     \x, \at(\base)
    .ifnb \rest
    xor_to  \base, \at+2, \rest
    .endif
.endm

FUNC felics_ctr
    keep_registers
    mov     r12, r15
    mov     r13, rk
    mov     r15, buf
    mov     rk, r15
    add     #192, r15               ; the last key
    load    r14, UPRIGHT
    inc.b   -1(r14)
    straighten UPRIGHT
    jmp     2f
1:
    A_back
2:
    SL1     UPRIGHT
    A
    SL2     TURNED
    cmp     r15, rk
    jne     1b
    reorder TURNED, SWAPPED_UPRIGHT
    add_from rk, LAST
    straighten LAST
    xor_to  buf, 0, LAST
    restore
ENDF

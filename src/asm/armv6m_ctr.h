/* armv6m_ctr.h - counter mode for Cortex-M0 and its kin: a call of encryption for each block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * A block is a copy of the counter on the stack, which encryption turns into key stream.  The counter is advanced with
 * all its carries, in a time that does not depend on them.
 *
 *     sp   0       block                    block + 4        + 24         r4  r5   r6   r7  r8
 *          | block | r8 of the caller       | r4 ... r7, lr  | n          rk  ctr  out  in  blocks left */
#ifndef HAECHI_ASM_ARMV6M_CTR_H
#define HAECHI_ASM_ARMV6M_CTR_H

#include "armv6m.h"

#if defined(HAECHI_ARMV6M)

/* Copies a word of the counter to the block and advances it: adds r1, or, for the last word, 1. */
.macro copy_and_count at, last
    ldr     r0, [r5, #\at]
    str     r0, [sp, #\at]
    rev     r0, r0
    .if \last
    adds    r0, #1
    .else
    adcs    r0, r1
    .endif
    rev     r0, r0
    str     r0, [r5, #\at]
.endm

.macro ctr_by_calls encrypt, block
    push    {r4-r7, lr}
    mov     r4, r8
    push    {r4}
    ldr     r4, [sp, #24]
    mov     r8, r4                  // n
    sub     sp, #\block
    mov     r4, r0
    mov     r5, r1
    mov     r6, r2
    mov     r7, r3
    b       3f
1:
    mov     r8, r0
    movs    r1, #0
    .Lat = \block - 4
    copy_and_count .Lat, 1
    .rept \block/4 - 1
    .Lat = .Lat - 4
    copy_and_count .Lat, 0
    .endr
    mov     r0, r4
    mov     r1, sp
    bl      \encrypt                // block = key stream
    cmp     r7, #0
    beq     4f
    .rept \block/8
    pop     {r0, r1}
    ldm     r7!, {r2, r3}
    eors    r0, r2
    eors    r1, r3
    stm     r6!, {r0, r1}
    .endr
2:
    sub     sp, #\block
3:
    mov     r0, r8
    subs    r0, #1
    bhs     1b
    .Lat = 0                        // r0 = -1, which wipes the block
    .rept \block/4
    str     r0, [sp, #.Lat]
    .Lat = .Lat + 4
    .endr
    add     sp, #\block
    pop     {r4}
    mov     r8, r4
    pop     {r4-r7, pc}
4:
    .rept \block/8
    pop     {r0, r1}
    stm     r6!, {r0, r1}
    .endr
    b       2b
.endm

#endif
#endif

/* msp430_ctr.h - counter mode of the MSP430 kernels: what goes around their blocks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * Successive counter blocks differ only in their last byte, until it wraps.  The blocks up to there are a
 * stretch.  What does not depend on the last byte is computed once for all blocks of a stretch: the cache.  When a
 * stretch begins, the counter in memory is advanced to its end, with all carries, in a time that does not depend on
 * them.
 *
 *     SP   0       CACHE   CACHE + BLOCK                                  + 14
 *          | cache | block | dest | in | out | left | ctr | n | rk |   r10 ... r4 | return | n
 *                            `- the key stream goes there: to out, or to block where there is an in
 *
 * A kernel defines CACHE and BLOCK, the sizes of the cache and of a block in bytes, and LAST_BYTE, the place of the
 * last byte in the cache.  The kernel's encryption does the rest of a block and ends as always: it takes registers
 * from the stack and returns. join_block puts on the stack what it takes. */
#ifndef HAECHI_ASM_MSP430_CTR_H
#define HAECHI_ASM_MSP430_CTR_H

#include "msp430.h"

#define KEPT CACHE
#define DEST CACHE+BLOCK
#define IN CACHE+BLOCK+2
#define OUT CACHE+BLOCK+4
#define LEFT CACHE+BLOCK+6
#define CTR CACHE+BLOCK+8
#define N CACHE+BLOCK+10
#define RK CACHE+BLOCK+12
#define FRAME CACHE+BLOCK+14

/* The beginning of the function.  The flag Z then says that there are no blocks. */
.macro enter_ctr
    push_all r4, r5, r6, r7, r8, r9, r10
    sub     #FRAME, r1
    mov     r12, RK(r1)
    mov     r13, CTR(r1)
    mov     r14, OUT(r1)
    mov     r15, IN(r1)
    tst     r15
    jz      1f
    mov     r1, r14
    add     #KEPT, r14              ; block
1:
    mov     r14, DEST(r1)
    mov     FRAME+16(r1), r14
    mov     r14, N(r1)
    tst     r14
.endm

/* left = the number of blocks of the stretch.  Gives r13 = ctr.  Then the kernel fills its cache. */
.macro begin_stretch
    mov     CTR(r1), r13
    mov.b   BLOCK-1(r13), r14
    mov     #256, r15
    sub     r14, r15                ; blocks until the last byte wraps
    cmp     r15, N(r1)
    jhs     1f
    mov     N(r1), r15
1:
    mov     r15, LEFT(r1)
    sub     r15, N(r1)
.endm

/* ctr += left */
.macro advance_counter
    mov     CTR(r1), r13
    mov.b   BLOCK-1(r13), r14
    add     LEFT(r1), r14
    mov.b   r14, BLOCK-1(r13)
    swpb    r14
    add.b   r14, BLOCK-2(r13)
    .Lbyte = BLOCK-3
    .rept BLOCK-2
    adc.b   .Lbyte(r13)
    .Lbyte = .Lbyte-1
    .endr
.endm

/* Puts on the stack what encryption takes at its end: the registers, with any values, and the address to go on at. */
.macro join_block return, registers=7
    push    #\return
    sub     #2*\registers, r1
.endm

/* After a block: XORs the key stream to in, and goes on with the next block, the next stretch, or the end.  r13
 * holds, as in encryption, the address that the key stream goes to. */
.macro next_block block, stretch
    tst     IN(r1)
    jz      1f
    mov     IN(r1), r12
    mov     OUT(r1), r13
    mov     r1, r14
    add     #KEPT, r14              ; the key stream
    .Lat = 0
    .rept BLOCK/2
    mov     @r14+, r15
    xor     @r12+, r15
    mov     r15, .Lat(r13)
    .Lat = .Lat+2
    .endr
    mov     r12, IN(r1)
    add     #BLOCK, OUT(r1)
    mov     DEST(r1), r13
    jmp     2f
1:
    add     #BLOCK, r13
2:
    inc.b   LAST_BYTE(r1)
    dec     LEFT(r1)
    jnz     \block
    mov     r13, DEST(r1)
    tst     N(r1)
    jnz     \stretch
.endm

/* The end of the function, which wipes the cache and the block. */
.macro leave_ctr
    mov     #(CACHE+BLOCK)/2, r15
1:
    clr     0(r1)
    add     #2, r1
    dec     r15
    jnz     1b
    add     #14, r1
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

#endif

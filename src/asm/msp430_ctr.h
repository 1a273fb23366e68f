/* msp430_ctr.h - counter mode of the MSP430 kernels: what goes around their blocks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * From one counter to the next the last byte alone moves, until it wraps.  The blocks until then are a stretch:
 * what the moving byte does not reach is worked out once for all of them, the cache.  The counter in memory goes
 * to the end of a stretch at its beginning, carries and all, in a time that tells nothing of them.
 *
 *     SP   0       CACHE   CACHE + BLOCK                                  + 14
 *          | cache | block | dest | in | out | left | ctr | n | rk |   r10 ... r4 | return | n
 *                            `- where key streams go: out, or block where there is an in
 *
 * A kernel's file says CACHE, BLOCK and LAST_BYTE, where in the cache the last byte is.  Its crypt then does the rest of a
 * block and ends it as always, with registers from the stack and RET: join_block puts there what it takes. */
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

/* Goes to .Lctr_leave of this function where there is no block. */
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

/* left = the blocks of a stretch; then the kernel fills its cache.  r13 = ctr */
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

/* What crypt finds on its stack: its registers, whatever is in them, and where to go. */
.macro join_block return, registers=7
    push    #\return
    sub     #2*\registers, r1
.endm

/* r13 goes on with what it was for crypt, where the key stream goes: to the next block, the next stretch, or on. */
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

/* armv7m_ctr.h - counter mode of the Cortex-M kernels: what goes around their blocks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * Successive counter blocks differ only in their last byte, until it wraps.  The blocks up to there are a
 * stretch.  What does not depend on the last byte is computed once for all blocks of a stretch: the cache.  When a
 * stretch begins, the counter in memory is advanced to its end, with all carries, in a time that does not depend on
 * them.
 *
 *     sp   0       CACHE   CACHE + BLOCK                     + 24             + 60
 *          | cache | block | left | n | rk | ctr | out | in | r4 ... r11, lr | n
 *
 * Where there is an in, the key stream goes to `block` first.  A kernel defines CACHE and BLOCK, the sizes of the
 * cache and of a block in bytes. */
#ifndef HAECHI_ASM_ARMV7M_CTR_H
#define HAECHI_ASM_ARMV7M_CTR_H

#include "armv7m.h"

#if defined(HAECHI_ARMV7M)

#define LEFT (CACHE+BLOCK)
#define N (CACHE+BLOCK+4)
#define AT_RK (CACHE+BLOCK+8)
#define CTR (CACHE+BLOCK+12)
#define OUT (CACHE+BLOCK+16)
#define IN (CACHE+BLOCK+20)
#define FRAME (CACHE+BLOCK+24)

/* The beginning of the function.  The flag Z then says that there are no blocks. */
.macro enter_ctr
    push.w  {r4-r11, lr}
    push.w  {r0-r3}
    sub.w   sp, sp, #AT_RK
    ldr.w   r6, [sp, #FRAME+36]
    str.w   r6, [sp, #N]
    cmp.w   r6, #0
.endm

/* Gives r0 = rk, r1 = ctr and r2 = the number of blocks of the stretch, which the kernel stores in `left`.  r3 is
 * lost.  Then the kernel fills its cache. */
.macro begin_stretch
    ldr.w   r0, [sp, #AT_RK]
    ldr.w   r1, [sp, #CTR]
    ldrb.w  r2, [r1, #BLOCK-1]
    rsb.w   r2, r2, #256            // blocks until the last byte wraps
    ldr.w   r3, [sp, #N]
    cmp.w   r3, r2
    bhs.w   1f
    mov.w   r2, r3
1:  sub.w   r3, r3, r2
    str.w   r3, [sp, #N]
.endm

/* ctr += left.  r1 = ctr, r2 = left; r3 is lost. */
.macro advance_counter
    ldr.w   r3, [r1, #BLOCK-4]
    rev.w   r3, r3
    adds.w  r3, r3, r2
    rev.w   r3, r3
    str.w   r3, [r1, #BLOCK-4]
    .Lat = BLOCK-8
    .rept BLOCK/4-1
    ldr.w   r3, [r1, #.Lat]
    rev.w   r3, r3
    adcs.w  r3, r3, #0
    rev.w   r3, r3
    str.w   r3, [r1, #.Lat]
    .Lat = .Lat - 4
    .endr
.endm

/* to = the address that the key stream goes to. */
.macro destination to
    ldr.w   \to, [sp, #OUT]
    ldr.w   r3, [sp, #IN]
    cmp.w   r3, #0
    beq.w   1f
    add.w   \to, sp, #CACHE
1:
.endm

/* out = in ^ block, of 16 bytes, and both pointers go on to the next block.  r2 = in; r2, r3, r12 and lr are lost. */
.macro xor_block
    ldr.w   r3, [sp, #OUT]
    .irp at, 0, 4, 8, 12
    ldr.w   r12, [sp, #CACHE+\at]
    ldr.w   lr, [r2, #\at]
    eor.w   r12, r12, lr
    str.w   r12, [r3, #\at]
    .endr
    add.w   r2, r2, #16
    add.w   r3, r3, #16
    str.w   r2, [sp, #IN]
    str.w   r3, [sp, #OUT]
.endm

/* The end of the function, which wipes the cache and the block.  r6 = 0.  It also wipes the words `more`, whose offsets
 * are counted from `below` bytes below the frame. */
.macro leave_ctr below=0, more:vararg
    .if \below
    sub.w   sp, sp, #\below
    .irp at, \more
    str.w   r6, [sp, #\at]
    .endr
    .endif
    .Lat = \below
    .rept (CACHE+BLOCK)/4
    str.w   r6, [sp, #.Lat]
    .Lat = .Lat + 4
    .endr
    add.w   sp, sp, #\below+FRAME
    pop.w   {r4-r11, pc}
.endm

#endif
#endif

/* armv7m_ctr.h - counter mode of the Cortex-M kernels: what goes around their blocks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * From one counter to the next the last byte alone moves, until it wraps.  The blocks until then are a stretch:
 * what the moving byte does not reach is worked out once for all of them, the cache.  The counter in memory goes
 * to the end of a stretch at its beginning, carries and all, in a time that tells nothing of them.
 *
 *     sp   0       CACHE   CACHE + BLOCK                     + 24             + 60
 *          | cache | block | left | n | rk | ctr | out | in | r4 ... r11, lr | n
 *
 * Where there is an in, key streams go to `block` first.  A kernel's file says CACHE and BLOCK. */
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

/* Z: there is no block. */
.macro enter_ctr
    push.w  {r4-r11, lr}
    push.w  {r0-r3}
    sub.w   sp, sp, #AT_RK
    ldr.w   r6, [sp, #FRAME+36]
    str.w   r6, [sp, #N]
    cmp.w   r6, #0
.endm

/* r0 = rk, r1 = ctr, r2 = the blocks of a stretch, which the kernel puts into left, r3 = n.  Then it fills its cache. */
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

/* ctr += left, which are in r1 and r2; r3 is lost. */
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

/* to = where the key stream goes */
.macro destination to
    ldr.w   \to, [sp, #OUT]
    ldr.w   r3, [sp, #IN]
    cmp.w   r3, #0
    beq.w   1f
    add.w   \to, sp, #CACHE
1:
.endm

/* out = in ^ block of 16 bytes, and both go on.  r2 = in; r2, r3, r12 and lr are lost. */
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

/* r6 = 0.  The words at `more` are wiped too, from `below` bytes below the frame on. */
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

/* armv7m_start.S - interrupt vectors, start-up code, and the four functions that compilers call on their own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/asm/armv7m.h"
#include "cortexm_start.h"

/* void *memcpy(void *to, const void *from, size_t n): words, then bytes */
FUNC memcpy
    mov     r12, r0
1:  subs    r2, #4
    itt     hs
    ldrhs   r3, [r1], #4
    strhs   r3, [r12], #4
    bhs     1b
    adds    r2, #4
2:  subs    r2, #1
    itt     hs
    ldrbhs  r3, [r1], #1
    strbhs  r3, [r12], #1
    bhs     2b
    bx      lr
ENDF

/* void *memmove(void *to, const void *from, size_t n) */
FUNC memmove
    subs    r3, r0, r1
    cmp     r3, r2
    bhs     memcpy              @ to is not within from ... from + n
1:  subs    r2, #1
    itt     hs
    ldrbhs  r3, [r1, r2]
    strbhs  r3, [r0, r2]
    bhs     1b
    bx      lr
ENDF

/* void *memset(void *to, int byte, size_t n) */
FUNC memset
    add     r3, r0, r2
1:  cmp     r3, r0
    it      ne
    strbne  r1, [r3, #-1]!
    bne     1b
    bx      lr
ENDF

/* int memcmp(const void *a, const void *b, size_t n) */
FUNC memcmp
    mov     r12, r0
    movs    r0, #0
1:  cbz     r2, 2f
    ldrb    r0, [r12], #1
    ldrb    r3, [r1], #1
    subs    r2, #1
    subs    r0, r3
    beq     1b
2:  bx      lr
ENDF

/* armv6m_start.S - interrupt vectors, start-up code, and the functions that compilers call on their own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/asm/armv6m.h"
#include "cortexm_start.h"

/* void *memcpy(void *to, const void *from, size_t n) */
FUNC memcpy
    push    {r4, lr}
    movs    r3, #0
    b       2f
1:  ldrb    r4, [r1, r3]
    strb    r4, [r0, r3]
    adds    r3, #1
2:  cmp     r3, r2
    bne     1b
    pop     {r4, pc}
ENDF

/* void *memmove(void *to, const void *from, size_t n) */
FUNC memmove
    subs    r3, r0, r1
    cmp     r3, r2
    blo     1f
    push    {r4, lr}            @ to is not within from ... from + n
    bl      memcpy
    pop     {r4, pc}
1:  subs    r2, #1
    blo     2f
    ldrb    r3, [r1, r2]
    strb    r3, [r0, r2]
    b       1b
2:  bx      lr
ENDF

/* void *memset(void *to, int byte, size_t n) */
FUNC memset
1:  subs    r2, #1
    blo     2f
    strb    r1, [r0, r2]
    b       1b
2:  bx      lr
ENDF

/* int memcmp(const void *a, const void *b, size_t n) */
FUNC memcmp
    push    {r4, lr}
    mov     r12, r0
    movs    r0, #0
    movs    r3, #0
1:  cmp     r3, r2
    beq     2f
    mov     r4, r12
    ldrb    r0, [r4, r3]
    ldrb    r4, [r1, r3]
    adds    r3, #1
    subs    r0, r4
    beq     1b
2:  pop     {r4, pc}
ENDF

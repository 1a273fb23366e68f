/* planted_armv6m.S - functions that do what a kernel must not do.  Tests call them as crypt(rk, buf) and expect an error.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */

    .syntax unified
    .thumb

#define ALIGNMENT 2
#include "planted.h"

PLANT planted_nothing
    bx      lr
END planted_nothing

PLANT planted_r10
    movs    r2, #1
    add     r10, r2
    bx      lr
END planted_r10

PLANT planted_before
    subs    r1, #1
    ldrb    r2, [r1]
    mvns    r2, r2
    strb    r2, [r1]
    bx      lr
END planted_before

PLANT planted_behind
    ldrb    r2, [r1, #16]
    mvns    r2, r2
    strb    r2, [r1, #16]
    bx      lr
END planted_behind

PLANT planted_key                   @ writes to the round keys
    ldrb    r2, [r0]
    mvns    r2, r2
    strb    r2, [r0]
    bx      lr
END planted_key

PLANT planted_unbalanced            @ returns with one word left on the stack
    push    {r0}
    bx      lr
END planted_unbalanced

PLANT planted_cpsid
    cpsid   i
    bx      lr
END planted_cpsid

PLANT planted_wild
    movs    r2, #0x60
    lsls    r2, r2, #24
    str     r0, [r2]
    bx      lr
END planted_wild

PLANT planted_write_flash
    ldr     r2, 1f
    lsrs    r2, r2, #2
    lsls    r2, r2, #2
    str     r2, [r2]
    bx      lr
    .p2align 2
1:  .word   planted_nothing
END planted_write_flash

PLANT planted_odd                   @ LDR from an address that is no multiple of four
    adds    r1, #2
    ldr     r2, [r1]
    bx      lr
END planted_odd

PLANT planted_illegal
    udf     #0
    bx      lr
END planted_illegal

PLANT planted_hang
    b       planted_hang
END planted_hang

PLANT planted_peek                  @ reads beyond its buffer
    ldrb    r2, [r1, #16]
    bx      lr
END planted_peek

PLANT planted_peek_flash            @ reads constants of another function
    ldr     r2, 1f
    ldrb    r2, [r2, #1]
    bx      lr
    .p2align 2
1:  .word   planted_nothing
END planted_peek_flash

PLANT planted_red_zone              @ keeps a word below the stack pointer
    ldr     r2, [r1]
    mov     r3, sp
    subs    r3, #4
    str     r2, [r3]
    ldr     r2, [r3]
    str     r2, [r1]
    bx      lr
END planted_red_zone

PLANT planted_branch
    ldrb    r2, [r1]
    lsls    r2, r2, #31
    beq     1f
    nop
1:  bx      lr
END planted_branch

PLANT planted_lookup                @ looks up at an address that depends on the block
    ldrb    r2, [r1]
    movs    r3, #7
    ands    r2, r3
    ldrb    r2, [r1, r2]
    bx      lr
END planted_lookup

/* Adds 1 to four bytes of the block, with all carries, and without the last carry. */
PLANT planted_increment
    ldr     r2, [r1]
    adds    r2, r2, #1
    str     r2, [r1]
    bx      lr
END planted_increment

PLANT planted_carry
    ldr     r2, [r1]
    adds    r3, r2, #1
    lsrs    r2, r2, #24
    lsls    r2, r2, #24
    lsls    r3, r3, #8
    lsrs    r3, r3, #8
    orrs    r2, r2, r3
    str     r2, [r1]
    bx      lr
END planted_carry

/* planted_increment where the buffer lies well, and something else where it does not. */
.macro halves second
    ldrh    r3, [r1]
    adds    r3, r3, #1
    strh    r3, [r1]
    lsrs    r3, r3, #16
    ldrh    r0, [\second]
    adds    r0, r0, r3
    strh    r0, [\second]
    bx      lr
.endm

PLANT planted_page                  @ the pointer does not carry from one page to the next
    adds    r2, r1, #6
    uxtb    r2, r2
    lsrs    r3, r1, #8
    lsls    r3, r3, #8
    orrs    r2, r3
    subs    r2, r2, #4
    halves  r2
END planted_page

PLANT planted_or                    @ takes the address for one with bit 2
    movs    r3, #4
    movs    r2, r1
    bics    r2, r3
    adds    r2, r2, #6
    halves  r2
END planted_or

PLANT planted_place                 @ changes another byte where bit 7 of the address is 1
    movs    r3, #0x80
    ands    r3, r1
    ldrb    r2, [r1, #4]
    eors    r2, r3
    strb    r2, [r1, #4]
    adds    r2, r1, #2
    halves  r2
END planted_place

PLANT planted_compare               @ has addresses at which it does nothing
    lsrs    r2, r1, #8
    uxtb    r2, r2
    cmp     r2, #7
    beq     1f
    adds    r2, r1, #2
    halves  r2
1:  bx      lr
END planted_compare

/* For planted.h, which says what becomes of it. */
.macro many mask, late, borrow
    push    {r4, r5}
    movs    r0, #0                      @ blocks that are done
    b       2f
1:  ldr     r4, [r2]
    .ifnb \late
    lsrs    r5, r0, #3
    adds    r4, r4, r5
    .endif
    adds    r4, r4, #1
    str     r4, [r1]
    ldr     r4, [r2, #4]
    str     r4, [r1, #4]
    adds    r1, r1, #8
    adds    r2, r2, #8
    adds    r0, r0, #1
    .ifb \borrow
    subs    r3, r3, #1
    .else
    subs    r4, r3, #1
    lsls    r4, r4, #24
    lsrs    r4, r4, #24
    lsrs    r3, r3, #8
    lsls    r3, r3, #8
    orrs    r3, r3, r4
    .endif
2:  lsls    r4, r3, #\mask
    bne     1b
    pop     {r4, r5}
    bx      lr
.endm

    loops   0, 24

PLANT planted_residue
    ldr     r2, [r1]
    push    {r2}
    pop     {r2}
    bx      lr
END planted_residue

PLANT planted_flip                  @ buf[0] ^= 1, with one redundant instruction
    ldrb    r2, [r1]
planted_needless:
    mov     r2, r2
    movs    r3, #1
    eors    r2, r3
    strb    r2, [r1]
    bx      lr
END planted_flip

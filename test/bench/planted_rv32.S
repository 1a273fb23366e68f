/* planted_rv32.S - functions that do what a kernel must not do.  Tests call them as crypt(rk, buf) and expect an error.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */

#define ALIGNMENT 2
#include "planted.h"

PLANT planted_nothing
    ret
END planted_nothing

PLANT planted_r10
    addi    s10, s10, 1
    ret
END planted_r10

PLANT planted_before
    lbu     t0, -1(a1)
    not     t0, t0
    sb      t0, -1(a1)
    ret
END planted_before

PLANT planted_behind
    lbu     t0, 16(a1)
    not     t0, t0
    sb      t0, 16(a1)
    ret
END planted_behind

PLANT planted_key                   # writes to the round keys
    lbu     t0, 0(a0)
    not     t0, t0
    sb      t0, 0(a0)
    ret
END planted_key

PLANT planted_unbalanced            # returns with 16 bytes left on the stack
    addi    sp, sp, -16
    ret
END planted_unbalanced

PLANT planted_word                  # moves the stack pointer to no multiple of 16
    addi    sp, sp, -4
    addi    sp, sp, 4
    ret
END planted_word

PLANT planted_wild
    lui     t0, 0x60000
    sw      a0, 0(t0)
    ret
END planted_wild

PLANT planted_write_flash
    la      t0, planted_nothing
    sw      t0, 0(t0)
    ret
END planted_write_flash

PLANT planted_odd
    lw      t0, 1(a1)
    ret
END planted_odd

PLANT planted_illegal
    unimp
    ret
END planted_illegal

PLANT planted_hang
    j       planted_hang
END planted_hang

PLANT planted_peek                  # reads beyond its buffer
    lbu     t0, 16(a1)
    ret
END planted_peek

PLANT planted_peek_flash            # reads constants of another function
    la      t0, planted_nothing
    lbu     t0, 4(t0)
    ret
END planted_peek_flash

PLANT planted_red_zone              # keeps a word below the stack pointer
    lw      t0, 0(a1)
    sw      t0, -4(sp)
    lw      t0, -4(sp)
    sw      t0, 0(a1)
    ret
END planted_red_zone

PLANT planted_branch
    lbu     t0, 0(a1)
    andi    t0, t0, 1
    beqz    t0, 1f
    nop
1:  ret
END planted_branch

PLANT planted_lookup                # looks up at an address that depends on the block
    lbu     t0, 0(a1)
    andi    t0, t0, 7
    add     t0, t0, a1
    lbu     t0, 0(t0)
    ret
END planted_lookup

/* Adds 1 to four bytes of the block, with all carries, and without the last carry. */
PLANT planted_increment
    lw      t0, 0(a1)
    addi    t0, t0, 1
    sw      t0, 0(a1)
    ret
END planted_increment

PLANT planted_carry
    lw      t0, 0(a1)
    addi    t1, t0, 1
    lui     t2, 0xff000
    and     t0, t0, t2
    not     t2, t2
    and     t1, t1, t2
    or      t0, t0, t1
    sw      t0, 0(a1)
    ret
END planted_carry

/* planted_increment where the buffer lies well, and something else where it does not. */
.macro halves second
    lhu     t1, 0(a1)
    addi    t1, t1, 1
    sh      t1, 0(a1)
    srli    t1, t1, 16
    lhu     t2, 0(\second)
    add     t2, t2, t1
    sh      t2, 0(\second)
    ret
.endm

PLANT planted_page                  # the pointer does not carry from one page to the next
    addi    t0, a1, 6
    andi    t0, t0, 255
    andi    t3, a1, -256
    or      t0, t0, t3
    addi    t0, t0, -4
    halves  t0
END planted_page

PLANT planted_or                    # takes the address for one with bit 2
    andi    t0, a1, -5
    addi    t0, t0, 6
    halves  t0
END planted_or

PLANT planted_place                 # changes another byte where bit 7 of the address is 1
    andi    t0, a1, 0x80
    lbu     t1, 4(a1)
    xor     t1, t1, t0
    sb      t1, 4(a1)
    addi    t0, a1, 2
    halves  t0
END planted_place

PLANT planted_compare               # has addresses at which it does nothing
    srli    t0, a1, 8
    andi    t0, t0, 255
    addi    t0, t0, -7
    beqz    t0, 1f
    addi    t0, a1, 2
    halves  t0
1:  ret
END planted_compare

/* For planted.h, which says what becomes of it. */
.macro many mask, late, borrow
    li      a0, 0                       # blocks that are done
    j       2f
1:  lw      t0, 0(a2)
    .ifnb \late
    srli    t1, a0, 3
    add     t0, t0, t1
    .endif
    addi    t0, t0, 1
    sw      t0, 0(a1)
    lw      t0, 4(a2)
    sw      t0, 4(a1)
    addi    a1, a1, 8
    addi    a2, a2, 8
    addi    a0, a0, 1
    .ifb \borrow
    addi    a3, a3, -1
    .else
    addi    t1, a3, -1
    andi    t1, t1, 255
    andi    a3, a3, -256
    or      a3, a3, t1
    .endif
2:  slli    t1, a3, \mask
    bnez    t1, 1b
    ret
.endm

    loops   0, 24

PLANT planted_residue
    lw      t0, 0(a1)
    addi    sp, sp, -16
    sw      t0, 12(sp)
    addi    sp, sp, 16
    ret
END planted_residue

PLANT planted_flip                  # buf[0] ^= 1, with one redundant instruction
    lbu     t0, 0(a1)
planted_needless:
    mv      t0, t0
    xori    t0, t0, 1
    sb      t0, 0(a1)
    ret
END planted_flip

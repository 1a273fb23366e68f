/* aria_rv32_schedule.h - the key schedule of ARIA for RISC-V (RFC 5794, 2.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * W0 to W3 are made in the order of the block.  Then the bytes of their words are reversed, the first byte highest, and
 * each W is stored twice, so that a rotation by words is another place to begin.
 *
 *     sp   0         32        64        96        128
 *          | W0  W0  | W1  W1  | W2  W2  | W3  W3  | KR | saved registers
 *
 *     s0                  s1   s2             s3
 *     the next round key  key  end of a loop  end of the round keys
 *
 * Whoever includes this defines PART(what), the name of a part of the kernel, and the function PART(FO), which does a round
 * of x0 to x3 with the key at a0 and moves a0 to the next key. */
#ifndef HAECHI_ARIA_RV32_SCHEDULE_H
#define HAECHI_ARIA_RV32_SCHEDULE_H

#include "aria_rv32.h"

#if defined(HAECHI_RV32)

#define KR 128
#define FRAME 144
#define SAVED ra, s0, s1, s2, s3

/* The first constant of a key size, and what follows the first half of the key. */
.macro Initialization bits
    save    SAVED
    addi    sp, sp, -FRAME
    mv      s0, a0
    mv      s1, a1
    addi    s3, a0, 16*(\bits/32+9)
    .irp at, 0, 4, 8, 12
    .if 128 + 8*\at < \bits
    lw      t0, 16+\at(a1)
    sw      t0, KR+\at(sp)
    .else
    sw      zero, KR+\at(sp)
    .endif
    .endr
    la      a0, PART(CK)+48*(\bits-128)/64
    j       PART(eks)
.endm

.macro store_W n
    store_words sp, 32*\n, x0, x1, x2, x3
.endm

/* x0 ... x3 ^= the words at `from` */
.macro xor_words at, from
    load_words \from, \at, t0, t1, t2, t3
    xor     x0, x0, t0
    xor     x1, x1, t1
    xor     x2, x2, t2
    xor     x3, x3, t3
.endm

.macro turn_words
    turn    x0, t0
    turn    x1, t0
    turn    x2, t0
    turn    x3, t0
.endm

/* A word of ek = W n ^ (W n+1 >>> 32 w + r), whose place is `at`.  now and before are the words of W n+1 that are w and w + 1
 * places before it; a1 points to W n, and a3 and a4 are r and 32 - r. */
.macro ek_word at, now, before
    srl     t6, \now, a3
    sll     t4, \before, a4
    xor     t6, t6, t4
    lw      t4, \at(a1)
    xor     t6, t6, t4
    REV     t6, t4
    sw      t6, \at(s0)
.endm

/* FE is FO on words turned by 16 bits before and after, with a key that is turned, too. */
FUNC PART(eks)
    constants PART(T)
    load_words s1, 0, x0, x1, x2, x3
    store_W 0
    jal     ra, PART(FO)
    xor_words KR, sp
    store_W 1
    turn_words
    jal     ra, PART(FO)
    turn_words
    xor_words 0, sp
    store_W 2
    jal     ra, PART(FO)
    xor_words 32, sp
    store_W 3

    mv      a0, sp
    addi    s2, sp, 128
1:  load_words a0, 0, x0, x1, x2, x3
    REV     x0, t0
    REV     x1, t0
    REV     x2, t0
    REV     x3, t0
    store_words a0, 0, x0, x1, x2, x3
    store_words a0, 16, x0, x1, x2, x3
    addi    a0, a0, 32
    bne     a0, s2, 1b

    la      t5, PART(rotations)
2:  lbu     a3, 0(t5)               # r
    lbu     a5, 1(t5)               # 16 - 4 w
    addi    t5, t5, 2
    neg     a4, a3                  # 32 - r: shifts take the last five bits
    mv      a1, sp
3:  addi    a0, a1, 32              # W n+1
    bne     a0, s2, 4f
    mv      a0, sp                  # W0 follows W3
4:  add     a0, a0, a5
    load_words a0, -4, a2, t0, t1, t2, t3
    ek_word 0, t0, a2
    ek_word 4, t1, t0
    ek_word 8, t2, t1
    ek_word 12, t3, t2
    addi    s0, s0, 16
    beq     s0, s3, 5f
    addi    a1, a1, 32
    bne     a1, s2, 3b
    j       2b

5:  mv      a0, sp                  # no secrets stay on the stack
    addi    a1, sp, FRAME
6:  sw      zero, 0(a0)
    addi    a0, a0, 4
    bne     a0, a1, 6b
    addi    sp, sp, FRAME
    restore SAVED
    ret
ENDF

FUNC PART(128_eks)
    Initialization 128
ENDF

FUNC PART(192_eks)
    Initialization 192
ENDF

FUNC PART(256_eks)
    Initialization 256
ENDF

/* Each byte becomes the sum of the three others of its word. */
.macro Bytes x
    ROR     t0, \x, 16, t1
    xor     t0, t0, \x
    ROR     t2, t0, 8, t1
    xor     t0, t0, t2
    xor     \x, \x, t0
.endm

/* Decryption keys from encryption keys, the first and last of which are at a0 and a1: the diffusion layer is applied to
 * all others, and the order is reversed. */
FUNC PART(dks)
    li      M, 0x00ff00ff
    addi    t5, a0, 16
1:  load_words t5, 0, x0, x1, x2, x3
    Bytes   x0
    Bytes   x1
    Bytes   x2
    Bytes   x3
    Words   x0, x1, x2, x3
    store_words t5, 0, x0, x1, x2, x3
    addi    t5, t5, 16
    bne     t5, a1, 1b
2:  load_words a0, 0, t0, t1, t2, t3
    load_words a1, 0, x0, x1, x2, x3
    store_words a1, 0, t0, t1, t2, t3
    store_words a0, 0, x0, x1, x2, x3
    addi    a0, a0, 16
    addi    a1, a1, -16
    bltu    a0, a1, 2b
    ret
ENDF

.macro expand_inverse bits
    save    ra, a0
    jal     ra, PART(\bits\()_eks)
    restore ra, a0
    addi    a1, a0, 16*(\bits/32+8)
    j       PART(dks)
.endm

FUNC PART(128_dks)
    expand_inverse 128
ENDF

FUNC PART(192_dks)
    expand_inverse 192
ENDF

FUNC PART(256_dks)
    expand_inverse 256
ENDF

/* ---- Constants. */

.macro object name
    .section .rodata.\name, "a", %progbits
    .p2align 2
    .type   \name, %object
\name:
.endm

/* CK1, CK2, turned by 16 bits, and CK3 for keys of 128, 192 and 256 bits. */
    object  PART(CK)
    C1      .word
    C2      turned
    C3      .word
    C2      .word
    C3      turned
    C1      .word
    C3      .word
    C1      turned
    C2      .word
    .size   PART(CK), . - PART(CK)

/* The rotations of W n+1 by 19, 31, 67, 97 and 109 bits: 32 w + r as r and 16 - 4 w. */
    object  PART(rotations)
    .byte   19, 16, 31, 16, 3, 8, 1, 4, 13, 4
    .size   PART(rotations), . - PART(rotations)

#endif
#endif

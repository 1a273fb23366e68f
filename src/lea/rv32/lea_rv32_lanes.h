/* lea_rv32_lanes.h - LEA for RISC-V with stored round keys: four blocks side by side, for many blocks and counter mode.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     word i of the four blocks   ti, si, a<i+4>, s<i+4>
 *     a0   a1   a2  a3            t4 t5 s8 s9   t6       s10            s11
 *     rk   out  in  blocks to do  round keys    scratch  end of a loop  rk, unchanged
 *
 * lea_rv32_128_rounds and its like do all rounds of four blocks; the addresses of the first round keys and of the end
 * are in a0 and s10.  A round key is loaded once for all four blocks. */
#ifndef HAECHI_LEA_RV32_LANES_H
#define HAECHI_LEA_RV32_LANES_H

#include "lea_rv32.h"

#if defined(HAECHI_RV32)

#define SAVED ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11

/* A line (Line or InverseLine) of each block.  x and s are the numbers of the words, y and u the same numbers plus 4. */
.macro Lines line, x, y, kx, s, u, ks, n
    \line   t\x, \kx, t\s, \ks, \n, t6
    \line   s\x, \kx, s\s, \ks, \n, t6
    \line   a\y, \kx, a\u, \ks, \n, t6
    \line   s\y, \kx, s\u, \ks, \n, t6
.endm

.macro Round_128 at, x0, x1, x2, x3, y0, y1, y2, y3
    load_words a0, \at, t4, t5, s8, s9
    Lines   Line, \x3, \y3, t5, \x2, \y2, s9, 3
    Lines   Line, \x2, \y2, t5, \x1, \y1, s8, 5
    Lines   Line, \x1, \y1, t5, \x0, \y0, t4, 23
.endm

.macro Round_256 at, x0, x1, x2, x3, y0, y1, y2, y3
    load_words a0, \at+8, s8, s9, t4, t5
    Lines   Line, \x3, \y3, t5, \x2, \y2, t4, 3
    load_words a0, \at, t4, t5
    Lines   Line, \x2, \y2, s9, \x1, \y1, s8, 5
    Lines   Line, \x1, \y1, t5, \x0, \y0, t4, 23
.endm

.macro InverseRound_128 at, x0, x1, x2, x3, y0, y1, y2, y3
    load_words a0, \at, t4, t5, s8, s9
    Lines   InverseLine, \x0, \y0, t5, \x3, \y3, t4, 9
    Lines   InverseLine, \x1, \y1, t5, \x0, \y0, s8, 27
    Lines   InverseLine, \x2, \y2, t5, \x1, \y1, s9, 29
.endm

.macro InverseRound_256 at, x0, x1, x2, x3, y0, y1, y2, y3
    load_words a0, \at, t4, t5, s8, s9
    Lines   InverseLine, \x0, \y0, t5, \x3, \y3, t4, 9
    load_words a0, \at+16, t4, t5
    Lines   InverseLine, \x1, \y1, s9, \x0, \y0, s8, 27
    Lines   InverseLine, \x2, \y2, t5, \x1, \y1, t4, 29
.endm

/* All rounds of four blocks, with `size` bytes of round keys for each. */
.macro rounds_of_lanes bits, size
FUNC lea_rv32_\bits\()_rounds
    Round_\bits 0, 0, 1, 2, 3, 4, 5, 6, 7
    Round_\bits \size, 1, 2, 3, 0, 5, 6, 7, 4
    Round_\bits 2*\size, 2, 3, 0, 1, 6, 7, 4, 5
    Round_\bits 3*\size, 3, 0, 1, 2, 7, 4, 5, 6
    addi    a0, a0, 4*\size
    bne     a0, s10, lea_rv32_\bits\()_rounds
    ret
ENDF

FUNC lea_rv32_\bits\()_inverse_rounds
    InverseRound_\bits 3*\size, 0, 1, 2, 3, 4, 5, 6, 7
    InverseRound_\bits 2*\size, 3, 0, 1, 2, 7, 4, 5, 6
    InverseRound_\bits \size, 2, 3, 0, 1, 6, 7, 4, 5
    InverseRound_\bits 0, 1, 2, 3, 0, 5, 6, 7, 4
    addi    a0, a0, -4*\size
    bne     a0, s10, lea_rv32_\bits\()_inverse_rounds
    ret
ENDF
.endm

.macro load_blocks from
    load_words \from, 0, t0, t1, t2, t3
    load_words \from, 16, s0, s1, s2, s3
    load_words \from, 32, a4, a5, a6, a7
    load_words \from, 48, s4, s5, s6, s7
.endm

.macro store_blocks to
    store_words \to, 0, t0, t1, t2, t3
    store_words \to, 16, s0, s1, s2, s3
    store_words \to, 32, a4, a5, a6, a7
    store_words \to, 48, s4, s5, s6, s7
.endm

/* Many blocks.  `rounds` does the rounds of four, from the round keys at rk + first to those at rk + end.  `single`
 * processes each of the blocks that are left. */
.macro bulk rounds, single, first, end
    save    SAVED
    mv      s11, a0
    addi    s10, a0, \end
    li      t4, 4
    bltu    a3, t4, 2f
1:  load_blocks a2
    addi    a0, s11, \first
    jal     ra, \rounds
    store_blocks a1
    addi    a1, a1, 64
    addi    a2, a2, 64
    addi    a3, a3, -4
    li      t4, 4
    bgeu    a3, t4, 1b
2:  mv      s0, a1
    mv      s1, a2
    mv      s2, a3
    beqz    s2, 4f
3:  load_words s1, 0, a2, a3, a4, a5
    store_words s0, 0, a2, a3, a4, a5
    mv      a0, s11
    mv      a1, s0
    jal     ra, \single
    addi    s0, s0, 16
    addi    s1, s1, 16
    addi    s2, s2, -1
    bnez    s2, 3b
4:  restore SAVED
    ret
.endm

/* Counter mode.  Successive counter blocks differ only in their last byte, until it wraps.  The blocks up to there are a
 * stretch.  When a stretch begins, the counter in memory is advanced to its end, with all carries, in a time that does
 * not depend on them.
 *
 *     sp   0              16             32         36    40
 *          | next counter | a last block | n - left | ctr |   */
#define NEXT 0
#define LAST 16
#define N 32
#define CTR 36
#define FRAME 48

/* a3 = the number of blocks of the stretch, and NEXT = its first counter.  t0 to t6 are lost. */
.macro begin_stretch
    lw      t6, CTR(sp)
    lw      t5, N(sp)
    lbu     t0, 15(t6)
    li      a3, 256
    sub     a3, a3, t0              # blocks until the last byte wraps
    bgeu    t5, a3, 11f
    mv      a3, t5
11: sub     t5, t5, a3
    sw      t5, N(sp)
    load_words t6, 0, t0, t1, t2, t3
    store_words sp, NEXT, t0, t1, t2, t3
    mv      t0, a3                  # ctr += a3, byte by byte
    addi    t1, t6, 15
    addi    t3, t6, -1
12: lbu     t2, 0(t1)
    add     t0, t0, t2
    sb      t0, 0(t1)
    srli    t0, t0, 8
    addi    t1, t1, -1
    bne     t1, t3, 12b
.endm

/* The next four counters. */
.macro next_blocks
    lui     t6, 1 << 12             # 1 in the last byte
    load_words sp, NEXT, t0, t1, t2, t3
    mv      s0, t0
    mv      s1, t1
    mv      s2, t2
    add     s3, t3, t6
    mv      a4, t0
    mv      a5, t1
    mv      a6, t2
    add     a7, s3, t6
    mv      s4, t0
    mv      s5, t1
    mv      s6, t2
    add     s7, a7, t6
    add     t6, s7, t6
    sw      t6, NEXT+12(sp)
.endm

.macro xor_words from, at, w0, w1, w2, w3
    load_words \from, \at, t4, t5, s8, s9
    xor     \w0, \w0, t4
    xor     \w1, \w1, t5
    xor     \w2, \w2, s8
    xor     \w3, \w3, s9
.endm

.macro counter rounds, single, end
    save    SAVED
    addi    sp, sp, -FRAME
    sw      a4, N(sp)
    sw      a1, CTR(sp)
    mv      s11, a0
    addi    s10, a0, \end
    mv      a1, a2                  # out
    mv      a2, a3                  # in
    beqz    a4, 9f
1:  begin_stretch
    li      t4, 4
    bltu    a3, t4, 5f
3:  next_blocks
    mv      a0, s11
    jal     ra, \rounds
    beqz    a2, 4f
    xor_words a2, 0, t0, t1, t2, t3
    xor_words a2, 16, s0, s1, s2, s3
    xor_words a2, 32, a4, a5, a6, a7
    xor_words a2, 48, s4, s5, s6, s7
    addi    a2, a2, 64
4:  store_blocks a1
    addi    a1, a1, 64
    addi    a3, a3, -4
    li      t4, 4
    bgeu    a3, t4, 3b
5:  mv      s0, a1
    mv      s1, a2
    mv      s2, a3
    beqz    s2, 8f
6:  load_words sp, NEXT, t0, t1, t2, t3
    store_words sp, LAST, t0, t1, t2, t3
    lui     t6, 1 << 12
    add     t3, t3, t6
    sw      t3, NEXT+12(sp)
    mv      a0, s11
    addi    a1, sp, LAST
    jal     ra, \single
    load_words sp, LAST, t0, t1, t2, t3
    beqz    s1, 7f
    xor_words s1, 0, t0, t1, t2, t3
    addi    s1, s1, 16
7:  store_words s0, 0, t0, t1, t2, t3
    addi    s0, s0, 16
    addi    s2, s2, -1
    bnez    s2, 6b
    mv      a1, s0
    mv      a2, s1
8:  lw      t4, N(sp)
    bnez    t4, 1b
    store_words sp, NEXT, zero, zero, zero, zero
    store_words sp, LAST, zero, zero, zero, zero
9:  addi    sp, sp, FRAME
    restore SAVED
    ret
.endm

#endif
#endif

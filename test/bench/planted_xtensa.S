/* planted_xtensa.S - functions that do what no function of the library may do, for test_xtensa.py.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
    .text
    .global planted_word, planted_kept, planted_stack, planted_leaf
    .type   planted_word, @function
    .align  4
planted_word:                       /* loads a word from its argument */
    l32i    a2, a2, 0
    ret
    .align  4
planted_kept:                       /* does not preserve a13 */
    addi    a13, a13, 1
    ret
    .align  4
planted_stack:                      /* returns with another stack pointer */
    addi    a1, a1, -16
    ret
    .align  4
planted_leaf:                       /* executes 5 instructions and 3 for each round of its argument, and takes 32 bytes of stack */
    addi    a1, a1, -32
    s32i    a0, a1, 0
1:  addi    a2, a2, -1
    nop
    bnez    a2, 1b
    addi    a1, a1, 32
    ret

/* aria_rv32.S - ARIA for RISC-V with tables of words, two rounds a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_rv32_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_rv32_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_rv32_<bits>_crypt(const void *rk, void *buf);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The tables give an S-box's output in three bytes of a word:
 *
 *     column           0    1    2    3
 *     SB1 of x (T0)    .    s    s    s       so that in SL1 the sum of a word's four look-ups is the
 *     SB2 of x (T1)    s    .    s    s       substituted word with each byte replaced by the sum of the
 *     SB3 of x (T2)    s    s    .    s       three others, the first step of the diffusion layer.
 *     SB4 of x (T3)    s    s    s    .       In SL2 it is that word turned by 16 bits.
 *
 * Secrets are indices of look-ups, so this kernel is only for parts where no cache stands before the tables.
 * aria_rv32.h draws the registers. */
#define PART(what) haechi_aria_rv32_##what
#include "aria_rv32_schedule.h"

#if defined(HAECHI_RV32)

FUNC PART(192_crypt)
    addi    t5, a0, 16*12
    j       PART(crypt)
ENDF

FUNC PART(256_crypt)
    addi    t5, a0, 16*14
    j       PART(crypt)
ENDF

FUNC PART(128_crypt)
    addi    t5, a0, 16*10           # the keys of the last three rounds
    .global PART(crypt)
PART(crypt):
    load_words a1, 0, x0, x1, x2, x3
    constants PART(T)
1:  FO
    beq     a0, t5, 2f
    FE      16
    addi    a0, a0, 32
    j       1b
2:  FF      16
    store_words a1, 0, x0, x1, x2, x3
    ret
ENDF

FUNC PART(FO)
    FO
    addi    a0, a0, 16
    ret
ENDF

    object  PART(T)
    aria_word_tables
    .size   PART(T), . - PART(T)

    KERNEL aria_rv32_128, 16, 16, 208, ALIGN4, PART(128_eks), PART(128_crypt)
    KERNEL aria_rv32_192, 16, 24, 240, ALIGN4, PART(192_eks), PART(192_crypt)
    KERNEL aria_rv32_256, 16, 32, 272, ALIGN4, PART(256_eks), PART(256_crypt)
    KERNEL aria_rv32_128_inv, 16, 16, 208, ALIGN4|INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_rv32_192_inv, 16, 24, 240, ALIGN4|INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_rv32_256_inv, 16, 32, 272, ALIGN4|INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

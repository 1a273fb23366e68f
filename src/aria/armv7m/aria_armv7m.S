/* aria_armv7m.S - ARIA for Cortex-M3 and up with tables of words and unrolled rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_armv7m_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_armv7m_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_armv7m_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_armv7m_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
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
 * aria_armv7m.h draws the registers. */
#define PART(what) haechi_aria_armv7m_##what
#define TABLE 1024
#define CK_OF_SIZE 16
#include "aria_armv7m.h"

#if defined(HAECHI_ARMV7M)

/* ---- Rounds.  Loads of entries, and how the entries of a word are added. */

.macro load_entry to, table
    ldr.w   \to, [\table, \to, lsl #2]
.endm

.macro load_byte_of_entry to, table
    ldrb.w  \to, [\table, \to, lsl #2]
.endm

.macro whole x, s, at
    eor.w   \x, \x, \s
.endm

.macro SL1_and_bytes
    SubstLayer load_entry, whole, SL1
.endm

/* The diffusion layer after its first step for words that come rotated by 16 bits, where the columns go to c ^ 1, c ^ 3, c or c ^ 2. */
.macro WordsTurned a, b, c, d
    OtherWords \a, \c, \d, \b
    rev16.w \b, \b                  // word 0
    rev.w   \a, \a                  // word 1
    OtherWords \b, \c, \d, \a, 16
.endm

/* The even rounds of the standard. */
.macro FE
    AddRoundKey
    SubstLayer load_entry, whole, SL2
    WordsTurned x0, x1, x2, x3
.endm

/* The last round has no diffusion layer, and adds a second key.  The loads of bytes begin one byte further, as the
 * entries of T0 have nothing in their lowest byte. */
.macro FF
    AddRoundKey
    add.w   T0, T0, #1
    SubstLayer load_byte_of_entry, byte, SL2
    AddRoundKey
.endm

/* The last eleven rounds and the end of the function. */
.macro ElevenRounds
    .rept 5
    FE
    FO
    .endr
    FF
    ldr.w   s0, [sp], #4            // buf
    store_block s0
    pop.w   {r4-r11, pc}
.endm

FUNC PART(192_crypt)
    enter
    FO
INNER PART(192_late)
    FE
    b.w     PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter
    FO
INNER PART(256_late)
    FE
    FO
    FE
    b.w     PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter
INNER PART(crypt)
    FO
INNER PART(128_late)
    ElevenRounds
ENDF

/* ---- Counter mode. */

.macro last_byte
    ldr.w   s0, [T3, s0, lsl #2]
.endm

.macro other_rounds bits
    b.w     haechi_aria_armv7m_\bits\()_late
.endm

#include "aria_armv7m_ctr.h"

/* ---- Key schedule. */

FUNC PART(FO)
    str.w   lr, [sp, #-4]!
    FO
    ldr.w   pc, [sp], #4
ENDF

FUNC PART(FE)
    str.w   lr, [sp, #-4]!
    FE
    ldr.w   pc, [sp], #4
ENDF

.macro step_FO
    bl      PART(FO)
.endm

.macro step_FE
    bl      PART(FE)
.endm

#include "aria_armv7m_schedule.h"

/* ---- Constants. */

/* CK1, CK2, CK3 begin at C1, C2 or C3 for keys of 128, 192 or 256 bits. */
    .section .rodata.aria_armv7m_CK, "a", %progbits
    .p2align 2
    .global PART(CK)
    .type   PART(CK), %object
PART(CK):
    .rept 2
    C1      .word
    C2      .word
    C3      .word
    .endr
    .size   PART(CK), . - PART(CK)

/* T0, T1, T2 and T3, as drawn above. */
    .section .rodata.aria_armv7m_T, "a", %progbits
    .p2align 2
    .global PART(T)
    .type   PART(T), %object
PART(T):
    aria_word_tables
    .size   PART(T), . - PART(T)

    KERNEL aria_armv7m_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_armv7m_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_armv7m_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_armv7m_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv7m_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv7m_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

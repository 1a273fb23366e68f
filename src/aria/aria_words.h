/* aria_words.h - the constants and tables of ARIA for assembly on 32-bit little-endian machines (RFC 5794, 2.2 and 2.4.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * C1, C2 and C3 pass a constant to the directive or macro `emit`.  aria_word_tables stores the tables T0 to T3 that the
 * kernels describe, 4096 bytes. */
#ifndef HAECHI_ARIA_WORDS_H
#define HAECHI_ARIA_WORDS_H

#include "aria_sboxes.h"

/* C1, C2 and C3, the fractional part of 1/pi, as words of a block. */
.macro C1 emit
    \emit   0xb7c17c51, 0x940a2227, 0xe8ab13fe, 0xe06e9afa
.endm

.macro C2 emit
    \emit   0xcc4ab16d, 0x20c8219e, 0xd5b128ff, 0xb0e25def
.endm

.macro C3 emit
    \emit   0x1d3792db, 0x70e92621, 0x75972403, 0x0ec9e804
.endm

/* Words turned by 16 bits. */
.macro turned words:vararg
    .irp x, \words
    .word   \x >> 16 | (\x & 0xffff) << 16
    .endr
.endm

/* Each entry of an S-box as a word, in the three bytes that .Lspread selects. */
.macro entries bytes:vararg
    .irp x, \bytes
    .word   .Lspread * \x
    .endr
.endm

.macro aria_word_tables
    .Lspread = 0x01010100
    aria_SB1 entries
    .Lspread = 0x01010001
    aria_SB2 entries
    .Lspread = 0x01000101
    aria_SB3 entries
    .Lspread = 0x00010101
    aria_SB4 entries
.endm

#endif

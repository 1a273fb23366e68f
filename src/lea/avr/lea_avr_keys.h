/* lea_avr_keys.h - sums and XORs of words with round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Macros with `next` in their names take the round keys one after another; those with `key` name them by their place,
 * `at` bytes from rk, while Z = rk + .Lz.  The including file defines next_key, which loads the next byte of the round
 * keys to a register, and `got`, the register that holds a byte of the round keys until it is used. */
#ifndef HAECHI_LEA_AVR_KEYS_H
#define HAECHI_LEA_AVR_KEYS_H

.macro key_at register, at
    ldd     \register, Z+\at-.Lz
.endm

/* x = a word of round keys */
.macro load_by get, x, at=0
    .irp j, 0, 1, 2, 3
    \get    byte(\x,\j), \at+\j
    .endr
.endm

/* x ^= a word of round keys */
.macro xor_by get, register, x, at=0
    .irp j, 0, 1, 2, 3
    \get    \register, \at+\j
    eor     byte(\x,\j), \register
    .endr
.endm

/* sum = sum + (x ^ a word of round keys), or sum - (...).  Neither a load nor eor changes the carry. */
.macro arithmetic_by get, register, op, op_with_carry, sum, x, at=0
    .irp j, 0, 1, 2, 3
    \get    \register, \at+\j
    eor     \register, byte(\x,\j)
    .if \j == 0
    \op     byte(\sum,\j), \register
    .else
    \op_with_carry byte(\sum,\j), \register
    .endif
    .endr
.endm

.macro load_next x
    load_by next_key, \x
.endm

.macro load_key x, at
    load_by key_at, \x, \at
.endm

.macro xor_next x
    xor_by  next_key, got, \x
.endm

.macro xor_key x, at
    xor_by  key_at, r0, \x, \at
.endm

.macro add_xor_next sum, x
    arithmetic_by next_key, got, add, adc, \sum, \x
.endm

.macro add_xor_key sum, x, at
    arithmetic_by key_at, r0, add, adc, \sum, \x, \at
.endm

.macro sub_xor_next difference, x
    arithmetic_by next_key, got, sub, sbc, \difference, \x
.endm

.macro sub_xor_key difference, x, at
    arithmetic_by key_at, r0, sub, sbc, \difference, \x, \at
.endm

/* Z = rk + to; .Lz keeps at assembly time where Z points. */
.macro move_Z to
    .if \to != .Lz
    subi    ZL, lo8(.Lz-(\to))
    sbci    ZH, hi8(.Lz-(\to))      ; Z = rk + to
    .Lz = \to
    .endif
.endm

#endif

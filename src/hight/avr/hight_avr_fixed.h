/* hight_avr_fixed.h - HIGHT in counter mode for AVR with key and nonce known at build time, tables in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An assembly file includes this header after the constants that the fixed-key tool wrote.  The header defines
 * haechi_hight_fixed, which asm/avr_fixed.h describes.  The tables F0 and F1 are in flash.
 *
 * The idea.  Counter mode of hight_avr_flash with the subkeys as immediate operands.  The subkey of F1 is stored as
 * F1^-1(SK) and XORed to the argument; the subkey of F0 is added to the result by subi.  A step takes 6 cycles and no
 * register beside the pointer.
 *
 *     x0 ... x7                  X         Y                Z      the cache                    out      in
 *     r18 ... r21 r24 r25 r0 r1  in, out   last byte, end   table  r2 ... r8 and r10 ... r13    r14:r15  r16:r17
 *                                by turns
 *     on the stack: the value to return.  T: is there an in? */
#ifndef HAECHI_HIGHT_AVR_FIXED_H
#define HAECHI_HIGHT_AVR_FIXED_H

#include "hight_avr_fixed_block.h"
#include "hight_avr_tables_flash.h"
#include "hight_avr_ctr_flash.h"

/* .Lkey is where a subkey lies in the round keys of hight_avr_flash, .Lindex where it lies in FIXED_KEYS, which has the
 * standard's order: hight_avr_flash stores two rounds as 0 2 1 3 5 7 4 6. */
.macro next_subkey
    .Lindex = .Lkey
    .if .Lkey < 132
    .Lp = .Lkey-4
    .Lindex = 4+(.Lp & ~3)+((.Lp & 1) << 1)+((.Lp >> 1 ^ .Lp >> 2) & 1)
    .endif
    .Lkey = .Lkey+1
.endm

.macro look_up_F1
    lpm     ZL, Z
.endm

/* F0_pointer = F0(F0_pointer) */
#define F0_pointer 30 /* ZL */
.macro look_up_F0
    lpm     F0_pointer, Z
.endm

.macro EightRounds
    EvenOddRounds_8
.endm

#include "hight_avr_fixed_ctr.h"

#endif

/* hight_avr_fixed_ram.h - HIGHT in counter mode for AVR with key and nonce known at build time, tables in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An assembly file includes this header after the constants that the fixed-key tool wrote.  The header defines
 * haechi_hight_fixed, which asm/avr_fixed.h describes.  The tables F0 and F1 are in RAM, which costs 512 bytes there
 * and is faster than flash.
 *
 * The idea.  Counter mode of hight_avr_ram_t with the subkeys as immediate operands.  The subkey of F1 is stored as
 * F1^-1(SK) and XORed to the argument; the subkey of F0 is added to the result by subi.  A step takes 5 cycles and no
 * register beside the pointers.
 *
 *     x0 ... x7                  X         Y   Z   the cache                    out      in       last byte  end
 *     r18 ... r21 r24 r25 r0 r1  in, out   F0  F1  r2 ... r8 and r10 ... r13    r14:r15  r16:r17  r22        r23
 *                                by turns
 *     on the stack: the value to return.  T: is there an in? */
#ifndef HAECHI_HIGHT_AVR_FIXED_RAM_H
#define HAECHI_HIGHT_AVR_FIXED_RAM_H

#include "hight_avr_fixed_block.h"
#include "hight_avr_tables_ram.h"
#include "hight_avr_ctr_ram.h"

/* .Lkey is where a subkey lies in rk, and .Lindex where it lies in FIXED_KEYS: both have the standard's order. */
.macro next_subkey
    .Lindex = .Lkey
    .Lkey = .Lkey+1
.endm

.macro look_up_F1
    ld      ZL, Z
.endm

/* F0_pointer = F0(F0_pointer) */
#define F0_pointer 28 /* YL */
.macro look_up_F0
    ld      F0_pointer, Y
.endm

.macro EightRounds
    Rounds_8
.endm

#include "hight_avr_fixed_ctr.h"

#endif

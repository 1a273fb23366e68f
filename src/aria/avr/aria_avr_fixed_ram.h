/* aria_avr_fixed_ram.h - ARIA in counter mode for AVR with key and nonce known at build time, S-boxes in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An assembly file includes this header after the constants that the fixed-key tool wrote.  The header defines
 * haechi_aria_fixed, which asm/avr_fixed.h describes.  The S-boxes are in RAM, which costs 1024 bytes there and is
 * faster than flash.
 *
 * The idea.  Counter mode of aria_avr_ram with round keys and cache as immediate operands: key addition and S-box of
 * a byte take 4 cycles.
 *
 *     x(0) ... x(15)  X, Z             out    last byte  end  a  c  d
 *     as in aria_avr.h                 r2:r3  r6         r7   r8 r9 r10
 *
 *     on the stack: in, and the value to return.  T: is there an in? */
#ifndef HAECHI_ARIA_AVR_FIXED_RAM_H
#define HAECHI_ARIA_AVR_FIXED_RAM_H

#include "aria_avr_layers_ram.h"
#include "aria_avr_fixed_ctr.h"

#endif

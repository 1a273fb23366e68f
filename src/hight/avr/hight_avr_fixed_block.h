/* hight_avr_fixed_block.h - the registers of the block as numbers, which asm/avr_fixed.h wants.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_HIGHT_AVR_FIXED_BLOCK_H
#define HAECHI_HIGHT_AVR_FIXED_BLOCK_H

#include "../../asm/avr.h"

#define x0 18
#define x1 19
#define x2 20
#define x3 21
#define x4 24
#define x5 25
#define x6 0
#define x7 1

#include "hight_avr_rounds.h"

#endif

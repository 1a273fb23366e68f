/* hight_avr_block.h - the block in memory and in registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel names the registers of the block x0 to x7; the standard's name of byte i is X_i. */
#ifndef HAECHI_HIGHT_AVR_BLOCK_H
#define HAECHI_HIGHT_AVR_BLOCK_H

#include "../../asm/avr.h"

/* The block at Z.  The arguments name the registers of its bytes in the order in which the bytes lie in memory. */

.macro load_block b0, b1, b2, b3, b4, b5, b6, b7
    ldd     \b0, Z+0
    ldd     \b1, Z+1
    ldd     \b2, Z+2
    ldd     \b3, Z+3
    ldd     \b4, Z+4
    ldd     \b5, Z+5
    ldd     \b6, Z+6
    ldd     \b7, Z+7
.endm

.macro store_block b0, b1, b2, b3, b4, b5, b6, b7
    std     Z+0, \b0
    std     Z+1, \b1
    std     Z+2, \b2
    std     Z+3, \b3
    std     Z+4, \b4
    std     Z+5, \b5
    std     Z+6, \b6
    std     Z+7, \b7
.endm

/* Two rounds rename the block by two bytes.  A loop of two rounds moves the block back into its registers, which must
 * then be four register pairs.  t is a free pair. */
.macro turn_by_2 t
    movw    \t, x6
    movw    x6, x4
    movw    x4, x2
    movw    x2, x0
    movw    x0, \t
.endm

.macro turn_back_by_2 t
    movw    \t, x0
    movw    x0, x2
    movw    x2, x4
    movw    x4, x6
    movw    x6, \t
.endm

#endif

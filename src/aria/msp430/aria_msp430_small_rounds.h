/* aria_msp430_small_rounds.h - two rounds of ARIA a turn of the loop, which the key schedule can enter and leave.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * aria_msp430_small.S draws the registers.  The including file names its functions by PART. */
#ifndef HAECHI_ARIA_MSP430_SMALL_ROUNDS_H
#define HAECHI_ARIA_MSP430_SMALL_ROUNDS_H

#include "aria_msp430.h"
#include "aria_msp430_constants.h"

#define stop r13

/* All rounds of a block, which comes as it was loaded in the order UPRIGHT and goes out to be stored in the order LAST.
 * After a diffusion layer with rk = stop they go to the label 1, which stands behind them. */
.macro rounds
    straighten UPRIGHT
    jmp     PART(FO)
PART(diffuse_back):
    A_back
    cmp     stop, rk
    jeq     1f
PART(FO):
    SL1     UPRIGHT
PART(diffuse):
    A
    cmp     stop, rk
    jeq     1f
PART(FE):
    SL2     TURNED
    cmp     r15, rk
    jne     PART(diffuse_back)
    reorder TURNED, SWAPPED_UPRIGHT
    add_from rk, LAST
    straighten LAST
.endm

#endif

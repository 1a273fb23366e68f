/* hight_avr_unrolled.h - both directions and counter mode with all 32 rounds unrolled and tables in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel includes hight_avr_steps_ram.h and defines F1_step and F1_step_held. */
#ifndef HAECHI_HIGHT_AVR_UNROLLED_H
#define HAECHI_HIGHT_AVR_UNROLLED_H

#include "hight_avr_steps_ram.h"
#include "hight_avr_ctr_ram.h"
#include "hight_avr_ctr.h"

.macro TwentyFourRounds
    .rept 3
    Rounds_8
    .endr
.endm

.macro Unrolled kernel
FUNC haechi_\kernel\()_enc
    enter
    load    x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    .rept 4
    Rounds_8
    .endr
    FinalTransformation
    leave   x1, x2, x3, x4, x5, x6, x7, x0
    ret
ENDF

FUNC haechi_\kernel\()_dec
    enter
    to_the_end
    load    x1, x2, x3, x4, x5, x6, x7, x0
    InverseFinalTransformation
    .rept 4
    InverseRounds_8
    .endr
    InverseInitialTransformation
    leave   x0, x1, x2, x3, x4, x5, x6, x7
    ret
ENDF

    CounterMode \kernel
.endm

#endif

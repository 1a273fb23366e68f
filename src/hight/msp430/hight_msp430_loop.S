/* hight_msp430_loop.S - HIGHT for MSP430 in little flash: tables in flash, two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_loop_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_loop_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_loop_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The rounds are those of hight_msp430_two_rounds.h, with the tables of hight_msp430_flash. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_tables.h"
#include "hight_msp430_two_rounds.h"
#include "hight_msp430_schedule_small.h"

    loops_of_two_rounds hight_msp430_loop

FUNC haechi_hight_msp430_loop_eks
    SmallKeySchedule
ENDF

    KERNEL hight_msp430_loop, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_loop_eks, haechi_hight_msp430_loop_enc
    KERNEL hight_msp430_loop_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_loop_eks, haechi_hight_msp430_loop_dec

#endif

#include "../../asm/stack_note.h"

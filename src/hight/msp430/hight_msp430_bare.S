/* hight_msp430_bare.S - HIGHT for MSP430: no tables, two rounds in a loop, and a fast key schedule.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_bare_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_bare_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_bare_dec(const void *rk, void *buf);
 *
 *     rk    0        4                                                132      136
 *           | WK0..3 | SK0  SK1  SK2                         ...  SK127 | WK4..7 |
 *
 * The rounds are those of hight_msp430_two_rounds.h.  F0 and F1 are computed by rotations.  buf waits on the stack, and
 * U, a second scratch register, takes its place. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#include "hight_msp430_rounds.h"
#include "hight_msp430_rotations.h"
#include "hight_msp430_two_rounds.h"
#include "hight_msp430_schedule.h"

    loops_of_two_rounds hight_msp430_bare

    FastKeySchedule hight_msp430_bare

    KERNEL hight_msp430_bare, 8, 16, 136, ALIGN2, \
        haechi_hight_msp430_bare_eks, haechi_hight_msp430_bare_enc
    KERNEL hight_msp430_bare_inv, 8, 16, 136, ALIGN2 | INVERSE, \
        haechi_hight_msp430_bare_eks, haechi_hight_msp430_bare_dec

#endif

#include "../../asm/stack_note.h"

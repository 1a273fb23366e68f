/* aria_msp430_small.S - ARIA for MSP430 in little flash: crypt as in aria_msp430, and a key schedule in loops.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_msp430_small_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_msp430_small_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_msp430_small_<bits>_crypt(const void *rk, void *buf);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * Round keys have their bytes in the order in which the rounds take them: ek1, ek3 ... as in UPRIGHT, ek2, ek4 ... as
 * in TURNED (aria_msp430.h).  The key schedule and the decryption keys use the rounds of crypt: these return where a
 * diffusion layer ends and rk equals `stop`.
 *
 *     r4 ... r11    r12               r13    r14      r15
 *     the block     rk, or constants  stop   scratch  the last round key, for crypt */
#if defined(__MSP430__)

#define PART(what) haechi_aria_msp430_small_##what
#include "aria_msp430_small_rounds.h"

/* r15 is the distance from rk to the last key. */
FUNC PART(crypt)
    push_all r4, r5, r6, r7, r8, r9, r10, buf
    add     rk, r15                 ; the last key
    load    buf, UPRIGHT
    clr     stop                    ; no key is there
    rounds
    pop     buf
    store   0, buf, LAST
PART(restored):
    pop_all r10, r9, r8, r7, r6, r5, r4
1:  ret
ENDF

.macro crypt last
    mov     #\last, r15
    br      #PART(crypt)
.endm

FUNC PART(128_crypt)
    crypt   192
ENDF

FUNC PART(192_crypt)
    crypt   224
ENDF

FUNC PART(256_crypt)
    crypt   256
ENDF

#include "aria_msp430_small_schedule.h"

    KERNEL aria_msp430_small_128, 16, 16, 208, ALIGN2, PART(128_eks), PART(128_crypt)
    KERNEL aria_msp430_small_192, 16, 24, 240, ALIGN2, PART(192_eks), PART(192_crypt)
    KERNEL aria_msp430_small_256, 16, 32, 272, ALIGN2, PART(256_eks), PART(256_crypt)
    KERNEL aria_msp430_small_128_inv, 16, 16, 208, INVERSE|ALIGN2, PART(128_dks), PART(128_crypt)
    KERNEL aria_msp430_small_192_inv, 16, 24, 240, INVERSE|ALIGN2, PART(192_dks), PART(192_crypt)
    KERNEL aria_msp430_small_256_inv, 16, 32, 272, INVERSE|ALIGN2, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

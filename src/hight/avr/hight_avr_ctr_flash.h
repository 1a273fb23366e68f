/* hight_avr_ctr_flash.h - counter mode with tables in flash: the cache, and the rest of the first eight rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x0 ... x7, X, Z, T  cache       out      in       last byte  end
 *     as in enc           r2 ... r13  r14:r15  r16:r17  r28        r29
 *
 * The round keys lie in the order of hight_avr_rounds_flash.h. */
#ifndef HAECHI_HIGHT_AVR_CTR_FLASH_H
#define HAECHI_HIGHT_AVR_CTR_FLASH_H

#include "hight_avr_ctr_cache.h"
#include "hight_avr_rounds_flash.h"

#define low r28
#define end r29
#define scratch T
#define SK9 14 /* its place in rk */

.macro pages
    page    F1
.endm

/* Makes the cache: the part of rounds 1 to 7 that the last byte does not affect, from X = rk to X = SK9.  A step on a
 * register that is 0 gives what the step would add. */
.macro ConstantRounds
    whiten  add, k0, X+             ; WK0
    whiten  eor, k2, X+             ; WK1
    whiten  add, k4, X+             ; WK2
    whiten  eor, k6, X+             ; WK3
    F1_step add, k1, k0, X+
    F1_step add, k5, k4, X+
    page    F0
    F0_step k3, k2, X+
    clr     to_1
    F0_step to_1, k6, X+            ; SK3
    F0_step k2, k1, X+
    F0_step k6, k5, X+              ; SK7
    page    F1
    ld      SK4, X+
    F1_step add, k4, k3, X+
    clr     to_3
    F1_step add, to_3, k6, X+       ; SK8
    F1_step add, k3, k2, X+
    skip_subkeys 1
    page    F0
    F0_step k5, k4, X+              ; SK11
    skip_subkeys 1
    F0_step k4, k3, X+              ; SK15
    page    F1
    F1_step add, k6, k5, X+
    skip_subkeys 1
    F1_step add, k5, k4, X+         ; SK16
    skip_subkeys 1
    page    F0
    clr     to_5
    F0_step to_5, k6, X+            ; SK17
    skip_subkeys 1
    F0_step k6, k5, X+              ; SK21
    skip_subkeys 4
    page    F1
    clr     to_7
    F1_step add, to_7, k6, X+       ; SK26
    sbiw    XL, 26-10
.endm

/* Rounds 1 to 8 of one block, but for what the cache holds: from X = SK9 to X = SK32. */
.macro FirstRounds
    movw    x0, k0
    movw    x2, k2
    movw    x4, k4
    mov     x6, k6
    mov     x7, low
    eor     x7, to_1
    F1_step_held add, x0, x7, SK4
    add     x7, to_3
    page    F0
    F0_step x1, x0, X+              ; SK9
    skip_subkeys 1
    F0_step x0, x7, X+              ; SK13
    page    F1
    skip_subkeys 2
    F1_step add, x2, x1, X+         ; SK14
    eor     x7, to_5
    skip_subkeys 1
    F1_step add, x1, x0, X+         ; SK18
    page    F0
    skip_subkeys 1
    F0_step x3, x2, X+              ; SK19
    skip_subkeys 1
    F0_step x2, x1, X+              ; SK23
    page    F1
    F1_step add, x4, x3, X+
    F1_step add, x0, x7, X+
    F1_step add, x3, x2, X+         ; SK24
    add     x7, to_7
    skip_subkeys 1
    page    F0
    F0_step x5, x4, X+
    F0_step x1, x0, X+              ; SK27
    OddRound x0, x7, x6, x5, x4, x3, x2, x1
.endm

#endif

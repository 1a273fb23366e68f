/* hight_avr_ctr_inside.h - another way to make the cache of counter mode, for measuring.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * ConstantRounds of hight_avr_ctr_ram.h and FirstRounds in one: the first block uses each constant at the moment that
 * it arises.  This saves moving past the subkeys that are not needed because of the cache.  The bench measures it by
 * -DHAECHI_CTR_INSIDE. */
#ifndef HAECHI_HIGHT_AVR_CTR_INSIDE_H
#define HAECHI_HIGHT_AVR_CTR_INSIDE_H

.macro ConstantRounds
    whiten  add, k0, X+             ; WK0
    whiten  eor, k2, X+             ; WK1
    whiten  add, k4, X+             ; WK2
    whiten  eor, k6, X+             ; WK3
    F1_step add, k1, k0, X+
    F0_step k3, k2, X+
    F1_step add, k5, k4, X+
    clr     to_1
    F0_step to_1, k6, X+            ; SK3
    mov     x7, low
    eor     x7, to_1
    mov     x0, k0
    ld      SK4, X+
    F1_step_held add, x0, x7, SK4
    F0_step k2, k1, X+
    F1_step add, k4, k3, X+
    F0_step k6, k5, X+              ; SK7
    clr     to_3
    F1_step add, to_3, k6, X+
    add     x7, to_3
    mov     x1, k1
    F0_step x1, x0, X+
    F1_step add, k3, k2, X+
    F0_step k5, k4, X+              ; SK11
    F1_step add, k6, k5, X+
    F0_step x0, x7, X+
    mov     x2, k2
    F1_step add, x2, x1, X+
    F0_step k4, k3, X+              ; SK15
    F1_step add, k5, k4, X+
    clr     to_5
    F0_step to_5, k6, X+
    eor     x7, to_5
    F1_step add, x1, x0, X+
    mov     x3, k3
    F0_step x3, x2, X+              ; SK19
    mov     x4, k4
    F1_step add, x4, x3, X+
    F0_step k6, k5, X+
    F1_step add, x0, x7, X+
    F0_step x2, x1, X+              ; SK23
    F1_step add, x3, x2, X+
    mov     x5, k5
    F0_step x5, x4, X+
    clr     to_7
    F1_step add, to_7, k6, X+
    add     x7, to_7
    F0_step x1, x0, X+              ; SK27
    mov     x6, k6
    Round   x0, x7, x6, x5, x4, x3, x2, x1
    rjmp    7f                      ; the first block goes on with round 9
.endm

#endif

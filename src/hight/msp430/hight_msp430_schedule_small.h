/* hight_msp430_schedule_small.h - the small key schedule of HIGHT: one subkey after the other, in the standard's order.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     r9                r10  r11              r12  r13  r14    r15
 *     address, subkey   i    8 * half + j     rk   key  delta  2 * delta, and a bit that does not matter */
#ifndef HAECHI_HIGHT_MSP430_SCHEDULE_SMALL_H
#define HAECHI_HIGHT_MSP430_SCHEDULE_SMALL_H

#include "../../asm/msp430.h"

.macro SmallKeySchedule
    push_all r9, r10
    mov     12(r13), 0(r12)         ; WK0, WK1
    mov     14(r13), 2(r12)         ; WK2, WK3
    mov     @r13, 132(r12)          ; WK4, WK5
    mov     2(r13), 134(r12)        ; WK6, WK7
    mov     #2 * 0x5a, r15
    clr     r10
1:  clr     r11
2:  mov     r11, r9
    sub     r10, r9
    xor     r11, r9
    and     #7, r9
    xor     r11, r9                 ; 8 * half + (j-i mod 8)
    add     r13, r9
    mov.b   @r9, r9                 ; MK
    mov     r15, r14
    rra     r14                     ; delta
    add.b   r14, r9                 ; SK
    mov.b   r9, 4(r12)
    inc     r12
    bit     #8, r14
    adc     r14                     ; bit 0: the next bit 6, bit 3 ^ bit 0 of delta
    rrc     r14
    rrc.b   r15                     ; the next delta
    inc     r11
    bit     #16, r11
    jz      2b
    inc     r10
    cmp     #8, r10
    jne     1b
    pop_all r10, r9
    ret
.endm

#endif

/* hight_msp430_schedule.h - the fast key schedule of HIGHT, two subkeys at once.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with the other half of the key for n = 16i + j +
 * 8.  A word holds MK_m and MK_(m+1): the words with even m serve even i, and those with odd m serve odd i.
 *
 *     w0 w1 w2 w3     v0 v1 v2 v3     rp           key       T   deltas
 *     r4 r5 r6 r7     r8 r9 r10 r11   r12          r13       r14 r15
 *     two key bytes   their top       where the
 *     but for the     bits            subkeys of
 *     top bits                        an i go
 *
 * A delta has seven bits, and so has what is added to it here.  So no carry leaves a byte, and XOR adds the top bits.
 * */
#ifndef HAECHI_HIGHT_MSP430_SCHEDULE_H
#define HAECHI_HIGHT_MSP430_SCHEDULE_H

#include "hight_msp430_block.h"
#include "hight_msp430_constant.h"

#define w0 r4
#define w1 r5
#define w2 r6
#define w3 r7
#define v0 r8
#define v1 r9
#define v2 r10
#define v3 r11
#define key r13
#define deltas r15

/* The deltas in the order in which they are used: by half of the key, by i mod 2, by i / 2, by j. */
    constant haechi_hight_msp430_deltas, 128, 5 ; 32 deltas serve one half of the key and every other i
    .irp half, 0, 8
    .irp odd, 0, 16
    .irp i, 0, 32, 64, 96
    .irp j, 0, 1, 2, 3, 4, 5, 6, 7
    delta   \half + \odd + \i + \j
    .byte   .Ldelta
    .endr
    .endr
    .endr
    .endr

/* v = the top bits of w; w = its other bits.  T = 0x8080 */
.macro split w, v
    mov     \w, \v
    and     T, \v                   ; the top bits
    xor     \v, \w                  ; the other bits
.endm

/* Stores two subkeys. */
.macro put at, w, v
    mov     @deltas+, T
    add     \w, T
    xor     \v, T                   ; two subkeys
    mov     T, \at(rp)
.endm

.macro FastKeySchedule kernel
FUNC haechi_\kernel\()_put
    mov     #0x8080, T
    split   w0, v0
    split   w1, v1
    split   w2, v2
    split   w3, v3
1:  put     0, w0, v0
    put     2, w1, v1
    put     4, w2, v2
    put     6, w3, v3
    turn    w0, w1, w2, w3
    turn    v0, v1, v2, v3
    add     #32, rp                 ; the next i but one
    bit     #31, deltas
    jnz     1b
    ret
ENDF

FUNC haechi_\kernel\()_eks
    push_all r4, r5, r6, r7, r8, r9, r10
    mov     @key+, w0
    mov     @key+, w1
    mov     w0, 132(rp)             ; WK4, WK5
    mov     w1, 134(rp)             ; WK6, WK7
    mov     8(key), 0(rp)           ; WK0, WK1
    mov     10(key), 2(rp)          ; WK2, WK3
    add     #4, rp
    mov     #haechi_hight_msp430_deltas, deltas
    jmp     2f
1:  mov     @key+, w0
    mov     @key+, w1
2:  mov     @key+, w2
    mov     @key+, w3               ; MK0..7 or MK8..15
    call    #haechi_\kernel\()_put
    sub     #128-16, rp             ; i = 1
    mov.b   -1(key), T
    sub     #8, key
    .irp w, w0, w1, w2
    mov.b   @key+, \w
    swpb    \w
    bis     T, \w
    mov.b   @key+, T
    .endr
    mov.b   @key+, w3
    swpb    w3
    bis     T, w3                   ; MK7, MK0..6, or MK15, MK8..14
    inc     key
    call    #haechi_\kernel\()_put
    sub     #128+16-8, rp           ; i = 0, the other half
    cmp     #haechi_hight_msp430_deltas + 128, deltas
    jne     1b
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF
.endm

#endif

/* lea_msp430_schedule.h - what the key schedules of LEA share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Round i of LEA-128 adds delta[i mod 4], rotated by i + j, to T j and rotates the sum.
 *
 *     T0      T1      T2       T3        u
 *     r6, r7  r8, r9  r10, r11 r14, r15  r13 */
#ifndef HAECHI_LEA_MSP430_SCHEDULE_H
#define HAECHI_LEA_MSP430_SCHEDULE_H

#include "lea_msp430_words.h"
#include "../lea_delta.h"

#define T0 r6, r7
#define T1 r8, r9
#define T2 r10, r11
#define T3 r14, r15
#define u r13
#define key r13

/* rk[at] = x */
.macro put at, xL, xH
    mov     \xL, \at(rk)
    mov     \xH, \at+2(rk)
.endm

/* rk[at] = x ^ y */
.macro put_sum at, xL, xH, yL, yH
    .irp half, 0, 2
    .if \half
    mov     \xH, u
    xor     \yH, u
    .else
    mov     \xL, u
    xor     \yL, u
    .endif
    mov     u, \at+\half(rk)
    .endr
.endm

/* The rotations of a round of the key schedule of LEA-128. */
.macro Rotations_T
    ROL1    T0                      ; RK0
    ROL3    T1                      ; RK1
    ROL8    T2, u
    ROR2    T2                      ; RK2
    ROL8    T3, u
    ROL3    T3                      ; RK4
.endm

/* The round keys of a round of LEA-128 as plain4, and as plain4 for decryption. */
.macro put_plain4 at
    put     \at, T1
    put     \at+4, T0
    put_sum \at+8, T1, T2
    put_sum \at+12, T1, T3
.endm

.macro put_inverse_plain4 at
    put     \at, T0
    put_sum \at+4, T1, T2
    put_sum \at+8, T1, T3
    put     \at+12, T1
.endm

#endif

/* lea_msp430_expand.h - key schedules in loops, and tables of deltas.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * LEA-128 has its words in registers, and `put` stores the round keys of a round:
 *
 *     T0 ... T3                 delta <<< i+j  rk   deltas
 *     in lea_msp430_schedule.h  r5, r13        r12  r4
 *
 * For LEA-192 and LEA-256, K is 6 or 8.  Word n of all round keys is made from word n - K, and the first K words from the key.  The key is
 * therefore first copied to the places of the last rounds, which are written last.  The first loop makes plain round
 * keys in the order of chain6 (lea_msp430_rounds.h), and the second loop XORs them.
 *
 *     r12      r13      r11      r10     r9    r14, r15  r7, r8   r6
 *     round i  i - 1    i - 2    deltas  end   a word    delta    scratch */
#ifndef HAECHI_LEA_MSP430_EXPAND_H
#define HAECHI_LEA_MSP430_EXPAND_H

#include "lea_msp430_schedule.h"

#define delta_ij r5, r13

/* What restores the registers and returns follows.  step is 16, or -16 where the keys of the first round come last. */
.macro expand_128 deltas, put, step
    push_all r4, r5, r6, r7, r8, r9, r10
    .irp r, T0, T1, T2, T3
    mov     @key+, \r
    .endr
    mov     #\deltas, r4
    .if \step < 0
    add     #384+\step, rk
    .endif
1:
    mov     @r4+, r5
    mov     @r4+, r13
    add_word T0, delta_ij
    ROL1    delta_ij
    add_word T1, delta_ij
    ROL1    delta_ij
    add_word T2, delta_ij
    ROL1    delta_ij
    add_word T3, delta_ij           ; the last use of delta, so u is free
    ROL1    T0                      ; RK0
    ROL8    T2, u
    ROR2    T2                      ; RK2
    ROL8    T3, u
    ROL1    T1
    ROL1    T3
    mov     #2, r5
2:
    ROL1    T1                      ; RK1
    ROL1    T3                      ; RK4
    dec     r5
    jne     2b
    \put    0
    add     #\step, rk
    cmp     #\deltas+96, r4
    jne     1b
.endm

/* .Lat = the place of RK j in its round. */
.macro place j, inverse
    .Lat = 20-4*(\j)
    .if \inverse
    .Lat = 4*(\j)
    .endif
.endm

.macro copy_key_word j, inverse, at
    place   \j, \inverse
    mov     @key+, r14
    mov     r14, \at+.Lat(rk)
    mov     @key+, r14
    mov     r14, \at+.Lat+2(rk)
.endm

.macro RoundKeyWord K, j, inverse
    .if \K == 6
    place   \j, \inverse
    mov     .Lat(r13), r14
    mov     .Lat+2(r13), r15
    .elseif \j < 2
    place   \j+4, \inverse
    mov     .Lat(r11), r14
    mov     .Lat+2(r11), r15
    .else
    place   \j-2, \inverse
    mov     .Lat(r13), r14
    mov     .Lat+2(r13), r15
    .endif
    add_word r14, r15, r7, r8
    .if \j < 5
    ROL1    r7, r8                  ; delta <<< i+j+1
    .endif
    .if \j == 0
    ROL1    r14, r15
    .elseif \j == 1
    ROL3    r14, r15
    .elseif \j == 2
    ROL8    r14, r15, r6
    ROR2    r14, r15                ; <<< 6
    .elseif \j == 3
    ROL8    r14, r15, r6
    ROL3    r14, r15                ; <<< 11
    .elseif \j == 4
    ROR3    r14, r15                ; <<< 13, but for 16
    .else
    ROL1    r14, r15                ; <<< 17, but for 16
    .endif
    place   \j, \inverse
    .if \j < 4
    put     .Lat, r14, r15
    .else
    put     .Lat, r15, r14
    .endif
.endm

.macro xor_in_memory at, to
    xor     \at(rk), \to(rk)
    xor     \at+2(rk), \to+2(rk)
.endm

.macro expand_chain6 deltas, K, rounds, inverse
    push_all r6, r7, r8, r9, r10
    .Llast = 24*(\rounds-1)
    .Lstep = 24
    .if \inverse
    .Llast = 0
    .Lstep = -24
    .endif
    .if \K == 8
    copy_key_word 4, \inverse, .Llast-.Lstep
    copy_key_word 5, \inverse, .Llast-.Lstep
    .endif
    .irp j, 0, 1, 2, 3, 4, 5
    copy_key_word \j, \inverse, .Llast
    .endr
    mov     rk, r13                 ; round -1
    .if \K == 8
    mov     rk, r11                 ; round -2
    .endif
    .if \inverse
    .if \K == 8
    add     #24, r11
    .endif
    add     #24*(\rounds-1), rk     ; round 0
    .else
    add     #24*(\rounds-1), r13
    .if \K == 8
    add     #24*(\rounds-2), r11
    .endif
    .endif
    mov     #\deltas, r10
    mov     #\deltas+4*\rounds, r9
1:
    mov     @r10+, r7
    mov     @r10+, r8               ; delta[i mod K] <<< i
    .irp j, 0, 1, 2, 3, 4, 5
    RoundKeyWord \K, \j, \inverse
    .endr
    .if \K == 8
    mov     r13, r11
    .endif
    mov     rk, r13
    add     #.Lstep, rk
    cmp     r9, r10
    jne     1b

    .if \inverse
    mov     r13, rk                 ; the last round
    mov     rk, r9
    add     #24*(\rounds-1), r9     ; the first
    jmp     3f
2:
    add     #24, rk
    xor_in_memory 0, -4             ; RK5 ^ RK0'
3:
    xor_in_memory 8, 4              ; RK1 ^ RK2
    xor_in_memory 16, 12            ; RK3 ^ RK4
    .else
    mov     r13, r9                 ; the last round
    sub     #24*\rounds, rk
    jmp     3f
2:
    add     #24, rk
    xor_in_memory -4, 0             ; RK5 ^ RK0'
3:
    xor_in_memory 12, 16            ; RK1 ^ RK2
    xor_in_memory 4, 8              ; RK3 ^ RK4
    .endif
    cmp     r9, rk
    jne     2b
    pop_all r10, r9, r8, r7, r6
    ret
.endm

/* The deltas of all rounds, each rotated by the number of its round. */
.macro deltas name, K, rounds
    .section .rodata.\name, "a", %progbits
    .p2align 1
    .global \name
    .type   \name, %object
\name:
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li
    .long   .Ldelta
    .Li = .Li+1
    .endr
    .size   \name, . - \name
.endm

#endif

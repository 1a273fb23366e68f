/* hight_avr_turned_keys.h - kernels that store the key alone and keep all of it in registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 *     MK0 ... MK15  the block
 *     r2 ... r17    r18 ... r25
 *
 * The sixteen subkeys of four rounds take every byte of the key once: eight from the first half in order, then eight
 * from the second.  After them both halves turn by one byte.  So a loop of two rounds takes its eight subkeys from one
 * half; then the halves turn and change places.
 *
 * Both directions share the code of their beginning (<kernel>_begin) and of their end (<kernel>_end).  Encryption and
 * decryption put the address at which to continue into Z.  So neither needs more stack than its pushes, and the linker
 * keeps only the direction that a program uses. */
#ifndef HAECHI_HIGHT_AVR_TURNED_KEYS_H
#define HAECHI_HIGHT_AVR_TURNED_KEYS_H

#define HALF_A 2  /* number of the register of MK0 */
#define HALF_B 10 /* number of the register of MK8 */
#define x0 r18
#define x1 r19
#define x2 r20
#define x3 r21
#define x4 r22
#define x5 r23
#define x6 r24
#define x7 r25

#include "hight_avr_block.h"

#if defined(__AVR_HAVE_JMP_CALL__)
#define far_jump jmp
#else
#define far_jump rjmp
#endif

/* The three functions that encryption and decryption share: the beginning, the end, and the key schedule, which copies
 * the key. */
.macro fly_frame kernel
FUNC haechi_\kernel\()_begin
    .irp r, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 22, 23
    push    \r
    .endr
    movw    XL, r22                 ; X = buf
    movw    YL, r24                 ; Y = rk
    .irp b, 0, 1, 2, 3, 4, 5, 6, 7
    ld      18+\b, X+
    .endr
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    ldd     2+\m, Y+\m
    .endr
    ijmp
ENDF

FUNC haechi_\kernel\()_end
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block r19, r20, r21, r22, r23, r24, r25, r18
    clr     r1
    .irp r, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop     \r
    .endr
    ret
ENDF

FUNC haechi_\kernel\()_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    ldi     r18, 16
1:  ld      r0, X+
    st      Z+, r0
    dec     r18
    brne    1b
    ret
ENDF
.endm

/* Calls the shared beginning, which continues at `body`, the next instruction. */
.macro begin kernel, body
    ldi     ZL, lo8(gs(\body))
    ldi     ZH, hi8(gs(\body))
    far_jump haechi_\kernel\()_begin
\body:
.endm

/* After eight subkeys from half M the halves change places and M turns: M'[j] = N[j], N'[j] = M[j-1].  M and N are the
 * numbers of their first registers, t is scratch. */
.macro turn_keys M, N, t
    mov     \t, \M
    mov     \M, \N
    .irp j, 7, 6, 5, 4, 3, 2, 1
    mov     \N+((\j+1)&7), \M+\j
    mov     \M+\j, \N+\j
    .endr
    mov     \N+1, \t
.endm

/* The same backwards, for decryption: M'[j] = N[j], N'[j] = M[j+1]. */
.macro turn_keys_back M, N, t
    mov     \t, \M
    mov     \M, \N
    .irp j, 0, 1, 2, 3, 4, 5, 6
    mov     \N+\j, \M+\j+1
    mov     \M+\j+1, \N+\j+1
    .endr
    mov     \N+7, \t
.endm

.macro InitialTransformation
    add     x0, r14                 ; WK0 = MK12
    eor     x2, r15                 ; WK1
    add     x4, r16                 ; WK2
    eor     x6, r17                 ; WK3
.endm

.macro FinalTransformation
    add     x1, r2                  ; WK4 = MK0
    eor     x3, r3                  ; WK5
    add     x5, r4                  ; WK6
    eor     x7, r5                  ; WK7
.endm

/* Decryption begins with X1 to X7 and X0 of the standard in x0 to x7.  The loop leaves out the last turn of the block
 * and of the key: at its end x0 to x7 hold X7 and X0 to X6, and r2 to r9 hold MK8 to MK15. */
.macro InverseFinalTransformation
    sub     x0, r2                  ; WK4 = MK0
    eor     x2, r3                  ; WK5
    sub     x4, r4                  ; WK6
    eor     x6, r5                  ; WK7
.endm

.macro InverseInitialTransformation
    sub     x1, r6                  ; WK0 = MK12
    eor     x3, r7                  ; WK1
    sub     x5, r8                  ; WK2
    eor     x7, r9                  ; WK3
.endm

#endif

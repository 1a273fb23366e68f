/* aria_msp430_small_schedule.h - key schedules of ARIA in loops, which use the rounds of encryption.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The including file has the rounds of aria_msp430_small_rounds.h in one of its functions, and restores r10 to r4 and
 * returns at PART(restored). */
#ifndef HAECHI_ARIA_MSP430_SMALL_SCHEDULE_H
#define HAECHI_ARIA_MSP430_SMALL_SCHEDULE_H

#include "aria_msp430_small_rounds.h"

/* ---- The key schedule.  W0 to W3 lie where the first four round keys will be, which are written last.  The key has W0
 * once more, for the time when ek1 has taken its place.  The bytes of round keys are put in order at the end.
 *
 *     rk    0    16   32   48             sp    0         2     4           6
 *           | W0 | W1 | W2 | W3 | ek5 ...       | rk + 48 | key | end of rk | what follows the round keys | */

/* The eight words to r15, which goes on. */
FUNC PART(store_upright)
    store   0, r15, UPRIGHT
    add     #16, r15
    ret
ENDF

FUNC PART(store_turned)
    store   0, r15, TURNED
    add     #16, r15
    ret
ENDF

.macro FO_at_next_constant
    add     #16, stop
    call    #PART(FO)
    straighten TURNED
.endm

.macro W1_of bits
PART(\bits\()_W1):
    push_all r4, r5, r6, r7, r8, r9, r10, r15
    mov     rk, r15
    add     #16*(\bits/32+9), r15
    push    r15
    push    r13
    add     #48, rk
    push    rk
    sub     #48, rk
    mov     rk, r15
    load    r13, UPRIGHT
    call    #PART(store_upright)
    straighten UPRIGHT
    mov     #PART(ck_\bits), rk
    mov     rk, stop
    FO_at_next_constant
    .if \bits > 128
    mov     2(r1), t
    add     #16, t
    add_first (\bits-128)/16, t, TURNED // ^ KR
    .endif
.endm

/* Adds the first n words at `from`. */
.macro add_first n, from, x, swapped, rest:vararg
    xor     @\from+, \x
    .if \n > 1
    add_first \n-1, \from, \rest
    .endif
.endm

FUNC PART(128_eks)
    mov     #PART(order), r15
    W1_of   128
PART(eks):
    call    #PART(store_turned)
    straighten TURNED
    add     #16, stop
    call    #PART(FE)
    straighten UPRIGHT
    mov     r15, t
    sub     #32, t
    add_from t, UPRIGHT
    call    #PART(store_upright)
    straighten UPRIGHT
    FO_at_next_constant
    mov     r15, t
    sub     #32, t
    add_from t, TURNED
    call    #PART(store_turned)

/* All keys that are made of W n+1 and W n, for n = 0 to 3.  W n+1 turns to the right in steps of words and of bits.
 *
 *     r4 ... r11                    r12   r13    r14              r15
 *     W n+1, the first byte highest W n   steps  count, scratch   scratch, then where the key goes */
    mov     r15, r12
    sub     #64, r12
1:
    mov     r12, r13
    add     #16, r13
    cmp     @r1, r12
    jne     2f
    mov     2(r1), r13              // W0
2:
    .irp x, r4, r5, r6, r7, r8, r9, r10, r11
    mov     @r13+, \x
    swpb    \x
    .endr
    mov     #PART(steps), r13
3:
    mov.b   @r13+, t
    jmp     5f
4:
    mov     r11, r15
    mov     r10, r11
    mov     r9, r10
    mov     r8, r9
    mov     r7, r8
    mov     r6, r7
    mov     r5, r6
    mov     r4, r5
    mov     r15, r4                 // >>> 16
5:
    dec     t
    jge     4b
    mov.b   @r13+, t
    jmp     7f
6:
    bit     #1, r11
    .irp x, r4, r5, r6, r7, r8, r9, r10, r11
    rrc     \x                      // >>> 1
    .endr
7:
    dec     t
    jge     6b
    mov     @r13+, r15
    add     r12, r15
    cmp     4(r1), r15
    jhs     8f                      // short keys lack it
    .Lat = 0
    .irp x, r4, r5, r6, r7, r8, r9, r10, r11
    mov     \x, t
    swpb    t
    xor     @r12+, t
    mov     t, .Lat(r15)
    .Lat = .Lat+2
    .endr
    sub     #16, r12
8:
    cmp     #PART(steps)+20, r13
    jne     3b
    cmp     @r1, r12
    jeq     9f
    add     #16, r12
    jmp     1b
9:
    br      6(r1)
ENDF

FUNC PART(192_eks)
    mov     #PART(order), r15
    W1_of   192
    br      #PART(eks)
ENDF

FUNC PART(256_eks)
    mov     #PART(order), r15
    W1_of   256
    br      #PART(eks)
ENDF

/* Decryption keys from encryption keys: the diffusion layer is applied to all but the first and the last, and the order
 * is reversed. */
.macro swap_bytes swapped:vararg
    .Lat = 0
    .irp s, \swapped
    .if \s
    swpb    .Lat(r12)
    .endif
    .Lat = .Lat+2
    .endr
    add     #16, r12
.endm

FUNC PART(invert)
    sub     #32, r15                ; from ek4, which was written last
1:
    mov     r15, r12
    load    r12, UPRIGHT
    straighten UPRIGHT
    mov     r12, stop
    call    #PART(diffuse)
    straighten TURNED
    call    #PART(store_turned)
    mov     4(r1), t
    sub     #16, t
    cmp     t, r12
    jne     1b
    mov     @r1, r13
    sub     #48, r13
2:
    mov     #8, r15
3:
    mov     @r12+, t
    mov     @r13, -2(r12)
    mov     t, 0(r13)
    incd    r13
    dec     r15
    jne     3b
    sub     #32, r12
    cmp     r12, r13
    jlo     2b

/* Swaps the bytes of words as the rounds take them. */
PART(order):
    mov     @r1, r12
    sub     #48, r12
4:
    swap_bytes SWAPPED_UPRIGHT
    cmp     4(r1), r12
    jeq     5f
    swap_bytes SWAPPED_TURNED
    jmp     4b
5:
    add     #8, r1
    br      #PART(restored)
ENDF

.macro expand_inverse bits
    mov     #PART(invert), r15
    br      #PART(\bits\()_W1)
.endm

FUNC PART(128_dks)
    expand_inverse 128
ENDF

FUNC PART(192_dks)
    expand_inverse 192
ENDF

FUNC PART(256_dks)
    expand_inverse 256
ENDF

/* ---- Constants.  Steps: words and bits that W n+1 turns by, and where the key goes, counted from that of n. */

    .section .rodata.haechi_aria_msp430_small_steps, "a", %progbits
    .p2align 1
    .type   PART(steps), %object
PART(steps):
    .byte   6, 1
    .short  192                     // >>> 97
    .byte   0, 12
    .short  256                     // >>> 109
    .byte   3, 2
    .short  64                      // >>> 31
    .byte   2, 4
    .short  128                     // >>> 67
    .byte   5, 0
    .short  0                       // >>> 19, in the place of W n
    .size   PART(steps), . - PART(steps)

    constants PART(ck_128), 0
    constants PART(ck_192), 1
    constants PART(ck_256), 2

#endif

/* aria_msp430_schedule.h - the key schedule of ARIA for MSP430 (RFC 5794, 2.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0     64     128   144   160   176   192    208    240    256    272
 *           | ek1 | ek5  | W1  | W2  |     | W3  | ek13 | ek14 |      | ek17 |
 *
 * W1, W2 and W3 wait in rk at the places of round keys that are written after the last use of the W there.  W0 is the
 * first half of the key.  Round keys have their bytes in the order in which the rounds take them: ek1, ek3 ... as in
 * UPRIGHT, ek2, ek4 ... as in TURNED.
 *
 *     r4 ... r11   r12               r13               r14       r15
 *     W n          W n-1             W n, then scratch scratch   rk, then the first of the keys made of W n
 *                  (before: constants, key) */
#ifndef HAECHI_ARIA_MSP430_SCHEDULE_H
#define HAECHI_ARIA_MSP430_SCHEDULE_H

#include "aria_msp430.h"
#include "aria_msp430_constants.h"

#define key r13
#define W1 128
#define W2 144
#define W3 176

/* W1 = FO(W0, CK1) ^ KR, W2 = FE(W1, CK2) ^ W0, W3 = FO(W2, CK3) ^ W1 are stored.  Then the code goes
 * on at \next, with r15 = rk and on the stack the key and the limit of the keys ek13 to ek16, which short keys lack. */
.macro Initialization bits, CK, next
    push_all r4, r5, r6, r7, r8, r9, r10
    mov     rk, r15
    mov     #\CK, rk                ; for rounds this is the round key
    load    key, UPRIGHT
    straighten UPRIGHT
    SL1     UPRIGHT
    A
    straighten TURNED
    .Lkr = 0
    .irp x, r7, r6, r4, r5, r11, r10, r8, r9
    .if .Lkr < (\bits-128)/16
    xor     @key+, \x               ; ^ KR
    .endif
    .Lkr = .Lkr+1
    .endr
    sub     #\bits/8, key
    push    key
    store   W1, r15, TURNED
    straighten TURNED
    SL2     TURNED
    A_back
    straighten UPRIGHT
    add_from key, UPRIGHT
    store   W2, r15, UPRIGHT
    straighten UPRIGHT
    SL1     UPRIGHT
    A
    straighten TURNED
    mov     r15, key
    add     #W1, key
    add_from key, TURNED
    store   W3, r15, TURNED
    mov     r15, t
    add     #\bits/2-48, t
    push    t                       ; rk + 16, 48 or 80
    br      #\next
.endm

/* The 128 bits in r4 to r11, first byte highest, <<< bits and >>> 2. */
.macro rotate_left bits
    mov     r4, t
    .rept \bits
    add     t, t
    .irp x, r11, r10, r9, r8, r7, r6, r5, r4
    addc    \x, \x
    .endr
    .endr
.endm

.macro rotate_right_2
    .rept 2
    bit     #1, r11
    .irp x, r4, r5, r6, r7, r8, r9, r10, r11
    rrc     \x
    .endr
    .endr
.endm

/* Stores W n-1 ^ the words given, which are W n rotated, `to` bytes behind the first key. */
.macro ek to, x0, x1, x2, x3, x4, x5, x6, x7, s0, s1, s2, s3, s4, s5, s6, s7
    ek_word \to, \x0, \s0
    ek_word \to+2, \x1, \s1
    ek_word \to+4, \x2, \s2
    ek_word \to+6, \x3, \s3
    ek_word \to+8, \x4, \s4
    ek_word \to+10, \x5, \s5
    ek_word \to+12, \x6, \s6
    ek_word \to+14, \x7, \s7
    sub     #16, r12
.endm

.macro ek_word to, x, swapped
    mov     \x, t
    swpb    t
    xor     @r12+, t
    .if \swapped
    swpb    t
    .endif
    mov     t, \to(r15)
.endm

/* r4 ... r11 = W n, the first byte highest */
.macro load_W
    .irp x, r4, r5, r6, r7, r8, r9, r10, r11
    mov     @r13+, \x
    swpb    \x
    .endr
.endm

/* All keys that are made of W n, rotated.  The last one may overwrite W n-1, word by word. */
.macro RoundKeysOf swapped:vararg
    load_W
    rotate_left 1
    ek      64, r10, r11, r4, r5, r6, r7, r8, r9, \swapped  ; >>> 31
    rotate_right_2
    cmp     2(r1), r15
    jhs     1f
    ek      192, r6, r7, r8, r9, r10, r11, r4, r5, \swapped ; <<< 31
1:
    rotate_right_2
    ek      0, r11, r4, r5, r6, r7, r8, r9, r10, \swapped   ; >>> 19
    ek      128, r8, r9, r10, r11, r4, r5, r6, r7, \swapped ; <<< 61
    ret
.endm

/* The part after Initialization.  It leaves r15 = rk. */
.macro AllRoundKeys odd, even
    mov     r15, r12
    add     #W2, r12
    mov     r15, r13
    add     #W3, r13
    add     #32, r15
    call    #\odd                   ; ek3 ... of W3, W2
    add     #W3-W2, r12
    mov     2(r1), r13
    add     #16, r15
    call    #\even                  ; ek4 ... of W0, W3
    sub     #W3-W1, r12
    mov     r12, r13
    add     #W2-W1, r13
    sub     #32, r15
    call    #\even                  ; ek2 ... of W2, W1
    mov     r12, r13
    mov     2(r1), r12
    sub     #16, r15
    mov     r15, t
    add     #80, t
    cmp     @r1, t
    jne     1f
    load_W
    sub     #16, r13
    rotate_left 3
    ek      256, r5, r6, r7, r8, r9, r10, r11, r4, SWAPPED_UPRIGHT ; ek17, <<< 19
1:
    call    #\odd                   ; ek1 ... of W1, W0
    add     #4, r1
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

/* Decryption keys from encryption keys, where rk = r15 is the first and r13 the last: the order is reversed, and the
 * diffusion layer is applied to all but the first and the last. */
.macro DecryptionKeys
    push_all r4, r5, r6, r7, r8, r9, r10
    push    r13
1:
    load    rk, UPRIGHT
    .irp k, 0, 2, 4, 6, 8, 10, 12, 14
    mov     \k(r13), \k-16(rk)
    .endr
    store   0, r13, UPRIGHT
    sub     #16, r13
    cmp     r13, rk
    jlo     1b
    pop     r13
    mov     r15, rk
    add     #16, rk
2:
    load    rk, TURNED
    A_back
    reorder UPRIGHT, SWAPPED_TURNED
    store   -16, rk, UPRIGHT
    cmp     r13, rk
    jeq     3f
    load    rk, UPRIGHT
    A
    reorder TURNED, SWAPPED_UPRIGHT
    store   -16, rk, TURNED
    jmp     2b
3:
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

#endif

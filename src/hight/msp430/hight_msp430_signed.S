/* hight_msp430_signed.S - HIGHT for MSP430: tables in flash, eight rounds in a loop that the round keys end.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_signed_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_signed_dks(void *rk, const void *key);
 *     void haechi_hight_msp430_signed_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_signed_dec(const void *rk, void *buf);
 *
 *     rk    0        4         38        72        106       140      144
 *           | WK0..3 | group 0 | group 1 | group 2 | group 3 | WK4..7 |
 *
 *     a group: subkeys of eight rounds, 32 numbers n from 32k on
 *           0                   16        18                    32        34
 *     eks   | 0..15, as they go | 16 |    | 17..30, as they go  | 31 | M |
 *     dks   | 12..15, 8..11,    | 28 |    | 29 30 31, 24..27,   | 19 | M |
 *           | 4..7, 0..3        |    |    | 20..23, 16 17 18    |    |   |
 *
 * The idea.  A loop counter and the register it needs cost 18 cycles.  Encryption reads the last key of a group
 * as a word, whose upper byte M is negative in the last group alone; so the loop begins with what is left of
 * its last step.  Decryption has a counter, but its keys in its own order save all but two of eight steps back.
 *
 * Words of two subkeys need words of the key, that are at even addresses: MK_m, MK_(m+1), m even.  For odd i their subkeys
 * begin at odd numbers.  Hence the gap in front of 17: what begins at odd numbers lies at even addresses. */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#define HIGHT_TABLES
#define HIGHT_SIGNED_KEYS
#include "hight_msp430.h"

/* y = y + (F1(x) ^ the next subkey), or y - (...); the subkey is followed by a gap */
.macro F1_step_gap op, y, x
    mov.b   F1(\x), T
    xor     @rp+, T
    \op     T, \y
.endm

FUNC haechi_hight_msp430_signed_enc
    push_all r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    clr     T
1:  xor.b   T, x0                   ; the last step of the eight rounds before
    Round   x7, x6, x5, x4, x3, x2, x1, x0
    Round   x6, x5, x4, x3, x2, x1, x0, x7
    Round   x5, x4, x3, x2, x1, x0, x7, x6
    Round   x4, x3, x2, x1, x0, x7, x6, x5
    F1_step_gap add.b, x5, x4
    F0_step x7, x6
    F1_step add.b, x1, x0
    F0_step x3, x2
    Round   x2, x1, x0, x7, x6, x5, x4, x3
    Round   x1, x0, x7, x6, x5, x4, x3, x2
    F1_step add.b, x2, x1
    F0_step x4, x3
    F1_step add.b, x6, x5
    mov.b   F0(x7), T
    add     @rp+, T                 ; M : F0(x) + SK, with a carry into bit 0 of M
    jge     1b
    xor.b   T, x0
    FinalTransformation
.Lend:
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5
    ret
ENDF

/* Decryption calls x1 what is x0 in the standard, so that the end of both is one. */
#define rounds r13 /* buf waits on the stack */

.macro InverseRound first, p7, p6, p5, p4, p3, p2, p1, p0
    \first  sub.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step sub.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
.endm

FUNC haechi_hight_msp430_signed_dec
    push_all r5, r6, r7, r8, r9, r10
    load    x2, x3, x4, x5, x6, x7, x0, x1
    push    buf
    mov     #4, rounds
    add     #140, rp
    whiten  sub.b, x2               ; WK4
    whiten  xor.b, x4               ; WK5
    whiten  sub.b, x6               ; WK6
    whiten  xor.b, x0               ; WK7
    sub     #22, rp                 ; the second half of group 3
1:  InverseRound F1_step_gap, x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound F1_step, x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound F1_step, x3, x2, x1, x0, x7, x6, x5, x4
    InverseRound F1_step, x4, x3, x2, x1, x0, x7, x6, x5
    sub     #33, rp                 ; the first half of the group
    InverseRound F1_step, x5, x4, x3, x2, x1, x0, x7, x6
    InverseRound F1_step, x6, x5, x4, x3, x2, x1, x0, x7
    InverseRound F1_step, x7, x6, x5, x4, x3, x2, x1, x0
    InverseRound F1_step, x0, x7, x6, x5, x4, x3, x2, x1
    sub     #34, rp                 ; the second half of the group before
    dec     rounds
    jnz     1b
    add     #14, rp
    whiten  sub.b, x1               ; WK0
    whiten  xor.b, x3               ; WK1
    whiten  sub.b, x5               ; WK2
    whiten  xor.b, x7               ; WK3
    pop     buf
    jmp     .Lend                   ; the linker says so should it be too far
ENDF

/* ---- The key schedules.  A pass takes one word of the key and makes all of its 16 subkeys, two in each put.
 * In group k they lie in place m/2 + k modulo 4 of their half:
 *
 *     q0       q1       q2       q3       step   key   w        v          T     next
 *     r12      r9       r8       r7       r11    r13   r6       r10        r14   r15
 *     where in group 0 to 3 they go,      8 or         MK_m,    top bits         deltas, and code
 *     less 34k                            -8           without
 *                                                      top bits
 *
 * As a delta has seven bits, and what is added to it too, no carry leaves a byte; the top bits come back by
 * XOR.  The last place of a half takes the first subkey of the half for odd i, behind its last: such go to
 * their places at the end. */
#define q0 r12
#define q1 r9
#define q2 r8
#define q3 r7
#define step r11
#define key r13
#define w r6
#define v r10
#define next r15

.macro deltas first, second
    delta   \first
    .byte   .Ldelta
    delta   \second
    .byte   .Ldelta
.endm

    .section .rodata.haechi_hight_msp430_signed_deltas, "a", %progbits
    .p2align 1
    .type   haechi_hight_msp430_signed_deltas, %object
haechi_hight_msp430_signed_deltas:
    .irp half, 0, 8
    .irp m, 0, 2, 4, 6
    .irp k, 0, 1, 2, 3
    deltas  32*\k + \half + ((\m + 2*\k) & 7), 32*\k + \half + ((\m + 2*\k) & 7) + 1
    deltas  32*\k + 16 + \half + ((\m + 2*\k + 1) & 7), 32*\k + 16 + \half + ((\m + 2*\k + 2) & 7)
    .endr
    .if \m != 6
    .word   .Lpass
    .elseif \half == 0
    .word   .Lhalf
    .else
    .word   .Ldone
    .endif
    .endr
    .endr
    .size   haechi_hight_msp430_signed_deltas, . - haechi_hight_msp430_signed_deltas

/* two subkeys */
.macro put at, q
    mov     @next+, T
    add     w, T
    xor     v, T
    mov     T, \at(\q)
.endm

FUNC haechi_hight_msp430_signed_eks
    mov     #-4, step
    sub     #4, rp
.Lexpand:
    push_all r6, r7, r8, r9, r10
    mov     #haechi_hight_msp430_signed_deltas, next
    mov     q0, q1
    add     #2, q1
    mov     q0, q2
    sub     step, q2
    mov     q2, q3
    add     #2, q3
    rla     step
.Lhalf:
    sub     step, q0
    sub     step, q1
    sub     step, q2
    sub     step, q3
.Lpass:
    mov     @key+, w
    mov     w, v
    and     #0x8080, v
    xor     v, w
    put     0, q0
    put     18, q0
    put     34, q1
    put     52, q1
    put     68, q2
    put     86, q2
    put     102, q3
    put     120, q3
    mov     q0, T
    mov     q1, q0
    mov     q2, q1
    mov     q3, q2
    mov     T, q3
    mov     @next+, pc
.Ldone:
    rra     step
    rra     step
    add     step, q0                ; rk + 10, whether step was 8 or -8
    mov     -4(key), -10(q0)        ; WK0, WK1
    mov     -2(key), -8(q0)         ; WK2, WK3
    mov     -16(key), 130(q0)       ; WK4, WK5
    mov     -14(key), 132(q0)       ; WK6, WK7
    .irp k, 0, 1, 2, 3
    mov.b   34*\k + 19(q0), 34*\k + 10(q0)
    mov.b   34*\k + 27(q0), 34*\k + 19(q0)
    .if \k != 3
    clr.b   34*\k + 27(q0)          ; M
    .else
    mov.b   #0x80, 34*\k + 27(q0)   ; the last M
    .endif
    .endr
    pop_all r10, r9, r8, r7, r6
    ret
ENDF

FUNC haechi_hight_msp430_signed_dks
    mov     #4, step
    add     #24, rp
    jmp     .Lexpand
ENDF

    KERNEL hight_msp430_signed, 8, 16, 144, ALIGN2, \
        haechi_hight_msp430_signed_eks, haechi_hight_msp430_signed_enc
    KERNEL hight_msp430_signed_inv, 8, 16, 144, ALIGN2 | INVERSE, \
        haechi_hight_msp430_signed_dks, haechi_hight_msp430_signed_dec

#endif

#if defined(__ELF__)
    .section .note.GNU-stack, "", %progbits
#endif

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
 *     group k, eight rounds: SK_n, n less 32k
 *           0                        16          18                                     32        34
 *     eks   | 0..7, 8..15            | 16 | gap  | 17..23, 24..30                       | 31 | M |
 *     dks   | 12..15, 8..11, 4..7,   | 28 | gap  | 29..31, 24..27, 20..23, 16..18       | 19 | M |
 *           | 0..3                   |    |      |                                      |    |   |
 *
 * The idea.  A counter and a register for it would cost 18 cycles.  Instead, encryption reads the last key of a group
 * as a word.  Its upper byte M is negative in the last group alone, and the sign of the sum ends the loop.  The rest of
 * the step is done at the beginning of the next eight rounds.  Decryption has a counter: as its keys are stored in its
 * own order, it saves six of eight steps back.
 *
 * The gap, which is never written.  The key is read as words of MK_m and MK_(m+1) with m even.  For odd i their subkeys
 * are those of j = 1 and 2, 3 and 4, 5 and 6, 7 and 0; the gap brings them to even addresses.  An instruction that
 * reads key 16 or 28 as a word steps over the gap.
 *
 * Jumps from one function to the other reach, because the sections of one file stay side by side.
 *
 *     x0  x1  x2  x3  x4  x5  x6   x7   rp           buf                           T
 *     r15 r5  r6  r7  r8  r9  r10  r11  r12          r13                           r14
 *     the block, a byte each            round keys   block, then 8 more; rounds    scratch                 */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#define x0 r15
#include "hight_msp430_tables.h"
#include "hight_msp430_round.h"

/* F1_step with the key in front of the gap, which it reads too. */
.macro F1_step_gap op, y, x
    mov.b   F1(\x), T
    xor     @rp+, T                 ; F1(x) ^ SK, the gap
    \op     T, \y
.endm

FUNC haechi_hight_msp430_signed_enc
    push_all r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    clr     T
1:  xor.b   T, x0                   ; the rest of the previous eight rounds
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
    add     @rp+, T                 ; F0(x) + SK, and the sign of M
    jge     1b
    xor.b   T, x0
    FinalTransformation
.Lend:
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5
    ret
ENDF

#define rounds r13 /* left, by eights; buf waits on the stack */

.macro InverseRound first, p7, p6, p5, p4, p3, p2, p1, p0
    \first  sub.b, \p1, \p0         ; SK[4i]
    F0_step \p3, \p2                ; SK[4i+1]
    F1_step sub.b, \p5, \p4         ; SK[4i+2]
    F0_step \p7, \p6                ; SK[4i+3]
.endm

/* Decryption gives the name x1 to the byte x0 of the standard, and so on, so that both directions share their end. */
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
    sub     #22, rp                 ; SK124 in group 3
1:  InverseRound F1_step_gap, x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound F1_step, x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound F1_step, x3, x2, x1, x0, x7, x6, x5, x4
    InverseRound F1_step, x4, x3, x2, x1, x0, x7, x6, x5
    sub     #33, rp                 ; the group's begin
    InverseRound F1_step, x5, x4, x3, x2, x1, x0, x7, x6
    InverseRound F1_step, x6, x5, x4, x3, x2, x1, x0, x7
    InverseRound F1_step, x7, x6, x5, x4, x3, x2, x1, x0
    InverseRound F1_step, x0, x7, x6, x5, x4, x3, x2, x1
    sub     #34, rp                 ; the gap of the group before
    dec     rounds
    jnz     1b
    add     #14, rp
    whiten  sub.b, x1               ; WK0
    whiten  xor.b, x3               ; WK1
    whiten  sub.b, x5               ; WK2
    whiten  xor.b, x7               ; WK3
    pop     buf
    jmp     .Lend
ENDF

/* ---- The key schedules: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with the other half of the
 * key for n = 16i + j + 8.  A pass takes one word of the key and makes its 16 subkeys, two at once, for i = 2k and
 * 2k+1 in group k. There they lie at place m/2 + k mod 4 of their half of the key:
 *
 *     q0   q1   q2   q3           step             key   w              v          T     next
 *     r12  r9   r8   r7           r11              r13   r6             r10        r14   r15
 *     the place in each group,    -8 in eks,             MK_m, MK_m+1   top bits         deltas, and where to
 *     less 34k                    8 in dks               but for them                    go on after the pass
 *
 * A delta has seven bits, and so has what is added to it here.  So no carry leaves a byte, and XOR adds the top
 * bits.  For odd i, place 3 gets the subkey of j = 7 and after it that of j = 0 of the same half.  At the end the
 * latter is moved to the front and leaves its place to M.  For decryption the halves are exchanged, and in each half
 * places 0 and 2, and places 1 and 3. */
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

/* Stores two subkeys. */
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
    rla     step                    ; q0 to q3 are still a half before the first
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
    put     0, q0                   ; for even i
    put     0 + 18, q0              ; for odd i
    put     34, q1
    put     34 + 18, q1
    put     68, q2
    put     68 + 18, q2
    put     102, q3
    put     102 + 18, q3
    mov     q0, T
    mov     q1, q0
    mov     q2, q1
    mov     q3, q2
    mov     T, q3
    mov     @next+, pc
.Ldone:
    rra     step
    rra     step
    add     step, q0                ; rk + 10 in eks and dks: group k is at 34k - 6
    mov     -4(key), -10(q0)        ; WK0, WK1
    mov     -2(key), -8(q0)         ; WK2, WK3
    mov     -16(key), 130(q0)       ; WK4, WK5
    mov     -14(key), 132(q0)       ; WK6, WK7
    .irp k, 0, 1, 2, 3
    mov.b   34*\k - 6 + 25(q0), 34*\k - 6 + 16(q0)
    mov.b   34*\k - 6 + 33(q0), 34*\k - 6 + 25(q0)
    .if \k != 3
    clr.b   34*\k - 6 + 33(q0)      ; M
    .else
    mov.b   #0x80, 34*\k - 6 + 33(q0) ; M of the last group
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

#include "../../asm/stack_note.h"

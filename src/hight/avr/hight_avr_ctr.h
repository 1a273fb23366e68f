/* hight_avr_ctr.h - counter mode for the HIGHT kernels for AVR with tables and stored round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * From one counter to the next the last byte alone moves, x7, for 256 blocks at the most.  What depends on the other
 * seven is worked out once and stays in registers:
 *
 *     k0 ... k6         x0 to x6 as they stand when x7 reaches them: x0 in round 2, x1 in round 3 ... x6 in round 8
 *     to_1 ... to_7     what x7 takes in rounds 1, 3, 5 and 7: F0(x6)+SK3, F1(x6)^SK8, F0(x6)+SK17, F1(x6)^SK26
 *     SK4               the first subkey that blocks need
 *
 *     x0 ... x7, X, pointers to tables  cache       out      in       counter's last byte, end
 *     as in enc                         r2 ... r13  r14:r15  r16:r17  r22 r23, with tables in flash r28 r29
 *
 *     on the stack: the counter's address, and the last byte + blocks left.  T: is there an in?
 *
 * A kernel defines, beside the steps of hight_avr.h,
 *
 *     F1_step_held op, y, x, key   F1_step with the subkey in a register
 *     TwentyFourRounds             rounds 9 to 32
 *
 * HAECHI_CTR_INSIDE is for measuring: kernels with tables in RAM then make their constants inside the first block. */
#ifndef HAECHI_HIGHT_AVR_CTR_H
#define HAECHI_HIGHT_AVR_CTR_H

#define k0 r2 /* x0 to x6 as they stand when the last byte reaches them */
#define k1 r3
#define k2 r4
#define k3 r5
#define k4 r6
#define k5 r7
#define k6 r8
#define SK4 r9
#define to_1 r10 /* what x7 takes in rounds 1, 3, 5 and 7 */
#define to_3 r11
#define to_5 r12
#define to_7 r13

#if !defined(FIXED_HIGHT)
.macro skip_subkeys n
    adiw    XL, \n
.endm
#endif

#if defined(HIGHT_TABLES_IN_RAM)

#define low r22
#define end r23
#define scratch YL
#define SK9 13 /* from rk */

.macro pages
    ldi     YH, hi8(F0)
    ldi     ZH, hi8(F1)
.endm

/* The constant part of rounds 1 to 7, from X = rk to X = SK9.  A step on 0 gives what the step would add. */
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
    ld      SK4, X+
    F0_step k2, k1, X+
    F1_step add, k4, k3, X+
    F0_step k6, k5, X+
    clr     to_3
    F1_step add, to_3, k6, X+       ; SK8
    skip_subkeys 1
    F1_step add, k3, k2, X+
    F0_step k5, k4, X+
    F1_step add, k6, k5, X+         ; SK12
    skip_subkeys 2
    F0_step k4, k3, X+
    F1_step add, k5, k4, X+         ; SK16
    clr     to_5
    F0_step to_5, k6, X+
    skip_subkeys 3
    F0_step k6, k5, X+              ; SK21
    skip_subkeys 4
    clr     to_7
    F1_step add, to_7, k6, X+       ; SK26
    sbiw    XL, 27-9
.endm

/* The rest of rounds 1 to 8. */
.macro FirstRounds
    movw    x0, k0
    movw    x2, k2
    movw    x4, k4
    mov     x6, k6
    mov     x7, low
    eor     x7, to_1
    F1_step_held add, x0, x7, SK4
    add     x7, to_3
    F0_step x1, x0, X+              ; SK9
    skip_subkeys 3
    F0_step x0, x7, X+
    F1_step add, x2, x1, X+         ; SK14
    skip_subkeys 3
    eor     x7, to_5
    F1_step add, x1, x0, X+
    F0_step x3, x2, X+
    F1_step add, x4, x3, X+         ; SK20
    skip_subkeys 1
    F1_step add, x0, x7, X+
    F0_step x2, x1, X+
    F1_step add, x3, x2, X+
    F0_step x5, x4, X+              ; SK25
    skip_subkeys 1
    add     x7, to_7
    F0_step x1, x0, X+
    Round   x0, x7, x6, x5, x4, x3, x2, x1
.endm

#if defined(HAECHI_CTR_INSIDE)
/* ConstantRounds and FirstRounds in one: the first block meets each constant where it arises.  All that this saves is
 * to go past subkeys that are not wanted. */
.macro InsideRounds
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
.endm
#endif

#else

#undef HAECHI_CTR_INSIDE
#define low r28
#define end r29
#define scratch T
#define SK9 14

.macro page name
    ldi     ZH, hi8(\name)
.endm

/* ---- Rounds in the order that spares pages, two by two. */

.macro EvenRound p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
    page    F0
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F0_step \p7, \p6, X+            ; SK[4i+3]
.endm

.macro OddRound p7, p6, p5, p4, p3, p2, p1, p0
    F0_step \p3, \p2, X+            ; SK[4i+1]
    F0_step \p7, \p6, X+            ; SK[4i+3]
    page    F1
    F1_step add, \p1, \p0, X+       ; SK[4i]
    F1_step add, \p5, \p4, X+       ; SK[4i+2]
.endm

.macro pages
    page    F1
.endm

/* The same in the order in which these kernels have their round keys. */
.macro ConstantRounds
    whiten  add, k0, X+             ; WK0
    whiten  eor, k2, X+             ; WK1
    whiten  add, k4, X+             ; WK2
    whiten  eor, k6, X+             ; WK3
    F1_step add, k1, k0, X+
    F1_step add, k5, k4, X+
    page    F0
    F0_step k3, k2, X+
    clr     to_1
    F0_step to_1, k6, X+            ; SK3
    F0_step k2, k1, X+
    F0_step k6, k5, X+              ; SK7
    page    F1
    ld      SK4, X+
    F1_step add, k4, k3, X+
    clr     to_3
    F1_step add, to_3, k6, X+       ; SK8
    F1_step add, k3, k2, X+
    skip_subkeys 1
    page    F0
    F0_step k5, k4, X+              ; SK11
    skip_subkeys 1
    F0_step k4, k3, X+              ; SK15
    page    F1
    F1_step add, k6, k5, X+
    skip_subkeys 1
    F1_step add, k5, k4, X+         ; SK16
    skip_subkeys 1
    page    F0
    clr     to_5
    F0_step to_5, k6, X+            ; SK17
    skip_subkeys 1
    F0_step k6, k5, X+              ; SK21
    skip_subkeys 4
    page    F1
    clr     to_7
    F1_step add, to_7, k6, X+       ; SK26
    sbiw    XL, 26-10
.endm

.macro FirstRounds
    movw    x0, k0
    movw    x2, k2
    movw    x4, k4
    mov     x6, k6
    mov     x7, low
    eor     x7, to_1
    F1_step_held add, x0, x7, SK4
    add     x7, to_3
    page    F0
    F0_step x1, x0, X+              ; SK9
    skip_subkeys 1
    F0_step x0, x7, X+              ; SK13
    page    F1
    skip_subkeys 2
    F1_step add, x2, x1, X+         ; SK14
    eor     x7, to_5
    skip_subkeys 1
    F1_step add, x1, x0, X+         ; SK18
    page    F0
    skip_subkeys 1
    F0_step x3, x2, X+              ; SK19
    skip_subkeys 1
    F0_step x2, x1, X+              ; SK23
    page    F1
    F1_step add, x4, x3, X+
    F1_step add, x0, x7, X+
    F1_step add, x3, x2, X+         ; SK24
    add     x7, to_7
    skip_subkeys 1
    page    F0
    F0_step x5, x4, X+
    F0_step x1, x0, X+              ; SK27
    OddRound x0, x7, x6, x5, x4, x3, x2, x1
.endm

#endif

.macro xor_next x
    ld      scratch, Z+
    eor     \x, scratch
.endm

.macro CounterMode kernel
FUNC haechi_\kernel\()_ctr
    push_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    movw    r14, r20                ; out
    movw    XL, r24                 ; X = rk
    movw    r24, r16                ; n
    movw    r16, r18                ; in
    adiw    r24, 0
    brne    1f
    rjmp    5f
1:  clt
    movw    ZL, r16
    adiw    ZL, 0
    breq    1f
    set
1:  movw    ZL, r22                 ; Z = ctr
    ldd     low, Z+7
    add     r24, low
    adc     r25, r1                 ; last byte + blocks left

/* Up to where the last byte wraps or the blocks end. */
6:  mov     end, r24
    cpse    r25, r1
    clr     end
    push_all r24, r25, ZL, ZH
    .irp i, 0, 1, 2, 3, 4, 5, 6
    ldd     2+\i, Z+\i
    .endr
    pages
#if defined(HAECHI_CTR_INSIDE)
    InsideRounds
    rjmp    7f
#else
    ConstantRounds
#endif

3:  FirstRounds
7:  TwentyFourRounds
    FinalTransformation
    brtc    4f
    movw    ZL, r16
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    xor_next \x
    .endr
    movw    r16, ZL                 ; in, on by a block
4:  movw    ZL, r14
    .irp x, x1, x2, x3, x4, x5, x6, x7, x0
    st      Z+, \x
    .endr
    movw    r14, ZL                 ; out, on by a block
    ldi     ZH, hi8(F1)
    subi    XL, lo8(136-SK9)
    sbci    XH, hi8(136-SK9)
    inc     low
    cpse    low, end
    rjmp    3b

    pop_all ZH, ZL, r25, r24
    clr     r1
    std     Z+7, low
    sbiw    XL, SK9                 ; X = rk
    subi    r25, 1
    brcs    5f                      ; no wrap
    ldi     r18, 7
    adiw    ZL, 7
    sec
4:  ld      r0, -Z
    adc     r0, r1
    st      Z, r0
    dec     r18
    brne    4b
    adiw    r24, 0
    breq    5f
    rjmp    6b
5:  push_all r1, r1                 ; over the last byte + blocks left
    pop_all r0, r0
    pop_all 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    ret
ENDF
.endm

#endif

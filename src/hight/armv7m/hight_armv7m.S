/* hight_armv7m.S - HIGHT for Cortex-M, the fastest: rounds unrolled, two bytes in a register, no tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_armv7m_eks(void *rk, const void *key);
 *     void haechi_hight_armv7m_enc(const void *rk, void *buf);
 *     void haechi_hight_armv7m_dec(const void *rk, void *buf);
 *     void haechi_hight_armv7m_enc_bulk(const void *rk, void *out, const void *in, size_t n);
 *     void haechi_hight_armv7m_dec_bulk(const void *rk, void *out, const void *in, size_t n);
 *     void haechi_hight_armv7m_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk, words    0      1                                        32     33
 *                  WK0..3 SK0 -SK1 SK2 -SK3  ...  SK124 ... -SK127 WK4..7
 *                  enc reads upwards ->          <- dec reads downwards
 *
 * hight_armv7m.h has the rounds.  Four rounds take their keys by one LDM, and after four rounds every register has its
 * first name again.  The whitening keys are loaded together with the first and with the last group of rounds.
 *
 *     r0  r1   r2  r3  r12  r4 r5 r6 r7  r8 r9 r10 r11
 *     rk  buf  M   u   t    A  B  C  D   keys of four rounds */
#define CACHE 36
#define BLOCK 8
#include "../../asm/armv7m_ctr.h"
#include "hight_armv7m.h"

#if defined(HAECHI_ARMV7M)

M       .req    r2
u       .req    r3
t       .req    r12

/* ---- One block. */

.macro Round a, b, c, d, k
    F1_step \b, \a, \k
    and     \k, M, \k, lsr #8
    F0_step \d, \c, \k
.endm

.macro InverseRound a, b, c, d, k, mask=ands
    F1_step \c, \b, \k
    and     \k, M, \k, lsr #8
    InverseF0_step \a, \d, \k, \mask
.endm

.macro four_rounds k0, k1, k2, k3
    Round   r4, r5, r6, r7, \k0
    Round   r7, r4, r5, r6, \k1
    Round   r6, r7, r4, r5, \k2
    Round   r5, r6, r7, r4, \k3
.endm

.macro four_inverse_rounds mask=ands
    InverseRound r4, r5, r6, r7, r11
    InverseRound r5, r6, r7, r4, r10
    InverseRound r6, r7, r4, r5, r9
    InverseRound r7, r4, r5, r6, r8, \mask
.endm

FUNC haechi_hight_armv7m_enc
    push    {r4-r11}
    load_block r4, r5, r1
    ldmia   r0!, {r3, r8-r11}
    mov     M, #0x00ff00ff
    InitialTransformation r4, r5, r6, r7, r3, t
    .rept 6
    four_rounds r8, r9, r10, r11
    ldmia   r0!, {r8-r11}
    .endr
    four_rounds r8, r9, r10, r11
    ldmia   r0, {r0, r8-r11}        @ rk is done with
    four_rounds r0, r8, r9, r10
    FinalTransformation r4, r5, r6, r7, r11, u
    store_block r5, r7, r1
    pop     {r4-r11}
    bx      lr
ENDF

FUNC haechi_hight_armv7m_dec
    push    {r4-r11}
    add     r0, #136
    load_block r5, r7, r1
    ldmdb   r0!, {r8-r12}
    mov     M, #0x00ff00ff
    InverseFinalTransformation r4, r5, r6, r7, r12, u
    .rept 6
    four_inverse_rounds
    ldmdb   r0!, {r8-r11}
    .endr
    four_inverse_rounds
    ldmdb   r0, {r0, r8-r11}
    four_inverse_rounds bic
    InverseInitialTransformation r4, r5, r6, r7, r0, u
    store_block r4, r6, r1
    pop     {r4-r11}
    bx      lr
ENDF

/* ---- Two blocks at once, which share the loads of round keys.  A turn of the loop does eight rounds.  On the stack
 * lie:
 *
 *     sp    +0             +4   +8   +12  +16 ... +44  +48  +52
 *     bulk  where rk ends  out  in   n    r4 ... r11        lr
 *
 *     r0  r1, lr   r2  r3  r12  r4 r5 r6 r7  r8 r9 r10 r11
 *     rk  subkeys  M   u   t    A  B  C  D   those of the second block */

.macro PairRound a, b, c, d, e, f, g, h, k
    F1_step \b, \a, \k
    F1_step \f, \e, \k
    and     \k, M, \k, lsr #8
    F0_step \d, \c, \k
    F0_step \h, \g, \k
.endm

.macro InversePairRound a, b, c, d, e, f, g, h, k
    F1_step \c, \b, \k
    F1_step \g, \f, \k
    and     \k, M, \k, lsr #8
    InverseF0_step \a, \d, \k
    InverseF0_step \e, \h, \k
.endm

/* r0 goes from the first word of round keys to the last.  The blocks come in r4, r5 and r8, r9 and leave in r5, r7 and
 * r9, r11. */
.macro encrypt_pair
    ldr     r1, [r0], #4
    InitialTransformation r4, r5, r6, r7, r1, u
    InitialTransformation r8, r9, r10, r11, r1, u
    late_pair
.endm

.macro four_pair_rounds
    ldrd    r1, lr, [r0], #8
    PairRound r4, r5, r6, r7, r8, r9, r10, r11, r1
    PairRound r7, r4, r5, r6, r11, r8, r9, r10, lr
    ldrd    r1, lr, [r0], #8
    PairRound r6, r7, r4, r5, r10, r11, r8, r9, r1
    PairRound r5, r6, r7, r4, r9, r10, r11, r8, lr
.endm

/* Rounds 1 to 32 and the final transformation; from label 6 on, rounds 5 to 32. */
.macro late_pair
5:  four_pair_rounds
6:  four_pair_rounds
    ldr     r1, [sp]
    cmp     r0, r1
    bne     5b
    ldr     r1, [r0]
    FinalTransformation r4, r5, r6, r7, r1, u
    FinalTransformation r8, r9, r10, r11, r1, u
.endm

/* r0 goes from behind the last word of round keys to the second.  The blocks come in r5, r7 and r9, r11 and leave in
 * r4, r6 and r8, r10. */
.macro decrypt_pair
    ldr     r1, [r0, #-4]!
    InverseFinalTransformation r4, r5, r6, r7, r1, u
    InverseFinalTransformation r8, r9, r10, r11, r1, u
5:  .rept 2
    ldrd    r1, lr, [r0, #-8]!
    InversePairRound r4, r5, r6, r7, r8, r9, r10, r11, lr
    InversePairRound r5, r6, r7, r4, r9, r10, r11, r8, r1
    ldrd    r1, lr, [r0, #-8]!
    InversePairRound r6, r7, r4, r5, r10, r11, r8, r9, lr
    InversePairRound r7, r4, r5, r6, r11, r8, r9, r10, r1
    .endr
    ldr     r1, [sp]
    cmp     r0, r1
    bne     5b
    ldr     r1, [r0, #-4]
    bic     r7, M, r7               @ D
    bic     r11, M, r11
    InverseInitialTransformation r4, r5, r6, r7, r1, u
    InverseInitialTransformation r8, r9, r10, r11, r1, u
.endm

/* Pairs of blocks, after a single block where n is odd.  During a pair r0 goes from rk + first to rk + last. */
.macro bulk crypt, pair, first, last, p0, q0, p1, q1, s0, z0, s1, z1
    add     r0, #\last
    push    {r0-r12, lr}
    tst     r3, #1
    beq     1f
    sub     r0, #\last
    ldr     r3, [r2], #8
    ldr     r12, [r2, #-4]
    str     r3, [r1], #8
    str     r12, [r1, #-4]
    strd    r1, r2, [sp, #4]
    sub     r1, #8
    bl      \crypt
1:  ldr     r0, [sp]
    sub     r0, #\last-\first
    mov     M, #0x00ff00ff
    b       3f
2:  str     r1, [sp, #12]
    ldr     r1, [sp, #8]            @ in
    ldr     \p0, [r1], #16
    ldr     \q0, [r1, #-12]
    ldr     \p1, [r1, #-8]
    ldr     \q1, [r1, #-4]
    str     r1, [sp, #8]
    \pair
    ldr     r1, [sp, #4]            @ out
    str     \s0, [r1], #16
    str     \z0, [r1, #-12]
    str     \s1, [r1, #-8]
    str     \z1, [r1, #-4]
    str     r1, [sp, #4]
    sub     r0, #\last-\first
3:  ldr     r1, [sp, #12]           @ n
    subs    r1, #2
    bhs     2b
    pop     {r0-r12, pc}
.endm

FUNC haechi_hight_armv7m_enc_bulk
    bulk    haechi_hight_armv7m_enc, encrypt_pair, 0, 132, r4, r5, r8, r9, r5, r7, r9, r11
ENDF

FUNC haechi_hight_armv7m_dec_bulk
    bulk    haechi_hight_armv7m_dec, decrypt_pair, 136, 4, r5, r7, r9, r11, r4, r6, r8, r10
ENDF

/* ---- Counter mode.  asm/armv7m_ctr.h has what surrounds a pair of blocks.  The last byte of the counter is x7.  After
 * round 1 it affects A, after round 2 B and C, and after round 3 A, C and D.  The cache has what else these are made
 * of, in the order in which one LDM loads it:
 *
 *     0               4      8           12        16        20        24          28        32
 *     | where rk ends | SK4, | last byte | B       | D       | B       | A, its x7 | F1 ^ SK | -SK9,
 *     |               | SK6  |           | round 2 | round 3 | round 4 | 0 so far, | round 3 | -SK11
 *     |               |      |           |         |         |         | round 2   |         |
 *     r0              r1     r3          r4        r5        r6        r7          r10       lr         */
#define SHARED r0, r1, r3-r7, r10, lr

/* Makes the cache: the part of rounds 1 to 3 that does not depend on the last byte, from the counter in r4 and r5. */
.macro ConstantRounds
    ldmia   r0!, {r8, r9, r11, lr}
    lsr     r1, r5, #24             @ last byte
    bfc     r5, #24, #8
    InitialTransformation r4, r5, r6, r7, r8, u
    Round   r4, r5, r6, r7, r9
    and     r8, M, r11, lsr #8
    F0_step r6, r5, r8              @ round 2
    F1_term r6, lr                  @ round 3
    mov     r10, u
    mov     r3, r1                  @ last byte
    mov     r1, r11                 @ SK4, SK6
    and     lr, M, lr, lsr #8       @ -SK9, -SK11
    add     r0, #132-16
.endm

/* Rounds 1 to 3 of two counters, but for what the cache holds, and then round 4. */
.macro FirstRounds
    ldmia   sp, {SHARED}
    add     r12, r3, #1
    eor     r11, r7, r12            @ A
    eor     r7, r7, r3
    add     r3, #2
    str     r3, [sp, #8]
    mov     r8, r4
    F1_step r4, r7, r1              @ round 2
    F1_step r8, r11, r1
    add     r7, r10                 @ round 3
    bic     r7, M, r7
    add     r11, r10
    bic     r11, M, r11
    mov     r9, r5
    mov     r10, r6
    F0_step r5, r4, lr
    F0_step r9, r8, lr
    ldr     lr, [r0, #16-132]       @ round 4
    sub     r0, #132-20
    PairRound r5, r6, r7, r4, r9, r10, r11, r8, lr
.endm

FUNC haechi_hight_armv7m_ctr
    enter_ctr
    beq.w   9f
0:  begin_stretch
    lsrs    r2, #1                  @ pairs
    beq     7f
    adc     r3, #0                  @ what is odd waits
    lsl     r2, #1
    str     r2, [sp, #LEFT]
    str     r3, [sp, #N]
    load_block r4, r5, r1
    advance_counter
    mov     M, #0x00ff00ff
    ConstantRounds
    stmia   sp, {SHARED}
2:  FirstRounds
    b       6f
    late_pair
    ldr     r1, [sp, #IN]
    cbz     r1, 3f
    ldr     r0, [r1], #16
    ldr     r3, [r1, #-12]
    ldr     r12, [r1, #-8]
    ldr     lr, [r1, #-4]
    str     r1, [sp, #IN]
    eors    r5, r0
    eors    r7, r3
    eor     r9, r12
    eor     r11, lr
3:  ldr     r1, [sp, #OUT]
    str     r5, [r1], #16
    str     r7, [r1, #-12]
    str     r9, [r1, #-8]
    str     r11, [r1, #-4]
    str     r1, [sp, #OUT]
    ldr     r1, [sp, #LEFT]
    subs    r1, #2
    str     r1, [sp, #LEFT]
    bne     2b
4:  ldr     r6, [sp, #N]
    cmp     r6, #0
    bne     0b
9:  leave_ctr

    /* A single block. */
7:  load_block r4, r5, r1
    strd    r4, r5, [sp, #CACHE]
    mov     r2, #1
    advance_counter
    .irp r, r4, r5, r7, r8, r9, r10, r11
    mov     \r, #0                  @ enc puts them on the stack
    .endr
    add     r1, sp, #CACHE
    bl      haechi_hight_armv7m_enc
    ldrd    r2, r3, [sp, #CACHE]
    ldr     r0, [sp, #IN]
    cbz     r0, 8f
    ldr     r1, [r0], #8
    eors    r2, r1
    ldr     r1, [r0, #-4]
    eors    r3, r1
    str     r0, [sp, #IN]
8:  ldr     r1, [sp, #OUT]
    str     r2, [r1], #8
    str     r3, [r1, #-4]
    str     r1, [sp, #OUT]
    b       4b
ENDF

/* ---- The key schedule: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with MK8 to MK15 for n = 16i
 * + j + 8.
 *
 * Four subkeys are made at once.  A delta has seven bits, so the sum of it and the low seven bits of a key byte
 * carries into bit 7 at most, where the eighth bit of the key is XORed.  A negated subkey has (0x7f - low) + (0x81 -
 * delta) in its low part.
 *
 *     r0  r1      r2 r3    r4 r5     r6 r7   r8 r9     r10 r11 r12 lr
 *     rk  deltas  MK0..7   MK8..15   their eighth bits deltas, subkeys
 *                 low seven bits, 0x7f - them in odd bytes
 *
 * From i to i+1 each half of the key is rotated by a byte; the states for i and i+4 differ only in the order of their
 * two words. The even i come first, because a rotation by one byte moves the complemented bytes to even places. */
.macro subkeys i, w0, w1, w2, w3, h0, h1, h2, h3
    ldmia   r1!, {r10, r11, r12, lr}
    add     r10, r10, \w0
    add     r11, r11, \w1
    add     r12, r12, \w2
    add     lr, lr, \w3
    eor     r10, r10, \h0
    eor     r11, r11, \h1
    eor     r12, r12, \h2
    eor     lr, lr, \h3
    strd    r10, r11, [r0, #4+16*\i]
    strd    r12, lr, [r0, #12+16*\i]
.endm

.macro SubkeyGeneration i, j
    subkeys \i, r2, r3, r4, r5, r6, r7, r8, r9
    subkeys \j, r3, r2, r5, r4, r7, r6, r9, r8
.endm

.macro split low, high
    and     \high, \low, #0x80808080
    eor     \low, \low, \high
    eor     \low, \low, r10
.endm

/* Rotates a half of the key, or of its eighth bits, upwards by so many bits. */
.macro turn bits, low, high
    lsr     r10, \high, #32-\bits
    lsl     \high, \high, #\bits
    orr     \high, \high, \low, lsr #32-\bits
    orr     \low, r10, \low, lsl #\bits
.endm

.macro turn_key bits
    turn    \bits, r2, r3
    turn    \bits, r4, r5
    turn    \bits, r6, r7
    turn    \bits, r8, r9
.endm

FUNC haechi_hight_armv7m_eks
    push    {r4-r11, lr}
    ldr     r2, [r1]
    ldr     r3, [r1, #4]
    ldr     r4, [r1, #8]
    ldr     r5, [r1, #12]
    str     r2, [r0, #132]          @ WK4..7
    str     r5, [r0]                @ WK0..3
    adr     r1, 1f
    mov     r10, #0x7f007f00
    split   r2, r6
    split   r3, r7
    split   r4, r8
    split   r5, r9
    SubkeyGeneration 0, 4
    turn_key 16
    SubkeyGeneration 2, 6
    turn_key 8
    .irp low, r2, r3, r4, r5
    eor     \low, \low, #0x7f7f7f7f
    .endr
    SubkeyGeneration 3, 7
    turn_key 16
    SubkeyGeneration 5, 1
    pop     {r4-r11, pc}
    .p2align 2
1:  deltas signed, 0, 4, 2, 6, 3, 7, 5, 1
ENDF

    KERNEL hight_armv7m, 8, 16, 136, 0, \
        haechi_hight_armv7m_eks, haechi_hight_armv7m_enc, haechi_hight_armv7m_enc_bulk, haechi_hight_armv7m_ctr
    KERNEL hight_armv7m_inv, 8, 16, 136, INVERSE, \
        haechi_hight_armv7m_eks, haechi_hight_armv7m_dec, haechi_hight_armv7m_dec_bulk

#endif

#include "../../asm/stack_note.h"

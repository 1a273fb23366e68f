/* hight_armv6m.S - HIGHT for Cortex-M0 and its kin: four rounds in a loop, two bytes in a register, no tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_armv6m_eks(void *rk, const void *key);
 *     void haechi_hight_armv6m_enc(const void *rk, void *buf);
 *     void haechi_hight_armv6m_dec(const void *rk, void *buf);
 *     void haechi_hight_armv6m_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk, words    0      1                                  32            33
 *                  WK0..3 SK0 SK1 SK2 SK3  ...  SK124 ... SK127            WK4..7
 *                  enc reads upwards ->                      <- dec reads downwards
 *
 * Bytes i and i+4 of the block go through the same step of a round, so they share a register:
 *
 *         31    24 23    16 15     8 7      0
 *     A  |        |   x4   |        |   x0   |      the source of F1
 *     B  |        |   x5   |        |   x1   |      B += F1(A) ^ SK
 *     C  |        |   x6   |        |   x2   |      the source of F0
 *     D  |        |   x7   |        |   x3   |      D ^= F0(C) + SK
 *
 * A round moves each byte on by one place: D becomes A with its two bytes exchanged, A becomes B, B becomes C, and C
 * becomes D. Only the names move.  REV exchanges the bytes of D, and leaves them eight bits higher.
 *
 * Because every other byte is empty, a byte can be written twice, xx = x | x << 8, and xx contains every rotation of x:
 *     F0(x) = x<<<1 ^ x<<<2 ^ x<<<7:    xx ^ (xx ^ xx >> 1) >> 5, from bit 1 on
 *     F1(x) = x<<<3 ^ x<<<4 ^ x<<<6:    xx ^ (xx ^ xx >> 1) >> 2, from bit 2 on
 * The bits beside these eight would carry into the next byte, and so do sums.  Therefore an AND precedes each addition,
 * and another one follows it.
 *
 *     r0          r1 r2       r3          r4 r5 r6 r7    r12             lr
 *     round keys  t  u        0x00ff00ff  A  B  C  D     keys of F0      where the loop ends */
#include "../../asm/armv6m_ctr.h"
#include "../hight_constants.h"

#if defined(HAECHI_ARMV6M)

#define p r0
#define t r1
#define u r2
#define M r3

/* u = F(x) with bits beside each byte, where t = x << 8. */
.macro F x, by, from
    orrs    t, \x                   // xx
    lsrs    u, t, #1
    eors    u, t
    lsrs    u, u, #\by
    eors    u, t
    lsrs    u, u, #\from
.endm

#define F0_FROM 5, 1
#define F1_FROM 2, 2

/* u = F1(a) ^ SK, where t = a << 8.  r12 = the two other keys of the round.  load loads its four keys to r1, which is t. */
.macro F1_term a, load
    F       \a, F1_FROM
    \load
    eors    u, t
    ands    u, M
    lsrs    t, t, #8
    ands    t, M
    mov     r12, t
.endm

/* u = F0(c) + SK. */
.macro F0_term c
    lsls    t, \c, #8
    F       \c, F0_FROM
    ands    u, M
    add     u, r12
.endm

/* x = x4, x0 from x0, x4, and t = x << 8. */
.macro exchange x
    rev     t, \x
    lsrs    \x, t, #8
.endm

/* The words x3 x2 x1 x0 and x7 x6 x5 x4 in v and w become x5 x4 x1 x0 and x7 x6 x3 x2, or the other way round. */
.macro regroup v, w
    uxth    t, \v
    lsls    u, \w, #16
    orrs    t, u
    lsrs    \v, \v, #16
    lsrs    \w, \w, #16
    lsls    \w, \w, #16
    orrs    \w, \v
    mov     \v, t
.endm

/* odd, even = the odd and the even bytes of even */
.macro separate odd, even
    lsrs    \odd, \even, #8
    ands    \odd, M
    ands    \even, M
.endm

.macro join odd, even
    lsls    \odd, \odd, #8
    orrs    \even, \odd
.endm

/* The transformation of the whitening keys in t adds to the bytes in a and XORs those in c. */
.macro whiten a, c
    separate u, t
    eors    \c, u
    adds    \a, t
    ands    \a, M
.endm

.macro leave v, w
    regroup \v, \w
    pop     {r1}
    stm     r1!, {\v, \w}
    pop     {r4-r7, pc}
    .p2align 2, 0
9:  .word   0x00ff00ff
.endm

/* ---- Encryption.  t = A << 8 between the rounds. */

.macro Round a, b, c, d
    F1_term \a, "ldm r0!, {r1}"
    adds    \b, u
    ands    \b, M
    F0_term \c
    eors    \d, u
    ands    \d, M
    exchange \d
.endm

FUNC haechi_hight_armv6m_enc
    push    {r1, r4-r7, lr}
    ldm     r1!, {r4, r6}
    ldr     M, 9f
    movs    t, #132
    adds    t, p
    mov     lr, t                   // behind SK127
    regroup r4, r6
    separate r5, r4
    lsrs    r7, r6, #8              // D, and what the first round masks
    ands    r6, M
    ldm     p!, {t}
    whiten  r4, r6
    lsls    t, r4, #8
1:
    Round   r4, r5, r6, r7
    Round   r7, r4, r5, r6
    Round   r6, r7, r4, r5
    Round   r5, r6, r7, r4
    cmp     p, lr
    bne     1b
    rev     r4, r4                  // the last round moves nothing: D has its bytes back, eight bits higher
    ldr     t, [p]
    whiten  r5, r7
    orrs    r7, r4                  // x7 x6 x3 x2
    join    r6, r5                  // x5 x4 x1 x0
    leave   r5, r7
ENDF

FUNC haechi_hight_armv6m_ctr
    ctr_by_calls haechi_hight_armv6m_enc, 8
ENDF

/* ---- Decryption.  A bit above each byte of C keeps a borrow from the other byte: r8 = 0x01000100. */

/* B, C and D come out in a place further on, as A, B and C, and A as D. */
.macro InverseRound at, a, b, c, d
    lsls    t, \b, #8
    F1_term \b, "ldr r1, [r0, #\at]"
    add     \c, r8
    subs    \c, u
    ands    \c, M
    F0_term \d
    exchange \a
    eors    \a, u
    ands    \a, M
.endm

.macro unwhiten a, c
    separate u, t
    eors    \c, u
    add     \a, r8
    subs    \a, t
    ands    \a, M
.endm

FUNC haechi_hight_armv6m_dec
    push    {r1, r4-r7, lr}
    mov     r4, r8
    push    {r4}
    ldm     r1!, {r5, r7}
    ldr     M, 9f
    ldr     t, 8f
    mov     r8, t
    subs    p, #12
    mov     lr, p                   // where p is after the last turn
    adds    p, #128                 // the keys of the last four rounds
    regroup r5, r7
    separate r6, r5
    lsrs    r4, r7, #8              // D of the standard, whose bytes round 32 exchanges, and what the first round masks
    ands    r7, M
    ldr     t, [p, #16]
    unwhiten r5, r7
    exchange r4
1:
    InverseRound 12, r4, r5, r6, r7
    InverseRound 8, r5, r6, r7, r4
    InverseRound 4, r6, r7, r4, r5
    InverseRound 0, r7, r4, r5, r6
    subs    p, #16
    cmp     p, lr
    bne     1b
    ldr     t, [p, #12]
    unwhiten r4, r6
    join    r5, r4
    join    r7, r6
    pop     {r5}
    mov     r8, r5
    leave   r4, r6
    .p2align 2, 0
8:  .word   0x01000100
ENDF

/* ---- The key schedule: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with MK8 to MK15 for
 * n = 16i + j + 8.  Four subkeys are made at once: a delta has seven bits, so the sum of it and the low seven bits of a
 * key byte carries into bit 7 at most, where the eighth bit of the key is XORed.  In each turn of the loop one half of
 * the key gives two words of subkeys, is rotated upwards by a byte, and changes places with the other half.
 *
 *     r0  r1      r2 r3         r4 r5              r6          r7          r12 lr
 *     rk  deltas  half the key  subkeys, scratch   rk ends     0x7f7f7f7f  its other half */
.macro four_subkeys key
    ldm     r1!, {r4}
    movs    r5, \key
    ands    r5, r7
    adds    r4, r5
    movs    r5, \key
    bics    r5, r7
    eors    r4, r5
    stm     r0!, {r4}
.endm

FUNC haechi_hight_armv6m_eks
    push    {r4-r7, lr}
    ldm     r1!, {r2, r3, r4, r5}
    mov     r12, r4
    mov     lr, r5
    stm     r0!, {r5}               // WK0..3
    mov     r6, r0
    adds    r6, #128
    str     r2, [r6]                // WK4..7
    adr     r1, 2f
    ldr     r7, 3f
1:
    four_subkeys r2
    four_subkeys r3
    lsrs    r4, r3, #24
    lsrs    r5, r2, #24
    lsls    r2, r2, #8
    orrs    r2, r4
    lsls    r3, r3, #8
    orrs    r3, r5
    mov     r4, r12
    mov     r5, lr
    mov     r12, r2
    mov     lr, r3
    movs    r2, r4
    movs    r3, r5
    cmp     r0, r6
    bne     1b
    pop     {r4-r7, pc}
    .p2align 2, 0
2:
    .Ln = 0
    .rept 128
    delta   .Ln
    .byte   .Ldelta
    .Ln = .Ln + 1
    .endr
3:  .word   0x7f7f7f7f
ENDF

    KERNEL hight_armv6m, 8, 16, 136, ALIGN4, haechi_hight_armv6m_eks, haechi_hight_armv6m_enc, 0, haechi_hight_armv6m_ctr
    KERNEL hight_armv6m_inv, 8, 16, 136, INVERSE|ALIGN4, haechi_hight_armv6m_eks, haechi_hight_armv6m_dec

#endif

#include "../../asm/stack_note.h"

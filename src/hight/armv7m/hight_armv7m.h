/* hight_armv7m.h - what the HIGHT kernels for Cortex-M share: the steps of the standard on two bytes at a time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
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
 * becomes D. Only the names move.  The exchange is a rotation by 16, which an AND performs on its second operand at no
 * cost.
 *
 * Because every other byte is empty, a byte can be written twice, xx = x | x << 8, and xx contains every rotation of x:
 *     F0(x) = x<<<1 ^ x<<<2 ^ x<<<7:    xx ^ xx >> 5 ^ xx >> 6, from bit 1 on
 *     F1(x) = x<<<3 ^ x<<<4 ^ x<<<6:    xx ^ xx >> 2 ^ xx >> 3, from bit 2 on
 * The bits beside these eight would carry into the next byte, and so do sums.  Therefore an AND precedes each
 * addition, and another one follows it.
 *
 * Complements let both directions use the same round keys and the same number of instructions.  F0 and F1 have three
 * terms, so F(~x) = ~F(x).  With v = F0(~C) - SK, which is one addition, D ^ v is the complement of D ^ (F0(C) +
 * SK).  And ~B + w is the complement of B - w.  A mask that also complements, BIC in place of AND, costs nothing:
 *     encryption    A and B are plain, C and D complemented.  BIC masks B, which becomes C.
 *     decryption    A and D are plain, B and C complemented.  BIC masks B, which becomes A; the step of D complements it.
 * So the key of a round is one word with SK0, -SK1, SK2 and -SK3, lowest byte first.  hight_armv7m_small, which copies
 * two bytes a round anyway, complements a copy instead and has the standard's subkeys. */
#ifndef HAECHI_HIGHT_ARMV7M_H
#define HAECHI_HIGHT_ARMV7M_H

#include "../../asm/armv7m.h"
#include "../hight_constants.h"

#if defined(HAECHI_ARMV7M)

/* A kernel names the register M, which holds 0x00ff00ff, and the scratch registers t and u. */

/* u = F0(c).  Each half of u has other bits above bit 7. */
.macro F0 c
    orr     t, \c, \c, lsl #8       @ cc
    eor     u, t, t, lsr #5
    eor     u, u, t, lsr #6
    and     u, M, u, lsr #1
.endm

.macro F1 a
    orr     t, \a, \a, lsl #8       @ aa
    eor     u, t, t, lsr #2
    eor     u, u, t, lsr #3         @ F1(a) << 2
.endm

/* u = F1(a) ^ SK.  Only the even bytes of k matter. */
.macro F1_term a, k
    F1      \a
    eor     u, \k, u, lsr #2
    ands    u, u, M
.endm

/* b = b + (F1(a) ^ SK), with a carry above each byte. */
.macro F1_sum b, a, k
    F1_term \a, \k
    add     \b, \b, u
.endm

/* The step with F1 of encryption (mask AND or BIC, as explained above) and of decryption. */
.macro F1_step b, a, k
    F1_sum  \b, \a, \k
    bic     \b, M, \b               @ the complement
.endm

/* The step with F0.  sk holds -SK for both bytes.  d goes on as A of the next round. */
.macro F0_step d, c, sk
    F0      \c
    add     u, u, \sk
    eors    \d, \d, u
    and     \d, M, \d, ror #16      @ bytes exchanged: x7, x3
.endm

.macro InverseF0_step a, d, sk, mask=ands
    F0      \d
    add     u, u, \sk
    eor     \a, u, \a, ror #16
    \mask   \a, M, \a               @ x3, x7
.endm

/* From the block's order in memory to that of the rounds and back: p and q hold x3 x2 x1 x0 and x7 x6 x5 x4, lowest
 * byte last, and become x5 x4 x1 x0 and x7 x6 x3 x2, or the other way round. */

.macro exchange p, q, t
    lsr     \t, \p, #16
    bfi     \p, \q, #16, #16
    bfi     \q, \t, #0, #16
.endm

.macro load_block p, q, buf
    ldr     \p, [\buf]
    ldr     \q, [\buf, #4]
.endm

.macro store_block p, q, buf
    str     \p, [\buf]
    str     \q, [\buf, #4]
.endm

/* Adds the whitening keys in wk to the block in \a and \b, which comes out as A, B, C and D.  s is scratch. */
.macro InitialTransformation a, b, c, d, wk, s
    exchange \a, \b, \s
    mvn     \d, \b, lsr #8          @ ~D; what is beside it goes when the first round masks its sum
    eor     \c, \b, \wk, lsr #8
    bic     \c, M, \c               @ ~C
    and     \b, M, \a, lsr #8       @ B
    ands    \a, \a, M
    and     \s, M, \wk
    add     \a, \a, \s
    ands    \a, \a, M               @ A
.endm

/* Takes what the last round left, which rotates the block as all rounds do.  The block comes out in \b and \d. */
.macro FinalTransformation a, b, c, d, wk, s
    and     \s, M, \wk
    add     \b, \b, \s
    orn     \b, \b, M               @ ff x4 ff x0
    eor     \d, \d, \wk, lsr #8
    bic     \d, M, \d
    eor     \b, \b, \c, lsl #8     @ x5 x4 x1 x0
    orr     \d, \d, \a, ror #8     @ x7 x6 x3 x2
    exchange \b, \d, \s
.endm

/* The inverse: takes the block in \b and \d, and gives A, B, C and D as the last round left them. */
.macro InverseFinalTransformation a, b, c, d, wk, s
    exchange \b, \d, \s
    ror     \a, \d, #24             @ D, its bytes exchanged, and what the first round masks
    eor     \d, \d, \wk, lsr #8
    bic     \d, M, \d               @ ~C
    bic     \c, M, \b, lsr #8       @ ~B
    bic     \b, M, \b
    and     \s, M, \wk
    add     \b, \b, \s
    bic     \b, M, \b               @ A
.endm

/* Takes A, B and D plain and C complemented.  The block comes out in \a and \c. */
.macro InverseInitialTransformation a, b, c, d, wk, s
    and     \s, M, \wk
    bic     \a, M, \a
    add     \a, \a, \s
    bic     \a, M, \a
    eor     \c, \c, \wk, lsr #8
    bic     \c, M, \c
    orr     \a, \a, \b, lsl #8     @ x5 x4 x1 x0
    orr     \c, \c, \d, lsl #8     @ x7 x6 x3 x2
    exchange \a, \c, \s
.endm

/* ---- The deltas. */

/* Four words for each i, with n = 16i to 16i+15.  If `signed` is set, odd bytes hold 0x81 - delta_n. */
.macro deltas sign, is:vararg
    .irp i, \is
    .irp n, 0, 4, 8, 12
    .Lword = 0
    .irp b, 0, 1, 2, 3
    delta   16*\i+\n+\b
    .ifc \sign, signed
    .if \b & 1
    .Ldelta = 0x81 - .Ldelta
    .endif
    .endif
    .Lword = .Lword | .Ldelta << (8*\b)
    .endr
    .word   .Lword
    .endr
    .endr
.endm

/* ---- The key schedule in a loop: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with MK8 to MK15 for
 * n = 16i + j + 8.  If `signed` is set, it stores -SK_n where n is odd.
 *
 * Four subkeys are made at once.  A delta has seven bits, so the sum of it and the low seven bits of a key byte
 * carries into bit 7 at most, where the eighth bit of the key is XORed.  A negated subkey has (0x7f - low) + (0x81 -
 * delta) in its low part.
 *
 *     r0  r1      r2 r3         r4 r5           r6 r7              r12      lr
 *     rk  deltas  half the key  its other half  deltas, subkeys    rk ends  scratch
 *
 * r1 may hold something else from which `begin` and `eight_subkeys` make the deltas; they use registers up to `last`.  In
 * each turn of the loop one half of the key gives two words of subkeys, is rotated upwards by a byte, and changes places
 * with the other half. */

.macro four_subkeys sign, sk, key
    and     lr, \key, #0x7f7f7f7f
    .ifc \sign, signed
    eor     lr, lr, #0x7f007f00
    .endif
    add     \sk, \sk, lr
    and     lr, \key, #0x80808080
    eor     \sk, \sk, lr
.endm

.macro KeySchedule_by begin, eight_subkeys, last=r7
    push    {r4-\last, lr}
    ldr     r2, [r1]
    ldr     r3, [r1, #4]
    ldr     r4, [r1, #8]
    ldr     r5, [r1, #12]
    str     r5, [r0], #4            @ WK0..3
    add     r12, r0, #128
    str     r2, [r12]               @ WK4..7
    \begin
1:  \eight_subkeys
    strd    r6, r7, [r0], #8
    mov     r6, r4
    mov     r7, r5
    lsrs    r4, r3, #24
    orr     r4, r4, r2, lsl #8
    lsr     r5, r2, #24             @ in 32 bits: the deltas begin at a multiple of 4
    orr     r5, r5, r3, lsl #8
    mov     r2, r6
    mov     r3, r7
    cmp     r0, r12
    bne     1b
    pop     {r4-\last, pc}
.endm

.macro eight_subkeys_by_table sign
    ldrd    r6, r7, [r1], #8
    four_subkeys \sign, r6, r2
    four_subkeys \sign, r7, r3
.endm

.macro KeySchedule sign
    KeySchedule_by "adr r1, 2f", "eight_subkeys_by_table \sign"
    .p2align 2
2:  deltas  \sign, 0, 1, 2, 3, 4, 5, 6, 7
.endm

/* ---- The same with deltas that are computed.  delta_(n+4) has the bits 4, 5 and 6 of delta_n, followed by the sums of
 * its bits 0 and 3, 1 and 4, 2 and 5, 3 and 6.  A word holds four deltas.  The next four come out rotated by 4 bits to the
 * left, and those after them rotated by 8, which the last mask undoes.
 *
 * If `signed` is set, a negated subkey is the complement plus 1, before the eighth bit of the key is XORed: its low part
 * is then at least 1 and at most 254, so that nothing carries.
 *
 *     r0  r1            r2 r3         r4 r5           r6 r7    r8          r12      lr
 *     rk  four deltas   half the key  its other half  subkeys  0x0f0f0f0f  rk ends  scratch */

.macro begin_deltas
    .Lword = 0
    .irp n, 0, 1, 2, 3
    delta   \n
    .Lword = .Lword | .Ldelta << (8*\n)
    .endr
    movw    r1, #.Lword & 0xffff
    movt    r1, #.Lword >> 16
    mov     r8, #0x0f0f0f0f
.endm

/* The deltas in r1 are rotated by `turned` bits. */
.macro four_subkeys_computed sign, sk, key, turned
    and     \sk, \key, #0x7f7f7f7f
    add     \sk, \sk, r1, ror #\turned
    .ifc \sign, signed
    eor     \sk, \sk, #0xff00ff00
    add     \sk, \sk, #0x01000100
    .endif
    and     lr, \key, #0x80808080
    eor     \sk, \sk, lr
.endm

.macro eight_subkeys_computed sign
    four_subkeys_computed \sign, r6, r2, 0
    eor     lr, r1, r1, ror #3
    and     lr, lr, r8
    and     r1, r1, #0xf0f0f0f0
    orr     r1, r1, lr, ror #32-7   @ the next deltas <<< 4
    four_subkeys_computed \sign, r7, r3, 4
    eor     lr, r1, r1, ror #3
    and     lr, lr, #0xf0f0f0f0
    and     r1, r8, r1, ror #8
    orr     r1, r1, lr, ror #8-7    @ the next deltas
.endm

.macro ComputedKeySchedule sign
    KeySchedule_by begin_deltas, "eight_subkeys_computed \sign", r8
.endm

#endif
#endif

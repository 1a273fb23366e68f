/* lea_armv7m.S - LEA for Cortex-M3 and up, fast: all rounds unrolled, rotations pending.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_armv7m_128_eks(void *rk, const void *key);
 *     void haechi_lea_armv7m_128_enc(const void *rk, void *buf);
 *     void haechi_lea_armv7m_128_dec(const void *rk, void *buf);
 *     void haechi_lea_armv7m_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * The round keys are words.  Encryption reads them upwards and decryption downwards.  RK4 is stored with its rotation
 * pending (lea_armv7m.h).
 *
 *     LEA-128, 16 bytes a round         | RK0 | RK1 | RK2 | RK4 |              (RK1 = RK3 = RK5)
 *     LEA-192 and LEA-256, 24 bytes     | RK5 | RK4 | RK3 | RK2 | RK1 | RK0 |
 *
 *     r0          r1   r2 r3 r12 lr  r4 ... r11
 *     round keys  buf  X0 X1 X2  X3  eight words of round keys; s ^ ks */
#include "lea_armv7m_ctr.h"

#if defined(HAECHI_ARMV7M)

.macro enter
    push    {r4-r11, lr}
    load_words r1, X0, X1, X2, X3
.endm

.macro leave
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
.endm

/* ---- LEA-128. */

/* p0 to p3 are pending in X0 to X3.  The new X0, X1, X2 and X3 are in x1, x2, x3 and x0. */
.macro Round_128 p0, p1, p2, p3, k0, k1, k2, k4, x0, x1, x2, x3
    Line    \x3, \p3, \k1, \x2, \p2, \k4, RK4_128, \k4
    Line    \x2, \p2, \k1, \x1, \p1, \k2, 0, \k2
    Line    \x1, \p1, \k1, \x0, \p0, \k0, 0, \k0
.endm

.macro TwoRounds_128 p0, p1, p2, p3, x0, x1, x2, x3
    ldmia   r0!, {r4-r11}
    Round_128 \p0, \p1, \p2, \p3, r4, r5, r6, r7, \x0, \x1, \x2, \x3
    Round_128 23, 5, 3, \p0, r8, r9, r10, r11, \x1, \x2, \x3, \x0
.endm

/* From round 3 on. */
.macro later_rounds_128
    .rept 5
    TwoRounds_128 PENDING, X2, X3, X0, X1
    TwoRounds_128 PENDING, X0, X1, X2, X3
    .endr
    TwoRounds_128 PENDING, X2, X3, X0, X1
.endm

FUNC haechi_lea_armv7m_128_enc
    enter
    TwoRounds_128 0, 0, 0, 0, X0, X1, X2, X3
    later_rounds_128
    last_rotations X0, X1, X2, X3
    leave
ENDF

FUNC haechi_lea_armv7m_128_ctr
    counter 16, 384, later_rounds_128, RK4_128, 0, 4, 8, 4, 12, 4
ENDF

/* A round of decryption takes X0, X1, X2 and X3 in x0, x1, x2 and x3, and leaves them in x3, x0, x1 and x2. */
.macro InverseRound_128 k0, k1, k2, k4, x0, x1, x2, x3
    InverseLine \x0, 9, \k1, \x3, \k0, 0, \k0
    InverseLine \x1, 27, \k1, \x0, \k2, 0, \k2
    InverseLine \x2, 29, \k1, \x1, \k4, RK4_128, \k4
.endm

.macro TwoInverseRounds_128 x0, x1, x2, x3
    ldmdb   r0!, {r4-r11}
    InverseRound_128 r8, r9, r10, r11, \x0, \x1, \x2, \x3
    InverseRound_128 r4, r5, r6, r7, \x3, \x0, \x1, \x2
.endm

FUNC haechi_lea_armv7m_128_dec
    enter
    add     r0, r0, #384            // behind the last round key
    .rept 6
    TwoInverseRounds_128 X0, X1, X2, X3
    TwoInverseRounds_128 X2, X3, X0, X1
    .endr
    leave
ENDF

/* ---- LEA-192 and LEA-256.  Eight words of round keys, one LDM, serve four lines. */

/* r8 to r11 hold RK5 to RK2. */
.macro LastTwoRounds_256 x0, x1, x2, x3
    Line    \x1, 23, r8, \x0, 3, r9, RK4_256, r9
    Line    \x0, 3, r10, \x3, 5, r11, 0, r11
    ldmia   r0!, {r4-r11}
    Line    \x3, 5, r4, \x2, 23, r5, 0, r5
    Line    \x2, 23, r6, \x1, 3, r7, RK4_256, r7
    Line    \x1, 3, r8, \x0, 5, r9, 0, r9
    Line    \x0, 5, r10, \x3, 23, r11, 0, r11
.endm

.macro FourRounds_256 p0, p1, p2, p3, x0, x1, x2, x3
    ldmia   r0!, {r4-r11}
    Line    \x3, \p3, r4, \x2, \p2, r5, RK4_256, r5
    Line    \x2, \p2, r6, \x1, \p1, r7, 0, r7
    Line    \x1, \p1, r8, \x0, \p0, r9, 0, r9
    Line    \x0, \p0, r10, \x3, 3, r11, RK4_256, r11
    ldmia   r0!, {r4-r11}
    Line    \x3, 3, r4, \x2, 5, r5, 0, r5
    Line    \x2, 5, r6, \x1, 23, r7, 0, r7
    LastTwoRounds_256 \x0, \x1, \x2, \x3
.endm

/* From round 3 on. */
.macro later_rounds_256 fours
    ldmia   r0!, {r8-r11}
    LastTwoRounds_256 X0, X1, X2, X3
    .rept \fours-1
    FourRounds_256 PENDING, X0, X1, X2, X3
    .endr
.endm

.macro encrypt_256 fours
    enter
    FourRounds_256 0, 0, 0, 0, X0, X1, X2, X3
    .rept \fours-1
    FourRounds_256 PENDING, X0, X1, X2, X3
    .endr
    last_rotations X0, X1, X2, X3
    leave
.endm

FUNC haechi_lea_armv7m_192_enc
    encrypt_256 7
ENDF

FUNC haechi_lea_armv7m_256_enc
    encrypt_256 8
ENDF

FUNC haechi_lea_armv7m_192_ctr
    counter 24, 672, "later_rounds_256 7", RK4_256, 20, 16, 12, 8, 4, 0
ENDF

FUNC haechi_lea_armv7m_256_ctr
    counter 24, 768, "later_rounds_256 8", RK4_256, 20, 16, 12, 8, 4, 0
ENDF

.macro FourInverseRounds_256 x0, x1, x2, x3
    ldmdb   r0!, {r4-r11}
    InverseLine \x0, 9, r10, \x3, r11, 0, r11
    InverseLine \x1, 27, r8, \x0, r9, 0, r9
    InverseLine \x2, 29, r6, \x1, r7, RK4_256, r7
    InverseLine \x3, 9, r4, \x2, r5, 0, r5
    ldmdb   r0!, {r4-r11}
    InverseLine \x0, 27, r10, \x3, r11, 0, r11
    InverseLine \x1, 29, r8, \x0, r9, RK4_256, r9
    InverseLine \x2, 9, r6, \x1, r7, 0, r7
    InverseLine \x3, 27, r4, \x2, r5, 0, r5
    ldmdb   r0!, {r4-r11}
    InverseLine \x0, 29, r10, \x3, r11, RK4_256, r11
    InverseLine \x1, 9, r8, \x0, r9, 0, r9
    InverseLine \x2, 27, r6, \x1, r7, 0, r7
    InverseLine \x3, 29, r4, \x2, r5, RK4_256, r5
.endm

.macro decrypt_256 fours
    enter
    add     r0, r0, #96*\fours      // behind the last round key
    .rept \fours
    FourInverseRounds_256 X0, X1, X2, X3
    .endr
    leave
.endm

FUNC haechi_lea_armv7m_192_dec
    decrypt_256 7
ENDF

FUNC haechi_lea_armv7m_256_dec
    decrypt_256 8
ENDF

/* ---- The key schedule.  A store directly after a load takes no cycle of its own.  So each word that a round would
 * store last is held back and stored after the load of the next delta.
 *
 *     r0  r1                        r12             r2 ...
 *     rk  key, then table of delta  delta <<< i + e T0 ... */

.macro next_delta
    ldr     r12, [r1, #4*.Lround]
.endm

/* The store of RK4 waits for the load of the next delta. */
.macro KeyRound_128 t0, t1, t2, t3
    next_delta
    .if .Lround
    str     \t3, [r0, #16*.Lround-4]
    .endif
    KeyWord \t0, r12, 3, 0, 1
    str     \t0, [r0, #16*.Lround]
    KeyWord \t1, r12, 3, 1, 3
    str     \t1, [r0, #16*.Lround+4]
    KeyWord \t2, r12, 3, 2, 6
    str     \t2, [r0, #16*.Lround+8]
    PendingKeyWord \t3, r12, RK4_128, .Lround
    .Lround = .Lround + 1
.endm

FUNC haechi_lea_armv7m_128_eks
    push    {r4, r5}
    load_words r1, r2, r3, r4, r5
    adr     r1, 1f
    .Lround = 0
    .rept 24
    KeyRound_128 r2, r3, r4, r5
    .endr
    str     r5, [r0, #380]
    pop     {r4, r5}
    bx      lr
    .p2align 2, 0
1:  deltas  4, 24, 3
ENDF

/* Words 0 to 5 of a round.  With e = 4, in LEA-192, the pending word waits for the same place of the next round; with
 * e = 0, in LEA-256, the fifth word of a round is the first of the next round but one. */
.macro KeyRound_256 e, t0, t1, t2, t3, t4, t5, before
    next_delta
    .if .Lround
    str     \before, [r0, #24*.Lround-24]       // RK5 of the previous round
    .endif
    .if \e
    KeyWord \t0, r12, \e, 0, 1
    .else
    PendingKeyWord \t0, r12, RK4_256, .Lround>1
    ror     \t0, \t0, #31
    .endif
    str     \t0, [r0, #24*.Lround+20]
    KeyWord \t1, r12, \e, 1, 3
    str     \t1, [r0, #24*.Lround+16]
    KeyWord \t2, r12, \e, 2, 6
    str     \t2, [r0, #24*.Lround+12]
    KeyWord \t3, r12, \e, 3, 11
    str     \t3, [r0, #24*.Lround+8]
    .if \e
    PendingKeyWord \t4, r12, RK4_256, .Lround
    .else
    with_ROR add, \t4, \t4, r12, \e-4
    .endif
    str     \t4, [r0, #24*.Lround+4]
    KeyWord \t5, r12, \e, 5, 17
    .Lround = .Lround + 1
.endm

FUNC haechi_lea_armv7m_192_eks
    push    {r4-r7}
    load_words r1, r2, r3, r4, r5, r6, r7
    adr     r1, 1f
    .Lround = 0
    .rept 28
    KeyRound_256 4, r2, r3, r4, r5, r6, r7, r7
    .endr
    str     r7, [r0, #648]
    pop     {r4-r7}
    bx      lr
    .p2align 2, 0
1:  deltas  6, 28, 4
ENDF

FUNC haechi_lea_armv7m_256_eks
    push    {r4-r9}
    load_words r1, r2, r3, r4, r5, r6, r7, r8, r9
    adr     r1, 1f
    .Lround = 0
    .rept 8
    KeyRound_256 0, r2, r3, r4, r5, r6, r7, r9
    KeyRound_256 0, r8, r9, r2, r3, r4, r5, r7
    KeyRound_256 0, r6, r7, r8, r9, r2, r3, r5
    KeyRound_256 0, r4, r5, r6, r7, r8, r9, r3
    .endr
    str     r9, [r0, #744]
    pop     {r4-r9}
    bx      lr
    .p2align 2, 0
1:  deltas  8, 32, 0
ENDF

    KERNEL lea_armv7m_128, 16, 16, 384, 0, \
        haechi_lea_armv7m_128_eks, haechi_lea_armv7m_128_enc, 0, haechi_lea_armv7m_128_ctr
    KERNEL lea_armv7m_192, 16, 24, 672, 0, \
        haechi_lea_armv7m_192_eks, haechi_lea_armv7m_192_enc, 0, haechi_lea_armv7m_192_ctr
    KERNEL lea_armv7m_256, 16, 32, 768, 0, \
        haechi_lea_armv7m_256_eks, haechi_lea_armv7m_256_enc, 0, haechi_lea_armv7m_256_ctr
    KERNEL lea_armv7m_128_inv, 16, 16, 384, INVERSE, haechi_lea_armv7m_128_eks, haechi_lea_armv7m_128_dec
    KERNEL lea_armv7m_192_inv, 16, 24, 672, INVERSE, haechi_lea_armv7m_192_eks, haechi_lea_armv7m_192_dec
    KERNEL lea_armv7m_256_inv, 16, 32, 768, INVERSE, haechi_lea_armv7m_256_eks, haechi_lea_armv7m_256_dec

#endif

#include "../../asm/stack_note.h"

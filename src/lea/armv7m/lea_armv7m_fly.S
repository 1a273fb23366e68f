/* lea_armv7m_fly.S - LEA for Cortex-M3 and up without stored round keys: each round makes its own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_armv7m_fly_128_eks(void *rk, const void *key);
 *     void haechi_lea_armv7m_fly_128_dks(void *rk, const void *key);
 *     void haechi_lea_armv7m_fly_128_enc(const void *rk, void *buf);
 *     void haechi_lea_armv7m_fly_128_dec(const void *rk, void *buf);
 *
 * rk is T, the state of the key schedule: for encryption before the first round, where it is the key, and for
 * decryption, which runs the key schedule backwards, after the last round.  The state for decryption has nothing
 * pending (lea_armv7m.h).
 *
 *                r0           r1            r2 r3 r12 lr  r4 ...      ... r11
 *     LEA-128    rk, then t   buf           X0 X1 X2  X3  T0 ... T3   delta_0 ... delta_3
 *     LEA-192    rk, delta    buf           X0 X1 X2  X3  T0 ... T5   two more of delta <<< i + 4
 *     LEA-256    rk, delta    buf, delta    X0 X1 X2  X3  T0 ... T7   (delta <<< i)
 *
 * In LEA-192 and LEA-256 a round that has used its delta uses the register of delta as the scratch t. */
#include "lea_armv7m.h"

#if defined(HAECHI_ARMV7M)

.macro Lines p0, p1, p2, p3, pk, t, k0, k1, k2, k3, k4, k5, x0, x1, x2, x3
    Line    \x3, \p3, \k5, \x2, \p2, \k4, \pk, \t
    Line    \x2, \p2, \k3, \x1, \p1, \k2, 0, \t
    Line    \x1, \p1, \k1, \x0, \p0, \k0, 0, \t
.endm

/* The lines of a round of decryption take X0, X1, X2 and X3 in x0, x1, x2 and x3, and leave them in x3, x0, x1 and
 * x2. */
.macro InverseLines t, k0, k1, k2, k3, k4, k5, x0, x1, x2, x3
    InverseLine \x0, 9, \k1, \x3, \k0, 0, \t
    InverseLine \x1, 27, \k3, \x0, \k2, 0, \t
    InverseLine \x2, 29, \k5, \x1, \k4, 0, \t
.endm

/* A word of the key schedule backwards: T = (T >>> r_j) - (delta <<< i + j), where d = delta <<< i + e. */
.macro InverseKeyWord T, d, e, j, r
    .if (\e) == (\j)
    rsb     \T, \d, \T, ror #\r
    .else
    ror     \T, \T, #\r
    with_ROR sub, \T, \T, \d, (\e)-(\j)
    .endif
.endm

/* ---- LEA-128. */

#define T_128 r4, r5, r6, r7
#define RK_128 r4, r5, r6, r5, r7, r5

.macro set x, value
    movw    \x, #(\value) & 0xffff
    movt    \x, #(\value) >> 16
.endm

.macro set_deltas
    set     r8, 0xc3efe9db
    set     r9, 0x44626b02
    set     r10, 0x79e27c8a
    set     r11, 0x78df30ec
.endm

.macro KeyRound_128 d
    KeyWord r4, \d, 0, .Lround, 1
    KeyWord r5, \d, 0, .Lround+1, 3
    KeyWord r6, \d, 0, .Lround+2, 6
    KeyWord r7, \d, 0, .Lround+3, 11
    .Lround = .Lround + 1
.endm

.macro Round_128 p0, p1, p2, p3, d, x0, x1, x2, x3
    KeyRound_128 \d
    Lines   \p0, \p1, \p2, \p3, 0, r0, RK_128, \x0, \x1, \x2, \x3
.endm

.macro FourRounds_128 p0, p1, p2, p3
    Round_128 \p0, \p1, \p2, \p3, r8, X0, X1, X2, X3
    Round_128 23, 5, 3, \p0, r9, X1, X2, X3, X0
    Round_128 PENDING, r10, X2, X3, X0, X1
    Round_128 PENDING, r11, X3, X0, X1, X2
.endm

FUNC haechi_lea_armv7m_fly_128_enc
    push    {r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_128
    set_deltas
    .Lround = 0
    FourRounds_128 0, 0, 0, 0
    .rept 5
    FourRounds_128 PENDING
    .endr
    last_rotations X0, X1, X2, X3
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
ENDF

/* The lines of a round, and then the key schedule back to the previous round, unless this was the first round. */
.macro InverseRound_128 d, x0, x1, x2, x3
    InverseLines r0, RK_128, \x0, \x1, \x2, \x3
    .if .Lround
    InverseKeyWord r4, \d, -.Lround, 0, 1
    InverseKeyWord r5, \d, -.Lround, 1, 3
    InverseKeyWord r6, \d, -.Lround, 2, 6
    InverseKeyWord r7, \d, -.Lround, 3, 11
    .Lround = .Lround - 1
    .endif
.endm

FUNC haechi_lea_armv7m_fly_128_dec
    push    {r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_128
    set_deltas
    .Lround = 23
    .rept 6
    InverseRound_128 r11, X0, X1, X2, X3
    InverseRound_128 r10, X3, X0, X1, X2
    InverseRound_128 r9, X2, X3, X0, X1
    InverseRound_128 r8, X1, X2, X3, X0
    .endr
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
ENDF

FUNC haechi_lea_armv7m_fly_128_dks
    push    {r4-r11}
    load_words r1, T_128
    set_deltas
    .Lround = 0
    .rept 6
    KeyRound_128 r8
    KeyRound_128 r9
    KeyRound_128 r10
    KeyRound_128 r11
    .endr
    stm     r0, {T_128}
    pop     {r4-r11}
    bx      lr
ENDF

/* ---- LEA-192 and LEA-256.  The deltas come from literals, rotated as one word of each round needs them. */

/* Loads the deltas of rounds .Lround, .Lround + step and so on: a chain of n loads takes n + 1 cycles. */
.macro load_deltas step, d:vararg
    .Lat = .Lround
    .irp r, \d
    ldr.w   \r, 1f+4*.Lat
    .Lat = .Lat + \step
    .endr
.endm

#define T_192 r4, r5, r6, r7, r8, r9

/* RK4_256 bits are pending in T4. */
.macro KeyRound_192 d
    KeyWord r4, \d, 4, 0, 1
    KeyWord r5, \d, 4, 1, 3
    KeyWord r6, \d, 4, 2, 6
    KeyWord r7, \d, 4, 3, 11
    PendingKeyWord r8, \d, RK4_256, .Lround
    KeyWord r9, \d, 4, 5, 17
    .Lround = .Lround + 1
.endm

.macro Round_192 p0, p1, p2, p3, d, x0, x1, x2, x3
    KeyRound_192 \d
    Lines   \p0, \p1, \p2, \p3, RK4_256, \d, T_192, \x0, \x1, \x2, \x3
.endm

.macro ThreeRounds_192 p0, p1, p2, p3, x0, x1, x2, x3
    load_deltas 1, r0, r10, r11
    Round_192 \p0, \p1, \p2, \p3, r0, \x0, \x1, \x2, \x3
    Round_192 23, 5, 3, \p0, r10, \x1, \x2, \x3, \x0
    Round_192 PENDING, r11, \x2, \x3, \x0, \x1
.endm

FUNC haechi_lea_armv7m_fly_192_enc
    push    {r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_192
    .Lround = 0
    ThreeRounds_192 0, 0, 0, 0, X0, X1, X2, X3
    .rept 2
    ThreeRounds_192 PENDING, X3, X0, X1, X2
    ThreeRounds_192 PENDING, X2, X3, X0, X1
    ThreeRounds_192 PENDING, X1, X2, X3, X0
    ThreeRounds_192 PENDING, X0, X1, X2, X3
    .endr
    load_deltas 1, r0
    Round_192 PENDING, r0, X3, X0, X1, X2
    last_rotations X0, X1, X2, X3
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
    .p2align 2, 0
1:  deltas  6, 28, 4
ENDF

/* The key schedule back to the previous round, and then the lines of that round. */
.macro InverseRound_192 d, x0, x1, x2, x3
    InverseKeyWord r4, \d, 4, 0, 1
    InverseKeyWord r5, \d, 4, 1, 3
    InverseKeyWord r6, \d, 4, 2, 6
    InverseKeyWord r7, \d, 4, 3, 11
    InverseKeyWord r8, \d, 4, 4, 13
    InverseKeyWord r9, \d, 4, 5, 17
    InverseLines \d, T_192, \x0, \x1, \x2, \x3
    .Lround = .Lround - 1
.endm

.macro ThreeInverseRounds_192 x0, x1, x2, x3
    load_deltas -1, r0, r10, r11
    InverseRound_192 r0, \x0, \x1, \x2, \x3
    InverseRound_192 r10, \x3, \x0, \x1, \x2
    InverseRound_192 r11, \x2, \x3, \x0, \x1
.endm

FUNC haechi_lea_armv7m_fly_192_dec
    push    {r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_192
    .Lround = 27
    InverseLines r0, T_192, X0, X1, X2, X3
    ThreeInverseRounds_192 X3, X0, X1, X2
    .rept 2
    ThreeInverseRounds_192 X0, X1, X2, X3
    ThreeInverseRounds_192 X1, X2, X3, X0
    ThreeInverseRounds_192 X2, X3, X0, X1
    ThreeInverseRounds_192 X3, X0, X1, X2
    .endr
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
    .p2align 2, 0
1:  deltas  6, 28, 4
ENDF

FUNC haechi_lea_armv7m_fly_192_dks
    push    {r4-r9}
    load_words r1, T_192
    .Lround = 0
    .rept 7
    load_deltas 1, r1, r2, r3, r12
    KeyRound_192 r1
    KeyRound_192 r2
    KeyRound_192 r3
    KeyRound_192 r12
    .endr
    ror     r8, r8, #RK4_256
    stm     r0, {T_192}
    pop     {r4-r9}
    bx      lr
    .p2align 2, 0
1:  deltas  6, 28, 4
ENDF

#define T_256 r4, r5, r6, r7, r8, r9, r10, r11

/* RK4_256 bits are pending in t4, which is t0 in the round after the next. */
.macro KeyRound_256 d, t0, t1, t2, t3, t4, t5, t6, t7
    PendingKeyWord \t0, \d, RK4_256, .Lround>1
    ror     \t0, \t0, #31
    KeyWord \t1, \d, 0, 1, 3
    KeyWord \t2, \d, 0, 2, 6
    KeyWord \t3, \d, 0, 3, 11
    add     \t4, \t4, \d, ror #28
    KeyWord \t5, \d, 0, 5, 17
    .Lround = .Lround + 1
.endm

.macro Round_256 p0, p1, p2, p3, x0, x1, x2, x3, d, t0, t1, t2, t3, t4, t5, t6, t7
    KeyRound_256 \d, \t0, \t1, \t2, \t3, \t4, \t5
    Lines   \p0, \p1, \p2, \p3, RK4_256, \d, \t0, \t1, \t2, \t3, \t4, \t5, \x0, \x1, \x2, \x3
.endm

.macro FourRounds_256 p0, p1, p2, p3
    load_deltas 1, r0, r1
    Round_256 \p0, \p1, \p2, \p3, X0, X1, X2, X3, r0, r4, r5, r6, r7, r8, r9, r10, r11
    Round_256 23, 5, 3, \p0, X1, X2, X3, X0, r1, r10, r11, r4, r5, r6, r7, r8, r9
    load_deltas 1, r0, r1
    Round_256 PENDING, X2, X3, X0, X1, r0, r8, r9, r10, r11, r4, r5, r6, r7
    Round_256 PENDING, X3, X0, X1, X2, r1, r6, r7, r8, r9, r10, r11, r4, r5
.endm

FUNC haechi_lea_armv7m_fly_256_enc
    push    {r1, r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_256
    .Lround = 0
    FourRounds_256 0, 0, 0, 0
    .rept 7
    FourRounds_256 PENDING
    .endr
    ldr     r1, [sp], #4            // buf
    last_rotations X0, X1, X2, X3
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
    .p2align 2, 0
1:  deltas  8, 32, 0
ENDF

.macro InverseKeyRound_256 d, t0, t1, t2, t3, t4, t5, t6, t7
    .if .Lround > 1                 // round 0 has no use for T6 and T7
    InverseKeyWord \t0, \d, 0, 0, 1
    InverseKeyWord \t1, \d, 0, 1, 3
    .endif
    InverseKeyWord \t2, \d, 0, 2, 6
    InverseKeyWord \t3, \d, 0, 3, 11
    InverseKeyWord \t4, \d, 0, 4, 13
    InverseKeyWord \t5, \d, 0, 5, 17
    .Lround = .Lround - 1
.endm

/* The lines of a round, and then the key schedule back to the previous round. */
.macro InverseRound_256 t, d, x0, x1, x2, x3, t0, t1, t2, t3, t4, t5, t6, t7
    InverseLines \t, \t0, \t1, \t2, \t3, \t4, \t5, \x0, \x1, \x2, \x3
    .if .Lround == 1
    load_deltas -1, r0
    .elseif .Lround % 2
    load_deltas -1, r0, r1
    .endif
    .if .Lround
    InverseKeyRound_256 \d, \t0, \t1, \t2, \t3, \t4, \t5
    .endif
.endm

FUNC haechi_lea_armv7m_fly_256_dec
    push    {r1, r4-r11, lr}
    load_words r1, X0, X1, X2, X3
    load_words r0, T_256
    .Lround = 31
    .rept 8
    InverseRound_256 r1, r0, X0, X1, X2, X3, r6, r7, r8, r9, r10, r11, r4, r5
    InverseRound_256 r0, r1, X3, X0, X1, X2, r8, r9, r10, r11, r4, r5, r6, r7
    InverseRound_256 r1, r0, X2, X3, X0, X1, r10, r11, r4, r5, r6, r7, r8, r9
    InverseRound_256 r0, r1, X1, X2, X3, X0, r4, r5, r6, r7, r8, r9, r10, r11
    .endr
    ldr     r1, [sp], #4            // buf
    store_words r1, X0, X1, X2, X3
    pop     {r4-r11, pc}
    .p2align 2, 0
1:  deltas  8, 32, 0
ENDF

FUNC haechi_lea_armv7m_fly_256_dks
    push    {r4-r11}
    load_words r1, T_256
    .Lround = 0
    .rept 8
    load_deltas 1, r1, r2, r3, r12
    KeyRound_256 r1, r4, r5, r6, r7, r8, r9
    KeyRound_256 r2, r10, r11, r4, r5, r6, r7
    KeyRound_256 r3, r8, r9, r10, r11, r4, r5
    KeyRound_256 r12, r6, r7, r8, r9, r10, r11
    .endr
    ror     r10, r10, #RK4_256      // T6, of the last round
    ror     r4, r4, #RK4_256        // T0, of the round before it
    stm     r0, {T_256}
    pop     {r4-r11}
    bx      lr
    .p2align 2, 0
1:  deltas  8, 32, 0
ENDF

/* ---- The key schedule for encryption copies the key. */
.macro copy at, words:vararg
    .Lat = \at
    .irp w, \words
    ldr     \w, [r1, #.Lat]
    .Lat = .Lat + 4
    .endr
    .Lat = \at
    .irp w, \words
    str     \w, [r0, #.Lat]
    .Lat = .Lat + 4
    .endr
.endm

FUNC haechi_lea_armv7m_fly_128_eks
    copy    0, r2, r3, r12, r1
    bx      lr
ENDF

FUNC haechi_lea_armv7m_fly_192_eks
    copy    0, r2, r3, r12
    copy    12, r2, r3, r12
    bx      lr
ENDF

FUNC haechi_lea_armv7m_fly_256_eks
    copy    0, r2, r3, r12
    copy    12, r2, r3, r12
    copy    24, r2, r3
    bx      lr
ENDF

    KERNEL lea_armv7m_fly_128, 16, 16, 16, 0, haechi_lea_armv7m_fly_128_eks, haechi_lea_armv7m_fly_128_enc
    KERNEL lea_armv7m_fly_192, 16, 24, 24, 0, haechi_lea_armv7m_fly_192_eks, haechi_lea_armv7m_fly_192_enc
    KERNEL lea_armv7m_fly_256, 16, 32, 32, 0, haechi_lea_armv7m_fly_256_eks, haechi_lea_armv7m_fly_256_enc
    KERNEL lea_armv7m_fly_128_inv, 16, 16, 16, INVERSE, haechi_lea_armv7m_fly_128_dks, haechi_lea_armv7m_fly_128_dec
    KERNEL lea_armv7m_fly_192_inv, 16, 24, 24, INVERSE, haechi_lea_armv7m_fly_192_dks, haechi_lea_armv7m_fly_192_dec
    KERNEL lea_armv7m_fly_256_inv, 16, 32, 32, INVERSE, haechi_lea_armv7m_fly_256_dks, haechi_lea_armv7m_fly_256_dec

#endif

#include "../../asm/stack_note.h"

/* lea_armv6m.S - LEA for Cortex-M0 and its kin: loops of four rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_armv6m_128_eks(void *rk, const void *key);
 *     void haechi_lea_armv6m_128_enc(const void *rk, void *buf);
 *     void haechi_lea_armv6m_128_dec(const void *rk, void *buf);
 *     void haechi_lea_armv6m_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * The round keys lie in the order in which encryption uses them:
 *
 *     LEA-128, 16 bytes a round         | RK1 | RK4 | RK2 | RK0 |              (RK1 = RK3 = RK5)
 *     LEA-192 and LEA-256, 24 bytes     | RK5 | RK4 | RK3 | RK2 | RK1 | RK0 |
 *
 * The block takes four registers, and each of the three lines of a round replaces one word, so that words never move:
 * each round passes the registers to the next round's macro in rotated order.  An XOR of a word of the block to a round
 * key is made in the register of the key, which then serves as the number of places of the rotation.
 *
 *     r0          r1 r2 r3             r4 r5 r6 r7   r12   lr
 *     round keys  keys, then scratch   X0 X1 X2 X3   buf   where the loop ends */
#include "../../asm/armv6m_ctr.h"
#include "../lea_delta.h"

#if defined(HAECHI_ARMV6M)

#define p r0
#define a r1
#define b r2
#define c r3
#define X r4, r5, r6, r7

/* lr = p + size, where size is a multiple of 4 up to 1020. */
.macro end_at size
    movs    a, #\size/4
    lsls    a, a, #2
    add     a, p
    mov     lr, a
.endm

.macro load_block
    mov     r12, r1
    ldm     r1!, {X}
.endm

.macro leave
    mov     r1, r12
    stm     r1!, {X}
    pop     {r4-r7, pc}
.endm

/* x = ((x ^ kx) + (s ^ ks)) >>> n, where x holds x ^ kx already.  ks is lost. */
.macro Line x, s, ks, n
    eors    \ks, \s
    adds    \x, \ks
    ROR     \x, \n, \ks
.endm

/* A round leaves X0, X1, X2 and X3 in x1, x2, x3 and x0. */
.macro Round_128 x0, x1, x2, x3
    ldm     p!, {a, b}              // RK1, RK4
    eors    \x3, a
    Line    \x3, \x2, b, 3          // X2
    eors    \x2, a
    ldm     p!, {b, c}              // RK2, RK0
    Line    \x2, \x1, b, 5          // X1
    eors    \x1, a
    Line    \x1, \x0, c, 23         // X0
.endm

.macro Round_256 x0, x1, x2, x3
    ldm     p!, {a, b, c}           // RK5, RK4, RK3
    eors    \x3, a
    Line    \x3, \x2, b, 3          // X2
    eors    \x2, c
    ldm     p!, {a, b, c}           // RK2, RK1, RK0
    Line    \x2, \x1, a, 5          // X1
    eors    \x1, b
    Line    \x1, \x0, c, 23         // X0
.endm

.macro encrypt layout, size
    push    {r4-r7, lr}
    load_block
    end_at  \size
1:
    Round_\layout r4, r5, r6, r7
    Round_\layout r5, r6, r7, r4
    Round_\layout r6, r7, r4, r5
    Round_\layout r7, r4, r5, r6
    cmp     p, lr
    bne     1b
    leave
.endm

FUNC haechi_lea_armv6m_128_enc
    encrypt 128, 384
ENDF

FUNC haechi_lea_armv6m_192_enc
    encrypt 256, 672
ENDF

FUNC haechi_lea_armv6m_256_enc
    encrypt 256, 768
ENDF

FUNC haechi_lea_armv6m_128_ctr
    ctr_by_calls haechi_lea_armv6m_128_enc, 16
ENDF

FUNC haechi_lea_armv6m_192_ctr
    ctr_by_calls haechi_lea_armv6m_192_enc, 16
ENDF

FUNC haechi_lea_armv6m_256_ctr
    ctr_by_calls haechi_lea_armv6m_256_enc, 16
ENDF

/* ---- Decryption.  lr = where p is after the last turn. */

/* x = (x - (s ^ ks)) ^ kx, where x is rotated already.  ks is lost. */
.macro InverseLine x, s, ks, kx
    eors    \ks, \s
    subs    \x, \ks
    eors    \x, \kx
.endm

/* A round takes X0, X1, X2 and X3 in x0, x1, x2 and x3, and leaves them in x3, x0, x1 and x2.  p points to the round
 * keys of four rounds. */
.macro InverseRound_128 at, x0, x1, x2, x3
    ldr     a, [p, #\at]            // RK1
    ldr     c, [p, #\at+12]         // RK0
    ROR     \x0, 9, b
    InverseLine \x0, \x3, c, a      // X1
    ldr     c, [p, #\at+8]          // RK2
    ROR     \x1, 27, b
    InverseLine \x1, \x0, c, a      // X2
    ldr     c, [p, #\at+4]          // RK4
    ROR     \x2, 29, b
    InverseLine \x2, \x1, c, a      // X3
.endm

FUNC haechi_lea_armv6m_128_dec
    push    {r4-r7, lr}
    subs    p, #64
    mov     lr, p
    load_block
    movs    a, #384/4
    lsls    a, a, #2
    add     p, a
1:
    InverseRound_128 48, r4, r5, r6, r7
    InverseRound_128 32, r7, r4, r5, r6
    InverseRound_128 16, r6, r7, r4, r5
    InverseRound_128 0, r5, r6, r7, r4
    subs    p, #64
    cmp     p, lr
    bne     1b
    leave
ENDF

/* p points to RK2 of the round, and then to that of the round before it.  All rotations come first, while registers are
 * free. */
.macro InverseRound_256 x0, x1, x2, x3
    ROR     \x0, 9, a
    ROR     \x1, 27, a
    ROR     \x2, 29, a
    ldm     p!, {a, b, c}           // RK2, RK1, RK0
    InverseLine \x0, \x3, c, b      // X1
    eors    a, \x0
    subs    \x1, a
    subs    p, #24
    ldm     p!, {a, b, c}           // RK5, RK4, RK3
    eors    \x1, c                  // X2
    InverseLine \x2, \x1, b, a      // X3
    subs    p, #24
.endm

.macro decrypt size
    push    {r4-r7, lr}
    subs    p, #12
    mov     lr, p
    load_block
    movs    a, #\size/4
    lsls    a, a, #2
    add     p, a
1:
    InverseRound_256 r4, r5, r6, r7
    InverseRound_256 r7, r4, r5, r6
    InverseRound_256 r6, r7, r4, r5
    InverseRound_256 r5, r6, r7, r4
    cmp     p, lr
    bne     1b
    leave
.endm

FUNC haechi_lea_armv6m_192_dec
    decrypt 672
ENDF

FUNC haechi_lea_armv6m_256_dec
    decrypt 768
ENDF

/* ---- The key schedule of LEA-128: in round i, T_j = (T_j + (delta_(i mod 4) <<< i+j)) <<< 1, 3, 6, 11.  Each delta is
 * rotated by 1 after each use, which is four times in the round, and so it is right for the round after the next three.
 *
 *     r0  r1               r2     r3  r4 r5 r6 r7   r8, r9, r12, lr         r10
 *     rk  key, scratch     delta  31  T1 T3 T2 T0   delta_0 ... delta_3     where rk ends */
.macro use_delta t
    adds    \t, r2
    rors    r2, r3                  // delta <<< 1
.endm

.macro KeyRound delta
    mov     r2, \delta
    use_delta r7
    rors    r7, r3                  // RK0
    use_delta r4
    ROR     r4, 29, r1              // RK1
    use_delta r6
    ROR     r6, 26, r1              // RK2
    use_delta r5
    ROR     r5, 21, r1              // RK4
    mov     \delta, r2
    stm     r0!, {r4, r5, r6, r7}
.endm

.macro set_delta register, i
    ldr     r2, 2f+4*\i
    mov     \register, r2
.endm

FUNC haechi_lea_armv6m_128_eks
    push    {r4-r7, lr}
    mov     r4, r8
    mov     r5, r9
    mov     r6, r10
    push    {r4-r6}
    ldr     r7, [r1]
    ldr     r4, [r1, #4]
    ldr     r6, [r1, #8]
    ldr     r5, [r1, #12]
    movs    r3, #384/4
    lsls    r3, r3, #2
    add     r3, r0
    mov     r10, r3
    movs    r3, #31
    set_delta r8, 0
    set_delta r9, 1
    set_delta r12, 2
    set_delta lr, 3
1:
    KeyRound r8
    KeyRound r9
    KeyRound r12
    KeyRound lr
    cmp     r0, r10
    bne     1b
    pop     {r4-r6}
    mov     r8, r4
    mov     r9, r5
    mov     r10, r6
    pop     {r4-r7, pc}
    .p2align 2, 0
2:
    .irp i, 0, 1, 2, 3
    delta   \i, \i
    .word   .Ldelta
    .endr
ENDF

/* ---- The key schedules of LEA-192 and LEA-256.  Word j of round i is (T + (delta <<< i+j)) <<< 1, 3, 6, 11, 13, 17.  T
 * is the word that LEA-192 made last but five, and LEA-256 last but seven: it is read back from the round keys.  The
 * words of the key begin at the end of rk, as if they were those of the last rounds, which overwrite them.
 *
 *     r0  r1             r2              r3              r4  r5       r6  r7     r12
 *     rk  round before   deltas          round before    T   scratch  31  delta  where rk ends
 *                                        that (LEA-256) */
.macro KeyWord before, at, j, left
    ldr     r4, [\before, #\at]
    adds    r4, r7
    ROR     r4, 32-\left, r5
    str     r4, [r0, #20-4*\j]
    .if \j < 5
    rors    r7, r6                  // delta <<< 1
    .endif
.endm

.macro expand K, rounds
    push    {r4-r7, lr}
    movs    r2, #\rounds*24/8
    lsls    r2, r2, #3
    adds    r2, r0
    mov     r12, r2
    subs    r2, #48
    .if \K == 6
    copy    5, 4, 3, 2, 1, 0        // as RK5 ... RK0 of the round before the first
    .else
    copy    1, 0, -1, -1, -1, -1, 7, 6, 5, 4, 3, 2
    .endif
    mov     r1, r12
    subs    r1, #24
    .if \K == 8
    mov     r3, r1
    subs    r3, #24
    .endif
    adr     r2, 2f
    movs    r6, #31
1:
    ldm     r2!, {r7}
    .if \K == 6
    KeyWord r1, 20, 0, 1
    KeyWord r1, 16, 1, 3
    KeyWord r1, 12, 2, 6
    KeyWord r1, 8, 3, 11
    KeyWord r1, 4, 4, 13
    KeyWord r1, 0, 5, 17
    .else
    KeyWord r3, 4, 0, 1
    KeyWord r3, 0, 1, 3
    KeyWord r1, 20, 2, 6
    KeyWord r1, 16, 3, 11
    KeyWord r1, 12, 4, 13
    KeyWord r1, 8, 5, 17
    .endif
    .if \K == 8
    mov     r3, r1
    .endif
    mov     r1, r0
    adds    r0, #24
    cmp     r0, r12
    bne     1b
    pop     {r4-r7, pc}
    .p2align 2, 0
2:
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li
    .word   .Ldelta
    .Li = .Li + 1
    .endr
.endm

/* The words of the key with these numbers to the end of rk, -1 for a place that nobody reads. */
.macro copy words:vararg
    .Lat = 0
    .irp word, \words
    .Lat = .Lat + 4
    .endr
    .Lat = 48 - .Lat
    .irp word, \words
    .if \word >= 0
    ldr     r4, [r1, #4*(\word)]
    str     r4, [r2, #.Lat]
    .endif
    .Lat = .Lat + 4
    .endr
.endm

FUNC haechi_lea_armv6m_192_eks
    expand  6, 28
ENDF

FUNC haechi_lea_armv6m_256_eks
    expand  8, 32
ENDF

    KERNEL lea_armv6m_128, 16, 16, 384, ALIGN4, \
        haechi_lea_armv6m_128_eks, haechi_lea_armv6m_128_enc, 0, haechi_lea_armv6m_128_ctr
    KERNEL lea_armv6m_192, 16, 24, 672, ALIGN4, \
        haechi_lea_armv6m_192_eks, haechi_lea_armv6m_192_enc, 0, haechi_lea_armv6m_192_ctr
    KERNEL lea_armv6m_256, 16, 32, 768, ALIGN4, \
        haechi_lea_armv6m_256_eks, haechi_lea_armv6m_256_enc, 0, haechi_lea_armv6m_256_ctr
    KERNEL lea_armv6m_128_inv, 16, 16, 384, INVERSE|ALIGN4, haechi_lea_armv6m_128_eks, haechi_lea_armv6m_128_dec
    KERNEL lea_armv6m_192_inv, 16, 24, 672, INVERSE|ALIGN4, haechi_lea_armv6m_192_eks, haechi_lea_armv6m_192_dec
    KERNEL lea_armv6m_256_inv, 16, 32, 768, INVERSE|ALIGN4, haechi_lea_armv6m_256_eks, haechi_lea_armv6m_256_dec

#endif

#include "../../asm/stack_note.h"

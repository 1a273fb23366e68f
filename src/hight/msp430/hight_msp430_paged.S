/* hight_msp430_paged.S - HIGHT for MSP430, the fastest: no index but the register itself, rounds unrolled.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_msp430_paged_eks(void *rk, const void *key);
 *     void haechi_hight_msp430_paged_dks(void *rk, const void *key);
 *     void haechi_hight_msp430_paged_enc(const void *rk, void *buf);
 *     void haechi_hight_msp430_paged_dec(const void *rk, void *buf);
 *     void haechi_hight_msp430_paged_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     1     2       4       6                                    262     266
 *     eks   | WK0 | WK2 | Q:WK1 | Q:WK3 | words of SK0, SK1, SK2 ...          | WK4..7 |
 *     rk    0                           4                                    260     264
 *     dks   | WK4..7                    | SK124..127, SK120..123 ... SK0..3  | WK0..3 |
 *
 *     tables   Q      Q+1    Q+2    Q+3     P = Q+4   P+1    P+2    P+3     a page of 256 bytes each
 *              | F0   | F0   | F0   | F1^-1 | F1      | F1   | F1   | F1 |
 *
 * The idea.  A register whose upper byte is a page of a table and whose lower byte is x reads F(x) in 2 cycles, where
 * an index takes 3.  A round key is a word, and its upper byte moves the register to the page that its next use
 * needs.  A byte is in turn looked up in F1, added to, looked up in F0, and XORed to.
 *
 *     plain        T = F1(x) ^ SK        y += T   as words: y comes to a page of F0
 *     transformed  T = x ^ F1^-1(SK)     y += F1(T), as bytes: x may stand anywhere, y comes off the pages
 *     F0           T = F0(x) + SK        y ^= T   as words: y comes to a page of F1
 *
 * Each form takes 5 cycles.  Sums carry into the upper byte, and therefore the tables are repeated on the next pages.
 * Decryption looks up in F1 what it has subtracted from: transformed keys suffice for it, and a carry moves a byte by
 * at most one copy of F0.  Encryption looks up in F0 what it has added to.  So most of its keys are plain, and the
 * carries accumulate.  Two rounds in eight, those whose number is 0 or 2 modulo 8, have transformed keys.  These
 * rounds, and XORs of bytes into what they look up, clear all upper bytes.  The cost is an index in the next round,
 * where F0 has to look up bytes that are on no page.
 *
 *     x0  x1  x2  x3  x4  x5  x6   x7   rp           buf                  T
 *     r15 r5  r6  r7  r8  r9  r10  r11  r12          r13                  r14                              */
#include "../../asm/msp430.h"

#if defined(__MSP430__)

#define x0 r15
#define UNIT 2
#define MOV mov
#define XOR xor
#include "hight_msp430_ctr.h"
#include "../hight_constants.h"

/* The rounds are unrolled, so no register counts them. */
.macro set_rounds
.endm

    .section .rodata.haechi_hight_msp430_pages, "a", %progbits
    .p2align 11
    .type   haechi_hight_msp430_pages, %object
    .size   haechi_hight_msp430_pages, 2048
haechi_hight_msp430_pages:
    .rept   3
    table   F0_ROTATIONS
    .endr
    table   INVERSE_F1_ROTATIONS
    .rept   4
    table   F1_ROTATIONS
    .endr

#define Q haechi_hight_msp430_pages
#define F0 Q
#define inverse_F1 Q + 0x300
#define P Q + 0x400

/* y = y + (F1(x) ^ the next subkey), or y - (...), in the transformed and in the plain form. */
.macro F1_transformed op, y, x
    mov     @rp+, T                 ; P:F1^-1(SK)
    xor     \x, T
    \op     @T, \y
.endm

.macro F1_plain op, y, x
    mov.b   @\x, T
    xor     @rp+, T                 ; F1(x) ^ SK, and what moves y
    \op     T, \y
.endm

/* y = y ^ (F0(x) + the next subkey), where x is on a page of F0, and where it is on no page. */
.macro F0_page op, y, x
    mov.b   @\x, T
    add     @rp+, T                 ; F0(x) + SK, and what moves y
    \op     T, \y
.endm

.macro F0_index op, y, x
    mov.b   F0(\x), T
    add     @rp+, T
    \op     T, \y
.endm

/* The steps of round r.  The steps that have to clear upper bytes, and all steps of the last round, work on bytes. */
.macro F1_of r, y, x
    .if     (\r) % 8 == 0 || (\r) % 8 == 2
    F1_transformed add.b, \y, \x
    .elseif (\r) == 31
    F1_plain add.b, \y, \x
    .else
    F1_plain add, \y, \x
    .endif
.endm

.macro F0_of r, y, x
    .if     (\r) % 8 == 1
    F0_index xor.b, \y, \x
    .elseif (\r) % 8 == 3
    F0_index xor, \y, \x
    .elseif (\r) % 8 == 7
    F0_page xor.b, \y, \x
    .else
    F0_page xor, \y, \x
    .endif
.endm

.macro Round r, p7, p6, p5, p4, p3, p2, p1, p0
    F1_of \r, \p1, \p0            ; SK[4i]
    F0_of \r, \p3, \p2            ; SK[4i+1]
    F1_of \r, \p5, \p4            ; SK[4i+2]
    F0_of \r, \p7, \p6            ; SK[4i+3]
.endm

.macro InitialTransformation
    whiten  add.b, x0               ; WK0
    whiten  add.b, x4               ; WK2
    whiten  xor, x2                 ; WK1
    whiten  xor, x6                 ; WK3
.endm

FUNC haechi_hight_msp430_paged_enc
    push_all r5, r6, r7, r8, r9, r10
    load    x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    .irp r, 0, 8, 16, 24
    Round   \r, x7, x6, x5, x4, x3, x2, x1, x0
    Round   \r+1, x6, x5, x4, x3, x2, x1, x0, x7
    Round   \r+2, x5, x4, x3, x2, x1, x0, x7, x6
    Round   \r+3, x4, x3, x2, x1, x0, x7, x6, x5
    Round   \r+4, x3, x2, x1, x0, x7, x6, x5, x4
    .if     \r == 0
.Lround_6:
    .endif
    Round   \r+5, x2, x1, x0, x7, x6, x5, x4, x3
    Round   \r+6, x1, x0, x7, x6, x5, x4, x3, x2
    Round   \r+7, x0, x7, x6, x5, x4, x3, x2, x1
    .endr
    FinalTransformation
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5
    ret
ENDF

FUNC haechi_hight_msp430_paged_ctr
    counter .Lround_6, 6
ENDF

/* F0_form is F0_index in the first round and F0_page in the others; op is xor.b in the last round and xor in the
 * others. */
.macro InverseRound F0_form, op, p7, p6, p5, p4, p3, p2, p1, p0
    F1_transformed sub.b, \p1, \p0  ; SK[4i]
    \F0_form \op, \p3, \p2          ; SK[4i+1]
    F1_transformed sub.b, \p5, \p4  ; SK[4i+2]
    \F0_form \op, \p7, \p6          ; SK[4i+3]
.endm

.macro InverseRounds_8 first, last
    InverseRound \first, xor, x0, x7, x6, x5, x4, x3, x2, x1
    InverseRound F0_page, xor, x1, x0, x7, x6, x5, x4, x3, x2
    InverseRound F0_page, xor, x2, x1, x0, x7, x6, x5, x4, x3
    InverseRound F0_page, xor, x3, x2, x1, x0, x7, x6, x5, x4
    InverseRound F0_page, xor, x4, x3, x2, x1, x0, x7, x6, x5
    InverseRound F0_page, xor, x5, x4, x3, x2, x1, x0, x7, x6
    InverseRound F0_page, xor, x6, x5, x4, x3, x2, x1, x0, x7
    InverseRound F0_page, \last, x7, x6, x5, x4, x3, x2, x1, x0
.endm

FUNC haechi_hight_msp430_paged_dec
    push_all r5, r6, r7, r8, r9, r10
    load    x1, x2, x3, x4, x5, x6, x7, x0
    InverseFinalTransformation
    InverseRounds_8 F0_index, xor
    InverseRounds_8 F0_page, xor
    InverseRounds_8 F0_page, xor
    InverseRounds_8 F0_page, xor.b
    InverseInitialTransformation
    store   x0, x1, x2, x3, x4, x5, x6, x7
    pop_all r10, r9, r8, r7, r6, r5
    ret
ENDF

/* ---- The key schedules: SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j, and the same with the other half of the
 * key for n = 16i + j + 8.
 *
 *     k0  k1  k2  k3  k4  k5  k6   k7     rp   key   T     page
 *     r4  r5  r6  r7  r8  r9  r10  r11    r12  r13   r14   r15
 *     half of the key, each byte plus     rk               a constant that many keys take
 *     the delta of its last subkey
 *
 * A register goes from one subkey to the next by adding the difference of two deltas.  The code is unrolled, so the
 * differences are constants. */
#define k0 r4
#define k1 r5
#define k2 r6
#define k3 r7
#define k4 r8
#define k5 r9
#define k6 r10
#define k7 r11
#define key r13
#define page r15

/* k = SK_n with n = 16i + j + half: 2 cycles, or 1 where the difference is one of the constants that MSP430
 * generates. */
.macro subkey half, i, j, k
    .Lheld = 0
    .if     \i
    delta   16*(\i-1) + ((\j-1)&7) + \half
    .Lheld = .Ldelta
    .endif
    delta   16*\i + \j + \half
    add.b   #.Ldelta - .Lheld, \k   ; SK
.endm

/* T = page:F1^-1(k) */
.macro transformed k, to:vararg
    mov.b   inverse_F1(\k), T
    bis     \to, T
.endm

/* Stores the keys of round r for encryption.  Their upper bytes move a sum from P, or from no page, to Q, and an XOR
 * from Q, or from no page, to P.  They move nothing where the result is a byte.  page = P - Q. */
.macro F1_key r, k, at
    .if     (\r) % 8 == 0 || (\r) % 8 == 2
    transformed \k, #P
    mov     T, \at(rp)
    .elseif (\r) % 8 == 1 || (\r) % 8 == 3
    bis     #Q, \k
    mov     \k, \at(rp)
    .else
    .if     (\r) != 31
    sub     page, \k
    .endif
    mov     \k, \at(rp)
    .endif
.endm

.macro F0_key r, k, at
    .if     (\r) == 0 || (\r) % 8 == 2 || (\r) % 8 == 4
    bis     #P, \k
    .elseif (\r) % 8 != 1 && (\r) % 8 != 7
    bis     page, \k
    .endif
    mov     \k, \at(rp)
.endm

.macro encryption_key r, j, k
    .if     \j & 1
    F0_key  \r, \k, 6 + 8*(\r) + 2*(\j&3)
    .else
    F1_key  \r, \k, 6 + 8*(\r) + 2*(\j&3)
    .endif
.endm

/* Stores the keys of round r for decryption; page = P. */
.macro decryption_key r, j, k
    .if     \j & 1
    .if     (\r) != 0
    bis     #Q, \k
    .endif
    mov     \k, 4 + 8*(31-(\r)) + 2*(\j&3)(rp)
    .else
    transformed \k, page
    mov     T, 4 + 8*(31-(\r)) + 2*(\j&3)(rp)
    .endif
.endm

.macro SubkeyGeneration put, half, i, registers:vararg
    .Lj = 0
    .irp    k, \registers
    subkey  \half, \i, .Lj, \k
    \put    4*\i + \half/4 + .Lj/4, .Lj, \k
    .Lj = .Lj + 1
    .endr
.endm

.macro half_of_the_key put, half
    .irp k, k0, k1, k2, k3, k4, k5, k6, k7
    mov.b   @key+, \k
    .endr
    SubkeyGeneration \put, \half, 0, k0, k1, k2, k3, k4, k5, k6, k7
    SubkeyGeneration \put, \half, 1, k7, k0, k1, k2, k3, k4, k5, k6
    SubkeyGeneration \put, \half, 2, k6, k7, k0, k1, k2, k3, k4, k5
    SubkeyGeneration \put, \half, 3, k5, k6, k7, k0, k1, k2, k3, k4
    SubkeyGeneration \put, \half, 4, k4, k5, k6, k7, k0, k1, k2, k3
    SubkeyGeneration \put, \half, 5, k3, k4, k5, k6, k7, k0, k1, k2
    SubkeyGeneration \put, \half, 6, k2, k3, k4, k5, k6, k7, k0, k1
    SubkeyGeneration \put, \half, 7, k1, k2, k3, k4, k5, k6, k7, k0
.endm

FUNC haechi_hight_msp430_paged_eks
    push_all r4, r5, r6, r7, r8, r9, r10
    mov.b   12(key), 0(rp)          ; WK0
    mov.b   14(key), 1(rp)          ; WK2
    mov.b   13(key), T
    bis     #Q, T
    mov     T, 2(rp)                ; Q:WK1
    mov.b   15(key), T
    bis     #Q, T
    mov     T, 4(rp)                ; Q:WK3
    mov     @key, 262(rp)           ; WK4, WK5
    mov     2(key), 264(rp)         ; WK6, WK7
    mov     #P - Q, page
    half_of_the_key encryption_key, 0
    half_of_the_key encryption_key, 8
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

FUNC haechi_hight_msp430_paged_dks
    push_all r4, r5, r6, r7, r8, r9, r10
    mov     @key, 0(rp)             ; WK4, WK5
    mov     2(key), 2(rp)           ; WK6, WK7
    mov     12(key), 260(rp)        ; WK0, WK1
    mov     14(key), 262(rp)        ; WK2, WK3
    mov     #P, page
    half_of_the_key decryption_key, 0
    half_of_the_key decryption_key, 8
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
ENDF

    KERNEL hight_msp430_paged, 8, 16, 266, ALIGN2, \
        haechi_hight_msp430_paged_eks, haechi_hight_msp430_paged_enc, 0, haechi_hight_msp430_paged_ctr
    KERNEL hight_msp430_paged_inv, 8, 16, 264, ALIGN2 | INVERSE, \
        haechi_hight_msp430_paged_dks, haechi_hight_msp430_paged_dec

#endif

#include "../../asm/stack_note.h"

/* aria_armv7m.S - ARIA for Cortex-M3 and up with tables of words and unrolled rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_armv7m_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_armv7m_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_armv7m_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_armv7m_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * Secrets are indices of look-ups, so this kernel is only for cores without a data cache.  aria_armv7m.h draws the
 * registers and has the layers. */
#define CACHE 0
#define BLOCK 16
#include "../../asm/armv7m_ctr.h"
#include "../aria_sboxes.h"
#include "aria_armv7m.h"

#if defined(HAECHI_ARMV7M)

#define PART(what) haechi_aria_armv7m_##what

.macro enter
    push.w  {r1, r4-r11, lr}
    load_block r1
    tables
.endm

/* The last eleven rounds and the end of the function. */
.macro ElevenRounds
    .rept 5
    FE
    FO
    .endr
    FF
    ldr.w   s0, [sp], #4            // buf
    str.w   x0, [s0]
    str.w   x1, [s0, #4]
    str.w   x2, [s0, #8]
    str.w   x3, [s0, #12]
    pop.w   {r4-r11, pc}
.endm

FUNC PART(192_crypt)
    enter
    FO
INNER PART(192_late)
    FE
    b.w     PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter
    FO
INNER PART(256_late)
    FE
    FO
    FE
    b.w     PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter
INNER PART(crypt)
    FO
INNER PART(128_late)
    ElevenRounds
ENDF

/* ---- Counter mode.  asm/armv7m_ctr.h has what surrounds a block.  The last byte of the counter takes part in one
 * look-up of round 1.  The sums of the other look-ups are the cache.  It lies, with the registers of the loop, where
 * encryption expects the registers of its caller: below the frame
 *
 *     sp   0     4      8           12     16            20               36
 *          | buf | dest | last byte | left | is there in | round 1, words | 7f |          r0 = ek2
 *     loop         r4     r5          r6     r7            r8 ... r11      lr */

.macro counter bits
    enter_ctr
    beq.w   9f
5:  begin_stretch
    str.w   r2, [sp, #LEFT]
    load_block r1
    ldrb.w  s4, [r1, #15]
    tables
    AddRoundKey
    lsr.w   s0, x3, #24
    ldr.w   s0, [T3, s0, lsl #2]
    push.w  {s0, s4}
    SubstLayer ldr.w, whole, SL1
    pop.w   {s0, r5}
    eor.w   x3, x3, s0              // without SB4 of byte 15
    destination r4
    ldr.w   r6, [sp, #LEFT]
    ldr.w   r7, [sp, #IN]
    ldr.w   r1, [sp, #CTR]
    mov.w   r2, r6
    advance_counter
6:  adr.w   lr, 7f+1
    push.w  {r4-r11, lr}
    str.w   r4, [sp, #-4]!
    ldrb.w  s0, [r0, #-1]
    eor.w   s0, s0, r5
    tables
    ldr.w   s0, [T3, s0, lsl #2]
    eor.w   x3, x3, s0
    Words   x0, x1, x2, x3
    b.w     haechi_aria_armv7m_\bits\()_late
7:  sub.w   r0, r0, #\bits/2+128    // ek2
    add.w   r5, r5, #1
    cmp.w   r7, #0
    bne.w   8f
    add.w   r4, r4, #16
1:
    subs.w  r6, r6, #1
    bne.w   6b
    cmp.w   r7, #0
    bne.w   2f
    str.w   r4, [sp, #OUT]
2:  ldr.w   r6, [sp, #N]
    cmp.w   r6, #0
    bne.w   5b
9:  leave_ctr 40, 8, 16, 20, 24, 28, 32, 40+LEFT // left depends on the counter
8:  ldr.w   r2, [sp, #IN]
    xor_block
    b.w     1b
.endm

FUNC PART(128_ctr)
    counter 128
ENDF

FUNC PART(192_ctr)
    counter 192
ENDF

FUNC PART(256_ctr)
    counter 256
ENDF

/* ---- Key schedule, RFC 5794, 2.2.
 *
 *     rk    0     64     128   144   160   176   192    208    240    256    272
 *           | ek1 | ek5  | W1  | W2  |     | W3  | ek13 | ek14 |      | ek17 |
 *
 * W1, W2 and W3 wait in rk at the places of round keys that are written after the last use of the W there.  W0 is the
 * first half of the key.
 *
 *     stack   0    4     8
 *             rk   key   end of rk */
#define W1 128
#define W2 144
#define W3 176
#define RK 0
#define KEY 4
#define END 8

FUNC PART(FO)
    str.w   lr, [sp, #-4]!
    FO
    ldr.w   pc, [sp], #4
ENDF

FUNC PART(FE)
    str.w   lr, [sp, #-4]!
    FE
    ldr.w   pc, [sp], #4
ENDF


.macro store_W at
    ldr.w   s1, [sp, #RK]
    add.w   s1, s1, #\at
    stmia.w s1, {x0, x1, x2, x3}
.endm

/* W1 = FO(W0, CK1) ^ KR; W2 = FE(W1, CK2) ^ W0 and W3 = FO(W2, CK3) ^ W1 follow in PART(eks). */
.macro Initialization bits
    add.w   r2, r0, #16*(\bits/32+9)
    push.w  {r0, r1, r2, r4-r11, lr}
    load_block r1
    tables
    movw    r0, #:lower16:PART(CK)
    movt    r0, #:upper16:PART(CK)
    .if \bits > 128
    add.w   r0, r0, #(\bits-128)/4
    .endif
    bl      PART(FO)
    .if \bits > 128
    ldr.w   s1, [sp, #KEY]
    ldr.w   s2, [s1, #16]
    ldr.w   s3, [s1, #20]
    eor.w   x0, x0, s2
    eor.w   x1, x1, s3
    .endif
    .if \bits > 192
    ldr.w   s2, [s1, #24]
    ldr.w   s3, [s1, #28]
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3
    .endif
    b.w     PART(eks)
.endm

/* r4 to r7 hold W n and r8 to r11 hold W n+1, all with the first byte highest. */
#define V0 r8
#define V1 r9
#define V2 r10
#define V3 r11

.macro highest_first words:vararg
    .irp x, \words
    rev.w   \x, \x
    .endr
.endm

/* ek = W n ^ (W n+1 >>> bits) with bits < 32.  For a rotation by words the caller gives the words in another order. */
.macro ek bits, v0, v1, v2, v3
    ek_word r1, r4, \bits, \v0, \v3
    ek_word r2, r5, \bits, \v1, \v0
    ek_word r3, r6, \bits, \v2, \v1
    ek_word r12, r7, \bits, \v3, \v2
    stmia.w r0, {r1, r2, r3, r12}
.endm

.macro ek_word ek, w, bits, v, before
    eor.w   \ek, \w, \v, lsr #\bits
    eor.w   \ek, \ek, \before, lsl #32-\bits
    rev.w   \ek, \ek
.endm

/* Stores all round keys that are made of W n and W n+1, the first of them at r0. */
FUNC PART(RoundKeys)
    highest_first r4, r5, r6, r7, r8, r9, r10, r11
    ek      19, V0, V1, V2, V3      // >>> 19
    add.w   r0, r0, #64
    ek      31, V0, V1, V2, V3      // >>> 31
    add.w   r0, r0, #64
    ek      3, V2, V3, V0, V1       // <<< 61
    add.w   r0, r0, #64
    ldr.w   r1, [sp, #END]
    cmp     r0, r1
    bhs.w   1f
    ek      1, V1, V2, V3, V0       // <<< 31
    add.w   r0, r0, #64
    ldr.w   r1, [sp, #END]
    cmp     r0, r1
    bhs.w   1f
    ek      13, V1, V2, V3, V0      // <<< 19
1:
    bx      lr
ENDF

.macro load_W at, x0, x1, x2, x3
    add.w   r1, r0, #\at
    ldmia.w r1, {\x0, \x1, \x2, \x3}
.endm

.macro load_W0 x0, x1, x2, x3
    ldr.w   r1, [sp, #KEY]
    ldr.w   \x0, [r1]
    ldr.w   \x1, [r1, #4]
    ldr.w   \x2, [r1, #8]
    ldr.w   \x3, [r1, #12]
.endm

/* The part of the key schedule that all key sizes share, from W1 in registers on. */
FUNC PART(eks)
    store_W W1
    bl      PART(FE)
    ldr.w   s4, [sp, #KEY]
    ldr.w   s0, [s4]
    ldr.w   s1, [s4, #4]
    ldr.w   s2, [s4, #8]
    ldr.w   s3, [s4, #12]
    eor.w   x0, x0, s0
    eor.w   x1, x1, s1
    eor.w   x2, x2, s2
    eor.w   x3, x3, s3              // W2
    store_W W2
    bl      PART(FO)
    ldr.w   r0, [sp, #RK]
    add.w   r0, r0, #W1
    AddRoundKey                     // W3
    store_W W3
    ldr.w   r0, [sp, #RK]
    load_W  W2, r4, r5, r6, r7
    add.w   r0, r0, #32
    bl      PART(RoundKeys)         // ek3 ... of W2, W3
    ldr.w   r0, [sp, #RK]
    load_W  W3, r4, r5, r6, r7
    load_W0 r8, r9, r10, r11
    add.w   r0, r0, #48
    bl      PART(RoundKeys)         // ek4 ... of W3, W0
    ldr.w   r0, [sp, #RK]
    load_W  W1, r4, r5, r6, r7
    load_W  W2, r8, r9, r10, r11
    add.w   r0, r0, #16
    bl      PART(RoundKeys)         // ek2 ... of W1, W2
    ldr.w   r0, [sp, #RK]
    load_W0 r4, r5, r6, r7
    load_W  W1, r8, r9, r10, r11
    bl      PART(RoundKeys)         // ek1 ... of W0, W1
    add.w   sp, sp, #12
    pop.w   {r4-r11, pc}
ENDF

FUNC PART(128_eks)
    Initialization 128
ENDF

FUNC PART(192_eks)
    Initialization 192
ENDF

FUNC PART(256_eks)
    Initialization 256
ENDF

/* Decryption keys from encryption keys, where r0 is the first and r1 the last: the order is reversed, and the
 * diffusion layer is applied to all but the first and the last.  The key in the middle changes places with itself. */
FUNC PART(dks)
    push.w  {r4-r11}
    ldmia.w r0, {r4-r7}
    ldmia.w r1, {r8-r11}
    b.w     2f
1:
    ldmia.w r0, {r4-r7}
    ldmia.w r1, {r8-r11}
    A       r4, r5, r6, r7, r2
    A       r8, r9, r10, r11, r2
2:
    stmia.w r1, {r4-r7}
    stmia.w r0!, {r8-r11}
    sub.w   r1, r1, #16
    cmp     r0, r1
    bls.w   1b
    pop.w   {r4-r11}
    bx      lr
ENDF

.macro expand_inverse bits
    push.w  {r0, lr}
    bl      haechi_aria_armv7m_\bits\()_eks
    pop.w   {r0, lr}
    add.w   r1, r0, #16*(\bits/32+8)
    b.w     PART(dks)
.endm

FUNC PART(128_dks)
    expand_inverse 128
ENDF

FUNC PART(192_dks)
    expand_inverse 192
ENDF

FUNC PART(256_dks)
    expand_inverse 256
ENDF

/* ---- Constants. */

/* C1, C2, C3, the fractional part of 1/pi, twice: CK1, CK2, CK3 begin at C1, C2 or C3 for keys of 128, 192 or 256
 * bits. */
    .section .rodata.aria_armv7m_CK, "a", %progbits
    .p2align 2
    .global PART(CK)
    .type   PART(CK), %object
PART(CK):
    .rept 2
    .byte   0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0
    .byte   0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0
    .byte   0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e
    .endr
    .size   PART(CK), . - PART(CK)

/* Each entry of an S-box as a word, in the three bytes that .Lspread selects. */
.macro entries bytes:vararg
    .irp x, \bytes
    .word   .Lspread * \x
    .endr
.endm

/* T0, T1, T2 and T3, as aria_armv7m.h draws them. */
    .section .rodata.aria_armv7m_T, "a", %progbits
    .p2align 2
    .global PART(T)
    .type   PART(T), %object
PART(T):
    .Lspread = 0x01010100
    aria_SB1 entries
    .Lspread = 0x01010001
    aria_SB2 entries
    .Lspread = 0x01000101
    aria_SB3 entries
    .Lspread = 0x00010101
    aria_SB4 entries
    .size   PART(T), . - PART(T)

    KERNEL aria_armv7m_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_armv7m_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_armv7m_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_armv7m_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv7m_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv7m_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

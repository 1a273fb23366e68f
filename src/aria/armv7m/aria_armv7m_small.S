/* aria_armv7m_small.S - ARIA for Cortex-M3 and up in little flash: one round a turn of the loop, S-boxes in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key; crypt encrypts and decrypts:
 *
 *     void haechi_aria_armv7m_small_128_eks(void *rk, const void *key);
 *     void haechi_aria_armv7m_small_128_dks(void *rk, const void *key);
 *     void haechi_aria_armv7m_small_128_crypt(const void *rk, void *buf);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2'| ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The idea.  SL2 is SL1 on words turned by 16 bits, and turns go through the diffusion layer.  Each round here ends with
 * a turn, so that SL1 serves all rounds.  Round keys of even number are stored turned (ek2'), as is what the key
 * schedule makes in its first and third round.
 *
 *     r0                r4 r5 r6 r7    r8 ... r11               r1 r2 r3    r12                   lr
 *     next round key    the block      SB1, SB2, SB3 and SB4    scratch     stop before a key     or before a diffusion
 *                                                                           at this r0            layer at this r0
 *
 * Secrets are indices of look-ups, so this kernel is only for parts where no cache stands before the flash.  In the loop
 * loads start at multiples of four: a load that straddles words would not pipeline behind another load. */
#define PART(what) haechi_aria_armv7m_small_##what
#define XOR eors
#include "aria_armv7m_layers.h"
#include "aria_armv7m_constants.h"

#if defined(HAECHI_ARMV7M)

#define x0 r4
#define x1 r5
#define x2 r6
#define x3 r7
#define SAVED r4, r5, r6, r7, r8, r9, r10, r11

.macro tables
    movw    r8, #:lower16:PART(T)
    movt    r8, #:upper16:PART(T)
    add     r9, r8, #256
    add     r10, r8, #512
    add     r11, r8, #768
.endm

.macro AddRoundKey
    ldm     r0!, {r1, r2}
    eors    x0, r1
    eors    x1, r2
    ldm     r0!, {r1, r2}
    eors    x2, r1
    eors    x3, r2
.endm

.macro SL1_word x
    ubfx    r1, \x, #8, #8
    ubfx    r2, \x, #16, #8
    lsrs    r3, \x, #24
    uxtb    \x, \x
    ldrb    r1, [r9, r1]
    ldrb    r2, [r10, r2]
    ldrb    r3, [r11, r3]
    ldrb    \x, [r8, \x]
    byte    \x, r1, 8
    byte    \x, r2, 16
    byte    \x, r3, 24
.endm

.macro load_block from
    ldr     x0, [\from]
    ldr     x1, [\from, #4]
    ldr     x2, [\from, #8]
    ldr     x3, [\from, #12]
.endm

.macro turn words:vararg
    .irp x, \words
    ror     \x, \x, #16
    .endr
.endm

/* ---- Encryption and decryption. */

.macro enter bits
    push    {r1, SAVED, lr}
    add     lr, r0, #16*(\bits/32+8) // ek(n+1)
.endm

FUNC PART(192_crypt)
    enter   192
    b       PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter   256
    b       PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter   128
INNER PART(crypt)
    load_block r1
    tables
    mov     r12, sp                 // where no round key is
    b.n     1f
    .p2align 2
INNER PART(diffuse)
    Bytes   x0, x1, x2, x3, r1
    WordsAndTurn x0, x1, x2, x3
    cmp     r0, r12
    beq     2f
INNER PART(add_key)
1:
    AddRoundKey
    SL1_word x0
    SL1_word x1
    SL1_word x2
    SL1_word x3
    cmp     r0, lr
    bne     PART(diffuse)
    ldm     r0, {r0, r1, r2, r3}    // the last round has no diffusion layer, and adds a second key
    eor     x0, r0, x0, ror #16
    eor     x1, r1, x1, ror #16
    eor     x2, r2, x2, ror #16
    eor     x3, r3, x3, ror #16
    pop     {r1}
    str     x0, [r1]
    str     x1, [r1, #4]
    str     x2, [r1, #8]
    str     x3, [r1, #12]
    pop     {SAVED, pc}
2:  pop     {pc}
ENDF

/* ---- Parts of it for the key schedule.  The block is in its registers. */

/* One round with the key at r0, which goes on to the next one. */
FUNC PART(one_round)
    push    {lr}
    add     r12, r0, #16
    mov     lr, sp
    b       PART(add_key)
ENDF

/* The diffusion layer. */
FUNC PART(diffusion)
    push    {lr}
    mov     r12, r0
    b       PART(diffuse)
ENDF

FUNC PART(xor_key)
    AddRoundKey
    bx      lr
ENDF

/* ---- The key schedule.  W0 to W3 lie where the first four round keys will be, which are written last.  W1 and W3 are
 * turned.  The key has W0 once more, for the time when ek1 has taken its place.
 *
 *     rk    0    16    32   48            sp    0    4     8
 *           | W0 | W1' | W2 | W3' | ek5 ...     | rk | key | end of rk |        W1' begins as KR, turned */

/* The W at `to` from a round with the constant at r3 and from what is at `at`. */
.macro W_from_round at, to
    mov     r0, r3
    bl      PART(one_round)
    .if \to < 48
    mov     r3, r0                  // the next constant
    .endif
    ldr     r0, [sp]
    .if \at
    adds    r0, #\at
    .endif
    bl      PART(xor_key)
    adds    r0, #\to-\at-16
    stm     r0, {x0, x1, x2, x3}
.endm

/* Two words of KR, turned, or 0 if the key ends before them. */
.macro KR_words at, left, k0, k1
    .if \left > 0
    ldr     \k0, [r1, #\at]
    ldr     \k1, [r1, #\at+4]
    turn    \k0, \k1
    .else
    movs    \k0, #0
    movs    \k1, #0
    .endif
.endm

.macro enter_eks bits
    add     r2, r0, #16*(\bits/32+9)
    push    {r0, r1, r2, SAVED, lr}
    KR_words 16, \bits-128, r4, r5
    KR_words 24, \bits-192, r6, r7
    movw    r3, #:lower16:PART(\bits\()_CK)
    movt    r3, #:upper16:PART(\bits\()_CK)
.endm

FUNC PART(192_eks)
    enter_eks 192
    b       PART(eks)
ENDF

FUNC PART(256_eks)
    enter_eks 256
    b       PART(eks)
ENDF

FUNC PART(128_eks)
    enter_eks 128
INNER PART(eks)
    add     r2, r0, #16
    stm     r2, {r4, r5, r6, r7}    // KR'
    load_block r1
    stm     r0, {x0, x1, x2, x3}    // W0
    tables
    W_from_round 16, 16             // W1' = FO(W0, CK1)' ^ KR'
    W_from_round 0, 32              // W2 = FE(W1, CK2) ^ W0
    W_from_round 16, 48             // W3' = FO(W2, CK3)' ^ W1'

/* Round key i, counted from 0, is W i ^ (W i+1 >>> n).  After the last one come the first four.  Rotations are made on
 * words with the first byte highest.
 *
 *     r0       r1    r2 r3  r4   r5     r6  r7               r8      r9       r10     r11   r12          lr
 *     next ek  4 j   words  W i  W i+1  i   16 if W i+1 is   n % 32  32 - r8  n / 32  end   rotations    16 if the ek
 *                                           turned, else 0                                  n            is turned */
    adds    r0, #16
    ldr     r11, [sp, #8]
    adr     r12, 9f
    movs    r6, #4
1:
    lsrs    r2, r6, #2
    ldrb    r2, [r12, r2]
    and     r8, r2, #31
    rsb     r9, r8, #32
    lsr     r10, r2, #5
    ldr     r3, [sp]
    and     r2, r6, #3
    add     r4, r3, r2, lsl #4
    ldr     r5, [sp, #4]
    adds    r6, #1
    ands    r2, r6, #3
    beq     2f                      // W0
    add     r5, r3, r2, lsl #4
2:
    and     r7, r6, #1
    lsls    r7, r7, #4
    eor     lr, r7, #16
    movs    r1, #0
3:
    sub     r2, r1, r10, lsl #2
    subs    r3, r2, #4
    and     r2, r2, #12
    and     r3, r3, #12
    ldr     r2, [r5, r2]
    ldr     r3, [r5, r3]
    rors    r2, r2, r7
    rors    r3, r3, r7
    rev     r2, r2
    rev     r3, r3
    lsr     r2, r2, r8
    lsl     r3, r3, r9
    orrs    r2, r3
    rev     r2, r2                  // word j of W i+1 >>> n
    ror     r2, r2, lr
    ldr     r3, [r4, r1]
    eors    r2, r3
    stm     r0!, {r2}
    adds    r1, #4
    cmp     r1, #16
    bne     3b
    cmp     r0, r11
    bne     4f
    ldr     r0, [sp]
    movs    r6, #0
4:
    cmp     r6, #4
    bne     1b
    add     sp, sp, #12
    pop     {SAVED, pc}
9:  .byte   19, 31, 67, 97, 109
    .p2align 1
ENDF

/* Decryption keys from encryption keys: the diffusion layer is applied to all but the first and the last, and the order
 * is reversed. */
.macro expand_inverse bits
    push    {r0, lr}
    bl      PART(\bits\()_eks)
    pop     {r0, lr}
    add     r1, r0, #16*(\bits/32+8)
.endm

FUNC PART(192_dks)
    expand_inverse 192
    b       PART(dks)
ENDF

FUNC PART(256_dks)
    expand_inverse 256
    b       PART(dks)
ENDF

/* r8 is the last round key, and r9 the first one. */
FUNC PART(128_dks)
    expand_inverse 128
INNER PART(dks)
    push    {SAVED, lr}
    mov     r8, r1
    mov     r9, r0
1:  adds    r0, #16
    ldm     r0, {x0, x1, x2, x3}
    bl      PART(diffusion)
    turn    x0, x1, x2, x3
    stm     r0, {x0, x1, x2, x3}
    add     r1, r0, #32
    cmp     r1, r8
    bls     1b
2:  ldm     r9, {r4, r5, r6, r7}
    ldm     r8, {r0, r1, r2, r3}
    stm     r8, {r4, r5, r6, r7}
    stm     r9!, {r0, r1, r2, r3}
    sub     r8, r8, #16
    cmp     r9, r8
    bls     2b
    pop     {SAVED, pc}
ENDF

/* ---- Constants: CK1, CK2 turned and CK3 of each key size, and the S-boxes. */

.macro constants bits, first, second, third
    .section .rodata.haechi_aria_armv7m_small_\bits\()_CK, "a", %progbits
    .p2align 2
    .type   PART(\bits\()_CK), %object
PART(\bits\()_CK):
    \first .word
    \second turned
    \third .word
    .size   PART(\bits\()_CK), . - PART(\bits\()_CK)
.endm

    constants 128, C1, C2, C3
    constants 192, C2, C3, C1
    constants 256, C3, C1, C2

    .section .rodata.haechi_aria_armv7m_small_T, "a", %progbits
    S_boxes

    KERNEL aria_armv7m_small_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt)
    KERNEL aria_armv7m_small_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt)
    KERNEL aria_armv7m_small_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt)
    KERNEL aria_armv7m_small_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv7m_small_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv7m_small_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

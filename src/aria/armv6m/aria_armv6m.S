/* aria_armv6m.S - ARIA for Cortex-M0 and its kin with tables of words.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_armv6m_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_armv6m_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_armv6m_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_armv6m_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * Byte 4r + c of the block is byte c of word r, of row r and column c.  The tables give an S-box's output in three
 * bytes of a word:
 *
 *     column           0    1    2    3
 *     SB1 of x (T0)    .    s    s    s       so that in SL1 the sum of a word's four look-ups is the
 *     SB2 of x (T1)    s    .    s    s       substituted word with each byte replaced by the sum of the
 *     SB3 of x (T2)    s    s    .    s       three others, the first step of the diffusion layer.
 *     SB4 of x (T3)    s    s    s    .       In SL2 it is that word turned by 16 bits.
 *
 * Secrets are indices of look-ups, so this kernel is only for parts where no cache stands before the tables.
 *
 *     r0 r1     r2     r3                r4 r5 r6 r7    r8 r9 r10 r11    lr
 *     scratch   0x3fc  next round key    the block      T0 T1 T2 T3      where the rounds of the loop end */
#include "../../asm/armv6m_ctr.h"
#include "../aria_words.h"

#if defined(HAECHI_ARMV6M)

#define PART(what) haechi_aria_armv6m_##what
#define M r2
#define p r3
#define x0 r4
#define x1 r5
#define x2 r6
#define x3 r7
#define T0 r8
#define T1 r9
#define T2 r10
#define T3 r11
#define SL1 T0, T1, T2, T3
#define SL2 T2, T3, T0, T1

/* r0 and r1 are scratch. */
.macro tables
    ldr     r0, 9f
    mov     T0, r0
    movs    r1, #4
    lsls    r1, r1, #8
    adds    r0, r1
    mov     T1, r0
    adds    r0, r1
    mov     T2, r0
    adds    r0, r1
    mov     T3, r0
    movs    M, #0xff
    lsls    M, M, #2
.endm

/* What follows a function that has `tables`. */
.macro address_of_tables
    .p2align 2, 0
9:  .word   PART(T)
.endm

.macro AddRoundKey
    ldm     p!, {r0, r1}
    eors    x0, r0
    eors    x1, r1
    ldm     p!, {r0, r1}
    eors    x2, r0
    eors    x3, r1
.endm

/* to = the place in a table for column 0, 1, 2 or 3 of x */
.macro index to, x, column, table
    .if \column == 0
    lsls    \to, \x, #2
    .else
    lsrs    \to, \x, #8*\column-2
    .endif
    ands    \to, M
    add     \to, \table
.endm

.macro SubstWord x, a, b, c, d
    index   r0, \x, 0, \a
    ldr     r0, [r0]
    index   r1, \x, 1, \b
    ldr     r1, [r1]
    eors    r0, r1
    index   r1, \x, 2, \c
    ldr     r1, [r1]
    eors    r0, r1
    index   \x, \x, 3, \d
    ldr     \x, [\x]
    eors    \x, r0
.endm

.macro SubstLayer tables:vararg
    SubstWord x0, \tables
    SubstWord x1, \tables
    SubstWord x2, \tables
    SubstWord x3, \tables
.endm

/* Each word becomes the sum of the three others, and a and d change places.  If `turn` is set, c is still to be rotated
 * by 16 bits. */
.macro OtherWords a, b, c, d, turn=0
    .if \turn
    ROR     \c, 16, r0
    .endif
    eors    \b, \c
    eors    \c, \d
    eors    \a, \b
    eors    \d, \b
    eors    \c, \a
    eors    \b, \c
.endm

/* The diffusion layer after its first step.  Sums of words come first.  Then column c of word r goes to column c ^ 3,
 * c ^ 1, c ^ 2 or c for r = 0, 1, 2 or 3.  Sums of words follow again, after which every word is in its place. */
.macro Words a, b, c, d
    OtherWords \a, \b, \c, \d
    rev     \d, \d                  // word 0
    rev16   \b, \b
    OtherWords \d, \b, \c, \a, 1
.endm

/* The same for words that come turned by 16 bits, where the columns go to c ^ 1, c ^ 3, c or c ^ 2. */
.macro WordsTurned a, b, c, d
    OtherWords \a, \c, \d, \b
    rev16   \b, \b                  // word 0
    rev     \a, \a                  // word 1
    OtherWords \b, \c, \d, \a, 1
.endm

/* The odd and the even rounds of the standard. */
.macro FO
    AddRoundKey
    SubstLayer SL1
    Words   x0, x1, x2, x3
.endm

.macro FE
    AddRoundKey
    SubstLayer SL2
    WordsTurned x0, x1, x2, x3
.endm

/* The last round has no diffusion layer, and adds a second key.  The byte that is read of an entry is its second one in
 * T0, which has nothing in the first. */
.macro LastWord x
    index   r0, \x, 0, T2
    ldrb    r0, [r0]
    index   r1, \x, 1, T3
    ldrb    r1, [r1]
    lsls    r1, r1, #8
    orrs    r0, r1
    index   r1, \x, 2, T0
    ldrb    r1, [r1, #1]
    lsls    r1, r1, #16
    orrs    r0, r1
    index   \x, \x, 3, T1
    ldrb    \x, [\x]
    lsls    \x, \x, #24
    orrs    \x, r0
.endm

.macro FF
    AddRoundKey
    LastWord x0
    LastWord x1
    LastWord x2
    LastWord x3
    AddRoundKey
.endm

/* ---- Encryption and decryption.  r2 = the bytes of all round keys but the last two.  BL jumps to the common code,
 * because B does not reach other sections; lr is on the stack. */

.macro enter rounds
    push    {r1, r4-r7, lr}
    movs    r2, #16*(\rounds-1)
.endm

FUNC PART(192_crypt)
    enter   14
    bl      PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter   16
    bl      PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter   12
    .global PART(crypt)
    .type   PART(crypt), %function
PART(crypt):
    mov     r4, r8
    mov     r5, r9
    mov     r6, r10
    mov     r7, r11
    push    {r4-r7}
    ldm     r1!, {x0, x1, x2, x3}
    mov     p, r0
    adds    r2, p
    mov     lr, r2
    tables
    b       2f
1:
    FE
2:
    FO
    cmp     p, lr
    beq     3f
    b       1b
3:
    FF
    add     r0, sp, #16
    ldm     r0!, {r1}               // buf
    stm     r1!, {x0, x1, x2, x3}
    pop     {r4-r7}
    mov     r8, r4
    mov     r9, r5
    mov     r10, r6
    mov     r11, r7
    pop     {r1, r4-r7, pc}
    address_of_tables
ENDF

FUNC PART(128_ctr)
    ctr_by_calls PART(128_crypt), 16
ENDF

FUNC PART(192_ctr)
    ctr_by_calls PART(192_crypt), 16
ENDF

FUNC PART(256_ctr)
    ctr_by_calls PART(256_crypt), 16
ENDF

/* ---- Key schedule (RFC 5794, 2.2).  Round key i, counted from 0, is W i ^ (W i+1 >>> n), where n depends on i / 4.
 *
 *     sp    0    16   32   48   64   68    72         76
 *           | W0 | W1 | W2 | W3 | rk | key | end of rk | r8 ... r11, r4 ... r7, lr        W1 begins as KR */
#define RK 64
#define KEY 68
#define END 72
#define FRAME 76

FUNC PART(FO)
    FO
    bx      lr
ENDF

FUNC PART(FE)
    FE
    bx      lr
ENDF

.macro load_W from
    add     r0, sp, #\from
    ldm     r0!, {x0, x1, x2, x3}
.endm

.macro store_W to
    add     r0, sp, #\to
    stm     r0!, {x0, x1, x2, x3}
.endm

.macro xor_W at
    .Lat = \at
    .irp x, x0, x1, x2, x3
    ldr     r0, [sp, #.Lat]
    eors    \x, r0
    .Lat = .Lat + 4
    .endr
.endm

/* r2 = the bytes of all round keys; r3 = the bytes of the key behind the first 16. */
.macro expand bits
    push    {r4-r7, lr}
    movs    r2, #(\bits/32+9)
    lsls    r2, r2, #4
    movs    r3, #(\bits-128)/8
.endm

FUNC PART(192_eks)
    expand  192
    bl      PART(eks)
ENDF

FUNC PART(256_eks)
    expand  256
    bl      PART(eks)
ENDF

FUNC PART(128_eks)
    expand  128
    .global PART(eks)
    .type   PART(eks), %function
PART(eks):
    mov     r4, r8
    mov     r5, r9
    mov     r6, r10
    mov     r7, r11
    push    {r4-r7}
    adds    r2, r0
    push    {r0, r1, r2}
    sub     sp, #RK
    ldm     r1!, {x0, x1, x2, x3}
    store_W 0
    movs    x0, #0                  // KR, with zeros behind it
    movs    x1, #0
    movs    x2, #0
    movs    x3, #0
    cmp     r3, #8
    blo     1f
    ldm     r1!, {x0, x1}
    beq     1f
    ldm     r1!, {x2, x3}
1:
    stm     r0!, {x0, x1, x2, x3}   // W1, for r0 is behind W0
    lsls    r3, r3, #1              // 16 bytes of constants for 64 bits of key
    ldr     r0, 8f
    adds    p, r0
    tables
    load_W  0
    bl      PART(FO)
    xor_W   16
    store_W 16                      // W1 = FO(W0, CK1) ^ KR
    bl      PART(FE)
    xor_W   0
    store_W 32                      // W2 = FE(W1, CK2) ^ W0
    bl      PART(FO)
    xor_W   16
    store_W 48                      // W3 = FO(W2, CK3) ^ W1

    mov     r0, sp                  // all words with the first byte highest
    movs    r1, #16
2:
    ldr     r2, [r0]
    rev     r2, r2
    stm     r0!, {r2}
    subs    r1, #1
    bne     2b

/*     r0    r1    r2      r3              r4  r5      r6 r7     r8          r9  r10        lr
 *     ek i  W i   W i+1   4 times a word  n   32 - n  scratch   4 (n / 32)  i   end of rk  rotations n */
    ldr     r0, [sp, #RK]
    ldr     r1, [sp, #END]
    mov     r10, r1
    adr     r1, 7f
    mov     lr, r1
    movs    r3, #0
3:
    mov     r9, r3
    lsrs    r4, r3, #2
    add     r4, lr
    ldrb    r4, [r4]
    lsrs    r5, r4, #5
    lsls    r5, r5, #2
    mov     r8, r5
    movs    r5, #31
    ands    r4, r5
    adds    r5, #1
    subs    r5, r4
    adds    r2, r3, #1
    lsls    r1, r3, #30
    lsrs    r1, r1, #26             // 16 (i mod 4)
    add     r1, sp
    lsls    r2, r2, #30
    lsrs    r2, r2, #26
    add     r2, sp
    movs    r3, #0
4:
    mov     r7, r8
    subs    r6, r3, r7
    subs    r7, r6, #4
    lsls    r6, r6, #28
    lsrs    r6, r6, #28
    ldr     r6, [r2, r6]
    lsrs    r6, r4
    lsls    r7, r7, #28
    lsrs    r7, r7, #28
    ldr     r7, [r2, r7]
    lsls    r7, r5
    orrs    r6, r7
    ldr     r7, [r1, r3]
    eors    r6, r7
    rev     r6, r6
    stm     r0!, {r6}
    adds    r3, #4
    cmp     r3, #16
    bne     4b
    mov     r3, r9
    adds    r3, #1
    cmp     r0, r10
    bne     3b

    mov     r0, sp                  // wipes W0 to W3 with an address
    movs    r1, #16
5:
    stm     r0!, {r2}
    subs    r1, #1
    bne     5b
    add     sp, #FRAME
    pop     {r4-r7}
    mov     r8, r4
    mov     r9, r5
    mov     r10, r6
    mov     r11, r7
    pop     {r4-r7, pc}
    address_of_tables
8:  .word   PART(CK)
7:  .byte   19, 31, 67, 97, 109
ENDF

/* ---- Decryption keys from encryption keys, where r0 is the first and r1 the last: the order is reversed, and the
 * diffusion layer is applied to all but the first and the last.  The key in the middle changes places with itself. */

/* The first step of the diffusion layer: each byte becomes the sum of the three others of its word. */
.macro Bytes words:vararg
    .irp x, \words
    movs    r2, \x
    ROR     r2, 16, r3
    eors    r2, \x
    rev16   r3, r2
    eors    r2, r3
    eors    \x, r2
    .endr
.endm

.macro load_key from
    ldm     \from!, {x0, x1, x2, x3}
    subs    \from, #16
.endm

FUNC PART(diffuse)
    Bytes   x0, x1, x2, x3
    mov     r3, r0
    Words   x0, x1, x2, x3
    mov     r0, r3
    bx      lr
ENDF

FUNC PART(dks)
    push    {r4-r7, lr}
    sub     sp, #16
    ldm     r1!, {x0, x1, x2, x3}
    mov     r2, sp
    stm     r2!, {x0, x1, x2, x3}
    subs    r1, #16
    load_key r0
    b       2f
1:
    load_key r1
    bl      PART(diffuse)
    mov     r2, sp
    stm     r2!, {x0, x1, x2, x3}
    load_key r0
    bl      PART(diffuse)
2:
    stm     r1!, {x0, x1, x2, x3}
    mov     r2, sp
    ldm     r2!, {x0, x1, x2, x3}
    stm     r0!, {x0, x1, x2, x3}
    subs    r1, #32
    cmp     r0, r1
    bls     1b
    movs    x0, #0
    movs    x1, #0
    movs    x2, #0
    movs    x3, #0
    mov     r2, sp
    stm     r2!, {x0, x1, x2, x3}
    add     sp, #16
    pop     {r4-r7, pc}
ENDF

.macro expand_inverse bits
    push    {r0, lr}
    bl      haechi_aria_armv6m_\bits\()_eks
    ldr     r0, [sp]
    movs    r1, #16*(\bits/32+8)/4
    lsls    r1, r1, #2
    adds    r1, r0
    bl      PART(dks)
    pop     {r0, pc}
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

/* CK1, CK2, CK3 begin at C1, C2 or C3 for keys of 128, 192 or 256 bits. */
    .section .rodata.aria_armv6m_CK, "a", %progbits
    .p2align 2
    .global PART(CK)
    .type   PART(CK), %object
PART(CK):
    .rept 2
    C1      .word
    C2      .word
    C3      .word
    .endr
    .size   PART(CK), . - PART(CK)

/* T0, T1, T2 and T3, as drawn above. */
    .section .rodata.aria_armv6m_T, "a", %progbits
    .p2align 2
    .global PART(T)
    .type   PART(T), %object
PART(T):
    aria_word_tables
    .size   PART(T), . - PART(T)

    KERNEL aria_armv6m_128, 16, 16, 208, ALIGN4, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_armv6m_192, 16, 24, 240, ALIGN4, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_armv6m_256, 16, 32, 272, ALIGN4, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_armv6m_128_inv, 16, 16, 208, INVERSE|ALIGN4, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv6m_192_inv, 16, 24, 240, INVERSE|ALIGN4, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv6m_256_inv, 16, 32, 272, INVERSE|ALIGN4, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

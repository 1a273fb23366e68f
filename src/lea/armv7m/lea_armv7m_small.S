/* lea_armv7m_small.S - LEA for Cortex-M3 and up in little flash: one round a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key; dks expands the key for dec, where that differs:
 *
 *     void haechi_lea_armv7m_small_128_eks(void *rk, const void *key);
 *     void haechi_lea_armv7m_small_128_dks(void *rk, const void *key);
 *     void haechi_lea_armv7m_small_128_enc(const void *rk, void *buf);
 *     void haechi_lea_armv7m_small_128_dec(const void *rk, void *buf);
 *
 * LEA-128 stores no round keys.  rk is T, the state of the key schedule: for encryption before the first round, where
 * it is the key, and for decryption, which runs the key schedule backwards, after the last round.  The state for
 * encryption has T3 with its rotation pending (lea_armv7m.h).  The longer keys have more words than registers, so
 * their round keys are stored.
 *
 *     rk, LEA-128                    0          4          8          12
 *                                    | T0       | T1       | T2       | T3       |
 *     rk, LEA-192 and LEA-256,       0          4          8          12         16         20
 *     24 bytes a round               | RK0      | RK1      | RK2      | RK3      | RK4      | RK5      |
 *
 *                            r0    r1       r2 r3 r12 lr      r4 r5 r6 r7   r8        r9
 *     LEA-128                t     counter  T0 T1 T2  T3      X0 X1 X2 X3   deltas    u
 *     LEA-192 and LEA-256    rk    end      RK0 ... RK3       X0 X1 X2 X3   RK4       RK5
 *
 * The words that most instructions name are in r0 to r7, where an instruction takes two bytes. */
#include "lea_armv7m.h"

#if defined(HAECHI_ARMV7M)

#undef X0
#undef X1
#undef X2
#undef X3
#define X0 r4
#define X1 r5
#define X2 r6
#define X3 r7
#define SAVED r4, r5, r6, r7, r8, r9

.macro enter
    push    {r1, SAVED, lr}
    load_words r1, X0, X1, X2, X3
.endm

.macro leave
    pop     {r1}
    store_words r1, X0, X1, X2, X3
    pop     {SAVED, pc}
.endm

/* A round.  t and u are scratch and may be k4 and k2.  p is pending in k4.  The rotations of X1' and X0' follow in
 * last_rotations, so that other instructions can stand between. */
.macro Lines k0, k1, k2, k3, k4, k5, p, t, u
    eors    X3, \k5                 // X3 ^ RK5
    with_ROR eor, \t, X2, \k4, \p   // X2 ^ RK4
    add     \t, X3
    mov     X3, X0                  // X3'
    eors    X2, \k3                 // X2 ^ RK3
    eor     \u, X1, \k2             // X1 ^ RK2
    add     \u, X2
    ror     X2, \t, #3              // X2'
    eors    X1, \k1                 // X1 ^ RK1
    eors    X0, \k0                 // X0 ^ RK0
    add     X0, X1
.endm

.macro Rotations u
    ror     X1, \u, #5              // X1'
    ror     X0, X0, #23             // X0'
.endm

/* A round of decryption, whose words come in as X0' to X3'.  t is scratch. */
.macro InverseLines k0, k1, k2, k3, k4, k5, t
    eor     \t, X3, \k0             // X0 ^ RK0
    rsb     \t, \t, X0, ror #9      // X1 ^ RK1
    mov     X0, X3                  // X0
    eors    \t, \k1                 // X1
    eor     X3, \t, \k2             // X1 ^ RK2
    rsb     X1, X3, X1, ror #27     // X2 ^ RK3
    eors    X1, \k3                 // X2
    eor     X3, X1, \k4             // X2 ^ RK4
    rsb     X3, X3, X2, ror #29     // X3 ^ RK5
    eors    X3, \k5                 // X3
    mov     X2, X1
    mov     X1, \t
.endm

/* ---- LEA-128.  The counter is 24 - i.  Its last two bits say which delta round i takes, and it says how far this
 * turns: the table has delta <<< 24 + 3, so that delta <<< i + 3 is left, which needs no rotation for T3. */

#define T0 r2
#define T1 r3
#define T2 r12
#define T3 lr
#define RK_128 T0, T1, T2, T1, T3, T1

.macro deltas_by_counter
    .irp n, 0, 3, 2, 1
    delta   \n, 24 + 3
    .word   .Ldelta
    .endr
.endm

/* t = delta <<< i + 3, where t has the last two bits of the counter */
.macro load_delta
    ldr     r0, [r8, r0, lsl #2]
    rors    r0, r0, r1
.endm

.macro rounds_128
    movs    r0, #0
    movs    r1, #24
1:
    load_delta
    KeyWord T0, r0, 3, 0, 1         // RK0
    KeyWord T1, r0, 3, 1, 3         // RK1
    KeyWord T2, r0, 3, 2, 6         // RK2
    PendingKeyWord T3, r0, RK4_128, 1 // RK4, with its own rotation pending
    Lines   RK_128, RK4_128, r0, r9
    subs    r1, #1
    and     r0, r1, #3
    Rotations r9
    bne     1b
.endm

.macro inverse_rounds_128
    mov.w   r1, #1                  // four bytes, so that the loop begins with a word
1:
    InverseLines RK_128, r0
    and     r0, r1, #3
    ror     T0, T0, #1              // T >>> r_j - (delta <<< i + j)
    ror     T1, T1, #3
    ror     T2, T2, #6
    load_delta
    sub     T0, T0, r0, ror #3
    sub     T1, T1, r0, ror #2
    sub     T2, T2, r0, ror #1
    rsb     T3, r0, T3, ror #11
    adds    r1, #1
    cmp     r1, #25
    bne     1b
.endm

.macro crypt_128 rounds
    enter
    ldm     r0, {T0, T1, T2, T3}
    adr     r8, 2f
    \rounds
    leave
    .p2align 2, 0
2:  deltas_by_counter
.endm

FUNC haechi_lea_armv7m_small_128_enc
    crypt_128 rounds_128
ENDF

FUNC haechi_lea_armv7m_small_128_dec
    crypt_128 inverse_rounds_128
ENDF

FUNC haechi_lea_armv7m_small_128_eks
    ldr     r2, [r1]
    ldr     r3, [r1, #4]
    ldr     r12, [r1, #8]
    ldr     r1, [r1, #12]
    strd    r2, r3, [r0]
    ror     r1, r1, #32-RK4_128
    strd    r12, r1, [r0, #8]
    bx      lr
ENDF

/* Encryption leaves T of the last round in its registers, and none of these is restored.  So this encrypts the key as a
 * block and keeps T. */
.macro keep_T
    ror     T3, T3, #RK4_128
    pop     {r0}
    stm     r0, {T0, T1, T2, T3}
    pop     {pc}
.endm

FUNC haechi_lea_armv7m_small_128_dks
    push    {r0, lr}
    bl      haechi_lea_armv7m_small_128_eks
    mov     r1, r0
    bl      haechi_lea_armv7m_small_128_enc
    keep_T
ENDF

/* ---- LEA-192 and LEA-256. */

#define RK_256 r2, r3, r8, r9, r12, lr

.macro encrypt rounds
    enter
    add     r1, r0, #24*\rounds
1:
    ldm     r0!, {RK_256}
    Lines   RK_256, 0, r12, r8
    Rotations r8
    cmp     r0, r1
    bne     1b
    leave
.endm

FUNC haechi_lea_armv7m_small_192_enc
    encrypt 28
ENDF

FUNC haechi_lea_armv7m_small_256_enc
    encrypt 32
ENDF

.macro decrypt rounds
    enter
    mov.w   r1, r0                  // four bytes, so that the loop begins with a word
    add     r0, r0, #24*\rounds
1:
    ldmdb   r0!, {RK_256}
    InverseLines RK_256, r2
    cmp     r0, r1
    bne     1b
    leave
.endm

FUNC haechi_lea_armv7m_small_192_dec
    decrypt 28
ENDF

FUNC haechi_lea_armv7m_small_256_dec
    decrypt 32
ENDF

/* The n-th word of the round keys is made from the one K words before, or for n < K from the n-th word of the key.  So
 * r1 reads from the key for K words, and then from what was written K words before.
 *
 *     r0            r1           r2              r3    r4      r12
 *     the next RK   the next T   delta <<< i+5   word  rounds  deltas      left */

.macro RoundKeyWord K, rounds, j, r
    .if \j == \K-6                  // the K-th word of all may be this one
    cmp     r4, #\rounds
    beq     3f
    sub     r1, r0, #4*\K
3:
    .endif
    ldr     r3, [r1], #4
    KeyWord r3, r2, 5, \j, \r
    str     r3, [r0], #4
.endm

.macro expand K, rounds
    push    {r4}
    adr     r12, 2f
    movs    r4, #\rounds
1:
    ldr     r2, [r12], #4
    RoundKeyWord \K, \rounds, 0, 1
    RoundKeyWord \K, \rounds, 1, 3
    RoundKeyWord \K, \rounds, 2, 6
    RoundKeyWord \K, \rounds, 3, 11
    RoundKeyWord \K, \rounds, 4, 13
    RoundKeyWord \K, \rounds, 5, 17
    subs    r4, #1
    bne     1b
    pop     {r4}
    bx      lr
    .p2align 2, 0
2:  deltas  \K, \rounds, 5
.endm

FUNC haechi_lea_armv7m_small_192_eks
    expand  6, 28
ENDF

FUNC haechi_lea_armv7m_small_256_eks
    expand  8, 32
ENDF

#define PART(what) haechi_lea_armv7m_small_##what

    KERNEL lea_armv7m_small_128, 16, 16, 16, 0, PART(128_eks), PART(128_enc)
    KERNEL lea_armv7m_small_192, 16, 24, 672, 0, PART(192_eks), PART(192_enc)
    KERNEL lea_armv7m_small_256, 16, 32, 768, 0, PART(256_eks), PART(256_enc)
    KERNEL lea_armv7m_small_128_inv, 16, 16, 16, INVERSE, PART(128_dks), PART(128_dec)
    KERNEL lea_armv7m_small_192_inv, 16, 24, 672, INVERSE, PART(192_eks), PART(192_dec)
    KERNEL lea_armv7m_small_256_inv, 16, 32, 768, INVERSE, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"

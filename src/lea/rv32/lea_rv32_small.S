/* lea_rv32_small.S - LEA for RISC-V in little flash: one round a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_rv32_small_128_eks(void *rk, const void *key);
 *     void haechi_lea_rv32_small_128_enc(const void *rk, void *buf);
 *     void haechi_lea_rv32_small_128_dec(const void *rk, void *buf);
 *
 * The round keys are those of lea_rv32.S:
 *
 *     LEA-128, 16 bytes a round         | RK0 | RK1 | RK2 | RK4 |              (RK1 = RK3 = RK5)
 *     LEA-192 and LEA-256, 24 bytes     | RK0 | RK1 | RK2 | RK3 | RK4 | RK5 |
 *
 * One block, and the key schedule of LEA-128:
 *     a0          a1                 a2 a3 a4 a5  t0   t1
 *     round keys  key word, scratch  X0 X1 X2 X3  buf  end
 *
 *     a0          a1       a2 a3 a4 a5  a6 a7 t0 t1  t2
 *     round keys  scratch  T0 T1 T2 T3  deltas       end
 *
 * With a0 to a5 most instructions take two bytes, which is why each key word is loaded alone. */
#include "lea_rv32.h"

#if defined(HAECHI_RV32)

/* ---- One block. */

#define X a2, a3, a4, a5

/* A line of an encryption round: x = ((x ^ kx) + (s ^ ks)) >>> n, with the key words at kx and ks. */
.macro SmallLine x, kx, s, ks, n
    lw      a1, \kx(a0)
    xor     \x, \x, a1
    lw      a1, \ks(a0)
    xor     a1, a1, \s
    add     \x, \x, a1
    ROR     \x, \x, \n, a1
.endm

/* A line of a decryption round: x = ((x >>> n) - (s ^ ks)) ^ kx. */
.macro SmallInverseLine x, kx, s, ks, n
    ROR     \x, \x, \n, a1
    lw      a1, \ks(a0)
    xor     a1, a1, \s
    sub     \x, \x, a1
    lw      a1, \kx(a0)
    xor     \x, \x, a1
.endm

/* k0 to k5 are the places of the key words of a round, which has `size` bytes of them. */
.macro encrypt size, rounds, k0, k1, k2, k3, k4, k5
    addi    t1, a0, \size*\rounds
    mv      t0, a1
    load_words a1, 0, X
1:  SmallLine a5, \k5, a4, \k4, 3       # X2'
    SmallLine a4, \k3, a3, \k2, 5       # X1'
    SmallLine a3, \k1, a2, \k0, 23      # X0', and X3' = X0
    turn    a2, a3, a4, a5
    addi    a0, a0, \size
    bne     a0, t1, 1b
    mv      a1, t0
    store_words a1, 0, X
    ret
.endm

.macro decrypt size, rounds, k0, k1, k2, k3, k4, k5
    mv      t1, a0
    addi    a0, a0, \size*\rounds
    mv      t0, a1
    load_words a1, 0, X
1:  addi    a0, a0, -\size
    SmallInverseLine a2, \k1, a5, \k0, 9    # X1
    SmallInverseLine a3, \k3, a2, \k2, 27   # X2
    SmallInverseLine a4, \k5, a3, \k4, 29   # X3, and X0 = X3'
    turn    a5, a4, a3, a2
    bne     a0, t1, 1b
    mv      a1, t0
    store_words a1, 0, X
    ret
.endm

/* Each register takes the value of the next one, and the last takes that of the first. */
.macro turn first, rest:vararg
    mv      a1, \first
    turn_rest \first, \rest
.endm

.macro turn_rest to, from, rest:vararg
    mv      \to, \from
    .ifb \rest
    mv      \from, a1
    .else
    turn_rest \from, \rest
    .endif
.endm

FUNC haechi_lea_rv32_small_128_enc
    encrypt 16, 24, 0, 4, 8, 4, 12, 4
ENDF

FUNC haechi_lea_rv32_small_192_enc
    encrypt 24, 28, 0, 4, 8, 12, 16, 20
ENDF

FUNC haechi_lea_rv32_small_256_enc
    encrypt 24, 32, 0, 4, 8, 12, 16, 20
ENDF

FUNC haechi_lea_rv32_small_128_dec
    decrypt 16, 24, 0, 4, 8, 4, 12, 4
ENDF

FUNC haechi_lea_rv32_small_192_dec
    decrypt 24, 28, 0, 4, 8, 12, 16, 20
ENDF

FUNC haechi_lea_rv32_small_256_dec
    decrypt 24, 32, 0, 4, 8, 12, 16, 20
ENDF

/* ---- The key schedule.  A round takes the first delta and turns it by one after each word; then the deltas change
 * places. */

/* The T are stored in the order of the round keys.  delta comes again four rounds later, turned by four. */
FUNC haechi_lea_rv32_small_128_eks
    load_words a1, 0, a2, a3, a4, a5
    load_deltas a6, a7, t0, t1
    addi    t2, a0, 16*24
1:  KeyWord a2, a6, 1, a1
    KeyWord a3, a6, 3, a1
    KeyWord a4, a6, 6, a1
    KeyWord a5, a6, 11, a1
    store_words a0, 0, a2, a3, a4, a5
    turn    a6, a7, t0, t1
    addi    a0, a0, 16
    bne     a0, t2, 1b
    ret
ENDF

.macro SmallKeyRound d
    KeyWord a2, \d, 1, a1
    KeyWord a3, \d, 3, a1
    KeyWord a4, \d, 6, a1
    KeyWord a5, \d, 11, a1
    KeyWord a6, \d, 13, a1
    KeyWord a7, \d, 17, a1
    store_words a0, 0, a2, a3, a4, a5, a6, a7
    addi    a0, a0, 24
.endm

/* delta comes again six rounds later, turned by six. */
FUNC haechi_lea_rv32_small_192_eks
    load_words a1, 0, a2, a3, a4, a5, a6, a7
    load_deltas t0, t1, t2, t3, t4, t5
    addi    t6, a0, 24*28
1:  SmallKeyRound t0
    turn    t0, t1, t2, t3, t4, t5
    bne     a0, t6, 1b
    ret
ENDF

/* delta comes again eight rounds later, turned by eight.  The next round begins with the T two places back. */
FUNC haechi_lea_rv32_small_256_eks
    save    s0, s1, s2, s3
    load_words a1, 0, a2, a3, a4, a5, a6, a7, t0, t1
    load_deltas t2, t3, t4, t5, t6, s0, s1, s2
    addi    s3, a0, 24*32
1:  SmallKeyRound t2
    ROR     t2, t2, 30, a1
    turn    t2, t3, t4, t5, t6, s0, s1, s2
    turn    t0, a6, a4, a2              # T6 to T0, T0 to T2 ...
    turn    t1, a7, a5, a3
    bne     a0, s3, 1b
    restore s0, s1, s2, s3
    ret
ENDF

#define PART(what) haechi_lea_rv32_small_##what

    KERNEL lea_rv32_small_128, 16, 16, 384, ALIGN4, PART(128_eks), PART(128_enc)
    KERNEL lea_rv32_small_192, 16, 24, 672, ALIGN4, PART(192_eks), PART(192_enc)
    KERNEL lea_rv32_small_256, 16, 32, 768, ALIGN4, PART(256_eks), PART(256_enc)
    KERNEL lea_rv32_small_128_inv, 16, 16, 384, ALIGN4|INVERSE, PART(128_eks), PART(128_dec)
    KERNEL lea_rv32_small_192_inv, 16, 24, 672, ALIGN4|INVERSE, PART(192_eks), PART(192_dec)
    KERNEL lea_rv32_small_256_inv, 16, 32, 768, ALIGN4|INVERSE, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"

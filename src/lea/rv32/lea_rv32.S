/* lea_rv32.S - LEA for RISC-V: four rounds a turn of the loop; four blocks side by side.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_rv32_128_eks(void *rk, const void *key);
 *     void haechi_lea_rv32_128_enc(const void *rk, void *buf);
 *     void haechi_lea_rv32_128_dec(const void *rk, void *buf);
 *     void haechi_lea_rv32_128_enc_bulk(const void *rk, void *out, const void *in, size_t n);
 *     void haechi_lea_rv32_128_dec_bulk(const void *rk, void *out, const void *in, size_t n);
 *     void haechi_lea_rv32_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * The round keys are words.  Encryption reads them upwards and decryption downwards.
 *
 *     LEA-128, 16 bytes a round         | RK0 | RK1 | RK2 | RK4 |              (RK1 = RK3 = RK5)
 *     LEA-192 and LEA-256, 24 bytes     | RK0 | RK1 | RK2 | RK3 | RK4 | RK5 |
 *
 * One block:
 *     a0          a1   a2 a3 a4 a5  a6   a7 t0 t1 t2 t3 t4  t6
 *     round keys  buf  X0 X1 X2 X3  end  round keys         scratch */
#include "lea_rv32_lanes.h"

#if defined(HAECHI_RV32)

/* ---- One block. */

#define X a2, a3, a4, a5
#define T t6

.macro TwoRounds_128 at, x0, x1, x2, x3
    load_words a0, \at, a7, t0, t1, t2
    Round   \x0, \x1, \x2, \x3, a7, t0, t1, t0, t2, t0, T
    load_words a0, \at+16, a7, t0, t1, t2
    Round   \x1, \x2, \x3, \x0, a7, t0, t1, t0, t2, t0, T
.endm

.macro TwoRounds_256 at, x0, x1, x2, x3
    load_words a0, \at, a7, t0, t1, t2, t3, t4
    Round   \x0, \x1, \x2, \x3, a7, t0, t1, t2, t3, t4, T
    load_words a0, \at+24, a7, t0, t1, t2, t3, t4
    Round   \x1, \x2, \x3, \x0, a7, t0, t1, t2, t3, t4, T
.endm

.macro TwoInverseRounds_128 at, x0, x1, x2, x3
    load_words a0, \at+16, a7, t0, t1, t2
    InverseRound \x0, \x1, \x2, \x3, a7, t0, t1, t0, t2, t0, T
    load_words a0, \at, a7, t0, t1, t2
    InverseRound \x3, \x0, \x1, \x2, a7, t0, t1, t0, t2, t0, T
.endm

.macro TwoInverseRounds_256 at, x0, x1, x2, x3
    load_words a0, \at+24, a7, t0, t1, t2, t3, t4
    InverseRound \x0, \x1, \x2, \x3, a7, t0, t1, t2, t3, t4, T
    load_words a0, \at, a7, t0, t1, t2, t3, t4
    InverseRound \x3, \x0, \x1, \x2, a7, t0, t1, t2, t3, t4, T
.endm

/* `size` is that of the round keys of a round. */
.macro encrypt bits, size, rounds
    load_words a1, 0, X
    addi    a6, a0, \size*\rounds
    .p2align 2
1:  TwoRounds_\bits 0, a2, a3, a4, a5
    TwoRounds_\bits 2*\size, a4, a5, a2, a3
    addi    a0, a0, 4*\size
    bne     a0, a6, 1b
    store_words a1, 0, X
    ret
.endm

.macro decrypt bits, size, rounds
    load_words a1, 0, X
    addi    a6, a0, -4*\size
    addi    a0, a0, \size*(\rounds-4)
    .p2align 2
1:  TwoInverseRounds_\bits 2*\size, a2, a3, a4, a5
    TwoInverseRounds_\bits 0, a4, a5, a2, a3
    addi    a0, a0, -4*\size
    bne     a0, a6, 1b
    store_words a1, 0, X
    ret
.endm

FUNC haechi_lea_rv32_128_enc
    encrypt 128, 16, 24
ENDF

FUNC haechi_lea_rv32_192_enc
    encrypt 256, 24, 28
ENDF

FUNC haechi_lea_rv32_256_enc
    encrypt 256, 24, 32
ENDF

FUNC haechi_lea_rv32_128_dec
    decrypt 128, 16, 24
ENDF

FUNC haechi_lea_rv32_192_dec
    decrypt 256, 24, 28
ENDF

FUNC haechi_lea_rv32_256_dec
    decrypt 256, 24, 32
ENDF

/* ---- Many blocks. */

    rounds_of_lanes 128, 16
    rounds_of_lanes 256, 24

FUNC haechi_lea_rv32_128_enc_bulk
    bulk    lea_rv32_128_rounds, haechi_lea_rv32_128_enc, 0, 16*24
ENDF

FUNC haechi_lea_rv32_192_enc_bulk
    bulk    lea_rv32_256_rounds, haechi_lea_rv32_192_enc, 0, 24*28
ENDF

FUNC haechi_lea_rv32_256_enc_bulk
    bulk    lea_rv32_256_rounds, haechi_lea_rv32_256_enc, 0, 24*32
ENDF

FUNC haechi_lea_rv32_128_dec_bulk
    bulk    lea_rv32_128_inverse_rounds, haechi_lea_rv32_128_dec, 16*20, -64
ENDF

FUNC haechi_lea_rv32_192_dec_bulk
    bulk    lea_rv32_256_inverse_rounds, haechi_lea_rv32_192_dec, 24*24, -96
ENDF

FUNC haechi_lea_rv32_256_dec_bulk
    bulk    lea_rv32_256_inverse_rounds, haechi_lea_rv32_256_dec, 24*28, -96
ENDF

FUNC haechi_lea_rv32_128_ctr
    counter lea_rv32_128_rounds, haechi_lea_rv32_128_enc, 16*24
ENDF

FUNC haechi_lea_rv32_192_ctr
    counter lea_rv32_256_rounds, haechi_lea_rv32_192_enc, 24*28
ENDF

FUNC haechi_lea_rv32_256_ctr
    counter lea_rv32_256_rounds, haechi_lea_rv32_256_enc, 24*32
ENDF

/* ---- The key schedule.  A delta is turned by one after each word, which is what the next word that takes it needs.
 *
 *     a0    a1     a2 a3 a4 a5  a6 a7 t0 t1                   t2       s0 ...     t5   t6
 *     rk    the T: T0 T1 T2 T3  T4 T5 T6 T7 (LEA-128: deltas) deltas ...         end  scratch
 */

.macro KeyRound_128 d, at
    KeyWord a2, \d, 1, T
    KeyWord a3, \d, 3, T
    KeyWord a4, \d, 6, T
    KeyWord a5, \d, 11, T
    store_words a0, \at, a2, a3, a4, a5
.endm

FUNC haechi_lea_rv32_128_eks
    load_words a1, 0, a2, a3, a4, a5
    load_deltas a6, a7, t0, t1
    addi    t5, a0, 16*24
    .p2align 2
1:  KeyRound_128 a6, 0
    KeyRound_128 a7, 16
    KeyRound_128 t0, 32
    KeyRound_128 t1, 48
    addi    a0, a0, 64
    bne     a0, t5, 1b
    ret
ENDF

/* Six words make the round keys of a round, which take delta_i <<< i to delta_i <<< i + 5.  In LEA-192, delta_i comes
 * again six rounds later, in LEA-256, eight rounds later: after six words it is turned further by nothing, or by two. */
.macro KeyRound_256 d, t0, t1, t2, t3, t4, t5
    KeyWord \t0, \d, 1, T
    KeyWord \t1, \d, 3, T
    KeyWord \t2, \d, 6, T
    KeyWord \t3, \d, 11, T
    KeyWord \t4, \d, 13, T
    KeyWord \t5, \d, 17, T
    store_words a0, 0, \t0, \t1, \t2, \t3, \t4, \t5
    addi    a0, a0, 24
.endm

/* 28 rounds are four turns of six and four rounds more. */
FUNC haechi_lea_rv32_192_eks
    load_words a1, 0, a2, a3, a4, a5, a6, a7
    load_deltas t0, t1, t2, t3, t4, a1
    addi    t5, a0, 24*28
1:  KeyRound_256 t0, a2, a3, a4, a5, a6, a7
    KeyRound_256 t1, a2, a3, a4, a5, a6, a7
    KeyRound_256 t2, a2, a3, a4, a5, a6, a7
    KeyRound_256 t3, a2, a3, a4, a5, a6, a7
    beq     a0, t5, 2f
    KeyRound_256 t4, a2, a3, a4, a5, a6, a7
    KeyRound_256 a1, a2, a3, a4, a5, a6, a7
    j       1b
2:  ret
ENDF

/* Round i takes the words T_(6i mod 8) to T_(6i + 5 mod 8): every fourth round takes the same ones. */
FUNC haechi_lea_rv32_256_eks
    save    s0, s1, s2, s3
    load_words a1, 0, a2, a3, a4, a5, a6, a7, t0, t1
    load_deltas t2, t3, t4, a1, s0, s1, s2, s3
    addi    t5, a0, 24*32
1:  KeyRound_256 t2, a2, a3, a4, a5, a6, a7
    KeyRound_256 t3, t0, t1, a2, a3, a4, a5
    KeyRound_256 t4, a6, a7, t0, t1, a2, a3
    KeyRound_256 a1, a4, a5, a6, a7, t0, t1
    KeyRound_256 s0, a2, a3, a4, a5, a6, a7
    KeyRound_256 s1, t0, t1, a2, a3, a4, a5
    KeyRound_256 s2, a6, a7, t0, t1, a2, a3
    KeyRound_256 s3, a4, a5, a6, a7, t0, t1
    .irp d, t2, t3, t4, a1, s0, s1, s2, s3
    ROR     \d, \d, 30, T
    .endr
    bne     a0, t5, 1b
    restore s0, s1, s2, s3
    ret
ENDF

#define PART(what) haechi_lea_rv32_##what

    KERNEL lea_rv32_128, 16, 16, 384, ALIGN4, PART(128_eks), PART(128_enc), PART(128_enc_bulk), PART(128_ctr)
    KERNEL lea_rv32_192, 16, 24, 672, ALIGN4, PART(192_eks), PART(192_enc), PART(192_enc_bulk), PART(192_ctr)
    KERNEL lea_rv32_256, 16, 32, 768, ALIGN4, PART(256_eks), PART(256_enc), PART(256_enc_bulk), PART(256_ctr)
    KERNEL lea_rv32_128_inv, 16, 16, 384, ALIGN4|INVERSE, PART(128_eks), PART(128_dec), PART(128_dec_bulk)
    KERNEL lea_rv32_192_inv, 16, 24, 672, ALIGN4|INVERSE, PART(192_eks), PART(192_dec), PART(192_dec_bulk)
    KERNEL lea_rv32_256_inv, 16, 32, 768, ALIGN4|INVERSE, PART(256_eks), PART(256_dec), PART(256_dec_bulk)

#endif

#include "../../asm/stack_note.h"

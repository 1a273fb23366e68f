/* lea_avr.S - LEA for AVR, for speed: everything unrolled, rotations by multiplication.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_128_dec(const void *rk, void *buf);
 *     void haechi_lea_avr_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * lea_avr_rounds.h draws the round keys and has the rounds.  The block never moves: each round renames the words, and
 * after six rounds of LEA-128, or four of the others, every word has its first name again.  The key schedule takes two
 * words of key at a time through all the rounds, so that every delta is an immediate. */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#include "lea_avr_keys_ram.h"
#include "lea_avr_inverse_rounds.h"
#include "lea_avr_block.h"
#include "../lea_delta.h"
#include "lea_avr_ctr.h"

/* These are symbols, as counter mode has the constants in other registers. */
    c8 = 26
    c32 = 27
    zero = 28

/* ---- Encryption.  The first round leaves X0, X1, X2 and X3 in W0, W1, W2 and W3 for the second round. */

FUNC haechi_lea_avr_128_enc
    push    zero
    load_block rol8(W3), W0, ror8(W1), rol8(W2)
    load_factors
    clr     zero
    FirstRound_128 W3, W0, W1, W2, W4
    .rept 3
    six_rounds
    .endr
    Round_128 W0, W1, W2, W3, W4
    Round_128 W2, W4, W3, W0, W1
    Round_128 W3, W1, W0, W2, W4
    Round_128 W0, W4, W2, W3, W1
    Round_128 W2, W1, W3, W0, W4
    ROL_by  c8, W1, ror8(W4)        ; ror8 of it is X1
    ROL_by  c32, W4, rol8(W0)       ; ror8 of it is X2
    store_block rol8(W3), ror8(W1), ror8(W4), rol8(W2)
    pop     zero
    ret
ENDF

.macro encrypt fours
    push    zero
    load_block rol8(W3), W0, W1, rol8(W2)
    load_factors
    clr     zero
    FirstRound_256 W3, W0, W1, W2, W4
    .rept \fours
    four_rounds
    .endr
    Round_256 W0, W1, W2, W3, W4
    Round_256 W4, W1, W3, W0, W2
    Round_256 W2, W1, W0, W4, W3
    ROL_by  c8, W0, W1              ; ror8 of it is X1
    ROL_by  c32, W1, rol8(W4)       ; ror8 of it is X2
    store_block rol8(W3), ror8(W0), ror8(W1), rol8(W2)
    pop     zero
    ret
.endm

FUNC haechi_lea_avr_192_enc
    encrypt 6
ENDF

FUNC haechi_lea_avr_256_enc
    encrypt 7
ENDF

/* ---- Decryption, from the last round to the first. */

.macro decrypt layout, size, fours
    .Lz = 0
    .Lround = 4*\fours*\size
    load_block W0, ror8(W1), W2, W3
    load_factors
    .rept \fours
    four_inverse_rounds \layout, \size
    .endr
    store_block W0, ror8(W1), W2, W3
    ret
.endm

FUNC haechi_lea_avr_128_dec
    decrypt 128, 16, 6
ENDF

FUNC haechi_lea_avr_192_dec
    decrypt 256, 24, 7
ENDF

FUNC haechi_lea_avr_256_dec
    decrypt 256, 24, 8
ENDF

/* ---- The key schedule: in round i, T_j = (T_j + (delta_(i mod K) <<< i+j)) <<< 1, 3, 6, 11, 13, 17 for
 * j = 0 ... 5, with K words of key, and LEA-256 takes T_(6i+j mod 8) for T_j.
 *
 *     .LA, .LB               .Lfree  c8, c32  zero  Y    Z
 *     two of r16-r19,        the     r14 r13  r15   key  rk + .Lz
 *     r20-r23, r24-r27       third
 *
 * The words go in pairs, because the round keys have T_2 ^ T_1 in the place of T_2, and T_4 ^ T_3 where there is a
 * T_4.  In LEA-256 too, the pairs 7 and 0, 1 and 2, 3 and 4, 5 and 6 stay together. */
#define k8 r14
#define k32 r13
#define kzero r15

/* Adds the delta of round i to x, which is the j-th word of the round. */
.macro add_delta x, K, i, j
    delta   \i%\K, \i+\j
    subi    byte(\x,0), (-.Ldelta)&0xff
    sbci    byte(\x,1), (-.Ldelta>>8)&0xff
    sbci    byte(\x,2), (-.Ldelta>>16)&0xff
    sbci    byte(\x,3), (-.Ldelta>>24)&0xff
.endm

/* x = x <<< 3 or 5, in other registers: x is a symbol, which then has another value. */
.macro move_ROL_by by, x
    ROL_by  \by, .Lfree, \x
    .Lleft = \x&31
    \x = .Lfree
    .Lfree = .Lleft
.endm

/* The rotation of T_j by 1, 3, 6, 11, 13 or 17. */
.macro rotate x, j
    .if \j == 0
    ROL1    \x, kzero
    .elseif \j == 1
    move_ROL_by k8, \x
    .elseif \j == 2
    ROR2    \x
    \x = rol8(\x)
    .elseif \j == 3
    move_ROL_by k8, \x
    \x = rol8(\x)
    .elseif \j == 4
    move_ROL_by k32, \x
    \x = rol8(\x)
    .else
    ROL1    \x, kzero
    \x = rol8(rol8(\x))
    .endif
.endm

/* Moves Z to the beginning of the round if std would not reach `at` from where Z is. */
.macro reach at
    .if \at < .Lz || \at+3 > .Lz+63
    move_Z  .Lround
    .endif
.endm

.macro put at, x
    reach   \at
    .irp j, 0, 1, 2, 3
    std     Z+\at+\j-.Lz, byte(\x,\j)
    .endr
.endm

/* rk[at] = x ^ y.  .Lj and .Lk are bytes in neighbouring registers, as movw needs them. */
.macro put_xor at, x, y
    reach   \at
    .irp j, 0, 2
    .Lj = \j+((\x>>5)&1)
    .Lk = (.Lj+1)&3
    movw    r0, byte(\x,.Lj)
    eor     r0, byte(\y,.Lj)
    eor     r1, byte(\y,.Lk)
    std     Z+\at+.Lj-.Lz, r0
    std     Z+\at+.Lk-.Lz, r1
    .endr
.endm

/* x becomes T_j of round i and is stored.  y is the other word of the pair. */
.macro RoundKey K, i, j, x, y
    add_delta \x, \K, \i, \j
    rotate  \x, \j
    .if \K == 4
    .Lround = 16*\i
    .if \j == 0
    put     .Lround+12, \x         ; RK0
    .elseif \j == 1
    put     .Lround, \x            ; RK1 = RK3 = RK5
    .elseif \j == 2
    put_xor .Lround+8, \x, \y     ; RK1 ^ RK2
    .else
    put     .Lround+4, \x          ; RK4
    .endif
    .else
    .Lround = 24*\i
    .if \j == 0
    put     .Lround+20, \x         ; RK0
    .elseif \j == 1
    put     .Lround, \x            ; RK1
    .elseif \j == 2
    put_xor .Lround+16, \x, \y    ; RK1 ^ RK2
    .elseif \j == 3
    put     .Lround+4, \x          ; RK3
    .elseif \j == 4
    put_xor .Lround+12, \x, \y    ; RK3 ^ RK4
    .else
    put     .Lround+8, \x          ; RK5
    .endif
    .endif
.endm

.macro load_key_word x, n
    .irp j, 0, 1, 2, 3
    ldd     byte(\x,\j), Y+4*\n+\j
    .endr
.endm

/* Takes T_a and T_b through all rounds. */
.macro pair K, words, rounds, a, b
    .LA = 16
    .LB = 20
    .Lfree = 24
    load_key_word .LA, \a
    load_key_word .LB, \b
    .Li = 0
    .rept \rounds
    .irp j, 0, 1, 2, 3, 4, 5
    .Lm = \words*.Li%\K+\j
    .if \j < \words
    .if .Lm%\K == \a
    RoundKey \K, .Li, \j, .LA, .LB
    .elseif .Lm%\K == \b
    RoundKey \K, .Li, \j, .LB, .LA
    .endif
    .endif
    .endr
    .Li = .Li+1
    .endr
.endm

.macro enter
    push_all r14, r15, r16, r17, YL, YH
    movw    YL, r22                 ; Y = key
    movw    ZL, r24                 ; Z = rk
    .Lz = 0
    ldi     r16, 8
    mov     k8, r16
    clr     kzero
.endm

.macro leave
    clr     r1
    pop_all YH, YL, r17, r16, r15, r14
.endm

FUNC haechi_lea_avr_128_eks
    enter
    pair    4, 4, 24, 1, 2
    pair    4, 4, 24, 3, 0
    leave
    ret
ENDF

.macro expand K, rounds
    push    k32
    enter
    ldi     r16, 32
    mov     k32, r16
    pair    \K, 6, \rounds, 1, 2
    pair    \K, 6, \rounds, 3, 4
    .if \K == 6
    pair    \K, 6, \rounds, 5, 0
    .else
    pair    \K, 6, \rounds, 5, 6
    pair    \K, 6, \rounds, 7, 0
    .endif
    leave
    pop     k32
    ret
.endm

FUNC haechi_lea_avr_192_eks
    expand  6, 28
ENDF

FUNC haechi_lea_avr_256_eks
    expand  8, 32
ENDF

/* ---- Counter mode.  The first three rounds are those of lea_avr_ctr_rounds.h, and the others are a loop. */

    c8 = 2
    c32 = 3
    zero = 26

FUNC haechi_lea_avr_128_ctr
    ldi     XL, 3
    ctr_begin 128, 16, ror8(W1)
    point_at_cache
    FirstRounds ror8(W1)
7:
1:  six_rounds
    dec     turns
    again
    Round_128 W0, W1, W2, W3, W4
    Round_128 W2, W4, W3, W0, W1
    Round_128 W3, W1, W0, W2, W4
    ROL_by  c8, W1, ror8(W4)        ; ror8 of it is X1
    ROL_by  c32, W4, rol8(W2)       ; ror8 of it is X2
    ctr_end rol8(W0), ror8(W1), ror8(W4), rol8(W3), 16
ENDF

FUNC haechi_lea_avr_256_ctr
    ldi     XL, 7
    rjmp    .Lctr
ENDF

ENTRY haechi_lea_avr_192_ctr
    ldi     XL, 6
.Lctr:
    ctr_begin 256, 24, W1
    point_at_cache
    FirstRounds W1
7:
1:  four_rounds
    dec     turns
    again
    Round_256 W0, W1, W2, W3, W4
    ROL_by  c8, W2, W1              ; ror8 of it is X1
    ROL_by  c32, W1, rol8(W3)       ; ror8 of it is X2
    ctr_end rol8(W4), ror8(W2), ror8(W1), rol8(W0), 24
ENDF

    KERNEL lea_avr_128, 16, 16, 384, 0, haechi_lea_avr_128_eks, haechi_lea_avr_128_enc, 0, haechi_lea_avr_128_ctr
    KERNEL lea_avr_192, 16, 24, 672, 0, haechi_lea_avr_192_eks, haechi_lea_avr_192_enc, 0, haechi_lea_avr_192_ctr
    KERNEL lea_avr_256, 16, 32, 768, 0, haechi_lea_avr_256_eks, haechi_lea_avr_256_enc, 0, haechi_lea_avr_256_ctr
    KERNEL lea_avr_128_inv, 16, 16, 384, INVERSE, haechi_lea_avr_128_eks, haechi_lea_avr_128_dec
    KERNEL lea_avr_192_inv, 16, 24, 672, INVERSE, haechi_lea_avr_192_eks, haechi_lea_avr_192_dec
    KERNEL lea_avr_256_inv, 16, 32, 768, INVERSE, haechi_lea_avr_256_eks, haechi_lea_avr_256_dec

#endif

#include "../../asm/stack_note.h"

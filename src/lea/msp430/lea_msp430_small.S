/* lea_msp430_small.S - LEA for MSP430 in little flash: one round a turn of the loop, and one set of round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_msp430_small_128_eks(void *rk, const void *key);
 *     void haechi_lea_msp430_small_128_enc(const void *rk, void *buf);
 *     void haechi_lea_msp430_small_128_dec(const void *rk, void *buf);
 *
 * lea_msp430_rounds.h draws the round keys and has the rounds: plain4 for 128 bits of key, and chain6 for the others.
 * Encryption reads the round keys upwards and decryption reads the same ones downwards.  `end` holds the address where
 * it stops.
 *
 *     W0      W1      W2       W3        W4                     rk    end
 *     X0      X1      X2       X3        scratch                r12   r13, LEA-128
 *                                        r15, as t, is scratch        r4, the others
 *
 * Decryption ends in the code of encryption, where that stores the block.  The key schedule of LEA-128 ends where the
 * registers are restored. */
#if defined(__MSP430__)

#include "lea_msp430_rounds.h"
#include "lea_msp430_inverse_rounds.h"
#include "lea_msp430_expand.h"

#define PART(what) haechi_lea_msp430_small_##what

.macro move_word dstL, dstH, xL, xH
    mov     \xL, \dstL
    mov     \xH, \dstH
.endm

/* buf is pushed last. */
.macro enter
    push_all r4, r5, r6, r7, r8, r9, r10, buf
    load_block
.endm

.macro leave bits
PART(\bits\()_leave):
    pop     buf
    store_block
PART(\bits\()_restored):
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

/* ---- LEA-128. */

#define end r13

/* Both begin with rk and end at the round keys, and end with rk = end. */
.macro rounds_128
1:
    Round_plain4 W0, W1, W2, W3, W4 ; X0' is in W4, and X3' in W0
    move_word W3, W0
    move_word W0, W4
    cmp     end, rk
    jne     1b
.endm

/* rk points behind RK1 of a round, which InverseLines_plain4 does not read. */
.macro inverse_rounds_128
1:
    InverseLines_plain4 W0, W1, W2, W3, W4, #31
    xor_RK1 -16(rk), r5, r7, r9, r15
    xor_RK1 -14(rk), r6, r8, r10, r15 ; X1, X2 and X3 are in W0, W1 and W2
    move_word W4, W3
    move_word W3, W2
    move_word W2, W1
    move_word W1, W0
    move_word W0, W4
    sub     #16+12, rk              ; the previous round
    cmp     end, rk
    jne     1b
.endm

FUNC PART(128_enc)
    enter
    mov     rk, end
    add     #384, end
    rounds_128
    leave   128
ENDF

FUNC PART(128_dec)
    enter
    mov     rk, end
    sub     #16-4, end
    add     #384-16+4, rk
    inverse_rounds_128
    br      #PART(128_leave)
ENDF

#undef end

    deltas  PART(deltas_4), 4, 24

FUNC PART(128_eks)
    expand_128 PART(deltas_4), put_plain4, 16
    br      #PART(128_restored)
ENDF

/* ---- LEA-192 and LEA-256. */

#define end r4

/* All words move on by one: x0 takes x1, and x3 takes x0. */
.macro turn x0L, x0H, x1L, x1H, x2L, x2H, x3L, x3H
    turn_halves \x0L, \x1L, \x2L, \x3L
    turn_halves \x0H, \x1H, \x2H, \x3H
.endm

.macro turn_halves x0, x1, x2, x3
    mov     \x0, t
    mov     \x1, \x0
    mov     \x2, \x1
    mov     \x3, \x2
    mov     t, \x3
.endm

.macro encrypt bits, rounds
    enter
    mov     rk, end
    add     #24*\rounds, end
1:
    Round_chain6 W0, W1, W2, W3
    turn    W0, W1, W2, W3
    cmp     end, rk
    jne     1b
    xor     -4(rk), r11
    xor     -2(rk), r14             ; X3 without the last RK0
    leave   \bits
.endm

/* The word of round keys before the last one taken.  .Lat is its place, from rk. */
.macro xor_previous xL, xH
    .Lat = .Lat-4
    xor     .Lat(rk), \xL
    xor     .Lat+2(rk), \xH
.endm

.macro decrypt bits, rounds
    enter
    mov     rk, end
    add     #24*\rounds, rk
    .Lat = 0
    xor_previous W3                 ; X3 with the last RK0
1:
    .Lat = 0
    InverseRound_chain6 W0, W1, W2, W3, #31, xor_previous
    turn    W3, W2, W1, W0
    sub     #24, rk
    cmp     end, rk
    jne     1b
    br      #PART(\bits\()_leave)
.endm

FUNC PART(192_enc)
    encrypt 192, 28
ENDF

FUNC PART(256_enc)
    encrypt 256, 32
ENDF

FUNC PART(192_dec)
    decrypt 192, 28
ENDF

FUNC PART(256_dec)
    decrypt 256, 32
ENDF

    deltas  PART(deltas_6), 6, 28
    deltas  PART(deltas_8), 8, 32

FUNC PART(192_eks)
    expand_chain6 PART(deltas_6), 6, 28, 0
ENDF

FUNC PART(256_eks)
    expand_chain6 PART(deltas_8), 8, 32, 0
ENDF

    KERNEL lea_msp430_small_128, 16, 16, 384, ALIGN2, PART(128_eks), PART(128_enc)
    KERNEL lea_msp430_small_192, 16, 24, 672, ALIGN2, PART(192_eks), PART(192_enc)
    KERNEL lea_msp430_small_256, 16, 32, 768, ALIGN2, PART(256_eks), PART(256_enc)
    KERNEL lea_msp430_small_128_inv, 16, 16, 384, INVERSE|ALIGN2, PART(128_eks), PART(128_dec)
    KERNEL lea_msp430_small_192_inv, 16, 24, 672, INVERSE|ALIGN2, PART(192_eks), PART(192_dec)
    KERNEL lea_msp430_small_256_inv, 16, 32, 768, INVERSE|ALIGN2, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"

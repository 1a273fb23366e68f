/* lea_avr_paired.S - lea_avr_compact with a key schedule for LEA-128 that is faster and longer.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_paired_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_paired_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_paired_128_dec(const void *rk, void *buf);
 *
 * lea_avr_fours.h has all but the key schedule of LEA-128, which does two rounds a turn.  A product leaves its word in
 * the register that was free before, and after two rounds every word is where it began:
 *
 *                          T0  T1  T2              T3  delta, then free
 *     first round          W0  W1  W2              W3  W4
 *     second round         W0  W4  rol8(W2)        W1  W3
 *     after both           W0  W1  rol8(rol8(W2))  W3  W4 */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#define KERNEL_NAME lea_avr_paired
#define PART(what) haechi_lea_avr_paired_##what

#include "lea_avr_fours.h"

/* The sums of a round, with T0 to T3 and delta in a, b, c, d and free. */
.macro KeySums a, b, c, d, free
    load_delta \free
    add_word \a, \free
    ROL1    \a, r28                 ; RK0
    ROL1    \free, r28
    add_word \b, \free
    ROL1    \free, r28
    add_word \c, \free
    ROL1    \free, r28
    add_word \d, \free              ; the last use of delta
    ROR2    \c                      ; rol8 of it is RK2
.endm

/* Stores the round keys; `sum` is scratch. */
.macro store_keys rk0, rk1, rk2, rk4, sum
    store_word \rk1
    store_word \rk4
    move_word \sum, \rk1
    xor_word \sum, \rk2             ; RK1 ^ RK2
    store_word \sum
    store_word \rk0
.endm

FUNC PART(128_eks)
    enter_eks_128
1:
    KeySums W0, W1, W2, W3, W4
    ROL_by  r29, W4, W1             ; RK1
    ROL_by  r29, ror8(W1), W3       ; RK4
    store_keys W0, W4, rol8(W2), W1, W3

    KeySums W0, W4, rol8(W2), W1, W3
    ROL_by  r29, ror8(W3), W1       ; RK4
    ROL_by  r29, W1, W4             ; RK1
    movw    r0, W2
    movw    W2, W2+2
    movw    W2+2, r0                ; RK2
    store_keys W0, W1, W2, W3, W4
    cpi     ZL, lo8(PART(deltas_4)+96)
    again
    leave_eks_128
ENDF

    KERNEL lea_avr_paired_128, 16, 16, 384, 0, PART(128_eks), PART(128_enc)
    KERNEL lea_avr_paired_192, 16, 24, 672, 0, PART(192_eks), PART(192_enc)
    KERNEL lea_avr_paired_256, 16, 32, 768, 0, PART(256_eks), PART(256_enc)
    KERNEL lea_avr_paired_128_inv, 16, 16, 384, INVERSE, PART(128_eks), PART(128_dec)
    KERNEL lea_avr_paired_192_inv, 16, 24, 672, INVERSE, PART(192_eks), PART(192_dec)
    KERNEL lea_avr_paired_256_inv, 16, 32, 768, INVERSE, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"

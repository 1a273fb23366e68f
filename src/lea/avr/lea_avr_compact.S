/* lea_avr_compact.S - LEA for AVR in little flash at nearly full speed: loops of four rounds.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_compact_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_compact_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_compact_128_dec(const void *rk, void *buf);
 *     void haechi_lea_avr_compact_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 * lea_avr_rounds.h draws the round keys and has the rounds.  A turn of the loop is four rounds, which begin and end
 * with the block in W0 to W3.  r29 counts the turns.  The key schedule reads the delta of each round, rotated by i,
 * from flash. */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#include "lea_avr_keys_ram.h"
#include "lea_avr_inverse_rounds.h"
#include "lea_avr_block.h"
#include "lea_avr_expand.h"
#include "../../asm/avr_ctr_calls.h"

    c8 = 26
    c32 = 27
    zero = 28

#define counter r29

/* ---- Encryption. */

.macro enter_enc fours, x0, x1, x2, x3
    push_all counter, zero
    load_block \x0, \x1, \x2, \x3
    load_factors
    clr     zero
    ldi     counter, \fours
.endm

.macro leave_enc x0, x1, x2, x3
    store_block \x0, \x1, \x2, \x3
    pop_all zero, counter
    ret
.endm

FUNC haechi_lea_avr_compact_128_enc
    enter_enc 6, rol8(W0), W1, ror8(W2), rol8(W3)
1:
    FirstRound_128 W0, W1, W2, W3, W4
    Round_128 W1, W2, W3, W0, W4
    Round_128 W3, W4, W0, W1, W2
    Round_128 W0, W2, W1, W3, W4
    ROL_by  c32, W2, rol8(W3)       ; X2 = ror8(W2)
    move_word W3, W0                ; X3 = rol8(W3)
    move_word W0, W1                ; X0 = rol8(W0)
    ROL_by  c8, rol8(W1), ror8(W4)  ; X1 = W1
    dec     counter
    again
    leave_enc rol8(W0), W1, ror8(W2), rol8(W3)
ENDF

.macro encrypt fours
    enter_enc \fours, rol8(W0), W1, W2, rol8(W3)
1:
    FirstRound_256 W0, W1, W2, W3, W4
    Round_256 W1, W2, W3, W0, W4
    Round_256 W4, W2, W0, W1, W3
    Round_256 W3, W2, W1, W4, W0
    ROL_by  c8, rol8(W1), W2        ; X1 = W1
    ROL_by  c32, rol8(W2), rol8(W4) ; X2 = W2
    dec     counter
    again
    leave_enc rol8(W0), W1, W2, rol8(W3)
.endm

FUNC haechi_lea_avr_compact_192_enc
    encrypt 7
ENDF

FUNC haechi_lea_avr_compact_256_enc
    encrypt 8
ENDF

/* ---- Counter mode. */

FUNC haechi_lea_avr_compact_128_ctr
    ctr_by_calls haechi_lea_avr_compact_128_enc, 16
ENDF

FUNC haechi_lea_avr_compact_192_ctr
    ctr_by_calls haechi_lea_avr_compact_192_enc, 16
ENDF

FUNC haechi_lea_avr_compact_256_ctr
    ctr_by_calls haechi_lea_avr_compact_256_enc, 16
ENDF

/* ---- Decryption.  .Lz and .Lround are offsets from the beginning of the keys of the present four rounds, where the
 * keys of the previous four rounds end. */

.macro decrypt layout, size, fours
    push    counter
    load_block W0, ror8(W1), W2, W3
    load_factors
    ldi     counter, \fours
    .Lz = 0
    move_Z  4*\fours*\size
1:
    .Lz = 4*\size
    .Lround = .Lz
    four_inverse_rounds \layout, \size
    dec     counter
    again
    store_block W0, ror8(W1), W2, W3
    pop     counter
    ret
.endm

FUNC haechi_lea_avr_compact_128_dec
    decrypt 128, 16, 6
ENDF

FUNC haechi_lea_avr_compact_192_dec
    decrypt 256, 24, 7
ENDF

FUNC haechi_lea_avr_compact_256_dec
    decrypt 256, 24, 8
ENDF

    deltas  lea_avr_compact, 4, 24
    deltas  lea_avr_compact, 6, 28
    deltas  lea_avr_compact, 8, 32

/* ---- The key schedules.  That of LEA-128 has T0 to T3 in W0 to W3.
 *
 *     delta <<< i+j, then products  X    Z       zero  8
 *     W4                            rk   deltas  r28   r29 */
FUNC haechi_lea_avr_compact_128_eks
    push_all r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw    XL, r22
    load_word W0
    load_word W1
    load_word W2
    load_word W3
    movw    XL, r24                 ; X = rk
    point_Z_at haechi_lea_avr_compact_deltas_4
    clr     r28
    ldi     r29, 8
1:
    KeyRound_128 r28, r29
    cpi     ZL, lo8(haechi_lea_avr_compact_deltas_4+96)
    again
    clr     r1
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
    ret
ENDF

FUNC haechi_lea_avr_compact_192_eks
    expand  lea_avr_compact, 6, 28
ENDF

FUNC haechi_lea_avr_compact_256_eks
    expand  lea_avr_compact, 8, 32
ENDF

    KERNEL lea_avr_compact_128, 16, 16, 384, 0, \
        haechi_lea_avr_compact_128_eks, haechi_lea_avr_compact_128_enc, 0, haechi_lea_avr_compact_128_ctr
    KERNEL lea_avr_compact_192, 16, 24, 672, 0, \
        haechi_lea_avr_compact_192_eks, haechi_lea_avr_compact_192_enc, 0, haechi_lea_avr_compact_192_ctr
    KERNEL lea_avr_compact_256, 16, 32, 768, 0, \
        haechi_lea_avr_compact_256_eks, haechi_lea_avr_compact_256_enc, 0, haechi_lea_avr_compact_256_ctr
    KERNEL lea_avr_compact_128_inv, 16, 16, 384, INVERSE, haechi_lea_avr_compact_128_eks, haechi_lea_avr_compact_128_dec
    KERNEL lea_avr_compact_192_inv, 16, 24, 672, INVERSE, haechi_lea_avr_compact_192_eks, haechi_lea_avr_compact_192_dec
    KERNEL lea_avr_compact_256_inv, 16, 32, 768, INVERSE, haechi_lea_avr_compact_256_eks, haechi_lea_avr_compact_256_dec

#endif

#include "../../asm/stack_note.h"

/* lea_avr_loop.S - LEA for AVR in little flash: one round a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_loop_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_loop_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_loop_128_dec(const void *rk, void *buf);
 *     void haechi_lea_avr_loop_128_enc_flash(const void *rk, void *buf);
 *
 * enc_flash encrypts with round keys that lie in the first 64 KB of flash.
 *
 * lea_avr_rounds.h draws the round keys and has the rounds.  A round leaves its words in other registers than it found
 * them in, so that each turn ends with moves.
 *
 *     X0       X1  X2        X3        scratch  c8   c32  counter  Z
 *     rol8(W0) W1  ror8(W2)  rol8(W3)  W4       r26  r27  r29      round keys    LEA-128
 *     rol8(W0) W1  W2        rol8(W3)                                            LEA-192 and LEA-256
 *
 * Decryption has its words in the same registers, and goes on in the code of encryption where that stores the block.
 * The key schedule of LEA-128 goes on where the registers are restored. */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#include "lea_avr_keys_ram.h"
#include "lea_avr_inverse_rounds.h"
#include "lea_avr_block.h"
#include "lea_avr_expand.h"

    c8 = 26
    c32 = 27
    zero = 1

#define counter r29
#define X_128 rol8(W0), W1, ror8(W2), rol8(W3)
#define X_256 rol8(W0), W1, W2, rol8(W3)
#define PART(what) haechi_lea_avr_loop_##what

.macro enter rounds, words:vararg
    push    counter
    load_block \words
    load_factors
    ldi     counter, \rounds
.endm

/* ---- Encryption. */

.macro Round_128_in_place
    FirstRound_128 W0, W1, W2, W3, W4
    ROL_by  c32, ror8(W4), W3       ; X2
    move_word W3, W0                ; rol8 of it is X3
    move_word W0, W1                ; rol8 of it is X0
    ROL_by  c8, W1, ror8(ror8(W2))  ; X1
    move_word W2, W4
.endm

.macro Round_256_in_place
    FirstRound_256 W0, W1, W2, W3, W4
    ROL_by  c32, rol8(W4), rol8(W3) ; X2
    move_word W3, W0                ; rol8 of it is X3
    move_word W0, W1                ; rol8 of it is X0
    ROL_by  c8, rol8(W1), W2        ; X1
    move_word W2, W4
.endm

.macro rounds layout
1:
    clr     zero
    Round_\layout\()_in_place
    dec     counter
    again
.endm

.macro encrypt layout, rounds, words:vararg
    enter   \rounds, \words
    rounds  \layout
.endm

.macro leave bits, words:vararg
PART(\bits\()_leave):
    store_at_buf \words
PART(\bits\()_restored):
    restore_words
    pop     counter
    ret
.endm

FUNC PART(128_enc)
    encrypt 128, 24, X_128
    leave   128, X_128
ENDF

FUNC PART(192_enc)
    encrypt 256, 28, X_256
    leave   192, X_256
ENDF

FUNC PART(256_enc)
    encrypt 256, 32, X_256
    leave   256, X_256
ENDF

/* ---- Decryption. */

.macro InverseRound_in_place layout, size, y0, y1, y2, y3, t
    sbiw    ZL, \size
    InverseRound_\layout \y0, \y1, \y2, \y3, \t, 0
    move_word W1, W0
    move_word W0, W3
    move_word W3, W4
.endm

.macro inverse_rounds layout
1:
    .if \layout == 128
    InverseRound_in_place 128, 16, rol8(W0), rol8(W1), ror8(W2), rol8(W3), rol8(W4)
    .else
    InverseRound_in_place 256, 24, rol8(W0), rol8(W1), W2, rol8(W3), rol8(W4)
    .endif
    dec     counter
    again
.endm

.macro decrypt bits, layout, size, rounds, words:vararg
    enter   \rounds, \words
    .Lz = 0
    move_Z  \rounds*\size
    .Lz = 0
    inverse_rounds \layout
    FAR_JMP PART(\bits\()_leave)
.endm

FUNC PART(128_dec)
    decrypt 128, 128, 16, 24, X_128
ENDF

FUNC PART(192_dec)
    decrypt 192, 256, 24, 28, X_256
ENDF

FUNC PART(256_dec)
    decrypt 256, 256, 24, 32, X_256
ENDF

/* ---- The key schedules. */

    deltas  lea_avr_loop, 4, 24
    deltas  lea_avr_loop, 6, 28
    deltas  lea_avr_loop, 8, 32

/* T0 to T3 are in W0 to W3, 8 is in the counter's register, and X = rk. */
.macro expand_128
    movw    XL, r22
    load_word W0
    load_word W1
    load_word W2
    load_word W3
    movw    XL, r24
    point_Z_at PART(deltas_4)
    ldi     counter, 8
1:
    clr     zero
    KeyRound_128 zero, counter
    cpi     ZL, lo8(PART(deltas_4)+96)
    again
.endm

FUNC PART(128_eks)
    push_all counter, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17
    expand_128
    FAR_JMP PART(128_restored)
ENDF

FUNC PART(192_eks)
    expand  lea_avr_loop, 6, 28
ENDF

FUNC PART(256_eks)
    expand  lea_avr_loop, 8, 32
ENDF

/* ---- Encryption with round keys in flash. */

    .purgem next_key
.macro next_key register, at
    lpm     \register, Z+
.endm

.macro leave_flash words:vararg
    store_block \words
    pop     counter
    ret
.endm

FUNC PART(128_enc_flash)
    encrypt 128, 24, X_128
    leave_flash X_128
ENDF

FUNC PART(192_enc_flash)
    encrypt 256, 28, X_256
    leave_flash X_256
ENDF

FUNC PART(256_enc_flash)
    encrypt 256, 32, X_256
    leave_flash X_256
ENDF

    KERNEL lea_avr_loop_128, 16, 16, 384, 0, PART(128_eks), PART(128_enc)
    KERNEL lea_avr_loop_192, 16, 24, 672, 0, PART(192_eks), PART(192_enc)
    KERNEL lea_avr_loop_256, 16, 32, 768, 0, PART(256_eks), PART(256_enc)
    KERNEL lea_avr_loop_128_inv, 16, 16, 384, INVERSE, PART(128_eks), PART(128_dec)
    KERNEL lea_avr_loop_192_inv, 16, 24, 672, INVERSE, PART(192_eks), PART(192_dec)
    KERNEL lea_avr_loop_256_inv, 16, 32, 768, INVERSE, PART(256_eks), PART(256_dec)

#endif

#include "../../asm/stack_note.h"

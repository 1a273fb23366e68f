/* lea_avr_fixed.h - LEA in counter mode for AVR with key and nonce known at build time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An assembly file includes this header after the constants that the fixed-key tool wrote.  The header defines
 * haechi_lea_fixed, which asm/avr_fixed.h describes.
 *
 * The idea.  Counter mode of lea_avr, where every byte that it loads is an immediate operand: an upper register takes
 * one in one cycle and a lower register in two, as many as from RAM.  Nothing is expanded, and no cache lies in RAM.
 *
 * W0 ... W4    r0, r1    c8 c32  out    zero  last byte,  ZL        X
 * r6 ... r25   products  r2 r3   r4:r5  r26   end r28 r29 a byte    in, out by turns
 *
 *     on the stack: in, and the value to return.  T: is there an in? */
#ifndef HAECHI_LEA_AVR_FIXED_H
#define HAECHI_LEA_AVR_FIXED_H

#include "lea_avr_words.h"
#include "../../asm/avr_fixed.h"

#define got 30 /* ZL holds a byte of the round keys until it is used */

/* The next byte of FIXED_KEYS and of FIXED_CACHE. */
.macro next_key register, at
    fixed_byte \register, KEYS, .Lkey
    .Lkey = .Lkey+1
.endm

.macro next_cached register
    fixed_byte \register, CACHE, .Lcached
    .Lcached = .Lcached+1
.endm

/* The rounds are unrolled, so there are no turns to load. */
.macro load_turns
.endm

/* x ^= the next word of in */
.macro xor_text x
    .irp j, 0, 1, 2, 3
    ld      r0, X+
    eor     byte(\x,\j), r0
    .endr
.endm

#include "lea_avr_keys.h"
#include "lea_avr_rounds.h"
#include "lea_avr_ctr_rounds.h"

    c8 = 2
    c32 = 3
    zero = 26
    .Lkey = 0
    .Lcached = 0

FUNC haechi_lea_fixed
    push_all r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    fixed_begin r4, low, end
    push    r23
    push    r22                     ; in
    ldi     r18, 8
    mov     c8, r18
    ldi     r18, 32
    mov     c32, r18
3:
#if FIXED_LEA == 128
    FirstRounds ror8(W1)
    .rept 3
    six_rounds
    .endr
    Round_128 W0, W1, W2, W3, W4
    Round_128 W2, W4, W3, W0, W1
    Round_128 W3, W1, W0, W2, W4
    ROL_by  c8, W1, ror8(W4)        ; ror8 of it is X1
    ROL_by  c32, W4, rol8(W2)       ; ror8 of it is X2
#define RESULT rol8(W0), ror8(W1), ror8(W4), rol8(W3)
#else
    FirstRounds W1
    .rept FIXED_LEA / 64 + 3        ; 28 or 32 rounds
    four_rounds
    .endr
    Round_256 W0, W1, W2, W3, W4
    ROL_by  c8, W2, W1              ; ror8 of it is X1
    ROL_by  c32, W1, rol8(W3)       ; ror8 of it is X2
#define RESULT rol8(W4), ror8(W2), ror8(W1), rol8(W0)
#endif
    brtc    4f
    pop     XL
    pop     XH                      ; X = in
    .irp x, RESULT
    xor_text \x
    .endr
    push    XH
    push    XL
4:  movw    XL, r4
    .irp x, RESULT
    store_word \x
    .endr
    movw    r4, XL                  ; the next block of out
    inc     low
    cpse    low, end
    FIXED_JMP 3b
    pop     r24
    pop     r25
    clr     r1
5:  pop     r25
    pop     r24
    pop_all YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5, r4, r3, r2
    ret
ENDF

#endif

/* lea_avr_small.S - LEA for AVR in very little flash: a third of a round as a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key:
 *
 *     void haechi_lea_avr_small_128_eks(void *rk, const void *key);
 *     void haechi_lea_avr_small_128_enc(const void *rk, void *buf);
 *     void haechi_lea_avr_small_128_dec(const void *rk, void *buf);
 *     void haechi_lea_avr_small_128_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk, LEA-128, 16 bytes a round            0         4         8         12
 *                                              | RK1     | RK0     | RK2     | RK4     |
 *         LEA-192 and LEA-256, 24 bytes        0         4         8         12        16        20
 *                                              | RK0     | RK1     | RK2     | RK3     | RK4     | RK5     |
 *
 * The idea.  The three lines of a round have one form.  Of four words, the last one becomes its sum with the word
 * before it, both XORed to round keys; the sum is rotated and goes to the front.  Three such steps are a round, and
 * they also make X3' = X0.  The rotations by 3, 5 and 9 are products with 32, 8 and 2, or in decryption with 8, 32 and
 * 128, followed by a move of bytes.  The move is the same for all but one of them, whose halves are swapped
 * separately.
 *
 *     X0 X1 X2 X3  product  RK1    r0, r1    by   counter  Z
 *     W0 W1 W2 W3  W4       r2-r5  products  r26  r27      round keys */
#if defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__)

#include "lea_avr_keys_ram.h"
#include "lea_avr_block.h"
#include "lea_avr_expand.h"
#include "../../asm/avr_ctr_calls.h"

#define zero r28

#define R 2
#define by r26
#define counter r27
    .Lz = 0

/* x = x <<< 16 */
.macro swap_halves x
    movw    r0, \x
    movw    \x, \x+2
    movw    \x+2, r0
.endm

/* ---- Encryption. */

.macro add_key layout
    .if \layout == 128
    xor_word W3, R
    add_xor_key W3, W2, 12          ; RK4, RK2, RK0 in turn
    sbiw    ZL, 4
    .else
    xor_key W3, 20                  ; RK5, RK3, RK1
    add_xor_key W3, W2, 16          ; RK4, RK2, RK0
    sbiw    ZL, 8
    .endif
.endm

.macro encrypt layout, rounds
    load_block W0, W1, W2, W3
    ldi     counter, \rounds
1:
    .if \layout == 128
    load_key R, 0
    .endif
    ldi     by, 32
2:
    add_key \layout
    ROL_by  by, rol8(W4), W3        ; W4 = sum >>> 3, >>> 5, >>> 7
    move_word W3, W2
    move_word W2, W1
    move_word W1, W0
    move_word W0, W4
    lsr     by
    lsr     by                      ; 32, 8, 2, 0
    brne    2b
    swap_halves W0                  ; >>> 7 becomes <<< 9
    .if \layout == 128
    adiw    ZL, 16+12
    .else
    adiw    ZL, 24+24
    .endif
    dec     counter
    brne    1b
    store_block W0, W1, W2, W3
.endm

FUNC haechi_lea_avr_small_128_enc
    push_all r2, r3, r4, r5
    encrypt 128, 24
    pop_all r5, r4, r3, r2
    ret
ENDF

FUNC haechi_lea_avr_small_192_enc
    encrypt 256, 28
    ret
ENDF

FUNC haechi_lea_avr_small_256_enc
    encrypt 256, 32
    ret
ENDF

/* ---- Counter mode. */

FUNC haechi_lea_avr_small_128_ctr
    ctr_by_calls haechi_lea_avr_small_128_enc, 16
ENDF

FUNC haechi_lea_avr_small_192_ctr
    ctr_by_calls haechi_lea_avr_small_192_enc, 16
ENDF

FUNC haechi_lea_avr_small_256_ctr
    ctr_by_calls haechi_lea_avr_small_256_enc, 16
ENDF

/* ---- Decryption.  The first word becomes a difference and goes to the end. */

.macro subtract_key layout
    sub_xor_next W4, W3             ; RK0, RK2, RK4 in turn
    .if \layout == 128
    xor_word W4, R
    .else
    xor_next W4                     ; RK1, RK3, RK5
    .endif
.endm

.macro decrypt layout, size, rounds
    load_block W0, W1, W2, W3
    subi    ZL, lo8(-\size*(\rounds-1))
    sbci    ZH, hi8(-\size*(\rounds-1))
    ldi     counter, \rounds
1:
    .if \layout == 128
    load_next R
    .endif
    swap_halves W0
    ldi     by, 128
2:
    ROL_by  by, W4, W0              ; W4 = word >>> 9, <<< 5, <<< 3
    subtract_key \layout
    move_word W0, W1
    move_word W1, W2
    move_word W2, W3
    move_word W3, W4
    lsr     by
    lsr     by                      ; 128, 32, 8, 2
    cpi     by, 2
    brne    2b
    sbiw    ZL, 2*\size
    dec     counter
    brne    1b
    store_block W0, W1, W2, W3
.endm

FUNC haechi_lea_avr_small_128_dec
    push_all r2, r3, r4, r5
    decrypt 128, 16, 24
    pop_all r5, r4, r3, r2
    ret
ENDF

FUNC haechi_lea_avr_small_192_dec
    decrypt 256, 24, 28
    ret
ENDF

FUNC haechi_lea_avr_small_256_dec
    decrypt 256, 24, 32
    ret
ENDF

/* ---- The key schedules. */

    deltas  lea_avr_small, 4, 4, 32 ; 17 bytes that lie in one page
    deltas  lea_avr_small, 6, 28
    deltas  lea_avr_small, 8, 32

/* LEA-128.  The four words take the same code.  Each word adds delta, which is then rotated by one bit, is itself
 * rotated by 1, 3, 6 or 11 bits, one bit at a time, and makes room for the next word.  The table has delta_n <<< n for
 * n = i mod 4, and this code rotates by the rest of i.  The distances are made by n = 2n + k: from 1, k = 1, 0 and -1
 * give 3, 6 and 11.
 *
 *     T_j and the next  delta <<< i+j  X    zero  i    Z       Z, later
 *     W0  W1 W2 W3      W4             rk   r28   r29  deltas  n, k */
#define round r29
#define n ZL
#define k ZH

.macro next_word
    .irp j, 0, 2
    movw    r0, W0+\j
    movw    W0+\j, W1+\j
    movw    W1+\j, W2+\j
    movw    W2+\j, W3+\j
    movw    W3+\j, r0
    .endr
.endm

FUNC haechi_lea_avr_small_128_eks
    push_all r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, r28, r29
    movw    XL, r22
    load_word W0
    load_word W1
    load_word W2
    load_word W3
    movw    XL, r24                 ; X = rk
    clr     zero
    clr     round
1:
    mov     ZL, round
    andi    ZL, 3
    lsl     ZL
    lsl     ZL
    subi    ZL, lo8(-(haechi_lea_avr_small_deltas_4))
    ldi     ZH, hi8(haechi_lea_avr_small_deltas_4)
    load_delta W4
    mov     ZH, round
    andi    ZH, 0xfc                ; what is left of i
    rjmp    3f
2:
    ROL1    W4, zero
3:
    dec     ZH
    brpl    2b
    ldi     n, 1
    ldi     k, 1
4:
    add_word W0, W4
    mov     r0, n
5:
    ROL1    W0, zero
    dec     r0
    brne    5b
    next_word
    ROL1    W4, zero
    lsl     n
    add     n, k
    dec     k
    cpi     k, 0xfd                 ; 1, 0, -1, -2 are done
    brne    4b
    store_word W1                   ; RK1
    store_word W0                   ; RK0
    store_word W2                   ; RK2
    store_word W3                   ; RK4
    inc     round
    cpi     round, 24
    again
    clr     r1
    pop_all r29, r28, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6
    ret
ENDF

FUNC haechi_lea_avr_small_192_eks
    expand_words lea_avr_small, 6, 28
    leave_expand
ENDF

FUNC haechi_lea_avr_small_256_eks
    expand_words lea_avr_small, 8, 32
    leave_expand
ENDF

    KERNEL lea_avr_small_128, 16, 16, 384, 0, \
        haechi_lea_avr_small_128_eks, haechi_lea_avr_small_128_enc, 0, haechi_lea_avr_small_128_ctr
    KERNEL lea_avr_small_192, 16, 24, 672, 0, \
        haechi_lea_avr_small_192_eks, haechi_lea_avr_small_192_enc, 0, haechi_lea_avr_small_192_ctr
    KERNEL lea_avr_small_256, 16, 32, 768, 0, \
        haechi_lea_avr_small_256_eks, haechi_lea_avr_small_256_enc, 0, haechi_lea_avr_small_256_ctr
    KERNEL lea_avr_small_128_inv, 16, 16, 384, INVERSE, haechi_lea_avr_small_128_eks, haechi_lea_avr_small_128_dec
    KERNEL lea_avr_small_192_inv, 16, 24, 672, INVERSE, haechi_lea_avr_small_192_eks, haechi_lea_avr_small_192_dec
    KERNEL lea_avr_small_256_inv, 16, 32, 768, INVERSE, haechi_lea_avr_small_256_eks, haechi_lea_avr_small_256_dec

#endif

#include "../../asm/stack_note.h"

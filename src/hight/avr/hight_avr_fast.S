/* hight_avr_fast.S - HIGHT for AVR, the fastest for many blocks or many keys: the key in registers, no round keys.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_fast_eks(void *rk, const void *key);
 *     void haechi_hight_avr_fast_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_fast_dec(const void *rk, void *buf);
 *     void haechi_hight_avr_fast_enc_bulk(const void *rk, void *out, const void *in, size_t n);
 *     void haechi_hight_avr_fast_dec_bulk(const void *rk, void *out, const void *in, size_t n);
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 * The idea.  The rounds are unrolled, so the deltas are constants.  A register that holds MK + delta of its last subkey
 * becomes the next subkey by one subi.  No round key is loaded, and a step takes 6 cycles.  subi needs an upper
 * register. Y and Z leave twelve of them; four key bytes stay unchanged in lower registers, and steps with F1 copy
 * them. The bulk functions load the key once and use the same rounds.
 *
 *     x0 x1 x2 ... x7     four key bytes  twelve key bytes  Y            Z            bulk: in       out
 *     r0 r1 r6 ... r11    r2 ... r5       r16 ... r27       F0, scratch  F1, scratch        r12:r13  r14:r15
 *
 *     on the stack: buf, or what is left of n                                                         */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#define x0 r0
#define x1 r1
#define x2 r6
#define x3 r7
#define x4 r8
#define x5 r9
#define x6 r10
#define x7 r11

#include "hight_avr_block.h"
#include "hight_avr_tables_ram.h"
#include "../hight_round_names.h"

#define EVERY_KEY_BYTE 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15

/* MK_m is in r(2 + m - .Llow), if m is one of the four from .Llow on, else in r(m + .Lupper). */
.macro load_key
    .irp m, EVERY_KEY_BYTE
    .if (\m & 12) == .Llow
    ldd     2+\m-.Llow, Z+\m
    .else
    ldd     \m+.Lupper, Z+\m
    .Lheld_\m = 0                   ; the register holds MK_m + this
    .endif
    .endr
.endm

/* Takes off what the rounds added to the key bytes. */
.macro plain_key
    .irp m, EVERY_KEY_BYTE
    .if (\m & 12) != .Llow
    subi    \m+.Lupper, .Lheld_\m
    .endif
    .endr
.endm

/* SK_n = MK_m + delta_n with m = j-i mod 8 for n = 16i + j, and m = 8 + (j-i mod 8) for n = 16i + j + 8. */
.macro subkey n
    .Lm = (((\n) - (\n) / 16) & 7) | ((\n) & 8)
    delta   (\n)
.endm

/* y = y + (F1(x) ^ SK_n), or y - (...): 6 cycles, 7 with a lower key register */
.macro F1_step op, y, x, n
    subkey  \n
    mov     ZL, \x
    ld      ZL, Z                   ; F1(x)
    .irp m, EVERY_KEY_BYTE
    .if \m == .Lm
    .if (\m & 12) == .Llow
    mov     YL, 2+\m-.Llow
    subi    YL, -.Ldelta & 0xff     ; SK
    eor     ZL, YL                  ; F1(x) ^ SK
    .else
    subi    \m+.Lupper, (.Lheld_\m-.Ldelta) & 0xff
    .Lheld_\m = .Ldelta
    eor     ZL, \m+.Lupper          ; F1(x) ^ SK
    .endif
    .endif
    .endr
    \op     \y, ZL
.endm

/* y = y ^ (F0(x) + SK_n): 6 cycles */
.macro F0_step y, x, n
    subkey  \n
    mov     YL, \x
    ld      YL, Y                   ; F0(x)
    .irp m, EVERY_KEY_BYTE
    .if \m == .Lm
    .if (\m & 12) == .Llow
    add     YL, 2+\m-.Llow
    subi    YL, -.Ldelta & 0xff     ; F0(x) + SK
    .else
    add     YL, \m+.Lupper
    subi    YL, (.Lheld_\m-.Ldelta) & 0xff
    .endif
    .endif
    .endr
    eor     \y, YL
.endm

/* The round that follows .Lround rounds, and its inverse. */
.macro Round p7, p6, p5, p4, p3, p2, p1, p0
    F1_step add, \p1, \p0, 4*.Lround
    F0_step \p3, \p2, 4*.Lround+1
    F1_step add, \p5, \p4, 4*.Lround+2
    F0_step \p7, \p6, 4*.Lround+3
    .Lround = .Lround + 1
.endm

.macro InverseRound p7, p6, p5, p4, p3, p2, p1, p0
    .Lround = .Lround - 1
    F0_step \p7, \p6, 4*.Lround+3
    F1_step sub, \p5, \p4, 4*.Lround+2
    F0_step \p3, \p2, 4*.Lround+1
    F1_step sub, \p1, \p0, 4*.Lround
.endm

.macro pages
    ldi     YH, hi8(F0)
    ldi     ZH, hi8(F1)
.endm

/* The beginning and the end of the functions for a single block. */
.macro single b0, b1, b2, b3, b4, b5, b6, b7
    push_all 28, 29, 17, 16, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 22, 23
    movw    YL, r22                 ; Y = buf
    movw    ZL, r24                 ; Z = rk
    load_key
    ldd     \b0, Y+0
    ldd     \b1, Y+1
    ldd     \b2, Y+2
    ldd     \b3, Y+3
    ldd     \b4, Y+4
    ldd     \b5, Y+5
    ldd     \b6, Y+6
    ldd     \b7, Y+7
    clt                             ; T: is this bulk?
    pages
.endm

.macro single_end b0, b1, b2, b3, b4, b5, b6, b7
    pop     ZH
    pop     ZL                      ; Z = buf
    store_block \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7
    clr     r1
    pop_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16, 17, 29, 28
    ret
.endm

/* A bulk function.  It stands in the section of the single block, whose rounds it uses.  d is the direction; the bytes
 * of a block come in as i0 to i7 and leave as o0 to o7. */
.macro bulk d, i0, i1, i2, i3, i4, i5, i6, i7, o0, o1, o2, o3, o4, o5, o6, o7
    .global haechi_hight_avr_fast_\d\()_bulk
    .type   haechi_hight_avr_fast_\d\()_bulk, %function
haechi_hight_avr_fast_\d\()_bulk:
    rjmp    .L\d\()_bulk
.L\d\()_next:
    movw    ZL, r14
    st      Z+, \o0
    st      Z+, \o1
    st      Z+, \o2
    st      Z+, \o3
    st      Z+, \o4
    st      Z+, \o5
    st      Z+, \o6
    st      Z+, \o7
    movw    r14, ZL                 ; out, on by a block
    plain_key
.L\d\()_count:
    pop     ZH
    pop     ZL
    sbiw    ZL, 1                   ; blocks left
    brcs    1f
    push    ZL
    push    ZH
    movw    ZL, r12
    ld      \i0, Z+
    ld      \i1, Z+
    ld      \i2, Z+
    ld      \i3, Z+
    ld      \i4, Z+
    ld      \i5, Z+
    ld      \i6, Z+
    ld      \i7, Z+
    movw    r12, ZL                 ; in, on by a block
    pages
    rjmp    .L\d\()_block
1:  clr     r1
    pop_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 29, 28
    ret
.L\d\()_bulk:
    push_all 28, 29, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 18, 19
    movw    r12, r20                ; in
    movw    r14, r22                ; out
    movw    ZL, r24                 ; Z = rk
    load_key
    set
    rjmp    .L\d\()_count
    .size   haechi_hight_avr_fast_\d\()_bulk, . - haechi_hight_avr_fast_\d\()_bulk
.endm

/* ---- Encryption: MK0 ... MK3 are in the lower registers. */

    .Llow = 0
    .Lupper = 12

FUNC haechi_hight_avr_fast_enc
    single  x0, x1, x2, x3, x4, x5, x6, x7
.Lenc_block:
    add     x0, r24                 ; WK0 = MK12
    eor     x2, r25                 ; WK1
    add     x4, r26                 ; WK2
    eor     x6, r27                 ; WK3
    .Lround = 0
    rounds_left 32, Round, Round, x7, x6, x5, x4, x3, x2, x1, x0
    add     x1, r2                  ; WK4 = MK0
    eor     x3, r3                  ; WK5
    add     x5, r4                  ; WK6
    eor     x7, r5                  ; WK7
    brts    .Lenc_next
    single_end x1, x2, x3, x4, x5, x6, x7, x0
ENDF

    bulk    enc, x0, x1, x2, x3, x4, x5, x6, x7, x1, x2, x3, x4, x5, x6, x7, x0

/* ---- Decryption: MK12 ... MK15 are in the lower registers. */

    .Llow = 12
    .Lupper = 16

FUNC haechi_hight_avr_fast_dec
    single  x1, x2, x3, x4, x5, x6, x7, x0
.Ldec_block:
    sub     x1, r16                 ; WK4 = MK0
    eor     x3, r17                 ; WK5
    sub     x5, r18                 ; WK6
    eor     x7, r19                 ; WK7
    .Lround = 32
    rounds_right 32, InverseRound, InverseRound, x0, x7, x6, x5, x4, x3, x2, x1
    sub     x0, r2                  ; WK0 = MK12
    eor     x2, r3                  ; WK1
    sub     x4, r4                  ; WK2
    eor     x6, r5                  ; WK3
    brts    .Ldec_next
    single_end x0, x1, x2, x3, x4, x5, x6, x7
ENDF

    bulk    dec, x1, x2, x3, x4, x5, x6, x7, x0, x0, x1, x2, x3, x4, x5, x6, x7

FUNC haechi_hight_avr_fast_eks
    movw    XL, r22                 ; X = key
    movw    ZL, r24                 ; Z = rk
    .rept 16
    ld      r0, X+
    st      Z+, r0
    .endr
    ret
ENDF

    KERNEL hight_avr_fast, 8, 16, 16, 0, haechi_hight_avr_fast_eks, haechi_hight_avr_fast_enc, \
           haechi_hight_avr_fast_enc_bulk
    KERNEL hight_avr_fast_inv, 8, 16, 16, INVERSE, haechi_hight_avr_fast_eks, haechi_hight_avr_fast_dec, \
           haechi_hight_avr_fast_dec_bulk

#endif

#include "../../asm/stack_note.h"

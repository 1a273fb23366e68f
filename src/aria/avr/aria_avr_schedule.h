/* aria_avr_schedule.h - the fast key schedule of ARIA (RFC 5794, 2.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     rk    0     64     128   144   160   176   192    208    240    256    272
 *           | ek1 | ek5  | W1  | W2  |     | W3  | ek13 | ek14 |      | ek17 |
 *
 * W1, W2 and W3 wait in rk at the places of round keys that are written after the last use of the W there.  W0 is the
 * first half of the key, which X reads upwards and downwards in turn.
 *
 *     X        Y              Z              x(i)         t0 t1    u0 u1
 *     r26:r27  r28:r29        r30:r31                     r10 r11  r8 r9
 *     key      rk + 128       rk + .Lz       state, then  scratch
 *                                            a W, rotated */
#ifndef HAECHI_ARIA_AVR_SCHEDULE_H
#define HAECHI_ARIA_AVR_SCHEDULE_H

#include "aria_avr_substitution.h"

#define t0 r10
#define t1 r11
#define u0 r8
#define u1 r9

#define W1 0 /* offsets from Y */
#define W2 16
#define W3 48

/* The `get` of the layers that gives byte i of the constants C1, C2, C3, C1, C2: the fractional part of 1/pi. */
.macro Constant to, i
    .Lw = (\i) / 4 % 12
    .irp w, 0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0, \
            0xdb92371d, 0x2126e970, 0x03249775, 0x04e8c90e
    .if .Lw == 0
    ldi     \to, \w >> (24 - 8 * ((\i) % 4)) & 0xff
    .endif
    .Lw = .Lw - 1
    .endr
.endm

/* W1 = FO(W0, CK1) ^ KR, W2 = FE(W1, CK2) ^ W0, W3 = FO(W2, CK3) ^ W1.  At the end W3 is in registers in the order
 * UPRIGHT, X = key again, and T says whether the key has more than 128 bits.  If it has, the top of the stack says
 * whether it has 256. */
.macro Initialization bits
    .Lfirst = (\bits - 128) / 4     ; of CK1
    push_from 8
    .if \bits > 128
    ldi     ZL, \bits >> 8
    push    ZL
    .endif
    movw    XL, r22                 ; X = key
    movw    YL, r24
    subi    YL, lo8(-128)
    sbci    YH, hi8(-128)           ; Y = rk + 128
    .irp i, TURNED
    ld      x(\i), X+               ; W0
    .endr
    ldi     ZH, hi8(SB1)
    SL1     Constant, .Lfirst, TURNED
    A_back
    .if \bits > 128
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .if \i < (\bits - 128) / 8
    ld      ZL, X+
    eor     x(\i), ZL               ; ^ KR
    .endif
    .endr
    sbiw    XL, (\bits - 128) / 8
    .endif
    store   Y+W1, UPRIGHT
    SL2     Constant, .Lfirst+16, UPRIGHT
    A
    add_W   0, TURNED
    store   Y+W2, TURNED
    SL1     Constant, .Lfirst+32, TURNED
    A_back
    add_W   1, UPRIGHT
    store   Y+W3, UPRIGHT
    .if \bits > 128
    set
    .else
    clt
    .endif
.endm

/* The block ^= W n. */
.macro add_W n, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 15
    .irp b, \b15, \b14, \b13, \b12, \b11, \b10, \b9, \b8, \b7, \b6, \b5, \b4, \b3, \b2, \b1, \b0
    byte_W  ZL, \n, .Li, -X
    eor     x(\b), ZL
    .Li = .Li - 1
    .endr
.endm

/* to = byte i of W n.  W0 is the key, which X reads upwards and downwards in turn. */
.macro byte_W to, n, i, next=X+
    .if \n == 0
    ld      \to, \next
    .elseif \n == 1
    ldd     \to, Y+W1+\i
    .elseif \n == 2
    ldd     \to, Y+W2+\i
    .else
    ldd     \to, Y+W3+\i
    .endif
.endm

/* Z = rk + to; .Lz keeps at assembly time where Z points. */
.macro move_Z to
    .if (.Lz - (\to)) & 255
    subi    ZL, lo8(.Lz - (\to))
    sbci    ZH, hi8(.Lz - (\to))    ; Z = rk + to
    .else
    subi    ZH, hi8(.Lz - (\to))
    .endif
    .Lz = \to
.endm

/* The 128 bits in x(0) to x(15), first byte highest, <<< 1 and >>> 2. */
.macro rotate_left_1
    mov     t0, x(0)
    lsl     t0
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    rol     x(\i)
    .endr
.endm

.macro rotate_right_2
    mov     t0, x(15)
    .rept 2
    lsr     t0
    .irp i, UPRIGHT
    ror     x(\i)
    .endr
    .endr
.endm

/* rk[to] = W n ^ (the state >>> 8 * bytes), a round key */
.macro ek to, n, bytes
    .irp i, UPRIGHT
    byte_W  t0, \n, \i
    eor     t0, x(\i - \bytes)
    std     Z+\to+\i-.Lz, t0
    .endr
.endm

/* The same from byte 15 down, for W0, which X reads downwards. */
.macro ek_downwards to, n, bytes
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    byte_W  t0, \n, \i, -X
    eor     t0, x(\i - \bytes)
    std     Z+\to+\i-.Lz, t0
    .endr
.endm

/* Two round keys from one state, which is rotated by 3 bits: by 16 more for the one at Z, by 64 more for the one at
 * Y. */
.macro ek_twice to, n
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    byte_W  t0, \n, \i
    byte_W  t1, \n, \i+1
    movw    u0, t0
    eor     t0, x(\i - 2)
    std     Z+\to+\i-.Lz, t0        ; W ^ W' >>> 19
    eor     t1, x(\i + 1 - 2)
    std     Z+\to+\i+1-.Lz, t1
    eor     u0, x(\i - 8)
    std     Y+\to+\i, u0            ; W ^ W' <<< 61
    eor     u1, x(\i + 1 - 8)
    std     Y+\to+\i+1, u1
    .endr
.endm

/* All round keys made of W a and of W b, which is in the registers: ek(a+1), ek(a+5), ek(a+9), ek(a+13).  W b is
 * rotated bit by bit from >>> 31 over <<< 31 to >>> 19 and <<< 61; rotation by bytes only renames registers. */
.macro RoundKeys a
    rotate_left_1
    ek      64+16*\a, \a, 4         ; W a ^ W b >>> 31
    rotate_right_2
    .if \a == 0
    move_Z  192
    ek_downwards 192, 0, 12         ; ek13 = W0 ^ W1 <<< 31
    .else
    brtc    1f
    move_Z  192
    ek      192+16*\a, \a, 12       ; W a ^ W b <<< 31
    .if \a == 1
    pop     t0
    bst     t0, 0                   ; from here T says whether there are 256 bits
    .endif
    move_Z  64
1:
    .endif
    rotate_right_2
    move_Z  0
    ek_twice 16*\a, \a
.endm

/* The part that all key sizes share.  W3 comes first, as it is in registers, then W2, W1 and W0. */
.macro AllRoundKeys
    movw    ZL, YL
    .Lz = 128
    move_Z  64
    RoundKeys 2
    load    Y+W2, UPRIGHT
    move_Z  64
    RoundKeys 1
    load    Y+W1, UPRIGHT
    move_Z  64
    RoundKeys 0
    brts    1f
    rjmp    2f
1:  move_Z  256
    rotate_right_2
    ek_downwards 256, 0, 13         ; ek17 = W0 ^ W1 <<< 19
    adiw    XL, 16
    move_Z  0
2:
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    ld      x(\i), -X               ; W0
    .endr
    move_Z  64
    RoundKeys 3
    clr     r1
    pop_from 8
    ret
.endm

#endif

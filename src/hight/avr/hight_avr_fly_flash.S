/* hight_avr_fly_flash.S - HIGHT for AVR without stored round keys: tables in flash, two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_fly_flash_eks(void *rk, const void *key);
 *     void haechi_hight_avr_fly_flash_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_fly_flash_dec(const void *rk, void *buf);
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 * The idea.  Z is needed for the tables, so the deltas are computed: delta_n is bits n to n+6 of the sequence s of an
 * LFSR, and bits n to n+15 lie in the two registers H:L, which shift by one bit a subkey.  After eight subkeys H is
 * empty.  In encryption the equation s_(m+14) = s_m ^ s_(m+6) fills it: H is L as it was two steps later, which P
 * keeps, XOR L as it is now.  In decryption no such pair of values is available: the bytes of the sequence come from
 * flash, 15 in all.
 *
 * As in hight_avr_flash, the steps with F1 and with F0 stand together, so that ZH changes once a round.
 *
 *     H   P or  MK0 ... MK15  x0 ... x7    T    S    S2   L    Z              on the stack
 *     r0  r1 I  r2 ... r17    r18 ... r25  r26  r27  r28  r29  F0 or F1, x    buf                       */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) /* AVR, but for the oldest and the smallest */

#define H r0
#define P r1 /* enc: L when it held the third delta of eight */
#define I r1 /* dec: low byte of the address of the next byte of s */
#define T r26
#define S r27
#define S2 r28
#define L r29

#include "hight_avr_tables_flash.h"
#include "hight_avr_turned_keys.h"

/* .Lbits = s_(8k) to s_(8k+7), at assembly time */
.macro s_byte k
    delta   8 * \k
    .Lbits = .Ldelta | ((.Ldelta >> 3 ^ .Ldelta) & 1) << 7
.endm

    .section .progmem.data.haechi_hight_avr_fly_flash_s, "a", %progbits
    .type   haechi_hight_avr_fly_flash_s, %object
    .size   haechi_hight_avr_fly_flash_s, 15
    .balign 16                      ; all on one page
haechi_hight_avr_fly_flash_s:
    .irp k, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    s_byte  \k
    .byte   .Lbits
    .endr

/* to = the delta of this subkey; H:L goes on to the next one. */
.macro delta_up to
    mov     \to, L
    andi    \to, 0x7f
    lsr     H
    ror     L
.endm

/* to = the delta of the previous subkey.  Here H holds the bits below those in L. */
.macro delta_down to
    lsl     H
    rol     L
    mov     \to, L
    andi    \to, 0x7f
.endm

/* y = y + (F1(x) ^ (key + delta)), or y - (...): 7 cycles with ZH = page of F1 */
.macro F1_step op, y, x, delta, key
    mov     ZL, \x
    lpm     ZL, Z                   ; F1(x)
    add     \delta, \key            ; SK
    eor     ZL, \delta              ; F1(x) ^ SK
    \op     \y, ZL
.endm

/* y = y ^ (F0(x) + key + delta): 7 cycles with ZH = page of F0 */
.macro F0_step y, x, delta, key
    mov     ZL, \x
    lpm     ZL, Z                   ; F0(x)
    add     ZL, \delta
    add     ZL, \key                ; F0(x) + SK
    eor     \y, ZL
.endm

/* Two rounds, with subkeys j = 0 to 3 and 4 to 7 of a half.  ZH holds the pages of F1, F0 and F1 in turn. */
.macro EvenRound p7, p6, p5, p4, p3, p2, p1, p0
    delta_up T
    F1_step add, \p1, \p0, T, HALF_A+0
    delta_up S
    mov     P, L
    delta_up T
    F1_step add, \p5, \p4, T, HALF_A+2
    delta_up T
    page    F0
    F0_step \p3, \p2, S, HALF_A+1
    F0_step \p7, \p6, T, HALF_A+3
.endm

.macro OddRound p7, p6, p5, p4, p3, p2, p1, p0
    delta_up S
    delta_up T
    F0_step \p3, \p2, T, HALF_A+5
    delta_up S2
    delta_up T
    F0_step \p7, \p6, T, HALF_A+7
    page    F1
    F1_step add, \p1, \p0, S, HALF_A+4
    F1_step add, \p5, \p4, S2, HALF_A+6
.endm

/* In decryption HALF_B begins with its byte of j = 7. */
.macro InverseOddRound p7, p6, p5, p4, p3, p2, p1, p0
    delta_down T
    F0_step \p7, \p6, T, HALF_B+0
    delta_down S
    delta_down T
    F0_step \p3, \p2, T, HALF_B+6
    delta_down T
    page    F1
    F1_step sub, \p5, \p4, S, HALF_B+7
    F1_step sub, \p1, \p0, T, HALF_B+5
.endm

.macro InverseEvenRound p7, p6, p5, p4, p3, p2, p1, p0
    delta_down S
    delta_down T
    F1_step sub, \p5, \p4, T, HALF_B+3
    delta_down S2
    delta_down T
    F1_step sub, \p1, \p0, T, HALF_B+1
    page    F0
    F0_step \p7, \p6, S, HALF_B+4
    F0_step \p3, \p2, S2, HALF_B+2
.endm

    fly_frame hight_avr_fly_flash

FUNC haechi_hight_avr_fly_flash_enc
    begin   hight_avr_fly_flash, .Lenc
    s_byte  1
    ldi     T, .Lbits
    mov     H, T
    s_byte  0
    ldi     L, .Lbits
    page    F1
    InitialTransformation
1:  EvenRound x7, x6, x5, x4, x3, x2, x1, x0
    OddRound  x6, x5, x4, x3, x2, x1, x0, x7
    mov     H, L
    eor     H, P                    ; the next eight bits
    turn_by_2 T
    turn_keys HALF_A, HALF_B, T
    s_byte  16
    cpi     L, .Lbits
    breq    2f
    rjmp    1b
2:  FinalTransformation
    far_jump haechi_hight_avr_fly_flash_end
ENDF

FUNC haechi_hight_avr_fly_flash_dec
    begin   hight_avr_fly_flash, .Ldec
    ldi     T, lo8(haechi_hight_avr_fly_flash_s + 14)
    mov     I, T
    s_byte  15
    ldi     T, .Lbits
    mov     H, T
    s_byte  16
    ldi     L, .Lbits
    InverseFinalTransformation
1:  page    F0
    InverseOddRound  x7, x6, x5, x4, x3, x2, x1, x0
    InverseEvenRound x0, x7, x6, x5, x4, x3, x2, x1
    s_byte  0
    cpi     L, .Lbits
    breq    2f
    page    haechi_hight_avr_fly_flash_s
    mov     ZL, I
    lpm     H, Z                    ; eight bits further down
    dec     I
    turn_back_by_2 T
    turn_keys_back HALF_B, HALF_A, T
    rjmp    1b
2:  InverseInitialTransformation
    far_jump haechi_hight_avr_fly_flash_end
ENDF

    KERNEL hight_avr_fly_flash, 8, 16, 16, 0, haechi_hight_avr_fly_flash_eks, haechi_hight_avr_fly_flash_enc
    KERNEL hight_avr_fly_flash_inv, 8, 16, 16, INVERSE, haechi_hight_avr_fly_flash_eks, haechi_hight_avr_fly_flash_dec

#endif

#include "../../asm/stack_note.h"

/* aria_avr_ram.S - ARIA for AVR, for speed: S-boxes in RAM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_avr_ram_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_avr_ram_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_avr_ram_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_avr_ram_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The idea.  This is aria_avr_flash with two pointers that look up in RAM.  Key addition and S-box of a byte take 5
 * cycles. Each pointer changes its page only once a round, as SL1 begins with SB1 and SB2 and SL2 ends with them.  buf
 * waits on the stack.
 *
 *     x(0) ... x(15)        X                Z                Y                r11
 *     r12 ... r25, r0, r1   XH SB2 or SB4    ZH SB1 or SB3    the round keys   low byte of the last
 *                           XL scratch       ZL scratch                        key's address               */
#include "aria_avr.h"

#if defined(ARIA_AVR)

#include "aria_avr_layers_ram.h"
#include "aria_avr_functions.h"

FUNC haechi_aria_avr_ram_256_crypt
    ldi     ZL, lo8(256)            ; from rk to the last key
    rjmp    .Lcrypt
ENDF

ENTRY haechi_aria_avr_ram_192_crypt
    ldi     ZL, lo8(224)
    rjmp    .Lcrypt
ENDF

ENTRY haechi_aria_avr_ram_128_crypt
    ldi     ZL, lo8(192)
.Lcrypt:
    push_from 11
    movw    YL, r24                 ; Y = rk
    movw    XL, r22                 ; X = buf
    .irp i, UPRIGHT
    ld      x(\i), X+
    .endr
    push    XL
    push    XH                      ; buf + 16
    mov     r11, YL
    add     r11, ZL                 ; last
    ldi     ZH, hi8(SB1)
    ldi     XH, hi8(SB2)
    sbrs    ZL, 5
    rjmp    .Lround_1
    sbiw    YL, 32                  ; as if two rounds were done
    rjmp    .Lround_3

    RoundsByFour

    pop     XH
    pop     XL                      ; X = buf + 16
    store_sum RoundKey, TURNED
    clr     r1
    pop_from 11
    ret
ENDF

    aria_functions aria_avr_ram

#define PART(what) haechi_aria_avr_ram_##what
    KERNEL aria_avr_ram_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_avr_ram_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_avr_ram_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_avr_ram_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_avr_ram_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_avr_ram_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

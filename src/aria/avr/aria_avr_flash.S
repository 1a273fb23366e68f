/* aria_avr_flash.S - ARIA for AVR, S-boxes in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_avr_flash_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_avr_flash_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_avr_flash_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_avr_flash_<bits>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The idea.  A byte of the round key is loaded into ZL, and the byte of the block is XORed to it there.  The look-up
 * through Z, whose high byte holds the page of the S-box, writes its result to the register of the byte: 6 cycles in
 * all.  The diffusion layer works in place (aria_avr.h), so all 16 bytes stay in registers from load to store. A turn
 * of the loop is four rounds; a key of 192 bits enters the loop in the middle.
 *
 *     x(0) ... x(15)        X     Y                Z                         r11
 *     r12 ... r25, r0, r1   buf   the round keys   ZH the S-box, ZL scratch  low byte of the last key's address */
#include "aria_avr.h"

#if defined(ARIA_AVR)

#include "aria_avr_layers_flash.h"
#include "aria_avr_functions.h"

FUNC haechi_aria_avr_flash_256_crypt
    ldi     ZL, lo8(256)            ; from rk to the last key
    rjmp    .Lcrypt
ENDF

ENTRY haechi_aria_avr_flash_192_crypt
    ldi     ZL, lo8(224)
    rjmp    .Lcrypt
ENDF

ENTRY haechi_aria_avr_flash_128_crypt
    ldi     ZL, lo8(192)
.Lcrypt:
    push_from 11
    movw    YL, r24                 ; Y = rk
    movw    XL, r22                 ; X = buf
    .irp i, UPRIGHT
    ld      x(\i), X+
    .endr
    mov     r11, YL
    add     r11, ZL                 ; last
    ldi     ZH, hi8(SB1)
    sbrs    ZL, 5
    rjmp    .Lround_1
    sbiw    YL, 32                  ; as if two rounds were done
    rjmp    .Lround_3

    RoundsByFour

    store_sum RoundKey, TURNED
    clr     r1
    pop_from 11
    ret
ENDF

    aria_functions aria_avr_flash

#define PART(what) haechi_aria_avr_flash_##what
    KERNEL aria_avr_flash_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_avr_flash_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_avr_flash_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_avr_flash_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_avr_flash_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_avr_flash_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

/* aria_avr_small.S - ARIA for AVR, small: S-boxes in flash, two rounds in a loop, a key schedule of loops.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_aria_avr_small_<bits>_eks(void *rk, const void *key);
 *     void haechi_aria_avr_small_<bits>_dks(void *rk, const void *key);
 *     void haechi_aria_avr_small_<bits>_crypt(const void *rk, void *buf);
 *     void haechi_aria_avr_small_<bits>_enc_flash(const void *rk, void *buf);
 *
 *     rk    0     16    32    48    64          16 n      16 n + 16     n = 12, 14, 16 rounds
 *           | ek1 | ek2 | ek3 | ek4 |  ...      | ek(n+1) |             for the inverse cipher dk1 ...
 *                 | W1  | W2  | W3  |           while keys are made, CK1, CK2, CK3 before them
 *
 * The idea.  Encryption and the key schedule share two rounds with the block in registers.  What the key schedule has
 * to add between its rounds it adds to the next constant, in memory: FE(W1, CK2) = FE(FO(W0, CK1), CK2 ^ KR).  One
 * loop makes a round key byte by byte; a multiplication by a power of two shifts by any number of bits.  The loop
 * makes ek5 to the last key, and then ek1 to ek4, each of which overwrites a W that is no longer needed.
 *
 *     x(0) ... x(15)        X, Y            Z                         r11          r6:r7  r8:r9
 *     r12 ... r25, r0, r1   buffers, keys   ZH the S-box, ZL scratch  see there    rk     key (eks)        */
#include "aria_avr.h"

#if defined(ARIA_AVR) && defined(__AVR_HAVE_MUL__)

#include "aria_avr_sboxes_flash.h"
#include "aria_avr_substitution.h"
#include "aria_avr_decryption_keys.h"

FUNC haechi_aria_avr_small_256_crypt
    ldi     ZL, 8                   ; pairs of rounds
    rjmp    .Lcrypt
ENDF

ENTRY haechi_aria_avr_small_192_crypt
    ldi     ZL, 7
    rjmp    .Lcrypt
ENDF

/* r11 counts pairs of rounds. */
ENTRY haechi_aria_avr_small_128_crypt
    ldi     ZL, 6
.Lcrypt:
    push_from 11
    even_stack push
    movw    YL, r24                 ; Y = rk
    movw    XL, r22                 ; X = buf
    mov     r11, ZL
    ldi     ZH, hi8(SB1)
    rcall   load_X
1:  rcall   odd_round
    rcall   even_round
    adiw    YL, 32                  ; Y = the next two keys
    dec     r11
    breq    2f
    rcall   A_back_
    rjmp    1b
2:  sbiw    XL, 16
    rcall   store_X
    sbiw    XL, 16
    rcall   add_16
    even_stack pop
    clr     r1
    pop_from 11
    ret
ENDF

/* ---- The rounds, and what all of these share. */

ENTRY haechi_aria_avr_small_rounds

/* The round FE without its diffusion layer; its round key is at Y + 16. */
even_round:
    SL2     RoundKey, 16, TURNED
    ret

/* The round FO; Y points to its round key. */
odd_round:
    SL1     RoundKey, 0, UPRIGHT
ENDF

ENTRY haechi_aria_avr_small_shared

diffuse:
    A
    ret

A_back_:
    A_back
    ret

load_X:
    .irp i, UPRIGHT
    ld      x(\i), X+
    .endr
    ret

store_X:
    .irp i, TURNED
    st      X+, x(\i)
    .endr
    ret

/* XORs 16 or ZL bytes at Y to those at X, and leaves X and Y behind them. */
add_16:
    ldi     ZL, 16
add_ZL:
    rjmp    2f
1:  ld      r0, X
    ld      r1, Y+
    eor     r0, r1
    st      X+, r0
2:  subi    ZL, 1
    brcc    1b
    ret
ENDF

/* ---- Key schedule.  r11 holds the number of bytes of KR, which is (bits - 128) / 8. */

/* C1, C2, C3, C1, C2.  A key of 128, 192 or 256 bits begins with the first, second or third of them. */
    .section .progmem.data.haechi_aria_avr_small_constants, "a", %progbits
    .type   constants, %object
constants:
    .irp i, 1, 2
    .byte   0x51, 0x7c, 0xc1, 0xb7, 0x27, 0x22, 0x0a, 0x94, 0xfe, 0x13, 0xab, 0xe8, 0xfa, 0x9a, 0x6e, 0xe0
    .byte   0x6d, 0xb1, 0x4a, 0xcc, 0x9e, 0x21, 0xc8, 0x20, 0xff, 0x28, 0xb1, 0xd5, 0xef, 0x5d, 0xe2, 0xb0
    .if \i == 1
    .byte   0xdb, 0x92, 0x37, 0x1d, 0x21, 0x26, 0xe9, 0x70, 0x03, 0x24, 0x97, 0x75, 0x04, 0xe8, 0xc9, 0x0e
    .endif
    .endr

/* For each four round keys, the rotation >>> n with n = 8 k + r: 15 - k, where reading begins, and 2^(8 - r). */
turns:
    .irp n, 19, 31, 67, 97, 109
    .byte   15 - \n / 8, 1 << (8 - \n % 8)
    .endr
    .size   constants, . - constants

    .section .text.haechi_aria_avr_small_256_crypt
ENTRY haechi_aria_avr_small_256_eks
    ldi     r18, 16
    rjmp    .Leks
ENDF

ENTRY haechi_aria_avr_small_192_eks
    ldi     r18, 8
    rjmp    .Leks
ENDF

ENTRY haechi_aria_avr_small_128_eks
    ldi     r18, 0
.Leks:
    push_from 6
    even_stack push
    mov     r11, r18                ; bytes of KR
    movw    r6, r24                 ; rk
    movw    r8, r22                 ; key
    movw    XL, r24
    adiw    XL, 16
    lsl     r18
    ldi     ZL, lo8(constants)
    ldi     ZH, hi8(constants)
    add     ZL, r18
    adc     ZH, r1                  ; Z = CK1
    ldi     r18, 48
1:  lpm     r0, Z+
    st      X+, r0
    dec     r18
    brne    1b
    sbiw    XL, 16
    movw    YL, r8
    rcall   add_16                  ; CK3 ^ W0
    sbiw    XL, 32
    mov     ZL, r11
    rcall   add_ZL                  ; CK2 ^ KR
    movw    XL, r8
    rcall   load_X                  ; W0
    movw    YL, r6
    adiw    YL, 16                  ; Y = CK1
    movw    XL, YL
    ldi     ZH, hi8(SB1)
    rcall   odd_round
    rcall   store_X                 ; W1 ^ KR
    rcall   even_round
    rcall   A_back_
    .irp i, UPRIGHT
    st      X+, x(\i)               ; W2 ^ W0
    .endr
    adiw    YL, 32                  ; Y = CK3
    rcall   odd_round
    rcall   store_X                 ; W3 ^ W1
    sbiw    XL, 32
    movw    YL, r8
    rcall   add_16                  ; W2
    sbiw    XL, 32
    mov     ZL, r11
    rcall   add_ZL                  ; W1
    movw    YL, r6
    adiw    YL, 16
    movw    XL, YL
    adiw    XL, 32
    rcall   add_16                  ; W3

/* ek(i+1) = W a ^ W b >>> n with a = i, b = i + 1 modulo 4.
 *
 *     r16  r17    r18           r19        r20      r21        r22         r24      r25  X    Y   Z
 *     i    those  where W b     2^(8 - r)  scratch  bytes to   low byte    bits     0    W a  ek  next byte
 *          there  is read from                      be made    of W b's    carried                of W b
 *                                                              end                                       */
    mov     r17, r11
    lsr     r17
    lsr     r17
    subi    r17, -13                ; n + 1
    clr     r25
    ldi     r16, 4
    adiw    YL, 32                  ; Y = ek5
2:  mov     r20, r16
    lsr     r20
    lsr     r20
    lsl     r20
    ldi     ZL, lo8(turns)
    ldi     ZH, hi8(turns)
    add     ZL, r20
    adc     ZH, r25
    lpm     r18, Z+
    lpm     r19, Z
    mov     r20, r16
    inc     r20
    rcall   address
    movw    r22, XL
    mov     r20, r16
    rcall   address
    movw    ZL, r22
    add     ZL, r18
    adc     ZH, r25
    subi    r22, -16
    ld      r20, Z+
    mul     r20, r19
    mov     r24, r0                 ; the bits that it carries to the next byte
    ldi     r21, 16
1:  ld      r20, Z+
    cp      ZL, r22
    brne    4f
    sbiw    ZL, 16                  ; the first byte of W b
4:  mul     r20, r19
    eor     r1, r24                 ; a byte of W b >>> n
    mov     r24, r0
    ld      r20, X+
    eor     r20, r1
    st      Y+, r20
    dec     r21
    brne    1b
    inc     r16
    cpi     r16, 4
    breq    3f
    cp      r16, r17
    brne    2b
    clr     r16
    movw    YL, r6                  ; from ek1 again
    rjmp    2b
3:  even_stack pop
    clr     r1
    pop_from 6
    ret

/* X = the address of W number r20 modulo 4 */
address:
    movw    XL, r8
    andi    r20, 3
    breq    1f
    movw    XL, r6
    swap    r20
    add     XL, r20
    adc     XH, r25
1:  ret
ENDF

/* ---- Decryption keys.  The diffusion layer is applied to all but the first and the last, and then the order is
 * reversed. */

FUNC haechi_aria_avr_small_256_dks
    save_rk
    FAR_CALL haechi_aria_avr_small_256_eks
    ldi     ZL, 16                  ; rounds
    rjmp    .Ldks
ENDF

ENTRY haechi_aria_avr_small_192_dks
    save_rk
    FAR_CALL haechi_aria_avr_small_192_eks
    ldi     ZL, 14
    rjmp    .Ldks
ENDF

ENTRY haechi_aria_avr_small_128_dks
    save_rk
    FAR_CALL haechi_aria_avr_small_128_eks
    ldi     ZL, 12
.Ldks:
    restore_rk
    push_from 8
    even_stack push
    movw    r8, r24                 ; rk
    movw    XL, r24
    adiw    XL, 16
    mov     r10, ZL
    mov     r11, ZL
    rjmp    2f
1:  FAR_CALL load_X
    FAR_CALL diffuse
    sbiw    XL, 16
    FAR_CALL store_X
2:  dec     r11
    brne    1b
    movw    YL, r8                  ; Y = the lower, X = the higher to be exchanged
    lsr     r10                     ; pairs
1:  ldi     ZL, 16
2:  ld      r20, Y
    ld      r21, X
    st      Y+, r21
    st      X+, r20
    dec     ZL
    brne    2b
    sbiw    XL, 32
    dec     r10
    brne    1b
    even_stack pop
    clr     r1
    pop_from 8
    ret
ENDF

/* ---- Encryption with round keys in the first 64 KB of flash, which only Z reads: a round adds its key before it looks
 * up.  r10 is scratch.  These functions have their own section, so that other programs do not link them. */

FUNC haechi_aria_avr_small_256_enc_flash
    ldi     ZL, 8
    rjmp    .Lcrypt_flash
ENDF

ENTRY haechi_aria_avr_small_192_enc_flash
    ldi     ZL, 7
    rjmp    .Lcrypt_flash
ENDF

.macro add_from_flash order:vararg
    movw    ZL, YL
    .irp i, \order
    lpm     r10, Z+
    eor     x(\i), r10
    .endr
    movw    YL, ZL                  ; Y = the next key
.endm

ENTRY haechi_aria_avr_small_128_enc_flash
    ldi     ZL, 6
.Lcrypt_flash:
    push_from 10
    even_stack push
    movw    YL, r24                 ; Y = rk
    movw    XL, r22                 ; X = buf
    mov     r11, ZL
    FAR_CALL load_X
1:  add_from_flash UPRIGHT
    ldi     ZH, hi8(SB1)
    SL1     none, 0, UPRIGHT
    FAR_CALL diffuse
    rcall   3f
    ldi     ZH, hi8(SB4)
    SL2     none, 0, TURNED
    dec     r11
    breq    2f
    FAR_CALL A_back_
    rjmp    1b
2:  rcall   3f
    sbiw    XL, 16
    FAR_CALL store_X
    clr     r1
    even_stack pop
    pop_from 10
    ret
3:  add_from_flash TURNED
    ret
ENDF

#define PART(what) haechi_aria_avr_small_##what
    KERNEL aria_avr_small_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt)
    KERNEL aria_avr_small_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt)
    KERNEL aria_avr_small_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt)
    KERNEL aria_avr_small_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_avr_small_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_avr_small_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

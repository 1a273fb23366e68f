/* felics_aria_avr_small.S - the scenarios of FELICS in assembly around the rounds of aria_avr_small.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_cbc_decrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_ctr(uint8_t *data, const void *rk, uint8_t *counter);
 *
 * The registers are those of the kernel, in whose place this file is linked.  r10 is scratch.  CBC calls what the kernel's
 * functions share. */
#include "../../../src/aria/avr/aria_avr_small.S"

/* ---- CBC.
 *
 *     X                            Y          r8:r9  r6:r7  r5
 *     data, moves on by a block    see below  rk     IV     blocks left */

    .section .text.haechi_aria_avr_small_256_crypt

ENTRY felics_cbc_encrypt
    rcall   enter_scenario
    movw    YL, r20                 ; Y = IV
1:
    rcall   add_16
    sbiw    XL, 16
    rcall   one_block
    rcall   store_X
    movw    YL, XL
    sbiw    YL, 16                  ; Y = the previous block
    dec     r5
    brne    1b
leave_scenario:
    clr     r1
    pop_all YH, YL, r17, r16, r15, r14, r13, r12, r11, r10, r9, r8, r7, r6, r5
    ret
ENDF

/* From the last block to the first, whose predecessor is the IV. */
ENTRY felics_cbc_decrypt
    rcall   enter_scenario
    adiw    XL, 56
    adiw    XL, 56
1:
    rcall   one_block
    movw    YL, XL
    sbiw    YL, 16                  ; Y = the previous block
    dec     r5
    brne    2f
    movw    YL, r6                  ; Y = IV
2:
    rcall   add_to_registers
    rcall   store_X
    sbiw    XL, 32
    tst     r5
    brne    1b
    rjmp    leave_scenario
ENDF

ENTRY felics_shared

/* Keeps the registers, and takes the arguments of CBC. */
enter_scenario:
    pop     ZH
    pop     ZL                      ; where to go on
    push_all r5, r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17, YL, YH
    movw    XL, r24
    movw    r8, r22
    movw    r6, r20
    ldi     r18, 8
    mov     r5, r18
    ijmp

/* All rounds of the block at X, which stays where it is. */
one_block:
    rcall   load_X
    sbiw    XL, 16
    movw    YL, r8
    ldi     ZL, 6
    mov     r11, ZL                 ; pairs of rounds
    ldi     ZH, hi8(SB1)
1:
    rcall   odd_round
    rcall   even_round
    adiw    YL, 32
    dec     r11
    breq    add_to_registers
    rcall   A_back_
    rjmp    1b

/* XORs the 16 bytes at Y to the block, as it is after the last round. */
add_to_registers:
    .Li = 0
    .irp i, TURNED
    ldd     r10, Y+.Li
    eor     x(\i), r10
    .Li = .Li + 1
    .endr
    ret
ENDF

/* ---- Counter mode. */

FUNC felics_ctr
    push_from 10
    movw    YL, r22                 ; Y = rk
    movw    XL, r20
    movw    ZL, r24
    .irp i, UPRIGHT
    ld      x(\i), X+
    .endr
    mov     r10, r1
    inc     r10
    st      -X, r10                 ; the counter
    movw    XL, ZL                  ; X = data
    ldi     ZL, 6
    mov     r11, ZL                 ; pairs of rounds
1:
    add_from_flash UPRIGHT
    ldi     ZH, hi8(SB1)
    SL1     none, 0, UPRIGHT
    A
    rcall   3f
    ldi     ZH, hi8(SB4)
    SL2     none, 0, TURNED
    dec     r11
    breq    2f
    A_back
    rjmp    1b
2:
    rcall   3f
    .irp i, TURNED
    ld      r10, X
    eor     r10, x(\i)
    st      X+, r10
    .endr
    clr     r1
    pop_from 10
    ret
3:
    add_from_flash TURNED
    ret
ENDF

/* felics_hight_avr_flash_tiny.S - the scenarios of FELICS in assembly around the rounds of hight_avr_flash_tiny.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_cbc_decrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_ctr(uint8_t *data, const void *rk, uint8_t *counter);
 *
 * The registers are those of the kernel, in whose place this file is linked. */
#include "../../../src/hight/avr/hight_avr_flash_tiny.S"

.macro for_each_byte do, bytes:vararg
    .Li = 0
    .irp r, \bytes
    \do     \r, .Li
    .Li = .Li + 1
    .endr
.endm

/* ---- Counter mode.  The kernel ends with macros that read round keys in flash.  The flag T is set in the second block.
 *
 *     r14:r15   r16:r17
 *     counter   data */

.macro xor_to_data r, i
    ld      T, Z
    eor     \r, T
    st      Z+, \r
.endm

FUNC felics_ctr
    push_all r14, r15, r16, r17, U
    movw    r16, r24
    movw    XL, r22
    movw    r14, r20
    clt
2:
    movw    ZL, r14
    load_block x0, x1, x2, x3, x4, x5, x6, x7
    mov     T, x7
    inc     T
    std     Z+7, T
    movw    ZL, XL
    InitialTransformation
    movw    XL, ZL
    ldi     rounds, 16
    rounds_32
    movw    ZL, XL
    FinalTransformation
    subi    ZL, lo8(136)
    sbci    ZH, hi8(136)
    movw    XL, ZL
    movw    ZL, r16
    for_each_byte xor_to_data, x1, x2, x3, x4, x5, x6, x7, x0
    movw    r16, ZL
    brts    3f
    set
    rjmp    2b
3:
    clr     r1
    pop_all U, r17, r16, r15, r14
    ret
ENDF

/* ---- CBC.
 *
 *     r16           Y      Z
 *     blocks left   data   the previous block, between the rounds of one and the next */

    .purgem whiten
.macro whiten op, x, next
    ld      T, \next
    \op     \x, T
.endm

    .purgem F1_step
.macro F1_step op, y, x, next
    ld      T, \next
    F1_with T, \op, \y, \x
.endm

    .purgem F0_step
.macro F0_step y, x, next
    ld      T, \next
    F0_with T, \y, \x
.endm

.macro xor_previous r, i
    ldd     T, Z+\i
    eor     \r, T
.endm

.macro load r, i
    ldd     \r, Y+\i
.endm

.macro store r, i
    std     Y+\i, \r
.endm

.macro enter_scenario
    push_all r16, YL, YH
    movw    YL, r24
    movw    XL, r22
    ldi     r16, 16
.endm

FUNC felics_cbc_encrypt
    enter_scenario
    movw    ZL, r20
2:
    for_each_byte load, x0, x1, x2, x3, x4, x5, x6, x7
    for_each_byte xor_previous, x0, x1, x2, x3, x4, x5, x6, x7
    InitialTransformation
    ldi     rounds, 16
    rounds_32
    FinalTransformation
    for_each_byte store, x1, x2, x3, x4, x5, x6, x7, x0
    movw    ZL, YL
    adiw    YL, 8
    subi    XL, lo8(136)
    sbci    XH, hi8(136)
    dec     r16
    breq    felics_leave
    rjmp    2b
felics_leave:
    clr     r1
    pop_all YH, YL, r16
    ret
ENDF

/* From the last block to the first, whose predecessor is the IV. */
ENTRY felics_cbc_decrypt
    enter_scenario
    push_all r20, r21
    adiw    YL, 60
    adiw    YL, 60
2:
    for_each_byte load, x1, x2, x3, x4, x5, x6, x7, x0
    to_the_end
    InverseFinalTransformation
    ldi     rounds, 16
    inverse_rounds_32
    InverseInitialTransformation
    movw    ZL, YL
    sbiw    ZL, 8
    dec     r16
    brne    3f
    pop     ZH
    pop     ZL
3:
    for_each_byte xor_previous, x0, x1, x2, x3, x4, x5, x6, x7
    for_each_byte store, x0, x1, x2, x3, x4, x5, x6, x7
    movw    YL, ZL
    tst     r16
    breq    4f
    rjmp    2b
4:
    rjmp    felics_leave
ENDF

/* felics_lea_avr_loop.S - the scenarios of FELICS in assembly around the rounds of lea_avr_loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void felics_cbc_encrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_cbc_decrypt(uint8_t *data, const void *rk, const uint8_t *iv);
 *     void felics_ctr(uint8_t *data, const void *rk, uint8_t *counter);
 *     void felics_128_eks(void *rk, const void *key);
 *
 * The registers are those of the kernel, in whose place this file is linked.  The block that was encrypted last stays in
 * its registers.  Except for counter mode, what the scenarios share is called.
 *
 *     r2:r3   r28
 *     data    blocks left */
#include "../../../src/lea/avr/lea_avr_loop.S"

#define data r2
#define blocks r28
#define WORDS r6, r7, r8, r9, r10, r11, r12, r13, r14, r15, r16, r17

/* The kernel's list of words, in the order in which their bytes lie in memory. */
.macro for_each_byte do, x0, x1, x2, x3
    .irp x, \x0, \x1, \x2, \x3
    .irp j, 0, 1, 2, 3
    \do     byte(\x,\j)
    .endr
    .endr
.endm

.macro load b
    ld      \b, X+
.endm

.macro store b
    st      X+, \b
.endm

.macro xor_with b
    ld      r0, X+
    eor     \b, r0
.endm

.macro xor_to b
    ld      r0, X
    eor     r0, \b
    st      X+, r0
.endm

/* The kernel ends with macros that read round keys in flash. */
FUNC felics_ctr
    push_all counter, WORDS, r24, r25
    movw    ZL, r22
    movw    XL, r20
    for_each_byte load, X_128
    ld      r0, -X
    inc     r0
    st      X, r0
    load_factors
    ldi     counter, 24
    rounds  128
    pop     XH
    pop     XL
    for_each_byte xor_to, X_128
    restore_words
    pop     counter
    ret
ENDF

    .purgem next_key
.macro next_key register, at
    ld      \register, Z+
.endm

FUNC felics_cbc_encrypt
    rcall   enter_scenario
    movw    ZL, r22
    movw    XL, r20
    rcall   load_from_X
3:
    movw    XL, data
    rcall   xor_with_X
    load_factors
    ldi     counter, 24
    rounds  128
    movw    XL, data
    rcall   store_at_X
    movw    data, XL
    subi    ZL, lo8(384)
    sbci    ZH, hi8(384)
    dec     blocks
    breq    leave_scenario
    rjmp    3b
leave_scenario:
    pop_all r3, r2, blocks
    restore_words
    pop     counter
    ret
ENDF

/* From the last block to the first, whose predecessor is the IV. */
ENTRY felics_cbc_decrypt
    rcall   enter_scenario
    push    r20
    push    r21
    movw    XL, r24
    adiw    XL, 56
    adiw    XL, 56
    movw    ZL, r22
3:
    movw    data, XL
    rcall   load_from_X
    subi    ZL, lo8(-384)
    sbci    ZH, hi8(-384)
    load_factors
    ldi     counter, 24
    .Lz = 0
    inverse_rounds 128
    movw    XL, data
    sbiw    XL, 16
    dec     blocks
    brne    4f
    pop     XH
    pop     XL
4:
    rcall   xor_with_X
    movw    XL, data
    rcall   store_at_X
    sbiw    XL, 32
    tst     blocks
    breq    5f
    rjmp    3b
5:
    rjmp    leave_scenario
ENDF

ENTRY felics_128_eks
    rcall   enter_scenario
    expand_128
    rjmp    leave_scenario
ENDF

ENTRY felics_shared

/* Keeps the registers, and takes the data or rk from r24:r25. */
enter_scenario:
    pop     ZH
    pop     ZL                      ; where to go on
    push_all counter, WORDS, blocks, r2, r3
    movw    data, r24
    ldi     blocks, 8
    ijmp

load_from_X:
    for_each_byte load, X_128
    ret

xor_with_X:
    for_each_byte xor_with, X_128
    ret

store_at_X:
    for_each_byte store, X_128
    ret
ENDF

/* avr_fixed.h - bytes that are known at build time, as immediate operands.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * tools/fixed_key.py writes them: FIXED_KEYS has the round keys that blocks need, and FIXED_CACHE has what does not
 * depend on the last byte of the counter in the first rounds.  For each cipher, <cipher>_avr_fixed.h defines
 *
 *     size_t haechi_<cipher>_fixed(void *out, const void *in, uint8_t first, size_t n);
 *
 * which encrypts n blocks in counter mode, beginning with the counter block whose last byte is `first`.  It stops
 * after the block whose last byte is 255, as the nonce determines all other bytes.  in may equal out; if in is NULL,
 * the function writes the key stream alone.  It returns the number of blocks that it processed. */
#ifndef HAECHI_ASM_AVR_FIXED_H
#define HAECHI_ASM_AVR_FIXED_H

#include "avr.h"

/* Defines the symbols FIXED_KEYS_0, FIXED_KEYS_1 and so on, and the same for FIXED_CACHE. */
.macro fixed_symbol name, n, value
    FIXED_\name\()_\n = \value
.endm

.macro fixed_symbols name, values:vararg
    .Ln = 0
    .altmacro
    .irp value, \values
    fixed_symbol \name, %(.Ln), \value
    .Ln = .Ln + 1
    .endr
    .noaltmacro
.endm

    fixed_symbols KEYS, FIXED_KEYS
    fixed_symbols CACHE, FIXED_CACHE

.macro fixed_ldi name, n
    ldi     .Lto, FIXED_\name\()_\n
.endm

/* to = byte n of FIXED_<name>.  `to` is the number of a register; a lower one takes its byte through ZL. */
.macro fixed_byte to, name, n
    .Lto = \to
    .if .Lto < 16
    .Lto = 30
    .endif
    .altmacro
    fixed_ldi \name, %(\n)
    .noaltmacro
    .if .Lto != \to
    mov     \to, ZL
    .endif
.endm

.macro fixed_subi name, n
    subi    .Lto, -FIXED_\name\()_\n
.endm

/* to += byte n of FIXED_<name>.  `to` is the number of an upper register. */
.macro fixed_add to, name, n
    .Lto = \to
    .altmacro
    fixed_subi \name, %(\n)
    .noaltmacro
.endm

/* A jump over more than rjmp reaches, as these loops need. */
.macro FIXED_JMP to
#if defined(__AVR_HAVE_JMP_CALL__)
    jmp     \to
#else
    rjmp    \to
#endif
.endm

/* From the arguments: the address of out, the last byte, and the last byte behind the last block.  The flag T says
 * whether there is an in.  The value to return waits on the stack.  If there is nothing to do, the code goes on at
 * label 5. */
.macro fixed_begin out, low, end
    movw    \out, r24
    clt
    cp      r22, r1
    cpc     r23, r1
    breq    1f
    set
1:  mov     \low, r20
    clr     r24
    ldi     r25, 1
    sub     r24, r20
    sbc     r25, r1                 ; 256 - first
    cp      r18, r24
    cpc     r19, r25
    brsh    1f
    movw    r24, r18                ; n
1:  push    r24
    push    r25
    mov     \end, r20
    add     \end, r24
    adiw    r24, 0
    brne    1f
    FIXED_JMP 5f
1:
.endm

#endif

/* aria_avr_decryption_keys.h - the decryption keys of ARIA.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * They are the encryption keys in reverse order, with the diffusion layer A applied to all but the first and the last.
 *
 *     r24:r25  rk, then state
 *     r22      half of the bytes from the first key to the last
 *     XL       low byte of rk
 *     Y, Z     the lower and the higher of two keys that change places
 *     XH       scratch */
#ifndef HAECHI_ARIA_AVR_DECRYPTION_KEYS_H
#define HAECHI_ARIA_AVR_DECRYPTION_KEYS_H

#include "aria_avr.h"

/* rk on the stack, around the call that expands the key. */
.macro save_rk
    push    r24
    push    r25
#if !defined(__AVR_3_BYTE_PC__)
    push    r1                      ; then the call takes the same stack on all parts
#endif
.endm

.macro restore_rk
#if !defined(__AVR_3_BYTE_PC__)
    pop     r1
#endif
    pop     r25
    pop     r24
.endm

/* From the encryption keys in rk.  r22 is half of the bytes from the first key to the last. */
.macro DecryptionKeys
    push_from 12
    movw    YL, r24
    mov     XL, YL
    add     YL, r22
    adc     YH, r1                  ; Y = the key in the middle
    movw    ZL, YL
    load    Z, TURNED
    rjmp    2f
1:  load    Y, UPRIGHT
    A
    exchange Z, TURNED
2:  A_back
    store   Y, UPRIGHT
    sbiw    YL, 16
    adiw    ZL, 16
    cpse    YL, XL
    rjmp    1b
    load    Y, UPRIGHT
    exchange Z, UPRIGHT
    store   Y, UPRIGHT
    clr     r1
    pop_from 12
    ret
.endm

/* The block and the 16 bytes at `with` change places. */
.macro exchange with, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    ldd     XH, \with+.Li
    std     \with+.Li, x(\b)
    mov     x(\b), XH
    .Li = .Li + 1
    .endr
.endm

#endif

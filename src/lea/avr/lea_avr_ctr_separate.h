/* lea_avr_ctr_separate.h - the cache of counter mode, made before the first block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_LEA_AVR_CTR_SEPARATE_H
#define HAECHI_LEA_AVR_CTR_SEPARATE_H

#include "lea_avr_ctr_layout.h"

/* Rotates the three sums of a round, which are in x1, x2 and x3; d names the place of x2. */
.macro rotate_sums x1, x2, x3, t, d
    ROL1    \x1, r27                        ; rol8 of it is X0
    ROL_by  c8, \t, \x2                     ; ror8 of it is X1
    ROL_by  c32, \d, \x3                    ; ror8 of it is X2
.endm

/* Rounds 1 to 3 on what is constant, with 0 for what is not. */
.macro ConstantRounds size
    .Lz = 0
    .Lnext = 5
    ldd     r0, Z+.LRK5+3
    cache_byte r0
    xor_key_bytes W3, .LRK5, 0, 1, 2        ; X3 ^ RK5
    clear   W3, 3
    move_word W4, W2
    xor_RK4 W4, 0, 1, 2, 3
    add_word W3, W4                         ; (X2 ^ RK4) + (X3 ^ RK5)
    cache_word W3, 3
    clear   W3, 3
    xor_key W2, .LRK3                       ; X2 ^ RK3
    xor_key W1, RK1                         ; X1 ^ RK1
    move_word W4, W1
    xor_key W4, .LRK12
    add_word W2, W4                         ; (X1 ^ RK2) + (X2 ^ RK3)
    move_word W4, W0
    xor_key W4, .LRK0
    add_word W1, W4                         ; (X0 ^ RK0) + (X1 ^ RK1)
    rotate_sums W1, W2, W3, W4, W2
    adiw    ZL, \size

    /* X0 to X3 are in rol8(W1), ror8(W4), ror8(W2), W0. */
    move_word W3, W2
    xor_RK4 ror8(W3), 0, 1, 2, 3            ; X2 ^ RK4
    xor_key ror8(W2), .LRK3                 ; X2 ^ RK3
    cache_word ror8(W2), 2
    cache_word ror8(W3), 2
    clear   ror8(W2), 2
    clear   ror8(W3), 2
    xor_key W0, .LRK5                       ; X3 ^ RK5
    add_word W0, ror8(W3)                   ; (X2 ^ RK4) + (X3 ^ RK5)
    xor_key ror8(W4), RK1                   ; X1 ^ RK1
    move_word W3, W4
    xor_key ror8(W3), .LRK12
    add_word ror8(W2), ror8(W3)             ; (X1 ^ RK2) + (X2 ^ RK3)
    cache_word ror8(W2), 2
    clear   ror8(W2), 2
    cache_word W0, 2
    clear   W0, 2
    move_word W3, W1
    xor_key rol8(W3), .LRK0
    add_word ror8(W4), rol8(W3)             ; (X0 ^ RK0) + (X1 ^ RK1)
    rotate_sums ror8(W4), ror8(W2), W0, W3, rol8(W2)
    adiw    ZL, \size

    /* X0 to X3 are in W4, ror8(W3), W2, rol8(W1). */
    xor_key ror8(W3), RK1                   ; X1 ^ RK1
    cache_word ror8(W3), 1
    clr     byte(W0,1)                      ; 2 and 3 are 0
    mov     byte(W0,0), byte(W2,0)
    xor_RK4 W0, 0                           ; X2 ^ RK4
    xor_key W2, .LRK3                       ; X2 ^ RK3
    cache_word W2, 0
    xor_key rol8(W1), .LRK5                 ; X3 ^ RK5
    add_word rol8(W1), W0                   ; (X2 ^ RK4) + (X3 ^ RK5)
    cache_word rol8(W1), 0
    cache_RK34
    ldd     r0, Z+.LRK12
    eor     r0, byte(ror8(W3),0)
    cache_byte r0                           ; X1 ^ RK2
    .irp j, 1, 2, 3
    ldd     r0, Z+.LRK12+\j
    cache_byte r0
    .endr
    move_word W0, W4
    xor_key W0, .LRK0                       ; X0 ^ RK0
    clear   ror8(W3), 1
    add_word W0, ror8(W3)                   ; (X0 ^ RK0) + (X1 ^ RK1)
    cache_word W0, 0
    cache_word W4, 0                        ; X3 of round 4
    adiw    ZL, \size
    std     Y+3, ZL
    std     Y+4, ZH
    .purgem xor_RK4
    .purgem cache_RK34
.endm

/* Makes the cache from the counter in W0 to W3; then r28 and r29 hold the last byte and the end. */
.macro begin_stretch layout, size, s1
    mov     r26, byte(W3,3)
    clr     r27
    layout_\layout
    ConstantRounds \size
    ldd     r0, Y+AT_LEFT+1
    ldd     r1, Y+AT_LEFT
    cpse    r0, r27
    clr     r1
    mov     r27, r1
    movw    low, r26                ; last byte, end
.endm

#endif

/* aria_armv7m_small_rounds.h - one round of ARIA a turn of the loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * aria_armv7m_small.S has the idea and draws the registers and the round keys.  The including file names its functions by
 * PART, and has S_boxes. */
#ifndef HAECHI_ARIA_ARMV7M_SMALL_ROUNDS_H
#define HAECHI_ARIA_ARMV7M_SMALL_ROUNDS_H

#define XOR eors
#include "aria_armv7m_layers.h"
#include "aria_armv7m_constants.h"

#if defined(HAECHI_ARMV7M)

#define x0 r4
#define x1 r5
#define x2 r6
#define x3 r7
#define SAVED r4, r5, r6, r7, r8, r9, r10, r11

.macro tables
    movw    r8, #:lower16:PART(T)
    movt    r8, #:upper16:PART(T)
    add     r9, r8, #256
    add     r10, r8, #512
    add     r11, r8, #768
.endm

.macro AddRoundKey
    ldm     r0!, {r1, r2}
    eors    x0, r1
    eors    x1, r2
    ldm     r0!, {r1, r2}
    eors    x2, r1
    eors    x3, r2
.endm

.macro SL1_word x
    ubfx    r1, \x, #8, #8
    ubfx    r2, \x, #16, #8
    lsrs    r3, \x, #24
    uxtb    \x, \x
    ldrb    r1, [r9, r1]
    ldrb    r2, [r10, r2]
    ldrb    r3, [r11, r3]
    ldrb    \x, [r8, \x]
    byte    \x, r1, 8
    byte    \x, r2, 16
    byte    \x, r3, 24
.endm

.macro SL1
    SL1_word x0
    SL1_word x1
    SL1_word x2
    SL1_word x3
.endm

.macro diffusion_layer
    Bytes   x0, x1, x2, x3, r1
    WordsAndTurn x0, x1, x2, x3
.endm

/* The last round has no diffusion layer, and adds a second key. */
.macro AddLastKey
    ldm     r0, {r0, r1, r2, r3}
    eor     x0, r0, x0, ror #16
    eor     x1, r1, x1, ror #16
    eor     x2, r2, x2, ror #16
    eor     x3, r3, x3, ror #16
.endm

.macro load_block from
    ldr     x0, [\from]
    ldr     x1, [\from, #4]
    ldr     x2, [\from, #8]
    ldr     x3, [\from, #12]
.endm

.macro turn words:vararg
    .irp x, \words
    ror     \x, \x, #16
    .endr
.endm

/* All rounds, which begin at add_key with a block in x0 to x3.  After a diffusion layer with r0 = r12 they go to the label
 * 2, which stands behind them. */
.macro rounds
    b.n     1f
    .p2align 2
INNER PART(diffuse)
    diffusion_layer
    cmp     r0, r12
    beq     2f
INNER PART(add_key)
1:
    AddRoundKey
    SL1
    cmp     r0, lr
    bne     PART(diffuse)
    AddLastKey
.endm

#endif
#endif

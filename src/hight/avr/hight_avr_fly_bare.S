/* hight_avr_fly_bare.S - HIGHT for AVR without stored round keys and without tables of F: two rounds in a loop.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_avr_fly_bare_eks(void *rk, const void *key);
 *     void haechi_hight_avr_fly_bare_enc(const void *rk, void *buf);
 *     void haechi_hight_avr_fly_bare_dec(const void *rk, void *buf);
 *
 *     rk    0                16
 *           | MK0 ... MK15   |
 *
 * The idea.  The products of hight_avr_bare and the turning key of hight_avr_fly take all 32 registers.  Z, which reads
 * the deltas in flash, also ends the loop, and the register pair of the products helps to turn the block. Addresses
 * do not depend on key or block: the deltas are read from the same addresses each time.
 *
 *     products  MK0 ... MK15  x0 ... x7    FOUR HALF ZERO U    Z       on the stack
 *     r0, r1    r2 ... r17    r18 ... r25  r26  r27  r28  r29  deltas  buf                              */
#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_MUL__)

#define FOUR r26
#define HALF r27
#define ZERO r28
#define U r29

#include "hight_avr_products.h"
#include "hight_avr_deltas.h"

/* y = y + (F1(x) ^ (key + the next delta)), or y - (...): 16 cycles */
.macro F1_step op, y, x, key
    lpm     U, Z+                   ; delta
    add     U, \key                 ; SK
    swap    \x                      ; x<<<4
    eor     U, \x
    multiples \x                    ; F1(x) ^ SK
    swap    \x                      ; x
    \op     \y, U
.endm

/* y = y ^ (F0(x) + key + the next delta): 17 cycles */
.macro F0_step y, x, key
    mov     U, \x
    lsl     U
    adc     U, ZERO                 ; x<<<1
    multiples \x                    ; F0(x)
    lpm     r0, Z+                  ; delta
    add     U, r0
    add     U, \key                 ; F0(x) + SK
    eor     \y, U
.endm

.macro ready delta
    ldi     FOUR, 4
    ldi     HALF, 128
    ldi     ZERO, 0
    ldi     ZL, lo8(\delta)
    ldi     ZH, hi8(\delta)
.endm

    fly_frame hight_avr_fly_bare
    fly_rounds hight_avr_fly_bare

    KERNEL hight_avr_fly_bare, 8, 16, 16, 0, haechi_hight_avr_fly_bare_eks, haechi_hight_avr_fly_bare_enc
    KERNEL hight_avr_fly_bare_inv, 8, 16, 16, INVERSE, haechi_hight_avr_fly_bare_eks, haechi_hight_avr_fly_bare_dec

#endif

#include "../../asm/stack_note.h"

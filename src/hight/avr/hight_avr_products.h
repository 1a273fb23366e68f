/* hight_avr_products.h - the rotations inside F0 and F1 by multiplication, without tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A multiplication by 2^k shifts a byte by k bits, and the two bytes of the product are the two parts of the rotated
 * byte.  A kernel names U (scratch) and the registers FOUR and HALF, which hold the constants 4 and 128. */
#ifndef HAECHI_HIGHT_AVR_PRODUCTS_H
#define HAECHI_HIGHT_AVR_PRODUCTS_H

/* U = U ^ x<<<2 ^ x<<<7.  So U becomes F0(x) if it held x<<<1.  r0 and r1 are lost.  8 cycles. */
.macro multiples x
    mul     \x, FOUR
    eor     U, r0
    eor     U, r1                   ; ... ^ x<<<2
    mul     \x, HALF
    eor     U, r0
    eor     U, r1                   ; ... ^ x<<<7
.endm

#endif

/* hight_msp430_shared_end.h - the end that encryption and decryption share in small kernels.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Encryption ends with byte j of the result in x(j+1).  Decryption gives the name x1 to the byte x0 of the standard, and
 * so on, so that it ends in the same way.  buf waits on the stack. */
#ifndef HAECHI_HIGHT_MSP430_SHARED_END_H
#define HAECHI_HIGHT_MSP430_SHARED_END_H

#include "hight_msp430_block.h"

.macro shared_end
    pop     buf
    store   x1, x2, x3, x4, x5, x6, x7, x0
    pop_all r10, r9, r8, r7, r6, r5, r4
    ret
.endm

.macro enter words:vararg
    push_all r4, r5, r6, r7, r8, r9, r10
    load    \words
    push    buf
.endm

/* Whitening of decryption, with the names above. */

.macro ShiftedInverseFinalTransformation
    whiten  sub.b, x2               ; WK4
    whiten  xor.b, x4               ; WK5
    whiten  sub.b, x6               ; WK6
    whiten  xor.b, x0               ; WK7
.endm

.macro ShiftedInverseInitialTransformation
    whiten  sub.b, x1               ; WK0
    whiten  xor.b, x3               ; WK1
    whiten  sub.b, x5               ; WK2
    whiten  xor.b, x7               ; WK3
.endm

#endif

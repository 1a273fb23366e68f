/* avr_ctr.h - the stack frame of counter mode, for AVR kernels that have their cache on the stack.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_<kernel>_ctr(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n);
 *
 *     Y +    1    3       CACHE + 3                 CACHE + 5
 *            | in | cache | last byte + blocks left | ctr |
 *
 * A kernel defines CACHE, the bytes of its cache, before it includes this file. */
#ifndef HAECHI_AVR_CTR_H
#define HAECHI_AVR_CTR_H

#define FRAME (CACHE + 6)
#define AT_LEFT (CACHE + 3)
#define AT_CTR (CACHE + 5)

/* Saves all registers and makes the frame at Y. */
.macro make_frame
    push_all 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, YL, YH
    in      YL, SPL
    in      YH, SPH
    sbiw    YL, FRAME
    move_SP_to_Y
.endm

/* Stores in and ctr in the frame and leaves n in r25:r24.  T says whether there is an in.  If there are no blocks, the
 * code goes on at `none`. */
.macro store_arguments none
    std     Y+1, r18                ; in
    std     Y+2, r19
    std     Y+AT_CTR, r22
    std     Y+AT_CTR+1, r23
    movw    r24, r16                ; n
    adiw    r24, 0
    brne    1f
    rjmp    \none
1:  clt
    movw    XL, r18
    adiw    XL, 0
    breq    1f
    set
1:
.endm

#endif

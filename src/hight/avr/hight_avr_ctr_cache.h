/* hight_avr_ctr_cache.h - what counter mode keeps in registers from one block to the next.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Successive counter blocks differ only in their last byte, x7, until it wraps after 256 blocks at most.  What depends
 * on the other seven bytes alone is computed once and stays in registers: the cache.
 *
 *     k0 ... k6         x0 to x6 as they are when x7 first affects them: x0 in round 2, x1 in round 3 ... x6 in round 8
 *     to_1 ... to_7     what rounds 1, 3, 5 and 7 add to x7: F0(x6)+SK3, F1(x6)^SK8, F0(x6)+SK17, F1(x6)^SK26
 *     SK4               the first subkey that every block needs */
#ifndef HAECHI_HIGHT_AVR_CTR_CACHE_H
#define HAECHI_HIGHT_AVR_CTR_CACHE_H

#define k0 r2
#define k1 r3
#define k2 r4
#define k3 r5
#define k4 r6
#define k5 r7
#define k6 r8
#define SK4 r9
#define to_1 r10
#define to_3 r11
#define to_5 r12
#define to_7 r13

#endif

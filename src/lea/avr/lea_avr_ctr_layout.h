/* lea_avr_ctr_layout.h - the parts of counter mode that make the cache.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     Y    Z, which moves from round to round   r26        r27
 *     SP   round keys                           last byte  0 */
#ifndef HAECHI_LEA_AVR_CTR_LAYOUT_H
#define HAECHI_LEA_AVR_CTR_LAYOUT_H

/* Appends to the cache. */
.macro cache_byte register
    std     Y+.Lnext, \register
    .Lnext = .Lnext+1
.endm

.macro cache_word x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    cache_byte byte(\x,\j)
    .endif
    .endr
.endm

.macro clear x, from
    .irp j, 0, 1, 2, 3
    .if \j >= \from
    clr     byte(\x,\j)
    .endif
    .endr
.endm

.macro xor_key_bytes x, at, bytes:vararg
    .irp j, \bytes
    ldd     r0, Z+\at+\j
    eor     byte(\x,\j), r0
    .endr
.endm

/* Where a layout has the round keys, and how it computes X2 ^ RK4 and RK3 ^ RK4. */
#define RK1 0
.macro layout_128
    .LRK3 = 0
    .LRK5 = 0
    .LRK12 = 8
    .LRK0 = 12
    .macro xor_RK4 x, bytes:vararg
        xor_key_bytes \x, 4, \bytes
    .endm
    .macro cache_RK34
        .irp j, 1, 2, 3
        ldd     r0, Z+\j
        ldd     r1, Z+4+\j
        eor     r0, r1
        cache_byte r0
        .endr
    .endm
.endm

.macro layout_256
    .LRK3 = 4
    .LRK5 = 8
    .LRK12 = 16
    .LRK0 = 20
    .macro xor_RK4 x, bytes:vararg
        xor_key_bytes \x, 4, \bytes
        xor_key_bytes \x, 12, \bytes
    .endm
    .macro cache_RK34
        .irp j, 1, 2, 3
        ldd     r0, Z+12+\j
        cache_byte r0
        .endr
    .endm
.endm

#endif

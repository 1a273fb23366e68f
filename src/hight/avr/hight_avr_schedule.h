/* hight_avr_schedule.h - the fast key schedule of HIGHT.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     MK       X            Z
 *     r18-r25  key, behind  rk + .Lz
 *              what is read
 *
 * The two halves of the key, MK0 to MK7 and MK8 to MK15, take turns in r18 to r25.  A register that holds MK + delta
 * for its last subkey becomes the next subkey by adding the difference of the two deltas: a subkey costs 3 cycles,
 * its store included.  std reaches only 64 bytes, so Z has to move: it moves downwards through the subkeys of the
 * first half, beginning at WK4 to WK7, and upwards through those of the second half, beginning at WK0 to WK3.
 *
 * A kernel defines
 *
 *     put_subkey n, register       stores SK_n at its place in rk */
#ifndef HAECHI_HIGHT_AVR_SCHEDULE_H
#define HAECHI_HIGHT_AVR_SCHEDULE_H

#include "../hight_constants.h"

#define MK 18 /* number of the register of MK0 or MK8 */

/* Z = rk + to; .Lz keeps at assembly time where Z points. */
.macro move_Z to
    subi    ZL, lo8(.Lz - \to)
    sbci    ZH, hi8(.Lz - \to)      ; Z = rk + to
    .Lz = \to
.endm

/* rk[at] = register.  A store at Z or just below Z moves Z at no cost. */
.macro put at, register
    .if \at == .Lz
    st      Z+, \register
    .Lz = .Lz + 1
    .elseif \at == .Lz - 1
    st      -Z, \register
    .Lz = .Lz - 1
    .else
    std     Z+\at-.Lz, \register
    .endif
.endm

.macro load_half
    .irp m, 0, 1, 2, 3, 4, 5, 6, 7
    ld      MK+\m, X+
    .Lheld_\m = 0                   ; the register holds MK_m + .Lheld_m
    .endr
.endm

/* WK_i = MK_(i+12) for i = 0 to 3 and MK_(i-4) for i = 4 to 7.  Stores four registers from `first` on at rk[at]. */
.macro WhiteningKeyGeneration at, first
    .irp i, 0, 1, 2, 3
    put     \at+\i, \first+\i
    .endr
.endm

/* SK_n = MK_(j-i mod 8) + delta_n with n = 16i + j for the first half of the key (half = 0), and
 * SK_n = MK_(8 + (j-i mod 8)) + delta_n with n = 16i + j + 8 for the second (half = 8).  `order` lists m = j-i mod 8
 * such that i = 4 takes the places in rk from the highest to the lowest: then Z steps down with the stores. */
.macro SubkeyGeneration half, i, order:vararg
    .irp m, \order
    .Ln = 16 * \i + ((\m + \i) & 7) + \half
    delta   .Ln
    subi    MK+\m, (.Lheld_\m - .Ldelta) & 0xff
    .Lheld_\m = .Ldelta
    put_subkey .Ln, MK+\m
    .endr
.endm

/* From X = key and Z = rk.  It takes 432 cycles, 6 of them to move Z, and what put_subkey takes beyond a store. */
.macro KeySchedule order:vararg
    .Lz = 0
    load_half                       ; MK0..7
    move_Z  76
    WhiteningKeyGeneration 132, MK  ; WK4..7
    .irp i, 7, 6, 5, 4
    SubkeyGeneration 0, \i, \order
    .endr
    move_Z  0
    .irp i, 3, 2, 1, 0
    SubkeyGeneration 0, \i, \order
    .endr
    load_half                       ; MK8..15
    WhiteningKeyGeneration 0, MK+4  ; WK0..3
    .irp i, 0, 1, 2, 3
    SubkeyGeneration 8, \i, \order
    .endr
    move_Z  76
    .irp i, 4, 5, 6, 7
    SubkeyGeneration 8, \i, \order
    .endr
.endm

#endif

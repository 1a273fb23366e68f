/* lea_avr_deltas.h - the deltas of all rounds as a table in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     deltas    | delta_0 <<< 0 | delta_1 <<< 1 | ... | delta_(i mod K) <<< i | ...      for K words of key */
#ifndef HAECHI_LEA_AVR_DELTAS_H
#define HAECHI_LEA_AVR_DELTAS_H

#include "lea_avr_words.h"
#include "../lea_delta.h"

.macro deltas kernel, K, rounds, align=1
    .section .progmem.data.haechi_\kernel\()_deltas_\K, "a", %progbits
    .balign \align
    .global haechi_\kernel\()_deltas_\K
    .type   haechi_\kernel\()_deltas_\K, %object
haechi_\kernel\()_deltas_\K:
    .Li = 0
    .rept \rounds
    delta   .Li%\K, .Li
    .byte   .Ldelta&0xff, .Ldelta>>8&0xff, .Ldelta>>16&0xff, .Ldelta>>24&0xff
    .Li = .Li+1
    .endr
    .byte   0                       ; loops compare with this address, so no other table may begin there
    .size   haechi_\kernel\()_deltas_\K, . - haechi_\kernel\()_deltas_\K
.endm

.macro point_Z_at deltas
    ldi     ZL, lo8(\deltas)
    ldi     ZH, hi8(\deltas)
.endm

/* x = the next entry */
.macro load_delta x
    .irp j, 0, 1, 2, 3
    lpm     byte(\x,\j), Z+
    .endr
.endm

#endif

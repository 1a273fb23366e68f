/* aria_avr_functions.h - the loop of rounds, counter mode and key schedules of aria_avr_flash and aria_avr_ram.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each function of a key size sets what differs and goes on in the code that all key sizes share. */
#ifndef HAECHI_ARIA_AVR_FUNCTIONS_H
#define HAECHI_ARIA_AVR_FUNCTIONS_H

#include "aria_avr_schedule.h"
#include "aria_avr_decryption_keys.h"
#include "aria_avr_ctr.h"

/* The rounds, four a turn of the loop, from .Lround_1 or from .Lround_3 on. */
.macro RoundsByFour
.Lnext_round:
    A_back
.Lround_1:
    SL1_round RoundKey, 0, UPRIGHT
    A
    SL2_round RoundKey, 16, TURNED
    A_back
.Lround_3:
    SL1_round RoundKey, 32, UPRIGHT
    A
    SL2_round RoundKey, 48, TURNED
    subi    YL, lo8(-64)
    sbci    YH, hi8(-64)            ; Y = the next four keys
    cpse    YL, r11
    rjmp    .Lnext_round
.endm

.macro aria_functions kernel
FUNC haechi_\kernel\()_256_ctr
    ldi     ZL, lo8(256)            ; from rk to the last key
    rjmp    .Lctr
ENDF

ENTRY haechi_\kernel\()_192_ctr
    ldi     ZL, lo8(224)
    rjmp    .Lctr
ENDF

ENTRY haechi_\kernel\()_128_ctr
    ldi     ZL, lo8(192)
.Lctr:
    CounterMode
ENDF

FUNC haechi_\kernel\()_eks
    AllRoundKeys
ENDF

FUNC haechi_\kernel\()_128_eks
    Initialization 128
    FAR_JMP haechi_\kernel\()_eks
ENDF

FUNC haechi_\kernel\()_192_eks
    Initialization 192
    FAR_JMP haechi_\kernel\()_eks
ENDF

FUNC haechi_\kernel\()_256_eks
    Initialization 256
    FAR_JMP haechi_\kernel\()_eks
ENDF

FUNC haechi_\kernel\()_dks
    restore_rk
    DecryptionKeys
ENDF

FUNC haechi_\kernel\()_128_dks
    save_rk
    FAR_CALL haechi_\kernel\()_128_eks
    ldi     r22, 192 / 2
    FAR_JMP haechi_\kernel\()_dks
ENDF

FUNC haechi_\kernel\()_192_dks
    save_rk
    FAR_CALL haechi_\kernel\()_192_eks
    ldi     r22, 224 / 2
    FAR_JMP haechi_\kernel\()_dks
ENDF

FUNC haechi_\kernel\()_256_dks
    save_rk
    FAR_CALL haechi_\kernel\()_256_eks
    ldi     r22, 256 / 2
    FAR_JMP haechi_\kernel\()_dks
ENDF
.endm

#endif

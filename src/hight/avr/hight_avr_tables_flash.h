/* hight_avr_tables_flash.h - the functions F0 and F1 of HIGHT as two tables in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     F0    | F0(0) F0(1) ... F0(255) |     256 bytes at a multiple of 256
 *     F1    | F1(0) F1(1) ... F1(255) |     the next 256 bytes
 *
 * Because each table fills one page of 256 bytes, the high byte of a pointer selects the table and the low byte is the
 * argument.  The tables stand in a COMDAT group: a program holds them once, however many kernels include them. */
#ifndef HAECHI_HIGHT_AVR_TABLES_FLASH_H
#define HAECHI_HIGHT_AVR_TABLES_FLASH_H

#include "../hight_constants.h"

#define F0 haechi_hight_flash_F0
#define F1 haechi_hight_flash_F1

    .section .progmem.data.haechi_hight_flash_F, "aG", %progbits, haechi_hight_flash_F, comdat
    .balign 256
    named_table F0, F0_ROTATIONS
    named_table F1, F1_ROTATIONS

/* Selects the table that Z reads: ZH = the page of F0 or F1. */
.macro page name
    ldi     ZH, hi8(\name)
.endm

#endif

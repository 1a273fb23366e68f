/* aria_avr.h - what the ARIA kernels for AVR share: registers, S-boxes, layers, the key schedule.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel that defines ARIA_AVR_RAM before has its S-boxes in RAM, others in flash.
 *
 *     x(0) ... x(13)   x(14)  x(15)    X, Y                Z
 *     r12  ... r25     r0     r1       buffers and keys    ZH the page of an S-box, ZL scratch
 *
 * UPRIGHT, byte i of the block stands in x(i).  The diffusion layer, a program of XORs in place, leaves
 * byte i in x(p) with p as in TURNED.  The layer is its own inverse, so the same program backwards computes
 * it too and takes TURNED to UPRIGHT: after two rounds everything stands as before, and nothing ever moves. */
#ifndef HAECHI_ARIA_AVR_H
#define HAECHI_ARIA_AVR_H

#include "../../asm/avr.h"

#if defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__) /* AVR, but for the oldest and the smallest */
#define ARIA_AVR 1

#define x(i) ((((i) & 15) + 12) % 26)

#define UPRIGHT 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define TURNED 4, 12, 6, 7, 2, 3, 0, 15, 13, 11, 8, 14, 5, 10, 9, 1

/* To another section. */
#if defined(__AVR_HAVE_JMP_CALL__)
#define FAR_JMP jmp
#define FAR_CALL call
#else
#define FAR_JMP rjmp
#define FAR_CALL rcall
#endif

/* ---- The S-boxes, RFC 5794, 2.4.2, a page each.  SB3 and SB4 undo SB1 and SB2. */
#if defined(ARIA_AVR_RAM)
#define SB1 haechi_aria_avr_ram_sboxes
#define LOOK_UP ld
    .section .data.haechi_aria_avr_ram_sboxes, "aw", %progbits
    .global __do_copy_data          ; has start-up code fill the section
#else
#define SB1 haechi_aria_avr_sboxes
#define LOOK_UP lpm
    .section .progmem.data.haechi_aria_avr_sboxes, "aG", %progbits, haechi_aria_avr_sboxes, comdat
    .weak   SB1                     ; one copy, however many kernels a program has
#endif
#define SB2 SB1 + 256
#define SB3 SB1 + 512
#define SB4 SB1 + 768
    .balign 256
    .type   SB1, %object
    .size   SB1, 1024
SB1:
    /* SB1 */
    .byte   0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76
    .byte   0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0
    .byte   0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15
    .byte   0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75
    .byte   0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84
    .byte   0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf
    .byte   0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8
    .byte   0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2
    .byte   0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73
    .byte   0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb
    .byte   0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79
    .byte   0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08
    .byte   0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a
    .byte   0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e
    .byte   0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf
    .byte   0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16
    /* SB2 */
    .byte   0xe2, 0x4e, 0x54, 0xfc, 0x94, 0xc2, 0x4a, 0xcc, 0x62, 0x0d, 0x6a, 0x46, 0x3c, 0x4d, 0x8b, 0xd1
    .byte   0x5e, 0xfa, 0x64, 0xcb, 0xb4, 0x97, 0xbe, 0x2b, 0xbc, 0x77, 0x2e, 0x03, 0xd3, 0x19, 0x59, 0xc1
    .byte   0x1d, 0x06, 0x41, 0x6b, 0x55, 0xf0, 0x99, 0x69, 0xea, 0x9c, 0x18, 0xae, 0x63, 0xdf, 0xe7, 0xbb
    .byte   0x00, 0x73, 0x66, 0xfb, 0x96, 0x4c, 0x85, 0xe4, 0x3a, 0x09, 0x45, 0xaa, 0x0f, 0xee, 0x10, 0xeb
    .byte   0x2d, 0x7f, 0xf4, 0x29, 0xac, 0xcf, 0xad, 0x91, 0x8d, 0x78, 0xc8, 0x95, 0xf9, 0x2f, 0xce, 0xcd
    .byte   0x08, 0x7a, 0x88, 0x38, 0x5c, 0x83, 0x2a, 0x28, 0x47, 0xdb, 0xb8, 0xc7, 0x93, 0xa4, 0x12, 0x53
    .byte   0xff, 0x87, 0x0e, 0x31, 0x36, 0x21, 0x58, 0x48, 0x01, 0x8e, 0x37, 0x74, 0x32, 0xca, 0xe9, 0xb1
    .byte   0xb7, 0xab, 0x0c, 0xd7, 0xc4, 0x56, 0x42, 0x26, 0x07, 0x98, 0x60, 0xd9, 0xb6, 0xb9, 0x11, 0x40
    .byte   0xec, 0x20, 0x8c, 0xbd, 0xa0, 0xc9, 0x84, 0x04, 0x49, 0x23, 0xf1, 0x4f, 0x50, 0x1f, 0x13, 0xdc
    .byte   0xd8, 0xc0, 0x9e, 0x57, 0xe3, 0xc3, 0x7b, 0x65, 0x3b, 0x02, 0x8f, 0x3e, 0xe8, 0x25, 0x92, 0xe5
    .byte   0x15, 0xdd, 0xfd, 0x17, 0xa9, 0xbf, 0xd4, 0x9a, 0x7e, 0xc5, 0x39, 0x67, 0xfe, 0x76, 0x9d, 0x43
    .byte   0xa7, 0xe1, 0xd0, 0xf5, 0x68, 0xf2, 0x1b, 0x34, 0x70, 0x05, 0xa3, 0x8a, 0xd5, 0x79, 0x86, 0xa8
    .byte   0x30, 0xc6, 0x51, 0x4b, 0x1e, 0xa6, 0x27, 0xf6, 0x35, 0xd2, 0x6e, 0x24, 0x16, 0x82, 0x5f, 0xda
    .byte   0xe6, 0x75, 0xa2, 0xef, 0x2c, 0xb2, 0x1c, 0x9f, 0x5d, 0x6f, 0x80, 0x0a, 0x72, 0x44, 0x9b, 0x6c
    .byte   0x90, 0x0b, 0x5b, 0x33, 0x7d, 0x5a, 0x52, 0xf3, 0x61, 0xa1, 0xf7, 0xb0, 0xd6, 0x3f, 0x7c, 0x6d
    .byte   0xed, 0x14, 0xe0, 0xa5, 0x3d, 0x22, 0xb3, 0xf8, 0x89, 0xde, 0x71, 0x1a, 0xaf, 0xba, 0xb5, 0x81
    /* SB3 */
    .byte   0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38, 0xbf, 0x40, 0xa3, 0x9e, 0x81, 0xf3, 0xd7, 0xfb
    .byte   0x7c, 0xe3, 0x39, 0x82, 0x9b, 0x2f, 0xff, 0x87, 0x34, 0x8e, 0x43, 0x44, 0xc4, 0xde, 0xe9, 0xcb
    .byte   0x54, 0x7b, 0x94, 0x32, 0xa6, 0xc2, 0x23, 0x3d, 0xee, 0x4c, 0x95, 0x0b, 0x42, 0xfa, 0xc3, 0x4e
    .byte   0x08, 0x2e, 0xa1, 0x66, 0x28, 0xd9, 0x24, 0xb2, 0x76, 0x5b, 0xa2, 0x49, 0x6d, 0x8b, 0xd1, 0x25
    .byte   0x72, 0xf8, 0xf6, 0x64, 0x86, 0x68, 0x98, 0x16, 0xd4, 0xa4, 0x5c, 0xcc, 0x5d, 0x65, 0xb6, 0x92
    .byte   0x6c, 0x70, 0x48, 0x50, 0xfd, 0xed, 0xb9, 0xda, 0x5e, 0x15, 0x46, 0x57, 0xa7, 0x8d, 0x9d, 0x84
    .byte   0x90, 0xd8, 0xab, 0x00, 0x8c, 0xbc, 0xd3, 0x0a, 0xf7, 0xe4, 0x58, 0x05, 0xb8, 0xb3, 0x45, 0x06
    .byte   0xd0, 0x2c, 0x1e, 0x8f, 0xca, 0x3f, 0x0f, 0x02, 0xc1, 0xaf, 0xbd, 0x03, 0x01, 0x13, 0x8a, 0x6b
    .byte   0x3a, 0x91, 0x11, 0x41, 0x4f, 0x67, 0xdc, 0xea, 0x97, 0xf2, 0xcf, 0xce, 0xf0, 0xb4, 0xe6, 0x73
    .byte   0x96, 0xac, 0x74, 0x22, 0xe7, 0xad, 0x35, 0x85, 0xe2, 0xf9, 0x37, 0xe8, 0x1c, 0x75, 0xdf, 0x6e
    .byte   0x47, 0xf1, 0x1a, 0x71, 0x1d, 0x29, 0xc5, 0x89, 0x6f, 0xb7, 0x62, 0x0e, 0xaa, 0x18, 0xbe, 0x1b
    .byte   0xfc, 0x56, 0x3e, 0x4b, 0xc6, 0xd2, 0x79, 0x20, 0x9a, 0xdb, 0xc0, 0xfe, 0x78, 0xcd, 0x5a, 0xf4
    .byte   0x1f, 0xdd, 0xa8, 0x33, 0x88, 0x07, 0xc7, 0x31, 0xb1, 0x12, 0x10, 0x59, 0x27, 0x80, 0xec, 0x5f
    .byte   0x60, 0x51, 0x7f, 0xa9, 0x19, 0xb5, 0x4a, 0x0d, 0x2d, 0xe5, 0x7a, 0x9f, 0x93, 0xc9, 0x9c, 0xef
    .byte   0xa0, 0xe0, 0x3b, 0x4d, 0xae, 0x2a, 0xf5, 0xb0, 0xc8, 0xeb, 0xbb, 0x3c, 0x83, 0x53, 0x99, 0x61
    .byte   0x17, 0x2b, 0x04, 0x7e, 0xba, 0x77, 0xd6, 0x26, 0xe1, 0x69, 0x14, 0x63, 0x55, 0x21, 0x0c, 0x7d
    /* SB4 */
    .byte   0x30, 0x68, 0x99, 0x1b, 0x87, 0xb9, 0x21, 0x78, 0x50, 0x39, 0xdb, 0xe1, 0x72, 0x09, 0x62, 0x3c
    .byte   0x3e, 0x7e, 0x5e, 0x8e, 0xf1, 0xa0, 0xcc, 0xa3, 0x2a, 0x1d, 0xfb, 0xb6, 0xd6, 0x20, 0xc4, 0x8d
    .byte   0x81, 0x65, 0xf5, 0x89, 0xcb, 0x9d, 0x77, 0xc6, 0x57, 0x43, 0x56, 0x17, 0xd4, 0x40, 0x1a, 0x4d
    .byte   0xc0, 0x63, 0x6c, 0xe3, 0xb7, 0xc8, 0x64, 0x6a, 0x53, 0xaa, 0x38, 0x98, 0x0c, 0xf4, 0x9b, 0xed
    .byte   0x7f, 0x22, 0x76, 0xaf, 0xdd, 0x3a, 0x0b, 0x58, 0x67, 0x88, 0x06, 0xc3, 0x35, 0x0d, 0x01, 0x8b
    .byte   0x8c, 0xc2, 0xe6, 0x5f, 0x02, 0x24, 0x75, 0x93, 0x66, 0x1e, 0xe5, 0xe2, 0x54, 0xd8, 0x10, 0xce
    .byte   0x7a, 0xe8, 0x08, 0x2c, 0x12, 0x97, 0x32, 0xab, 0xb4, 0x27, 0x0a, 0x23, 0xdf, 0xef, 0xca, 0xd9
    .byte   0xb8, 0xfa, 0xdc, 0x31, 0x6b, 0xd1, 0xad, 0x19, 0x49, 0xbd, 0x51, 0x96, 0xee, 0xe4, 0xa8, 0x41
    .byte   0xda, 0xff, 0xcd, 0x55, 0x86, 0x36, 0xbe, 0x61, 0x52, 0xf8, 0xbb, 0x0e, 0x82, 0x48, 0x69, 0x9a
    .byte   0xe0, 0x47, 0x9e, 0x5c, 0x04, 0x4b, 0x34, 0x15, 0x79, 0x26, 0xa7, 0xde, 0x29, 0xae, 0x92, 0xd7
    .byte   0x84, 0xe9, 0xd2, 0xba, 0x5d, 0xf3, 0xc5, 0xb0, 0xbf, 0xa4, 0x3b, 0x71, 0x44, 0x46, 0x2b, 0xfc
    .byte   0xeb, 0x6f, 0xd5, 0xf6, 0x14, 0xfe, 0x7c, 0x70, 0x5a, 0x7d, 0xfd, 0x2f, 0x18, 0x83, 0x16, 0xa5
    .byte   0x91, 0x1f, 0x05, 0x95, 0x74, 0xa9, 0xc1, 0x5b, 0x4a, 0x85, 0x6d, 0x13, 0x07, 0x4f, 0x4e, 0x45
    .byte   0xb2, 0x0f, 0xc9, 0x1c, 0xa6, 0xbc, 0xec, 0x73, 0x90, 0x7b, 0xcf, 0x59, 0x8f, 0xa1, 0xf9, 0x2d
    .byte   0xf2, 0xb1, 0x00, 0x94, 0x37, 0x9f, 0xd0, 0x2e, 0x9c, 0x6e, 0x28, 0x3f, 0x80, 0xf0, 0x3d, 0xd3
    .byte   0x25, 0x8a, 0xb5, 0xe7, 0x42, 0xb3, 0xc7, 0xea, 0xf7, 0x4c, 0x11, 0x33, 0x03, 0xa2, 0xac, 0x60

/* ---- Substitution layers: key addition and S-boxes, 5 cycles a byte in RAM and 6 in flash. */

/* Byte i, which stands in x(b), under the S-box whose page is in the pointer's high byte.  \get puts byte i
 * of what is to be added into a register.  A place `none` leaves a byte out. */
.macro S get, i, b, pointer=Z
    .ifnc \b, none
    \get    \pointer\()L, \i
    eor     \pointer\()L, x(\b)
    LOOK_UP x(\b), \pointer         ; S(byte ^ key)
    .endif
.endm

/* SL1 begins with ZH on SB1 and SL2 on SB4, where the other ended: three pages a round. */
.macro SL1 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    S       \get, \at, \b0
    S       \get, \at+4, \b4
    S       \get, \at+8, \b8
    S       \get, \at+12, \b12
    ldi     ZH, hi8(SB2)
    S       \get, \at+1, \b1
    S       \get, \at+5, \b5
    S       \get, \at+9, \b9
    S       \get, \at+13, \b13
    ldi     ZH, hi8(SB3)
    S       \get, \at+2, \b2
    S       \get, \at+6, \b6
    S       \get, \at+10, \b10
    S       \get, \at+14, \b14
    ldi     ZH, hi8(SB4)
    S       \get, \at+3, \b3
    S       \get, \at+7, \b7
    S       \get, \at+11, \b11
    S       \get, \at+15, \b15
.endm

.macro SL2 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    S       \get, \at+1, \b1
    S       \get, \at+5, \b5
    S       \get, \at+9, \b9
    S       \get, \at+13, \b13
    ldi     ZH, hi8(SB3)
    S       \get, \at, \b0
    S       \get, \at+4, \b4
    S       \get, \at+8, \b8
    S       \get, \at+12, \b12
    ldi     ZH, hi8(SB2)
    S       \get, \at+3, \b3
    S       \get, \at+7, \b7
    S       \get, \at+11, \b11
    S       \get, \at+15, \b15
    ldi     ZH, hi8(SB1)
    S       \get, \at+2, \b2
    S       \get, \at+6, \b6
    S       \get, \at+10, \b10
    S       \get, \at+14, \b14
.endm

/* By two pointers, each of which has two S-boxes: SL1 begins and SL2 ends with SB1 and SB2. */
#if defined(ARIA_AVR_RAM)

.macro columns_0_1 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    S       \get, \at, \b0
    S       \get, \at+4, \b4
    S       \get, \at+8, \b8
    S       \get, \at+12, \b12
    S       \get, \at+1, \b1, X
    S       \get, \at+5, \b5, X
    S       \get, \at+9, \b9, X
    S       \get, \at+13, \b13, X
.endm

.macro columns_2_3 get, at, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    columns_0_1 \get, \at+2, \b2, \b3, \b0, \b1, \b6, \b7, \b4, \b5, \b10, \b11, \b8, \b9, \b14, \b15, \b12, \b13
.endm

.macro SL1_XZ get, at, bytes:vararg
    columns_0_1 \get, \at, \bytes
    ldi     ZH, hi8(SB3)
    ldi     XH, hi8(SB4)
    columns_2_3 \get, \at, \bytes
.endm

.macro SL2_XZ get, at, bytes:vararg
    columns_0_1 \get, \at, \bytes
    ldi     ZH, hi8(SB1)
    ldi     XH, hi8(SB2)
    columns_2_3 \get, \at, \bytes
.endm
#endif

.macro RoundKey to, i
    ldd     \to, Y+\i               ; byte i of the round keys from Y on
.endm

/* The last key addition, from byte 15 down to X. */
.macro store_sum get, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 15
    .irp b, \b15, \b14, \b13, \b12, \b11, \b10, \b9, \b8, \b7, \b6, \b5, \b4, \b3, \b2, \b1, \b0
    \get    ZL, .Li
    eor     x(\b), ZL
    st      -X, x(\b)
    .Li = .Li - 1
    .endr
.endm

/* ---- The diffusion layer: a, b stands for x(a) ^= x(b).  46 XORs, one less than the 47 in the literature on
 * quantum circuits, which count the same; diffusion.py found them and checks them. */
#define DIFFUSION                                                                                            \
    8, 15,  0, 14,  14, 9,  3, 4,  9, 7,  11, 5,  5, 2,  15, 14,  4, 5,  11, 0,                              \
    7, 3,  3, 10,  7, 11,  11, 12,  10, 4,  4, 15,  15, 1,  1, 6,  12, 8,  5, 9,                             \
    2, 11,  3, 13,  6, 10,  8, 6,  14, 2,  13, 15,  11, 1,  2, 12,  9, 7,  12, 5,                            \
    5, 0,  0, 14,  1, 8,  14, 7,  8, 3,  15, 0,  10, 5,  4, 8,  6, 15,  15, 8,                               \
    7, 3,  5, 11,  0, 7,  3, 13,  13, 10,  10, 4

.macro forwards a, b, rest:vararg
    eor     x(\a), x(\b)
    .ifnb \rest
    forwards \rest
    .endif
.endm

.macro backwards a, b, rest:vararg
    .ifnb \rest
    backwards \rest
    .endif
    eor     x(\a), x(\b)
.endm

.macro A                            ; UPRIGHT to TURNED
    forwards DIFFUSION
.endm

.macro A_back                       ; TURNED to UPRIGHT
    backwards DIFFUSION
.endm

/* ---- Key schedule, RFC 5794, 2.2.
 *
 *     W1, W2 and W3 wait where round keys will come that are written after their last use.  Y = rk + 128.
 *     rk    0     64     128   144   160   176   192    208    240    256    272
 *           | ek1 | ek5  | W1  | W2  |     | W3  | ek13 | ek14 |      | ek17 |
 *     W0 is the key's first half, which X reads upwards and downwards in turn.
 *
 *     X        Y              Z              x(i)         t0 t1    u0 u1
 *     r26:r27  r28:r29        r30:r31                     r10 r11  r8 r9
 *     key      rk + 128       rk + what      state, then  scratch
 *                             `.Lz` says     a W, rotated                                              */
#define t0 r10
#define t1 r11
#define u0 r8
#define u1 r9

#define W1 0 /* from Y */
#define W2 16
#define W3 48

.macro push_from first
    .irp r, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    .if \r >= \first
    push    \r
    .endif
    .endr
.endm

.macro pop_from first
    .irp r, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6
    .if \r >= \first
    pop     \r
    .endif
    .endr
.endm

.macro load from, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    .ifnc \b, none
    ldd     x(\b), \from+.Li
    .endif
    .Li = .Li + 1
    .endr
.endm

.macro store to, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    std     \to+.Li, x(\b)
    .Li = .Li + 1
    .endr
.endm

/* Byte i of C1, C2, C3, one after the other and then again: the fractional part of 1/pi. */
.macro Constant to, i
    .Lw = (\i) / 4 % 12
    .irp w, 0x517cc1b7, 0x27220a94, 0xfe13abe8, 0xfa9a6ee0, 0x6db14acc, 0x9e21c820, 0xff28b1d5, 0xef5de2b0, \
            0xdb92371d, 0x2126e970, 0x03249775, 0x04e8c90e
    .if .Lw == 0
    ldi     \to, \w >> (24 - 8 * ((\i) % 4)) & 0xff
    .endif
    .Lw = .Lw - 1
    .endr
.endm

/* W1 = FO(W0, CK1) ^ KR, W2 = FE(W1, CK2) ^ W0, W3 = FO(W2, CK3) ^ W1.  In the end W3 is in registers,
 * UPRIGHT, X = key again, T says whether the key has more than 128 bits and, if it has, the top of the stack
 * whether it has 256. */
.macro Initialization bits
    .Lfirst = (\bits - 128) / 4     ; of CK1
    push_from 8
    .if \bits > 128
    ldi     ZL, \bits >> 8
    push    ZL
    .endif
    movw    XL, r22                 ; X = key
    movw    YL, r24
    subi    YL, lo8(-128)
    sbci    YH, hi8(-128)           ; Y = rk + 128
    .irp i, TURNED
    ld      x(\i), X+               ; W0
    .endr
    ldi     ZH, hi8(SB1)
    SL1     Constant, .Lfirst, TURNED
    A_back
    .if \bits > 128
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    .if \i < (\bits - 128) / 8
    ld      ZL, X+
    eor     x(\i), ZL               ; ^ KR
    .endif
    .endr
    sbiw    XL, (\bits - 128) / 8
    .endif
    store   Y+W1, UPRIGHT
    SL2     Constant, .Lfirst+16, UPRIGHT
    A
    add_W   0, TURNED
    store   Y+W2, TURNED
    SL1     Constant, .Lfirst+32, TURNED
    A_back
    add_W   1, UPRIGHT
    store   Y+W3, UPRIGHT
    .if \bits > 128
    set
    .else
    clt
    .endif
.endm

.macro add_W n, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 15
    .irp b, \b15, \b14, \b13, \b12, \b11, \b10, \b9, \b8, \b7, \b6, \b5, \b4, \b3, \b2, \b1, \b0
    byte_W  ZL, \n, .Li, -X
    eor     x(\b), ZL
    .Li = .Li - 1
    .endr
.endm

/* Byte i of W n.  W0 is the key, which X reads upwards and downwards in turn. */
.macro byte_W to, n, i, next=X+
    .if \n == 0
    ld      \to, \next
    .elseif \n == 1
    ldd     \to, Y+W1+\i
    .elseif \n == 2
    ldd     \to, Y+W2+\i
    .else
    ldd     \to, Y+W3+\i
    .endif
.endm

.macro move_Z to
    .if (.Lz - (\to)) & 255
    subi    ZL, lo8(.Lz - (\to))
    sbci    ZH, hi8(.Lz - (\to))    ; Z = rk + to
    .else
    subi    ZH, hi8(.Lz - (\to))
    .endif
    .Lz = \to
.endm

.macro rotate_left_1
    mov     t0, x(0)
    lsl     t0
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    rol     x(\i)
    .endr
.endm

.macro rotate_right_2
    mov     t0, x(15)
    .rept 2
    lsr     t0
    .irp i, UPRIGHT
    ror     x(\i)
    .endr
    .endr
.endm

/* rk[to ...] = W n ^ the state, turned right by whole bytes */
.macro ek to, n, bytes
    .irp i, UPRIGHT
    byte_W  t0, \n, \i
    eor     t0, x(\i - \bytes)
    std     Z+\to+\i-.Lz, t0
    .endr
.endm

.macro ek_downwards to, n, bytes
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    byte_W  t0, \n, \i, -X
    eor     t0, x(\i - \bytes)
    std     Z+\to+\i-.Lz, t0
    .endr
.endm

/* Two round keys from one state: n = 16 + 3 bits for Z, 64 + 3 for Y. */
.macro ek_twice to, n
    .irp i, 0, 2, 4, 6, 8, 10, 12, 14
    byte_W  t0, \n, \i
    byte_W  t1, \n, \i+1
    movw    u0, t0
    eor     t0, x(\i - 2)
    std     Z+\to+\i-.Lz, t0        ; W ^ W' >>> 19
    eor     t1, x(\i + 1 - 2)
    std     Z+\to+\i+1-.Lz, t1
    eor     u0, x(\i - 8)
    std     Y+\to+\i, u0            ; W ^ W' <<< 61
    eor     u1, x(\i + 1 - 8)
    std     Y+\to+\i+1, u1
    .endr
.endm

/* All of W a and W b, which is in the registers: ek(a+1), ek(a+5), ek(a+9), ek(a+13).  It is rotated bit by
 * bit from >>> 31 over <<< 31 to >>> 19 and <<< 61; bytes are only names. */
.macro RoundKeys a
    rotate_left_1
    ek      64+16*\a, \a, 4         ; W a ^ W b >>> 31
    rotate_right_2
    .if \a == 0
    move_Z  192
    ek_downwards 192, 0, 12         ; ek13 = W0 ^ W1 <<< 31
    .else
    brtc    1f
    move_Z  192
    ek      192+16*\a, \a, 12       ; W a ^ W b <<< 31
    .if \a == 1
    pop     t0
    bst     t0, 0                   ; from here T says whether there are 256 bits
    .endif
    move_Z  64
1:
    .endif
    rotate_right_2
    move_Z  0
    ek_twice 16*\a, \a
.endm

/* The rest, which key sizes share: W3 first, as it is at hand, then W2, W1, W0. */
.macro AllRoundKeys
    movw    ZL, YL
    .Lz = 128
    move_Z  64
    RoundKeys 2
    load    Y+W2, UPRIGHT
    move_Z  64
    RoundKeys 1
    load    Y+W1, UPRIGHT
    move_Z  64
    RoundKeys 0
    brts    1f
    rjmp    2f
1:  move_Z  256
    rotate_right_2
    ek_downwards 256, 0, 13         ; ek17 = W0 ^ W1 <<< 19
    adiw    XL, 16
    move_Z  0
2:
    .irp i, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
    ld      x(\i), -X               ; W0
    .endr
    move_Z  64
    RoundKeys 3
    clr     r1
    pop_from 8
    ret
.endm

/* ---- Decryption keys: the encryption keys in reverse, A applied to all but the outer two.
 *
 *     r24:r25  rk, then state
 *     r22      half of the bytes from the first to the last
 *     XL       low byte of rk
 *     Y        rk, the lower of two keys that change places;  Z the higher;  XH scratch                   */
.macro save_rk
    push    r24
    push    r25
#if !defined(__AVR_3_BYTE_PC__)
    push    r1                      ; then the call ahead takes the same stack on all parts
#endif
.endm

.macro restore_rk
#if !defined(__AVR_3_BYTE_PC__)
    pop     r1
#endif
    pop     r25
    pop     r24
.endm

.macro DecryptionKeys
    push_from 12
    movw    YL, r24
    mov     XL, YL
    add     YL, r22
    adc     YH, r1                  ; Y = the key in the middle
    movw    ZL, YL
    load    Z, TURNED
    rjmp    2f
1:  load    Y, UPRIGHT
    A
    exchange Z, TURNED
2:  A_back
    store   Y, UPRIGHT
    sbiw    YL, 16
    adiw    ZL, 16
    cpse    YL, XL
    rjmp    1b
    load    Y, UPRIGHT
    exchange Z, UPRIGHT
    store   Y, UPRIGHT
    clr     r1
    pop_from 12
    ret
.endm

.macro exchange with, b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15
    .Li = 0
    .irp b, \b0, \b1, \b2, \b3, \b4, \b5, \b6, \b7, \b8, \b9, \b10, \b11, \b12, \b13, \b14, \b15
    ldd     XH, \with+.Li
    std     \with+.Li, x(\b)
    mov     x(\b), XH
    .Li = .Li + 1
    .endr
.endm

#endif
#endif

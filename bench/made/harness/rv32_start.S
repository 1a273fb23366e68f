/* rv32_start.S - start-up code, and the four functions that compilers call on their own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/asm/rv32.h"

    .section .init, "ax", %progbits
    .global _start
_start:
    la      sp, _stack
    la      a0, _data
    la      a1, _data_image
    la      a2, _data_size
    call    memcpy
    la      a0, _bss
    li      a1, 0
    la      a2, _bss_size
    call    memset
    call    main

/* void *memcpy(void *to, const void *from, size_t n) */
FUNC memcpy
    mv      a3, a0
    add     a2, a2, a1              # behind the last byte
1:  beq     a1, a2, 2f
    lbu     a4, 0(a1)
    sb      a4, 0(a3)
    addi    a1, a1, 1
    addi    a3, a3, 1
    j       1b
2:  ret
ENDF

/* void *memmove(void *to, const void *from, size_t n) */
FUNC memmove
    sub     a3, a0, a1
    bgeu    a3, a2, memcpy          # to is not within from ... from + n
1:  beqz    a2, 2f
    addi    a2, a2, -1
    add     a3, a1, a2
    lbu     a4, 0(a3)
    add     a3, a0, a2
    sb      a4, 0(a3)
    j       1b
2:  ret
ENDF

/* void *memset(void *to, int byte, size_t n) */
FUNC memset
    add     a2, a2, a0              # behind the last byte
    mv      a3, a0
1:  beq     a3, a2, 2f
    sb      a1, 0(a3)
    addi    a3, a3, 1
    j       1b
2:  ret
ENDF

/* int memcmp(const void *a, const void *b, size_t n) */
FUNC memcmp
    add     a2, a2, a0              # behind the last byte of a
    mv      a3, a0
    li      a0, 0
1:  beq     a3, a2, 2f
    lbu     a0, 0(a3)
    lbu     a4, 0(a1)
    sub     a0, a0, a4
    addi    a3, a3, 1
    addi    a1, a1, 1
    beqz    a0, 1b
2:  ret
ENDF

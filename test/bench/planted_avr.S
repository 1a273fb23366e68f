/* planted_avr.S - functions that do what a kernel must not do.  Tests call them as crypt(rk, buf) and expect an error.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */

#define ALIGNMENT 0
#include "planted.h"

PLANT planted_nothing
    ret
END planted_nothing

PLANT planted_r10
    inc     r10
    ret
END planted_r10

PLANT planted_y
    adiw    r28, 1
    ret
END planted_y

PLANT planted_r1
    inc     r1
    ret
END planted_r1

PLANT planted_before
    movw    r30, r22
    com     r24
    ld      r0, -Z
    com     r0
    st      Z, r0
    ret
END planted_before

PLANT planted_behind
    movw    r30, r22
    ldd     r0, Z+16
    com     r0
    std     Z+16, r0
    ret
END planted_behind

PLANT planted_key                   ; writes to the round keys
    movw    r30, r24
    ld      r0, Z
    com     r0
    st      Z, r0
    ret
END planted_key

PLANT planted_unbalanced            ; returns with one byte left on the stack
    pop     r31
    pop     r30
    push    r30
    ijmp
END planted_unbalanced

PLANT planted_pops                  ; returns by a jump, which takes a return address for two bytes
    pop     r31
    pop     r30
    ijmp
END planted_pops

PLANT planted_across                ; adds 1 to four bytes; the call that does so finds the 1 on the stack, behind two bytes
    ldi     r18, 1
    push    r18
    rcall   1f
    pop     r18
    ret
1:  in      r30, 0x3d
    in      r31, 0x3e
    ldd     r18, Z+3
    movw    r30, r22
    clc
    .irp    at, 0, 1, 2, 3
    ldd     r0, Z+\at
    adc     r0, r18
    std     Z+\at, r0
    ldi     r18, 0
    .endr
    ret
END planted_across

PLANT planted_cli
    cli
    ret
END planted_cli

PLANT planted_device
    out     0x18, r24
    ret
END planted_device

PLANT planted_wild
    sts     0xf000, r24
    ret
END planted_wild

PLANT planted_illegal
    .word   0xffff
    ret
END planted_illegal

PLANT planted_hang
    rjmp    planted_hang
END planted_hang

PLANT planted_peek                  ; reads beyond its buffer
    movw    r30, r22
    ldd     r0, Z+16
    ret
END planted_peek

PLANT planted_peek_flash            ; reads constants of another function
    movw    r30, r22
    lpm     r0, Z
    ret
END planted_peek_flash

PLANT planted_red_zone              ; keeps a byte below the stack pointer
    in      r30, 0x3d
    in      r31, 0x3e
    movw    r26, r22
    ld      r0, X
    st      Z, r0
    ld      r0, Z
    st      X, r0
    ret
END planted_red_zone

PLANT planted_sts                   ; writes a byte of the block to a fixed address
    movw    r30, r22
    ld      r0, Z
    sts     0x0480, r0
    ret
END planted_sts

PLANT planted_park                  ; leaves a byte of the key in a variable of its own
    movw    r30, r24
    ld      r0, Z
    sts     planted_variable, r0
    ret
END planted_park

PLANT planted_spoil                 ; changes its own table in RAM
    lds     r0, planted_variable
    inc     r0
    sts     planted_variable, r0
    ret
END planted_spoil

PLANT planted_lds                   ; reads a byte at a fixed address
    lds     r0, 0x0480
    ret
END planted_lds

PLANT planted_sreg                  ; writes the flags by their address
    sts     0x5f, r1
    ret
END planted_sreg

    .section .data.planted_variable, "aw", %progbits
    .global planted_variable
    .type   planted_variable, %object
planted_variable:
    .byte   0
    .size   planted_variable, . - planted_variable

PLANT planted_branch
    movw    r26, r22
    ld      r0, X
    sbrc    r0, 0
    nop
    ret
END planted_branch

PLANT planted_lookup                ; looks up at an address that depends on the block
    movw    r26, r22
    ld      r18, X
    andi    r18, 7
    add     r22, r18
    adc     r23, r1
    movw    r30, r22
    ld      r0, Z
    ret
END planted_lookup

/* Adds 1 to four bytes of the block, with all carries, and without the last carry. */
.macro increment bytes:vararg
    movw    r30, r22
    ld      r24, Z
    subi    r24, -1
    st      Z, r24
    .irp i, \bytes
    ldd     r24, Z+\i
    sbci    r24, -1
    std     Z+\i, r24
    .endr
    ret
.endm

PLANT planted_increment
    increment 1, 2, 3
END planted_increment

PLANT planted_carry
    increment 1, 2
END planted_carry

/* planted_increment where the buffer lies well, and something else where it does not. */
PLANT planted_page                  ; the pointer does not carry from one page to the next
    movw    r26, r22
    ld      r24, X
    subi    r24, -1
    st      X, r24
    .rept   3
    inc     r26
    ld      r24, X
    sbci    r24, -1
    st      X, r24
    .endr
    ret
END planted_page

PLANT planted_or                    ; takes the address of byte 1 for an odd one
    movw    r30, r22
    ori     r30, 1
    movw    r26, r22
    ld      r24, X
    subi    r24, -1
    st      X, r24
    .irp    i, 0, 1, 2
    ldd     r24, Z+\i
    sbci    r24, -1
    std     Z+\i, r24
    .endr
    ret
END planted_or

PLANT planted_place                 ; changes another byte where bit 7 of the address is 1
    clr     r25
    bst     r22, 7
    bld     r25, 0
    movw    r30, r22
    ldd     r24, Z+4
    eor     r24, r25
    std     Z+4, r24
    increment 1, 2, 3
END planted_place

PLANT planted_compare               ; has addresses at which it does nothing
    cpi     r23, 10
    brne    0f
    ret
0:  increment 1, 2, 3
END planted_compare

/* For planted.h, which says what becomes of it. */
.macro many high, late, borrow
    movw    r30, r22
    movw    r26, r20
    ldi     r24, 1
    clr     r25                         ; blocks that are done
    rjmp    2f
1:
    .ifnb \late
    sbrc    r25, 3
    ldi     r24, 2
    .endif
    ld      r20, X+
    add     r20, r24
    st      Z+, r20
    .rept 3
    ld      r20, X+
    adc     r20, r1
    st      Z+, r20
    .endr
    .rept 4
    ld      r20, X+
    st      Z+, r20
    .endr
    inc     r25
    subi    r18, 1
    .ifb \borrow
    sbci    r19, 0
    .endif
2:  mov     r20, r18
    or      r20, \high
    brne    1b
    ret
.endm

    loops   r19, r18

PLANT planted_residue
    movw    r26, r22
    ld      r0, X
    push    r0
    pop     r0
    ret
END planted_residue

PLANT planted_flip                  ; buf[0] ^= 1, with one redundant instruction
    movw    r26, r22
    ld      r24, X
planted_needless:
    mov     r24, r24
    ldi     r20, 1
    eor     r24, r20
    st      X, r24
    ret
END planted_flip

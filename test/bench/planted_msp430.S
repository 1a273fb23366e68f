/* planted_msp430.S - functions that do what a kernel must not do.  Tests call them as crypt(rk, buf) and expect an error.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */

#define ALIGNMENT 1
#include "planted.h"

PLANT planted_nothing
    ret
END planted_nothing

PLANT planted_r10
    inc     r10
    ret
END planted_r10

PLANT planted_before
    inv     -2(r13)
    ret
END planted_before

PLANT planted_behind
    inv.b   16(r13)
    ret
END planted_behind

PLANT planted_key                   ; writes to the round keys
    inv     0(r12)
    ret
END planted_key

PLANT planted_unbalanced            ; returns with two bytes left on the stack
    mov     @r1, r12
    push    r12
    ret
END planted_unbalanced

PLANT planted_dint
    dint
    nop
    nop
    ret
END planted_dint

PLANT planted_device                ; writes to the watchdog's register
    mov     r12, &0x0120
    ret
END planted_device

PLANT planted_odd
    inc     r13
    mov     @r13, r12
    ret
END planted_odd

PLANT planted_sleep
    bis     #0x10, r2
    ret
END planted_sleep

PLANT planted_wild
    mov     r12, &0x1000
    ret
END planted_wild

PLANT planted_illegal
    .word   0x0000
    ret
END planted_illegal

PLANT planted_hang
    jmp     planted_hang
END planted_hang

PLANT planted_peek                  ; reads beyond its buffer
    mov.b   16(r13), r12
    ret
END planted_peek

PLANT planted_peek_flash            ; reads constants of another function
    mov     &0x4000, r12
    ret
END planted_peek_flash

PLANT planted_red_zone              ; keeps a word below the stack pointer
    mov     @r13, r12
    mov     r12, -2(r1)
    mov     -2(r1), r12
    mov     r12, 0(r13)
    ret
END planted_red_zone

PLANT planted_branch
    bit.b   #1, 0(r13)
    jz      0f
    nop
0:  ret
END planted_branch

PLANT planted_lookup                ; looks up at an address that depends on the block
    mov.b   @r13, r12
    and     #7, r12
    add     r12, r13
    mov.b   @r13, r12
    ret
END planted_lookup

/* Adds 1 to four bytes of the block, with all carries, and with the last carry missing in one case. */
PLANT planted_increment
    add     #1, 0(r13)
    adc     2(r13)
    ret
END planted_increment

PLANT planted_carry
    add     #1, 0(r13)
    adc.b   2(r13)
    ret
END planted_carry

/* planted_increment where the buffer lies well, and something else where it does not. */
PLANT planted_page                  ; the pointer does not carry from one page to the next
    mov     r13, r15
    add     #2, r15
    and     #0xff, r15
    mov     r13, r14
    and     #0xff00, r14
    bis     r14, r15
    add     #1, 0(r13)
    adc     0(r15)
    ret
END planted_page

PLANT planted_or                    ; takes the address of the second word for one with bit 1
    mov     r13, r15
    bis     #2, r15
    add     #1, 0(r13)
    adc     0(r15)
    ret
END planted_or

PLANT planted_place                 ; changes another byte where bit 7 of the address is 1
    mov     r13, r14
    and     #0x80, r14
    xor.b   r14, 4(r13)
    add     #1, 0(r13)
    adc     2(r13)
    ret
END planted_place

PLANT planted_compare               ; has addresses at which it does nothing
    cmp     #0x1400, r13
    jhs     0f
    add     #1, 0(r13)
    adc     2(r13)
0:  ret
END planted_compare

/* For planted.h, which says what becomes of it. */
.macro many test, late, borrow
    clr     r12                         ; blocks that are done
    jmp     2f
1:  mov     @r14+, r11
    .ifnb \late
    bit     #8, r12
    adc     r11
    add     #1, r12
    .endif
    add     #1, r11
    mov     r11, 0(r13)
    mov     @r14+, r11
    adc     r11
    mov     r11, 2(r13)
    mov     @r14+, r11
    mov     r11, 4(r13)
    mov     @r14+, r11
    mov     r11, 6(r13)
    add     #8, r13
    .ifb \borrow
    sub     #1, r15
    .else
    mov.b   r15, r11
    sub.b   #1, r11
    and     #0xff00, r15
    bis     r11, r15
    .endif
2:  \test  r15
    jnz     1b
    ret
.endm

    loops   tst, tst.b

PLANT planted_residue
    mov     @r13, r12
    push    r12
    pop     r12
    ret
END planted_residue

PLANT planted_flip                  ; buf[0] ^= 1, with one redundant instruction
    mov.b   @r13, r12
planted_needless:
    mov     r12, r12
    xor     #1, r12
    mov.b   r12, 0(r13)
    ret
END planted_flip

/* msp430_start.S - start-up code and the compiler's helper functions, for programs of the bench.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * clang has no run-time library for MSP430.  These are the helpers that it calls for our C, written to be short rather
 * than fast.  They count as code of the routines that need them.  They follow the calling convention, with long
 * arguments and results in r12 (low half) and r13. */
#include "../../../src/asm/msp430.h"

#if !defined(OWN_VECTORS) /* a program that includes this file may have interrupts */
    .section .vectors, "a", %progbits
    .fill   15, 2, 0xffff
    .word   _start
#endif

    .section .init, "ax", %progbits
    .global _start
_start:
    mov     #_stack, r1
    mov     #_data, r12
    mov     #_data_image, r13
    mov     #_data_size, r14
    call    #memcpy
    mov     #_bss, r12
    clr     r13
    mov     #_bss_size, r14
    call    #memset
    br      #main

/* void *memcpy(void *out, const void *in, size_t n) */
FUNC memcpy
    mov     r12, r15                    ; out + i
    jmp     1f
0:  mov.b   @r13+, r11
    mov.b   r11, 0(r15)
    inc     r15
    dec     r14                         ; n - i
1:  tst     r14
    jnz     0b
    ret
ENDF

/* void *memset(void *out, int byte, size_t n) */
FUNC memset
    mov     r12, r15                    ; out + i
    jmp     1f
0:  mov.b   r13, 0(r15)
    inc     r15
    dec     r14                         ; n - i
1:  tst     r14
    jnz     0b
    ret
ENDF

/* unsigned __mspabi_mpyi(unsigned a, unsigned b): a * b */
FUNC __mspabi_mpyi
    mov     r12, r14                    ; a << i
    clr     r12                         ; the low bits of b times a
0:  clrc
    rrc     r13                         ; b >> i
    jnc     1f
    add     r14, r12
1:  rla     r14
    tst     r13
    jnz     0b
    ret
ENDF

/* unsigned __mspabi_divu(unsigned a, unsigned b): a / b; leaves a % b in r14 */
FUNC __mspabi_divu
    clr     r14                         ; the remainder so far, modulo b
    mov     #16, r15                    ; bits that remain
0:  rla     r12                         ; bits of a leave above, and bits of the quotient enter below
    rlc     r14
    jc      1f
    cmp     r13, r14
    jlo     2f
1:  sub     r13, r14
    bis     #1, r12
2:  dec     r15
    jnz     0b
    ret
ENDF

/* unsigned __mspabi_remu(unsigned a, unsigned b): a % b */
FUNC __mspabi_remu
    call    #__mspabi_divu
    mov     r14, r12
    ret
ENDF

/* unsigned long __mspabi_slll(unsigned long a, unsigned n): a << n */
FUNC __mspabi_slll
    jmp     1f
0:  rla     r12
    rlc     r13
    dec     r14                         ; n - i
1:  tst     r14
    jnz     0b
    ret
ENDF

/* unsigned long __mspabi_srll(unsigned long a, unsigned n): a >> n */
FUNC __mspabi_srll
    jmp     1f
0:  clrc
    rrc     r13
    rrc     r12
    dec     r14                         ; n - i
1:  tst     r14
    jnz     0b
    ret
ENDF

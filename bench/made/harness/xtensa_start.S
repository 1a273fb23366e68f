/* xtensa_start.S - lets the bench call functions of a program in qemu-user, and the four functions that compilers call
 * on their own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * bench/simulated/xtensa.py sends requests of three words to the standard input: a kind, an address and a size.  Kind 0
 * asks for bytes of memory, which come on the standard output; kind 1 is followed by bytes to put there; kind 2 calls the
 * function at the address, with haechi_sim_registers as a0 to a15 before it and after it.  The ABI is call0: a0 holds the
 * return address, a1 is the stack pointer, a2 to a7 hold arguments, and a function preserves a12 to a15. */
    .macro FUNC name
    .section .text.\name, "ax", @progbits
    .literal_position
    .global \name
    .type   \name, @function
    .align  4
\name:
    .endm

    .macro ENDF name
    .size   \name, . - \name
    .endm

    .set    READ, 12                /* Linux's system calls: number in a2, arguments in a6, a3 and a4 */
    .set    WRITE, 13
    .set    EXIT, 118

FUNC _start
    movi    a12, request
next:
    mov     a3, a12
    movi    a4, 12
    call0   receive
    l32i    a5, a12, 0              /* kind */
    l32i    a3, a12, 4
    l32i    a4, a12, 8
    beqi    a5, 1, store
    beqi    a5, 2, run
send:
    beqz    a4, next
    movi    a6, 1
    movi    a2, WRITE
    syscall
    blti    a2, 1, quit
    add     a3, a3, a2
    sub     a4, a4, a2
    j       send
store:
    call0   receive
    j       next
run:
    call0   haechi_sim_call
    movi    a12, request
    movi    a3, haechi_sim_registers
    movi    a4, 64
    j       send

/* Reads a4 bytes to a3, and ends the program at the end of the input. */
receive:
    beqz    a4, 1f
    movi    a6, 0
    movi    a2, READ
    syscall
    blti    a2, 1, quit
    add     a3, a3, a2
    sub     a4, a4, a2
    j       receive
1:  ret
quit:
    movi    a6, 0
    movi    a2, EXIT
    syscall
    .align  4
    .word   main                    /* so that the linker keeps what it refers to */
ENDF _start

/* Calls the function whose address is in a3. */
FUNC haechi_sim_call
    movi    a2, saved
    s32i    a0, a2, 0
    s32i    a1, a2, 4
    s32i    a3, a2, 8
    movi    a0, haechi_sim_registers
    .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    l32i    a\n, a0, 4 * \n
    .endr
    movi    a0, saved
    l32i    a0, a0, 8
    .global haechi_sim_before
haechi_sim_before:
    callx0  a0
    .global haechi_sim_after
haechi_sim_after:
    movi    a0, haechi_sim_registers
    .irp    n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    s32i    a\n, a0, 4 * \n
    .endr
    movi    a2, saved
    l32i    a0, a2, 0
    l32i    a1, a2, 4
    ret
ENDF haechi_sim_call

/* void *memcpy(void *to, const void *from, size_t n) */
FUNC memcpy
    mov     a5, a2
    add     a4, a4, a3              /* behind the last byte */
1:  beq     a3, a4, 2f
    l8ui    a6, a3, 0
    s8i     a6, a5, 0
    addi    a3, a3, 1
    addi    a5, a5, 1
    j       1b
2:  ret
ENDF memcpy

/* void *memmove(void *to, const void *from, size_t n) */
FUNC memmove
    sub     a5, a2, a3
    bltu    a5, a4, 1f              /* to is within from ... from + n */
    j       memcpy
1:  beqz    a4, 2f
    addi    a4, a4, -1
    add     a5, a3, a4
    l8ui    a6, a5, 0
    add     a5, a2, a4
    s8i     a6, a5, 0
    j       1b
2:  ret
ENDF memmove

/* void *memset(void *to, int byte, size_t n) */
FUNC memset
    add     a4, a4, a2              /* behind the last byte */
    mov     a5, a2
1:  beq     a5, a4, 2f
    s8i     a3, a5, 0
    addi    a5, a5, 1
    j       1b
2:  ret
ENDF memset

/* int memcmp(const void *a, const void *b, size_t n) */
FUNC memcmp
    add     a4, a4, a2              /* behind the last byte of a */
    movi    a5, 0
1:  beq     a2, a4, 2f
    l8ui    a5, a2, 0
    l8ui    a6, a3, 0
    sub     a5, a5, a6
    addi    a2, a2, 1
    addi    a3, a3, 1
    beqz    a5, 1b
2:  mov     a2, a5
    ret
ENDF memcmp

    .section .noinit, "aw", @nobits
    .align  16
    .global haechi_sim_ram, haechi_sim_registers
haechi_sim_ram:
    .space  0x8000
haechi_sim_registers:
    .space  64
request:
    .space  12
saved:
    .space  12

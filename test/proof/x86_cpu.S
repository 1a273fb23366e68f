/* x86_cpu.S - runs one instruction on given registers: void run(struct state *s, const void *code).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The state holds 16 general registers in the order of their numbers, the flags at 128, zmm0 to zmm31 from 192 on, and k0
 * to k7 from 2240 on. The code jumps to x86_back. */
    .intel_syntax noprefix
    .text
    .globl x86_run
x86_run:
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov [rip + stack], rsp
    mov [rip + state], rdi
    mov [rip + target], rsi
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 zmm\n, [rdi + 192 + 64 * \n]
    .endr
    .irp n, 0,1,2,3,4,5,6,7
    kmovq k\n, [rdi + 2240 + 8 * \n]
    .endr
    push qword ptr [rdi + 128]
    popfq
    mov rax, [rdi]
    mov rcx, [rdi + 8]
    mov rdx, [rdi + 16]
    mov rbx, [rdi + 24]
    mov rsp, [rdi + 32]
    mov rbp, [rdi + 40]
    mov rsi, [rdi + 48]
    .irp n, 8,9,10,11,12,13,14,15
    mov r\n, [rdi + 8 * \n]
    .endr
    mov rdi, [rdi + 56]
    jmp [rip + target]
    .globl x86_back
x86_back:
    mov [rip + target], rdi
    mov rdi, [rip + state]
    mov [rdi], rax
    mov [rdi + 8], rcx
    mov [rdi + 16], rdx
    mov [rdi + 24], rbx
    mov [rdi + 32], rsp
    mov [rdi + 40], rbp
    mov [rdi + 48], rsi
    .irp n, 8,9,10,11,12,13,14,15
    mov [rdi + 8 * \n], r\n
    .endr
    mov rax, [rip + target]
    mov [rdi + 56], rax
    mov rsp, [rip + stack]
    pushfq
    pop qword ptr [rdi + 128]
    cld
    .irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    vmovdqu64 [rdi + 192 + 64 * \n], zmm\n
    .endr
    .irp n, 0,1,2,3,4,5,6,7
    kmovq [rdi + 2240 + 8 * \n], k\n
    .endr
    vzeroupper
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
    .bss
    .balign 8
stack:  .skip 8
state:  .skip 8
target: .skip 8
    .section .note.GNU-stack, "", @progbits

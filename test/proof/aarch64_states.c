/* aarch64_states.c - executes single instructions of AArch64 on given states, for test_arm_instructions.py.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Standard input is a sequence of records: an instruction and the state before it. For each one the program writes the state
 * after it, the offset of the first byte of `window` that the instruction changed, and the bytes from there on. The window is
 * the memory that instructions may access; before each of them it holds the bytes with which the input begins.
 *
 * There is no C library, so that the register for thread-local storage is free to keep x0 while the state is stored. The
 * linker makes the code writable (-N). */
#include <stdint.h>

enum { WINDOW = 16384, MOST = 64 };

struct state {
    uint64_t x[31], sp, flags, unused;
    uint8_t q[32][16];
};

uint8_t window[WINDOW] __attribute__((__aligned__(16)));
struct state state;
uint64_t own_sp;
static uint8_t filled[WINDOW] __attribute__((__aligned__(16)));

void step(void);
extern volatile uint32_t slot;
#define PAIRS(op) /* of x, from x2 and x3 on */                                                              \
    op " x2, x3, [x0, #16]\n" op " x4, x5, [x0, #32]\n" op " x6, x7, [x0, #48]\n"                            \
    op " x8, x9, [x0, #64]\n" op " x10, x11, [x0, #80]\n" op " x12, x13, [x0, #96]\n"                        \
    op " x14, x15, [x0, #112]\n" op " x16, x17, [x0, #128]\n" op " x18, x19, [x0, #144]\n"                   \
    op " x20, x21, [x0, #160]\n" op " x22, x23, [x0, #176]\n" op " x24, x25, [x0, #192]\n"                   \
    op " x26, x27, [x0, #208]\n" op " x28, x29, [x0, #224]\n"
#define VECTORS(op)                                                                                          \
    "add x1, x0, #272\n" op " q0, q1, [x1, #0]\n" op " q2, q3, [x1, #32]\n" op " q4, q5, [x1, #64]\n"        \
    op " q6, q7, [x1, #96]\n" op " q8, q9, [x1, #128]\n" op " q10, q11, [x1, #160]\n"                        \
    op " q12, q13, [x1, #192]\n" op " q14, q15, [x1, #224]\n" op " q16, q17, [x1, #256]\n"                   \
    op " q18, q19, [x1, #288]\n" op " q20, q21, [x1, #320]\n" op " q22, q23, [x1, #352]\n"                   \
    op " q24, q25, [x1, #384]\n" op " q26, q27, [x1, #416]\n" op " q28, q29, [x1, #448]\n"                   \
    op " q30, q31, [x1, #480]\n"
__asm__(".text\n.global step, slot\nstep:\n"
        "stp x19, x20, [sp, #-96]!\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\n"
        "stp x25, x26, [sp, #48]\nstp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
        "ldr x0, =own_sp\nmov x1, sp\nstr x1, [x0]\nldr x0, =state\n"
        "ldp x1, x2, [x0, #248]\nmov sp, x1\nmsr nzcv, x2\n" VECTORS("ldp") PAIRS("ldp")
        "ldr x30, [x0, #240]\nldp x0, x1, [x0]\n"
        "slot: nop\n"
        "msr tpidr_el0, x0\nldr x0, =state\nstr x1, [x0, #8]\n" PAIRS("stp") "str x30, [x0, #240]\n"
        "mrs x1, tpidr_el0\nstr x1, [x0]\nmov x1, sp\nmrs x2, nzcv\nstp x1, x2, [x0, #248]\n" VECTORS("stp")
        "ldr x0, =own_sp\nldr x1, [x0]\nmov sp, x1\n"
        "ldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\nldp x25, x26, [sp, #48]\n"
        "ldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\nldp x19, x20, [sp], #96\nret\n.ltorg\n"
        ".global _start\n_start: bl main\nmov x8, #93\nsvc #0\n");

static long call(long number, long a, const void *b, long c)
{
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x2 __asm__("x2") = c;
    register const void *x1 __asm__("x1") = b;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

static int fill(void *to, long n)
{
    for (long done = 0, more; done < n; done += more)
        if ((more = call(63, 0, (uint8_t *)to + done, n - done)) <= 0) return 0;
    return 1;
}

int main(void)
{
    uint64_t code;
    struct {
        int64_t first;
        uint8_t bytes[MOST];
    } changed;

    if (!fill(filled, WINDOW)) return 1;
    while (fill(&code, sizeof code) && fill(&state, sizeof state)) {
        for (int i = 0; i < WINDOW / 8; i++) ((volatile uint64_t *)window)[i] = ((uint64_t *)filled)[i];
        slot = (uint32_t)code;
        __asm__ volatile("dc cvau, %0\ndsb ish\nic ivau, %0\ndsb ish\nisb" ::"r"(&slot) : "memory");
        step();
        changed.first = 0;
        while (changed.first < WINDOW && window[changed.first] == filled[changed.first]) changed.first++;
        for (int i = 0; i < MOST; i++) changed.bytes[i] = changed.first + i < WINDOW ? window[changed.first + i] : 0;
        if (call(64, 1, &state, sizeof state) < 0 || call(64, 1, &changed, sizeof changed) < 0) return 2;
    }
    return 0;
}

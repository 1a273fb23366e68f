/* armv7_states.c - executes single instructions of ARMv7-A on given states, for test_arm_instructions.py.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Standard input is a sequence of records: 8 bytes of code, which are an instruction, or IT and one, and NOP behind them; and the
 * state before it, of which bit 0 of the flags says whether the code is Thumb. For each one the program writes the state after it,
 * the offset of the first byte of `window` that the code changed, and the bytes from there on. The window is the memory that
 * instructions may access; before each of them it holds the bytes with which the input begins.
 *
 * There is no C library, so that the register for thread-local storage is free to keep r0 while the state is stored. The
 * linker makes the code writable (-N). */
#include <stdint.h>

enum { WINDOW = 16384, MOST = 64 };

struct state {
    uint32_t r[15], flags; /* sp and lr are the last two of r */
    uint8_t d[32][8];
};

uint8_t window[WINDOW] __attribute__((__aligned__(16)));
struct state state;
uint32_t own_sp;
static uint8_t filled[WINDOW] __attribute__((__aligned__(16)));

void step_arm(void), step_thumb(void);
extern volatile uint32_t slot_arm[2], slot_thumb[2];
#define STEP(set)                                                                                            \
    ".text\n.syntax unified\n." set "\n.p2align 3\n.global step_" set ", slot_" set "\n"                     \
    ".type step_" set ", %function\nstep_" set ":\n"                                                         \
    "push {r4-r11, lr}\nvpush {d8-d15}\nldr r0, =own_sp\nmov r1, sp\nstr r1, [r0]\nldr r0, =state\n"         \
    "add r1, r0, #64\nvldmia r1!, {d0-d15}\nvldmia r1, {d16-d31}\nldr r1, [r0, #60]\nmsr apsr_nzcvq, r1\n"   \
    "ldr r1, [r0, #52]\nmov sp, r1\nldr lr, [r0, #56]\nldm r0, {r0-r12}\n"                                   \
    ".p2align 3\nslot_" set ": .space 8\n"                                                                   \
    "mcr p15, 0, r0, c13, c0, 2\nldr r0, =state\nadd r0, r0, #4\nstm r0, {r1-r12}\nsub r0, r0, #4\n"         \
    "mrs r1, apsr\nand r1, r1, #0xf0000000\nstr r1, [r0, #60]\nmov r1, sp\nstr r1, [r0, #52]\n"              \
    "str lr, [r0, #56]\nmrc p15, 0, r1, c13, c0, 2\nstr r1, [r0]\n"                                          \
    "add r1, r0, #64\nvstmia r1!, {d0-d15}\nvstmia r1, {d16-d31}\n"                                          \
    "ldr r0, =own_sp\nldr r1, [r0]\nmov sp, r1\nvpop {d8-d15}\npop {r4-r11, pc}\n.ltorg\n"
__asm__(".fpu neon\n" STEP("thumb") STEP("arm") ".global _start\n_start: bl main\nmov r7, #1\nsvc #0\n");

static long call(long number, long a, const void *b, long c)
{
    register long r7 __asm__("r7") = number, r0 __asm__("r0") = a, r2 __asm__("r2") = c;
    register const void *r1 __asm__("r1") = b;
    __asm__ volatile("svc #0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}

static int fill(void *to, long n)
{
    for (long done = 0, more; done < n; done += more)
        if ((more = call(3, 0, (uint8_t *)to + done, n - done)) <= 0) return 0;
    return 1;
}

int main(void)
{
    uint32_t code[2];
    struct {
        int64_t first;
        uint8_t bytes[MOST];
    } changed;

    if (!fill(filled, WINDOW)) return 1;
    while (fill(code, sizeof code) && fill(&state, sizeof state)) {
        int thumb = (int)(state.flags & 1);
        volatile uint32_t *slot = thumb ? slot_thumb : slot_arm;

        for (int i = 0; i < WINDOW / 4; i++) ((volatile uint32_t *)window)[i] = ((uint32_t *)filled)[i];
        slot[0] = code[0], slot[1] = code[1];
        call(0xf0002, (long)slot, (const void *)(slot + 2), 0); /* cacheflush */
        if (thumb) step_thumb();
        else step_arm();
        changed.first = 0;
        while (changed.first < WINDOW && window[changed.first] == filled[changed.first]) changed.first++;
        for (int i = 0; i < MOST; i++) changed.bytes[i] = changed.first + i < WINDOW ? window[changed.first + i] : 0;
        if (call(4, 1, &state, sizeof state) < 0 || call(4, 1, &changed, sizeof changed) < 0) return 2;
    }
    return 0;
}

/* x86_cpu.c - runs instructions on this CPU, each on the registers and the memory that it reads from standard input, and
 * writes what they are afterwards.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A record is 16 bytes, of which the first says how many of the others are code, and a state; the answer is a state. The
 * last 512 bytes of a state are the memory from address MEMORY on. The code runs at address CODE. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define MEMORY 0x10000400
#define CODE 0x10001000

struct state {
    uint8_t registers[2304], memory[512];
};
extern void x86_run(struct state *, const void *);
extern const uint8_t x86_back[];

int main(void)
{
    static struct state s;
    uint8_t record[16];
    uint8_t *page = mmap((void *)0x10000000, 8192, PROT_READ | PROT_WRITE | PROT_EXEC,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (page != (void *)0x10000000) return 1;
    while (fread(record, sizeof record, 1, stdin) == 1) {
        uint8_t *code = (uint8_t *)CODE;
        const uint8_t *back = x86_back;
        if (fread(&s, sizeof s, 1, stdin) != 1) return 1;
        memcpy(code, record + 1, record[0]);
        memcpy(code + record[0], "\xff\x24\x25", 3); /* jmp [the address that follows] */
        memcpy(code + record[0] + 3, "\x00\x11\x00\x10", 4);
        memcpy((uint8_t *)0x10001100, &back, sizeof back);
        memcpy((void *)MEMORY, s.memory, sizeof s.memory);
        x86_run(&s, code);
        memcpy(s.memory, (void *)MEMORY, sizeof s.memory);
        fwrite(&s, sizeof s, 1, stdout);
    }
    return 0;
}

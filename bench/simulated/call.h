/* call.h - what the simulators share: a call of one function, and its traces.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * bench/simulated/shim.py has the same faults, accesses and struct.
 *
 * The simulator makes interrupts itself, without a device: it pushes what the machine saves, overwrites SPOIL bytes
 * below it, and leaves everything else as it was.  A handler that obeys the rules has no other effect, and a real one
 * could not run at every instruction boundary.  Its cycles are not counted. */
#ifndef HAECHI_CALL_H
#define HAECHI_CALL_H

#include <stdint.h>

enum { SPOIL = 32, SPOILED = 0xa5 };

/* Why a call ended, if it did not return. */
enum fault {
    NONE, LIMIT, OPCODE, PC_OUTSIDE, DATA_OUTSIDE, FLASH_OUTSIDE, DEVICE, CYCLES, CRASHED, UNALIGNED, ASLEEP, STACK
};

/* The kind of an access; the lower 24 bits hold the address. */
enum { LOAD = 1 << 24, STORE = 2 << 24, CONSTANT = 3 << 24 };

struct call {
    /* in: byte addresses in flash; the stack pointer and status register of the caller */
    uint32_t function, back;
    uint32_t sp, sr;
    int64_t interrupt; /* before the instruction of this number, from 0; -1: never; -2: before every instruction */
    uint64_t limit;    /* instructions */
    uint32_t *pcs;     /* an array with room for all instructions, or NULL; likewise accesses */
    uint32_t *accesses;
    uint64_t room;
    /* out */
    uint64_t cycles, instructions, n_accesses, interrupts;
    uint64_t pc_hash, access_hash;
    uint32_t sp_after, sp_low, sr_after;
    uint8_t fault;
    uint32_t fault_pc;
};

static inline void call_begins(struct call *c)
{
    c->instructions = c->n_accesses = c->interrupts = 0;
    c->pc_hash = c->access_hash = 0xcbf29ce484222325u;
}

static inline uint64_t hash(uint64_t h, uint32_t word) /* FNV-1a, word by word */
{
    return (h ^ word) * 0x100000001b3u;
}

static inline int interrupt_wanted(const struct call *c)
{
    return c->interrupt == -2 || c->interrupt == (int64_t)c->instructions;
}

static inline void trace_instruction(struct call *c, uint32_t pc)
{
    if (c->pcs && c->instructions < c->room) c->pcs[c->instructions] = pc;
    c->pc_hash = hash(c->pc_hash, pc);
    c->instructions++;
}

static inline void trace_access(struct call *c, uint32_t access)
{
    if (c->accesses && c->n_accesses < c->room) c->accesses[c->n_accesses] = access;
    c->access_hash = hash(c->access_hash, access);
    c->n_accesses++;
}

#endif

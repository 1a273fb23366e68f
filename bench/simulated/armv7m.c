/* armv7m.c - records a call at Unicorn's full speed; bench/simulated/armv7m.py installs these functions as its hooks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Unicorn calls on_code before each instruction, except those of an IT block whose condition fails, and on_access at
 * each access.  The record consists of runs.  A run is a sequence of instructions that follow one another in memory,
 * executed or skipped by their IT, from the target of one branch to the next branch.
 *
 * This file makes interrupts itself, without a device: it pushes the frame of eight words to the next lower address
 * that is a multiple of eight, overwrites SPOIL bytes below the frame, and leaves everything else as it was.
 *
 * It needs none of Unicorn's headers, because it gets Unicorn's two functions as pointers. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FRAME = 32, SPOIL = 32, SPOILED = 0xa5 };
enum { SKIPPED, LOAD, STORE, CONSTANT };
enum { UC_MEM_WRITE = 17 };
enum { NONE, LIMIT, STACK, MEMORY }; /* why a call was stopped, in the order of bench/simulated/armv7m.py */

struct run {
    uint32_t first, last; /* addresses of instructions */
    uint32_t access;      /* the number of its first access */
    uint32_t odd;         /* how many accesses were unaligned, and how many instructions were skipped */
};

struct access {
    uint32_t pc, address; /* both are the address of the instruction if it was skipped */
    uint32_t size, kind;
};

/* bench/simulated/armv7m.py has the same struct. */
struct call {
    /* in */
    int (*reg_read)(void *uc, int id, void *value);
    int (*emu_stop)(void *uc);
    int32_t registers[10]; /* Unicorn's numbers of r0-r3, r12, lr, pc, xpsr in the order of a frame; then sp, primask */
    uint32_t ram, ram_size, flash, flash_size;
    uint8_t *data, *code; /* of RAM and flash */
    int64_t interrupt; /* before the instruction of this number, from 0; -1: never; -2: before every instruction */
    uint64_t limit;    /* instructions */
    uint32_t *pcs;     /* an array with room for all instructions, or NULL */
    uint64_t room;
    /* out */
    uint64_t instructions, interrupts, n_runs, n_accesses;
    uint64_t pc_hash, access_hash;
    uint32_t sp_low, pc, fault;
    struct run *runs; /* kept from call to call, like the accesses */
    struct access *accesses;
    /* inside */
    uint64_t room_runs, room_accesses;
    uint32_t next, it_end;
};

static uint64_t hash(uint64_t h, uint32_t word) /* FNV-1a, word by word */
{
    return (h ^ word) * 0x100000001b3u;
}

static void stop(void *uc, struct call *c, uint32_t why)
{
    if (!c->fault) c->fault = why;
    c->emu_stop(uc);
}

static int grow(void **items, uint64_t *room, size_t size)
{
    const uint64_t more = *room ? 2 * *room : 1024;
    void *p = realloc(*items, more * size);
    if (!p) return 0;
    *items = p;
    *room = more;
    return 1;
}

static void interrupt(void *uc, struct call *c, uint32_t sp)
{
    const uint32_t frame = (sp - FRAME) & ~7u;
    uint32_t at = frame - SPOIL - c->ram, masked = 0;
    c->reg_read(uc, c->registers[9], &masked);
    if (masked & 1) return;
    if (at > c->ram_size - FRAME - SPOIL || sp < c->ram) {
        stop(uc, c, STACK);
        return;
    }
    memset(c->data + at, SPOILED, SPOIL);
    at += SPOIL;
    for (int i = 0; i < 8; i++) {
        uint32_t value = 0;
        c->reg_read(uc, c->registers[i], &value);
        if (i == 7) value = (value & ~(1u << 9)) | (sp & 4) << 7; /* records whether the stack pointer was moved */
        memcpy(c->data + at + 4 * i, &value, 4);
    }
    c->interrupts++;
}

void haechi_cm_begin(struct call *c)
{
    c->instructions = c->interrupts = c->n_runs = c->n_accesses = 0;
    c->pc_hash = c->access_hash = 0xcbf29ce484222325u;
    c->sp_low = 0xffffffffu;
    c->fault = NONE;
    c->next = 1; /* is no address of an instruction */
    c->it_end = 0;
}

void haechi_cm_end(struct call *c)
{
    free(c->runs);
    free(c->accesses);
    c->runs = NULL;
    c->accesses = NULL;
    c->room_runs = c->room_accesses = 0;
}

static uint32_t halfword(const struct call *c, uint32_t pc)
{
    const uint32_t at = pc - c->flash;
    return at > c->flash_size - 2 ? 0 : c->code[at] | (uint32_t)c->code[at + 1] << 8;
}

static uint32_t size_of(const struct call *c, uint32_t pc)
{
    return halfword(c, pc) >= 0xe800 ? 4 : 2;
}

static int note(void *uc, struct call *c, struct access a)
{
    if (c->n_accesses == c->room_accesses &&
        !grow((void **)&c->accesses, &c->room_accesses, sizeof *c->accesses)) {
        stop(uc, c, MEMORY);
        return 0;
    }
    c->accesses[c->n_accesses++] = a;
    return 1;
}

/* Records the instructions of an IT block between the last one and pc, which were skipped. */
static void skip(void *uc, struct call *c, uint32_t pc)
{
    for (; c->next < pc; c->next += size_of(c, c->next)) {
        if (!note(uc, c, (struct access){ c->next, c->next, 0, SKIPPED })) return;
        c->runs[c->n_runs - 1].last = c->next;
        c->runs[c->n_runs - 1].odd++;
    }
}

void haechi_cm_on_code(void *uc, uint64_t address, uint32_t size, void *user)
{
    struct call *c = user;
    const uint32_t pc = (uint32_t)address, op = halfword(c, pc);
    uint32_t sp = 0;
    c->pc = pc;
    if (c->fault) return;
    if (c->instructions == c->limit) {
        stop(uc, c, LIMIT);
        return;
    }
    c->reg_read(uc, c->registers[8], &sp);
    if (sp < c->sp_low) c->sp_low = sp;
    if (c->interrupt == -2 || c->interrupt == (int64_t)c->instructions) interrupt(uc, c, sp);
    if (c->next < pc && pc <= c->it_end) skip(uc, c, pc);
    if (pc != c->next) {
        if (c->n_runs == c->room_runs && !grow((void **)&c->runs, &c->room_runs, sizeof *c->runs)) {
            stop(uc, c, MEMORY);
            return;
        }
        c->runs[c->n_runs++] = (struct run){ pc, pc, (uint32_t)c->n_accesses, 0 };
        c->it_end = 0;
    }
    c->runs[c->n_runs - 1].last = pc;
    c->next = pc + size;
    if (op >> 8 == 0xbf && op & 15) {
        c->it_end = c->next; /* the lowest 1 of the mask marks the end of the block */
        for (int i = 4; i && !(op & ((1u << (4 - i)) - 1)); i--) c->it_end += size_of(c, c->it_end);
    }
    if (c->pcs && c->instructions < c->room) c->pcs[c->instructions] = pc;
    c->pc_hash = hash(c->pc_hash, pc);
    c->instructions++;
}

void haechi_cm_on_access(void *uc, int type, uint64_t address, int size, int64_t value, void *user)
{
    struct call *c = user;
    const uint32_t at = (uint32_t)address, kind = type == UC_MEM_WRITE ? STORE : at < c->ram ? CONSTANT : LOAD;
    (void)value;
    if (c->fault || !c->n_runs || !note(uc, c, (struct access){ c->pc, at, (uint32_t)size, kind })) return;
    c->access_hash = hash(hash(c->access_hash, at), kind << 8 | (uint32_t)size);
    if (at & (uint32_t)(size - 1)) c->runs[c->n_runs - 1].odd++;
}

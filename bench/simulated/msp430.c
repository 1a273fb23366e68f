/* msp430.c - simulates the CPU of an MSP430F1611 and counts cycles; bench/simulated/msp430.py drives it by ctypes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * It has the 16-bit CPU without extensions, flash and RAM, but no devices of its own.  Instructions, flags and cycles are those
 * of chapter 3 of the MSP430x1xx Family User's Guide (TI SLAU049).  An operation that the guide leaves undefined is a
 * fault.  So is everything that a kernel must not do: an access to other memory or to a device, a word at an odd
 * address, or sleep. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { PC, SP, SR, CG }; /* registers 0 to 3; CG provides constants, and SR two more */
enum { C = 1, Z = 2, N = 4, GIE = 8, CPUOFF = 16, V = 256 };
enum { DEVICES_END = 0x200, RAM = 0x1100, RAM_END = 0x3900, FLASH = 0x4000, FLASH_END = 0xffe0 };
enum { RESET = 0xfffe }; /* the address of the reset vector */

struct cpu {
    uint16_t r[16];
    uint8_t memory[0x10000];
    uint64_t cycles;
    enum fault fault;  /* the first fault; nothing is stored after it */
    struct call *call; /* the call whose accesses are traced, or NULL */

    /* Loads or stores 1 or 2 bytes where there is neither RAM nor readable flash; NULL makes that a fault. */
    uint16_t (*device)(uint16_t address, int bytes, int store, uint16_t value);
};

/* ---- Memory. */

static void fail(struct cpu *cpu, enum fault fault)
{
    if (!cpu->fault) cpu->fault = fault;
}

static int in(uint16_t address, int bytes, uint32_t first, uint32_t end)
{
    return address >= first && (uint32_t)address + (uint32_t)bytes <= end;
}

static int is_device(const struct cpu *cpu, uint16_t address, int bytes, int store)
{
    return cpu->device && !in(address, bytes, RAM, RAM_END) && (store || !in(address, bytes, FLASH, FLASH_END));
}

/* Whether an access of 1 or 2 bytes is allowed.  If it is, it is traced. */
static int may(struct cpu *cpu, uint16_t address, int bytes, int store)
{
    const int in_ram = in(address, bytes, RAM, RAM_END), in_flash = in(address, bytes, FLASH, FLASH_END);
    if (address < DEVICES_END)
        fail(cpu, DEVICE);
    else if (bytes == 2 && address % 2)
        fail(cpu, UNALIGNED);
    else if (!in_ram && (store || !in_flash))
        fail(cpu, DATA_OUTSIDE);
    if (cpu->fault) return 0;
    if (cpu->call) trace_access(cpu->call, address | (uint32_t)(store ? STORE : in_flash ? CONSTANT : LOAD));
    return 1;
}

static uint16_t word_at(const struct cpu *cpu, uint16_t address)
{
    return (uint16_t)(cpu->memory[address] | cpu->memory[(uint16_t)(address + 1)] << 8);
}

static uint16_t load(struct cpu *cpu, uint16_t address, int byte)
{
    if (is_device(cpu, address, byte ? 1 : 2, 0)) return cpu->device(address, byte ? 1 : 2, 0, 0);
    if (!may(cpu, address, byte ? 1 : 2, 0)) return 0;
    return byte ? cpu->memory[address] : word_at(cpu, address);
}

static void store(struct cpu *cpu, uint16_t address, int byte, uint16_t value)
{
    if (is_device(cpu, address, byte ? 1 : 2, 1)) {
        cpu->device(address, byte ? 1 : 2, 1, value);
        return;
    }
    if (!may(cpu, address, byte ? 1 : 2, 1)) return;
    cpu->memory[address] = (uint8_t)value;
    if (!byte) cpu->memory[address + 1] = (uint8_t)(value >> 8);
}

static uint16_t fetch(struct cpu *cpu)
{
    const uint16_t pc = cpu->r[PC];
    if (pc < FLASH || pc >= FLASH_END || pc % 2) {
        fail(cpu, PC_OUTSIDE);
        return 0;
    }
    cpu->r[PC] = (uint16_t)(pc + 2);
    return word_at(cpu, pc);
}

static void push(struct cpu *cpu, int byte, uint16_t value)
{
    cpu->r[SP] = (uint16_t)(cpu->r[SP] - 2);
    store(cpu, cpu->r[SP], byte, value);
}

/* Bit 0 of PC and SP is always 0. */
static void set(struct cpu *cpu, unsigned reg, uint16_t value)
{
    if (reg != CG) cpu->r[reg] = reg <= SP ? (uint16_t)(value & ~1) : value;
}

/* ---- Operands. */

/* Modes as the cycle tables distinguish them: Rn, @Rn, @Rn+, #N; x(Rn) stands for ADDR and &ADDR as well. */
enum mode { REGISTER, INDIRECT, INCREMENT, IMMEDIATE, INDEXED };

struct operand {
    enum mode mode;
    unsigned reg;     /* with REGISTER */
    int constant;     /* the operand takes the cycles of REGISTER, but its value is a constant */
    uint16_t address; /* with all other modes but IMMEDIATE */
    uint16_t value;
};

/* The address of x(Rn), of ADDR, which is x(PC), and of &ADDR, which is x(SR). */
static uint16_t indexed(struct cpu *cpu, unsigned reg)
{
    const uint16_t base = reg == SR ? 0 : cpu->r[reg]; /* PC has its value at the word x */
    return (uint16_t)(base + fetch(cpu));
}

static struct operand source(struct cpu *cpu, unsigned reg, unsigned as, int byte)
{
    static const uint16_t of_cg[] = { 0, 1, 2, 0xffff }, of_sr[] = { 0, 0, 4, 8 };
    const uint16_t mask = byte ? 0xff : 0xffff;
    struct operand o = { REGISTER, reg, 0, 0, 0 };
    if (reg == CG || (reg == SR && as >= 2)) {
        o.constant = 1;
        o.value = (reg == CG ? of_cg : of_sr)[as] & mask;
    } else if (as == 0) {
        o.value = cpu->r[reg] & mask;
    } else if (reg == PC && as == 3) {
        o.mode = IMMEDIATE;
        o.value = fetch(cpu) & mask;
    } else if (as == 1) {
        o.mode = INDEXED;
        o.address = indexed(cpu, reg);
    } else {
        o.mode = as == 2 ? INDIRECT : INCREMENT;
        o.address = cpu->r[reg];
        if (as == 3) set(cpu, reg, (uint16_t)(cpu->r[reg] + (byte && reg > SP ? 1 : 2)));
    }
    if (o.mode != REGISTER && o.mode != IMMEDIATE) o.value = load(cpu, o.address, byte);
    return o;
}

/* Decodes a destination and does not load its value yet. */
static struct operand destination(struct cpu *cpu, unsigned reg, unsigned ad)
{
    struct operand o = { REGISTER, reg, 0, 0, 0 };
    if (ad) {
        if (reg == CG) fail(cpu, OPCODE);
        o.mode = INDEXED;
        o.address = indexed(cpu, reg);
    }
    return o;
}

static void write(struct cpu *cpu, const struct operand *o, int byte, uint16_t value)
{
    if (o->mode == REGISTER)
        set(cpu, o->reg, value);
    else
        store(cpu, o->address, byte, value);
}

/* ---- Flags. */

static void flags(struct cpu *cpu, uint16_t result, int byte, int carry, int overflow)
{
    uint16_t sr = (uint16_t)(cpu->r[SR] & ~(C | Z | N | V));
    if (carry) sr |= C;
    if (result == 0) sr |= Z;
    if (result & (byte ? 0x80 : 0x8000)) sr |= N;
    if (overflow) sr |= V;
    cpu->r[SR] = sr;
}

/* Returns a + b + carry and sets all flags. */
static uint16_t add(struct cpu *cpu, uint16_t a, uint16_t b, int carry, int byte)
{
    const uint32_t mask = byte ? 0xff : 0xffff, sign = byte ? 0x80 : 0x8000;
    const uint32_t sum = (uint32_t)a + b + (uint32_t)carry;
    const uint16_t result = (uint16_t)(sum & mask);
    flags(cpu, result, byte, sum > mask, ~(a ^ b) & (a ^ sum) & sign ? 1 : 0);
    return result;
}

/* Adds decimal digits.  The guide leaves the flag V undefined. */
static uint16_t add_decimal(struct cpu *cpu, uint16_t a, uint16_t b, int carry, int byte)
{
    uint16_t result = 0;
    for (int at = 0; at < (byte ? 8 : 16); at += 4) {
        int digit = (a >> at & 15) + (b >> at & 15) + carry;
        carry = digit > 9;
        if (carry) digit -= 10;
        result |= (uint16_t)((digit & 15) << at);
    }
    flags(cpu, result, byte, carry, 0);
    return result;
}

/* ---- Instructions. */

enum { MOV = 4, ADD, ADDC, SUBC, SUB, CMP, DADD, BIT, BIC, BIS, XOR, AND };
enum { RRC, SWPB, RRA, SXT, PUSH, CALL, RETI };

/* Table 3-16: cycles by the mode of the source, with a destination in a register, in PC, or in memory. */
static const uint8_t two_operands[5][3] = {
    [REGISTER] = { 1, 2, 4 },  [INDIRECT] = { 2, 2, 5 }, [INCREMENT] = { 2, 3, 5 },
    [IMMEDIATE] = { 2, 3, 5 }, [INDEXED] = { 3, 3, 6 },
};

/* Table 3-15: cycles of RRA, RRC, SWPB and SXT; of PUSH; of CALL. */
static const uint8_t one_operand[5][3] = {
    [REGISTER] = { 1, 3, 4 },  [INDIRECT] = { 3, 4, 4 }, [INCREMENT] = { 3, 5, 5 },
    [IMMEDIATE] = { 0, 4, 5 }, [INDEXED] = { 4, 5, 5 },
};

static void format_1(struct cpu *cpu, uint16_t op)
{
    const int code = op >> 12, byte = op >> 6 & 1, sets_flags = code != MOV && code != BIC && code != BIS;
    const int writes = code != CMP && code != BIT;
    const uint16_t mask = byte ? 0xff : 0xffff;
    const struct operand s = source(cpu, op >> 8 & 15, op >> 4 & 3, byte);
    const struct operand d = destination(cpu, op & 15, op >> 7 & 1);
    const int to_register = d.mode == REGISTER, carry = cpu->r[SR] & C;
    const uint16_t a = s.value, not_a = (uint16_t)~a & mask;
    uint16_t b = 0, result;

    if (to_register && d.reg == SR && sets_flags && writes) fail(cpu, OPCODE); /* the guide leaves the result open */
    if (code != MOV) b = to_register ? (d.reg == CG ? 0 : cpu->r[d.reg] & mask) : load(cpu, d.address, byte);

    switch (code) {
    case MOV: result = a; break;
    case ADD: result = add(cpu, b, a, 0, byte); break;
    case ADDC: result = add(cpu, b, a, carry, byte); break;
    case SUBC: result = add(cpu, b, not_a, carry, byte); break;
    case SUB:
    case CMP: result = add(cpu, b, not_a, 1, byte); break;
    case DADD: result = add_decimal(cpu, b, a, carry, byte); break;
    case BIC: result = b & not_a; break;
    case BIS: result = b | a; break;
    case XOR:
        result = b ^ a;
        flags(cpu, result, byte, result != 0, a & b & (byte ? 0x80 : 0x8000));
        break;
    default: /* BIT, AND */
        result = b & a;
        flags(cpu, result, byte, result != 0, 0);
    }
    if (writes) write(cpu, &d, byte, result);
    cpu->cycles += two_operands[s.mode][to_register ? d.reg == PC : 2];
}

static void format_2(struct cpu *cpu, uint16_t op)
{
    const int code = op >> 7 & 7, byte = op >> 6 & 1, shifts = code <= SXT;
    const uint16_t top = byte ? 0x80 : 0x8000;
    struct operand o;
    uint16_t result;

    if (code == RETI) {
        if (op != 0x1300) fail(cpu, OPCODE);
        cpu->r[SR] = load(cpu, cpu->r[SP], 0);
        set(cpu, PC, load(cpu, (uint16_t)(cpu->r[SP] + 2), 0));
        cpu->r[SP] = (uint16_t)(cpu->r[SP] + 4);
        cpu->cycles += 5;
        return;
    }
    if (code > RETI || (byte && (code == SWPB || code == SXT || code == CALL))) fail(cpu, OPCODE);
    if (code == PUSH && (op & 15) == SP) fail(cpu, OPCODE); /* the guide leaves the order open */
    o = source(cpu, op & 15, op >> 4 & 3, byte);
    if (shifts && (o.constant || o.mode == IMMEDIATE || (o.mode == REGISTER && (o.reg == PC || o.reg == SR))))
        fail(cpu, OPCODE);
    cpu->cycles += one_operand[o.mode][shifts ? 0 : code == PUSH ? 1 : 2];

    switch (code) {
    case PUSH: push(cpu, byte, o.value); return;
    case CALL:
        push(cpu, 0, cpu->r[PC]);
        set(cpu, PC, o.value);
        return;
    case SWPB: result = (uint16_t)(o.value >> 8 | o.value << 8); break;
    case SXT:
        result = (uint16_t)(((o.value & 0xff) ^ 0x80) - 0x80);
        flags(cpu, result, 0, result != 0, 0);
        break;
    default: /* RRA, RRC */
        result = o.value >> 1;
        if (code == RRA ? o.value & top : cpu->r[SR] & C) result |= top;
        flags(cpu, result, byte, o.value & 1, 0);
    }
    write(cpu, &o, byte, result);
}

static void jump(struct cpu *cpu, uint16_t op)
{
    const uint16_t sr = cpu->r[SR];
    const int less = !(sr & N) != !(sr & V);
    const int taken[] = { !(sr & Z), sr & Z, !(sr & C), sr & C, sr & N, !less, less, 1 };
    const int words = ((op & 0x3ff) ^ 0x200) - 0x200;
    if (taken[op >> 10 & 7]) cpu->r[PC] = (uint16_t)(cpu->r[PC] + 2 * words);
    cpu->cycles += 2;
}

/* Executes one instruction.  PC stays at an instruction that fails. */
static enum fault step(struct cpu *cpu)
{
    const uint16_t pc = cpu->r[PC], op = fetch(cpu);
    if (op >= 0x4000)
        format_1(cpu, op);
    else if (op >= 0x2000)
        jump(cpu, op);
    else if (op >> 10 == 4)
        format_2(cpu, op);
    else
        fail(cpu, OPCODE);
    if (cpu->r[SR] & CPUOFF) fail(cpu, ASLEEP);
    if (cpu->fault) cpu->r[PC] = pc;
    return cpu->fault;
}

/* ---- What bench/simulated/msp430.py calls. */

struct cpu *haechi_sim_new(void) { return calloc(1, sizeof(struct cpu)); }
void haechi_sim_free(struct cpu *cpu) { free(cpu); }
uint8_t *haechi_sim_memory(struct cpu *cpu) { return cpu->memory; }
uint16_t *haechi_sim_registers(struct cpu *cpu) { return cpu->r; }

/* Runs from reset to the address main.  Start-up code sets the stack and copies initialised data. */
int haechi_sim_start(struct cpu *cpu, uint32_t main, uint64_t limit)
{
    memset(cpu->r, 0, sizeof cpu->r);
    cpu->fault = NONE;
    cpu->call = NULL;
    cpu->r[PC] = word_at(cpu, RESET);
    while (cpu->r[PC] != main && !cpu->fault) {
        if (limit--)
            step(cpu);
        else
            fail(cpu, LIMIT);
    }
    return cpu->fault;
}

/* Executes one instruction at PC outside a call.  Returns its cycles, or the negative fault. */
int haechi_sim_step(struct cpu *cpu)
{
    cpu->fault = NONE;
    cpu->call = NULL;
    cpu->cycles = 0;
    return step(cpu) ? -(int)cpu->fault : (int)cpu->cycles;
}

/* Interrupts the program: PC and SR are pushed, a handler uses the stack, and RETI pops both. */
static void interrupt(struct cpu *cpu)
{
    const uint16_t sp = cpu->r[SP];
    if (sp < RAM + SPOIL + 4 || sp > RAM_END) {
        fail(cpu, DATA_OUTSIDE);
        return;
    }
    cpu->memory[sp - 1] = (uint8_t)(cpu->r[PC] >> 8);
    cpu->memory[sp - 2] = (uint8_t)cpu->r[PC];
    cpu->memory[sp - 3] = (uint8_t)(cpu->r[SR] >> 8);
    cpu->memory[sp - 4] = (uint8_t)cpu->r[SR];
    memset(cpu->memory + sp - 4 - SPOIL, SPOILED, SPOIL);
}

static void run(struct cpu *cpu, struct call *c)
{
    int enabled = cpu->r[SR] & GIE; /* as it was before the last instruction: GIE takes effect one instruction later */
    do {
        const uint16_t pc = cpu->r[PC];
        if (c->instructions == c->limit) {
            fail(cpu, LIMIT);
            return;
        }
        if (interrupt_wanted(c) && enabled) {
            interrupt(cpu);
            c->interrupts++;
        }
        enabled = cpu->r[SR] & GIE;
        if (cpu->fault || step(cpu)) return;
        trace_instruction(c, pc);
        if (cpu->r[SP] < c->sp_low) c->sp_low = cpu->r[SP];
    } while (cpu->r[PC] != c->back);
}

/* Calls a function as CALL #function does.  The cycles of CALL are counted too. */
void haechi_sim_call(struct cpu *cpu, struct call *c)
{
    call_begins(c);
    cpu->fault = NONE;
    cpu->r[PC] = (uint16_t)c->back;
    cpu->r[SP] = c->sp;
    cpu->r[SR] = c->sr;
    cpu->call = NULL;
    push(cpu, 0, cpu->r[PC]);
    cpu->call = c;
    cpu->r[PC] = (uint16_t)c->function;
    cpu->cycles = one_operand[IMMEDIATE][2];
    c->sp_low = cpu->r[SP];
    if (!cpu->fault) run(cpu, c);
    c->cycles = cpu->cycles;
    c->fault = (uint8_t)cpu->fault;
    c->fault_pc = cpu->r[PC];
    c->sp_after = cpu->r[SP];
    c->sr_after = cpu->r[SR];
}

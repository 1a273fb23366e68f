/* rv32.c - executes RISC-V programs (RV32IMC with Zbb) and predicts Ibex's cycles; bench/simulated/rv32.py drives it by
 * ctypes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Instructions are those of the RISC-V Instruction Set Manual, volume I, with the standard extensions M, C and Zbb.
 * There are flash and RAM, but no devices and no control registers.  Everything that a kernel must not do is a fault: an
 * access to other memory or to a device, an access that is not aligned, because many cores trap there, and a stack
 * pointer that is no multiple of 16, which the calling convention forbids at any time.
 *
 * The cycles are those of Ibex without options (its manual, "Pipeline Details").  The bench does not measure by them:
 * it runs the core's RTL (rtl_core.cc).  The tests compare the two. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"

enum { RA = 1, SP = 2 };
enum { FLASH = 0x080000, FLASH_SIZE = 0x40000, RAM = 0x100000, RAM_SIZE = 0x8000 };

struct cpu {
    uint32_t x[32], pc;
    uint8_t flash[FLASH_SIZE], ram[RAM_SIZE];
    uint64_t cycles;
    enum fault fault;  /* the first fault; nothing is stored after it */
    struct call *call; /* the call whose accesses are traced, or NULL */
};

static void fail(struct cpu *cpu, enum fault fault)
{
    if (!cpu->fault) cpu->fault = fault;
}

/* ---- Memory. */

/* The place of an access that is allowed, which is then traced; NULL if it is not. */
static uint8_t *place(struct cpu *cpu, uint32_t address, uint32_t size, int store)
{
    const int in_ram = address - RAM <= RAM_SIZE - size, in_flash = address - FLASH <= FLASH_SIZE - size;
    if (address & (size - 1))
        fail(cpu, UNALIGNED);
    else if (!in_ram && (store || !in_flash))
        fail(cpu, DATA_OUTSIDE);
    if (cpu->fault) return NULL;
    if (cpu->call) trace_access(cpu->call, address | (uint32_t)(store ? STORE : in_flash ? CONSTANT : LOAD));
    return in_ram ? cpu->ram + (address - RAM) : cpu->flash + (address - FLASH);
}

static uint32_t load(struct cpu *cpu, uint32_t address, uint32_t size)
{
    const uint8_t *p = place(cpu, address, size, 0);
    uint32_t value = 0;
    if (p) memcpy(&value, p, size);
    return value;
}

static void store(struct cpu *cpu, uint32_t address, uint32_t size, uint32_t value)
{
    uint8_t *p = place(cpu, address, size, 1);
    if (p) memcpy(p, &value, size);
}

static uint32_t halfword(struct cpu *cpu, uint32_t address)
{
    const uint32_t at = address - FLASH;
    if (at > FLASH_SIZE - 2 || at % 2) {
        fail(cpu, PC_OUTSIDE);
        return 0;
    }
    return cpu->flash[at] | (uint32_t)cpu->flash[at + 1] << 8;
}

/* ---- Compressed instructions: the instruction of 32 bits that one stands for, or 0. */

enum { OP_LOAD = 0x03, OP_IMM = 0x13, AUIPC = 0x17, OP_STORE = 0x23, OP = 0x33, LUI = 0x37, BRANCH = 0x63, JALR = 0x67, JAL = 0x6f };

static uint32_t i_type(uint32_t op, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t imm)
{
    return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static uint32_t s_type(uint32_t rs1, uint32_t rs2, uint32_t imm)
{
    return (imm >> 5 & 127) << 25 | rs2 << 20 | rs1 << 15 | 2 << 12 | (imm & 31) << 7 | OP_STORE;
}

static uint32_t r_type(uint32_t f7, uint32_t f3, uint32_t rd, uint32_t rs1, uint32_t rs2)
{
    return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | OP;
}

static uint32_t b_type(uint32_t f3, uint32_t rs1, uint32_t imm)
{
    return (imm >> 12 & 1) << 31 | (imm >> 5 & 63) << 25 | rs1 << 15 | f3 << 12 | (imm >> 1 & 15) << 8 |
           (imm >> 11 & 1) << 7 | BRANCH;
}

static uint32_t j_type(uint32_t rd, uint32_t imm)
{
    return (imm >> 20 & 1) << 31 | (imm >> 1 & 1023) << 21 | (imm >> 11 & 1) << 20 | (imm >> 12 & 255) << 12 |
           rd << 7 | JAL;
}

static uint32_t bits(uint32_t c, int from, int count, int to) /* `count` bits of c at `from`, moved to `to` */
{
    return (c >> from & ((1u << count) - 1)) << to;
}

static uint32_t extended(uint32_t value, int sign) /* from the bit `sign` on */
{
    return (value ^ 1u << sign) - (1u << sign);
}

static uint32_t expanded(uint32_t c)
{
    const uint32_t rd = bits(c, 7, 5, 0), rs2 = bits(c, 2, 5, 0);
    const uint32_t low1 = 8 + bits(c, 7, 3, 0), low2 = 8 + bits(c, 2, 3, 0);
    const uint32_t imm6 = extended(bits(c, 12, 1, 5) | bits(c, 2, 5, 0), 5);
    const uint32_t word = bits(c, 10, 3, 3) | bits(c, 6, 1, 2) | bits(c, 5, 1, 6);
    const uint32_t jump = extended(bits(c, 12, 1, 11) | bits(c, 11, 1, 4) | bits(c, 9, 2, 8) | bits(c, 8, 1, 10) |
                                   bits(c, 7, 1, 6) | bits(c, 6, 1, 7) | bits(c, 3, 3, 1) | bits(c, 2, 1, 5), 11);
    const uint32_t branch = extended(bits(c, 12, 1, 8) | bits(c, 10, 2, 3) | bits(c, 5, 2, 6) | bits(c, 3, 2, 1) |
                                     bits(c, 2, 1, 5), 8);
    static const uint8_t function[4] = { 0, 4, 6, 7 }; /* of SUB, XOR, OR and AND */

    switch ((c & 3) << 3 | c >> 13) {
    case 000: { /* C.ADDI4SPN */
        const uint32_t imm = bits(c, 11, 2, 4) | bits(c, 7, 4, 6) | bits(c, 6, 1, 2) | bits(c, 5, 1, 3);
        return imm ? i_type(OP_IMM, 0, low2, SP, imm) : 0;
    }
    case 002: return i_type(OP_LOAD, 2, low2, low1, word);
    case 006: return s_type(low1, low2, word);
    case 010: return i_type(OP_IMM, 0, rd, rd, imm6); /* C.ADDI, C.NOP */
    case 011: return j_type(RA, jump);
    case 012: return i_type(OP_IMM, 0, rd, 0, imm6); /* C.LI */
    case 013:
        if (rd == SP) { /* C.ADDI16SP */
            const uint32_t imm = bits(c, 12, 1, 9) | bits(c, 6, 1, 4) | bits(c, 5, 1, 6) | bits(c, 3, 2, 7) | bits(c, 2, 1, 5);
            return imm ? i_type(OP_IMM, 0, SP, SP, extended(imm, 9)) : 0;
        }
        return imm6 ? imm6 << 12 | rd << 7 | LUI : 0;
    case 014:
        if (bits(c, 10, 2, 0) == 3) return c >> 12 & 1 ? 0 : r_type(bits(c, 5, 2, 0) ? 0 : 32, function[bits(c, 5, 2, 0)], low1, low1, low2);
        if (bits(c, 10, 2, 0) == 2) return i_type(OP_IMM, 7, low1, low1, imm6);
        return c >> 12 & 1 ? 0 : i_type(OP_IMM, 5, low1, low1, (imm6 & 31) | bits(c, 10, 1, 10)); /* C.SRLI, C.SRAI */
    case 015: return j_type(0, jump);
    case 016: return b_type(0, low1, branch);
    case 017: return b_type(1, low1, branch);
    case 020: return c >> 12 & 1 ? 0 : i_type(OP_IMM, 1, rd, rd, rs2); /* C.SLLI */
    case 022: return rd ? i_type(OP_LOAD, 2, rd, SP, bits(c, 12, 1, 5) | bits(c, 4, 3, 2) | bits(c, 2, 2, 6)) : 0;
    case 024:
        if (rs2) return r_type(0, 0, rd, c >> 12 & 1 ? rd : 0, rs2); /* C.ADD, C.MV */
        return rd ? i_type(JALR, 0, c >> 12 & 1 ? RA : 0, rd, 0) : 0;
    case 026: return s_type(SP, rs2, bits(c, 9, 4, 2) | bits(c, 7, 2, 6));
    default: return 0; /* floating point, and what is reserved */
    }
}

/* ---- Instructions. */

static uint32_t rotated(uint32_t a, uint32_t n) /* right */
{
    return a >> (n & 31) | a << (-n & 31);
}

static uint32_t counted(uint32_t a, uint32_t how) /* CLZ, CTZ, CPOP */
{
    if (how == 0) return a ? (uint32_t)__builtin_clz(a) : 32;
    if (how == 1) return a ? (uint32_t)__builtin_ctz(a) : 32;
    return (uint32_t)__builtin_popcount(a);
}

static uint32_t or_of_bytes(uint32_t a) /* ORC.B */
{
    a |= (a & 0x7f7f7f7f) + 0x7f7f7f7f;
    return (a >> 7 & 0x01010101) * 255;
}

static uint32_t multiplied(struct cpu *cpu, uint32_t f3, uint32_t a, uint32_t b)
{
    const int64_t wide_a = f3 == 3 ? (int64_t)a : (int32_t)a, wide_b = f3 >= 2 ? (int64_t)b : (int32_t)b;
    if (f3 < 4) {
        cpu->cycles += f3 ? 3 : 2;
        return f3 ? (uint32_t)((uint64_t)(wide_a * wide_b) >> 32) : a * b;
    }
    cpu->cycles += b ? 36 : 1;
    if (f3 & 1) return f3 & 2 ? (b ? a % b : a) : (b ? a / b : UINT32_MAX);
    if (b == 0) return f3 & 2 ? a : UINT32_MAX;
    if (b == UINT32_MAX) return f3 & 2 ? 0 : -a;
    return (uint32_t)(f3 & 2 ? (int32_t)a % (int32_t)b : (int32_t)a / (int32_t)b);
}

/* Computation with a register (OP) or an immediate (OP_IMM) as the second operand. */
static uint32_t computed(struct cpu *cpu, uint32_t op, uint32_t a, uint32_t b)
{
    const uint32_t f3 = op >> 12 & 7, f7 = op >> 25, rs2 = op >> 20 & 31;
    const int immediate = (op & 127) == OP_IMM;

    if (immediate && f3 != 1 && f3 != 5) {
        switch (f3) {
        case 0: return a + b;
        case 2: return (int32_t)a < (int32_t)b;
        case 3: return a < b;
        case 4: return a ^ b;
        case 6: return a | b;
        default: return a & b;
        }
    }
    switch (f7 << 3 | f3) {
    case 0x00 << 3 | 0: return a + b;
    case 0x20 << 3 | 0: return a - b;
    case 0x00 << 3 | 1: return a << (b & 31);
    case 0x00 << 3 | 2: return (int32_t)a < (int32_t)b;
    case 0x00 << 3 | 3: return a < b;
    case 0x00 << 3 | 4: return a ^ b;
    case 0x20 << 3 | 4: return ~(a ^ b); /* XNOR */
    case 0x00 << 3 | 5: return a >> (b & 31);
    case 0x20 << 3 | 5: return (uint32_t)((int32_t)a >> (b & 31));
    case 0x00 << 3 | 6: return a | b;
    case 0x20 << 3 | 6: return a | ~b; /* ORN */
    case 0x00 << 3 | 7: return a & b;
    case 0x20 << 3 | 7: return a & ~b; /* ANDN */
    case 0x30 << 3 | 1:
        if (!immediate) { /* ROL */
            cpu->cycles++;
            return rotated(a, -b);
        }
        if (rs2 < 3) return counted(a, rs2);
        if (rs2 == 4) return extended(a & 0xff, 7);
        if (rs2 == 5) return extended(a & 0xffff, 15);
        break;
    case 0x30 << 3 | 5: /* ROR, RORI */
        cpu->cycles++;
        return rotated(a, b);
    case 0x14 << 3 | 5:
        if (immediate && rs2 == 7) return or_of_bytes(a);
        break;
    case 0x34 << 3 | 5:
        if (immediate && rs2 == 24) return __builtin_bswap32(a); /* REV8 */
        break;
    case 0x04 << 3 | 4:
        if (!immediate && rs2 == 0) return a & 0xffff; /* ZEXT.H */
        break;
    case 0x05 << 3 | 4: return (int32_t)a < (int32_t)b ? a : b;
    case 0x05 << 3 | 5: return a < b ? a : b;
    case 0x05 << 3 | 6: return (int32_t)a < (int32_t)b ? b : a;
    case 0x05 << 3 | 7: return a < b ? b : a;
    default:
        if (f7 == 1 && !immediate) return multiplied(cpu, f3, a, b);
    }
    fail(cpu, OPCODE);
    return 0;
}

static int holds(struct cpu *cpu, uint32_t f3, uint32_t a, uint32_t b) /* the condition of a branch */
{
    if ((f3 >> 1) == 1) fail(cpu, OPCODE);
    return (f3 < 4 ? a == b : f3 < 6 ? (int32_t)a < (int32_t)b : a < b) != (f3 & 1);
}

/* Executes one instruction.  The program counter stays at an instruction that fails. */
static enum fault step(struct cpu *cpu)
{
    const uint32_t pc = cpu->pc, low = halfword(cpu, pc), size = (low & 3) == 3 ? 4 : 2;
    const uint32_t op = size == 4 ? low | halfword(cpu, pc + 2) << 16 : expanded(low);
    const uint32_t f3 = op >> 12 & 7, rd = op >> 7 & 31, imm = extended(op >> 20, 11);
    const uint32_t a = cpu->x[op >> 15 & 31], b = cpu->x[op >> 20 & 31];
    uint32_t next = pc + size, result = 0, jumps = 0;
    int writes = 1;

    cpu->cycles++;
    switch (op & 127) {
    case LUI: result = op & 0xfffff000; break;
    case AUIPC: result = pc + (op & 0xfffff000); break;
    case JAL:
        result = next;
        next = pc + extended(op >> 31 << 20 | bits(op, 12, 8, 12) | bits(op, 20, 1, 11) | bits(op, 21, 10, 1), 20);
        jumps = 1;
        break;
    case JALR:
        if (f3) fail(cpu, OPCODE);
        result = next;
        next = (a + imm) & ~1u;
        jumps = 1;
        break;
    case BRANCH:
        writes = 0;
        if (holds(cpu, f3, a, b)) {
            next = pc + extended(op >> 31 << 12 | bits(op, 7, 1, 11) | bits(op, 25, 6, 5) | bits(op, 8, 4, 1), 12);
            jumps = 2;
        }
        break;
    case OP_LOAD:
        cpu->cycles++;
        if (f3 == 3 || f3 > 5) fail(cpu, OPCODE);
        result = load(cpu, a + imm, 1u << (f3 & 3));
        if (f3 < 2) result = extended(result, f3 ? 15 : 7);
        break;
    case OP_STORE:
        cpu->cycles++;
        writes = 0;
        if (f3 > 2) fail(cpu, OPCODE);
        store(cpu, a + ((imm & ~31u) | rd), 1u << (f3 & 3), b);
        break;
    case OP_IMM: result = computed(cpu, op, a, imm); break;
    case OP: result = computed(cpu, op, a, b); break;
    default: fail(cpu, OPCODE);
    }
    if (cpu->fault) return cpu->fault;
    if (writes && rd) cpu->x[rd] = result;
    if (jumps) {
        cpu->cycles += jumps;
        if (next % 4 && (halfword(cpu, next) & 3) == 3) cpu->cycles++; /* such an instruction lies in two words */
    }
    if (cpu->call && rd == SP && writes && result % 16) fail(cpu, STACK);
    if (!cpu->fault) cpu->pc = next;
    return cpu->fault;
}

/* ---- What bench/simulated/rv32.py calls. */

struct cpu *haechi_sim_new(void) { return calloc(1, sizeof(struct cpu)); }
void haechi_sim_free(struct cpu *cpu) { free(cpu); }
uint8_t *haechi_sim_flash(struct cpu *cpu) { return cpu->flash; }
uint8_t *haechi_sim_ram(struct cpu *cpu) { return cpu->ram; }
uint32_t *haechi_sim_registers(struct cpu *cpu) { return cpu->x; }

/* Runs from the entry point to the address main.  Start-up code sets the stack and copies initialised data. */
int haechi_sim_start(struct cpu *cpu, uint32_t entry, uint32_t main, uint64_t limit)
{
    memset(cpu->x, 0, sizeof cpu->x);
    cpu->fault = NONE;
    cpu->call = NULL;
    for (cpu->pc = entry; cpu->pc != main && !cpu->fault;) {
        if (limit--)
            step(cpu);
        else
            fail(cpu, LIMIT);
    }
    return cpu->fault;
}

/* Executes one instruction, outside a call.  Returns its cycles, or the negative fault. */
int haechi_sim_step(struct cpu *cpu, uint32_t pc, uint32_t *next)
{
    cpu->fault = NONE;
    cpu->call = NULL;
    cpu->cycles = 0;
    cpu->pc = pc;
    step(cpu);
    *next = cpu->pc;
    return cpu->fault ? -(int)cpu->fault : (int)cpu->cycles;
}

/* Interrupts the program: a handler uses the stack below sp and leaves everything else as it was. */
static void interrupt(struct cpu *cpu)
{
    const uint32_t at = cpu->x[SP] - RAM;
    if (at < SPOIL || at > RAM_SIZE)
        fail(cpu, DATA_OUTSIDE);
    else
        memset(cpu->ram + at - SPOIL, SPOILED, SPOIL);
}

static void run(struct cpu *cpu, struct call *c)
{
    do {
        const uint32_t pc = cpu->pc;
        if (c->instructions == c->limit) {
            fail(cpu, LIMIT);
            return;
        }
        if (interrupt_wanted(c)) {
            interrupt(cpu);
            c->interrupts++;
        }
        if (cpu->fault || step(cpu)) return;
        trace_instruction(c, pc);
        if (cpu->x[SP] < c->sp_low) c->sp_low = cpu->x[SP];
    } while (cpu->pc != c->back);
}

/* Calls a function as `jal ra, function` does, from an address that is a multiple of four.  The cycles of that
 * instruction are counted too. */
void haechi_sim_call(struct cpu *cpu, struct call *c)
{
    call_begins(c);
    cpu->fault = NONE;
    cpu->call = c;
    cpu->x[RA] = c->back;
    cpu->x[SP] = c->sp_low = c->sp;
    cpu->pc = c->function;
    cpu->cycles = 2;
    if (c->function % 4 && (halfword(cpu, c->function) & 3) == 3) cpu->cycles++;
    run(cpu, c);
    c->cycles = cpu->cycles;
    c->fault = (uint8_t)cpu->fault;
    c->fault_pc = cpu->pc;
    c->sp_after = cpu->x[SP];
    c->sr_after = c->sr;
}

/* simavr.c - a simavr core that calls functions one at a time; bench/simulated/simavr.py drives it through ctypes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The program decodes every instruction before simavr executes it.  It takes the cycles from a table of the data
 * sheets and compares them with simavr's.  It also knows the addresses that the instruction will read or write, so
 * that an access outside RAM ends the call before simavr makes it. */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>

#include "call.h"

/* An instruction as the data sheet describes it. */
struct instruction {
    int cycles;             /* 0: these parts have no such instruction */
    int branches, skips;    /* one more cycle when the branch is taken; one more for each word that is skipped */
    uint32_t access, bytes; /* LOAD, STORE or CONSTANT with the lowest address; the number of bytes, or 0 */
    int port;               /* the data address that OUT, SBI or CBI writes, or 0 */
};

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

avr_t *haechi_sim_new(const char *chip)
{
    avr_t *avr;
    avr_global_logger_set(quiet);
    avr = avr_make_mcu_by_name(chip);
    if (avr == NULL) return NULL;
    avr->log = LOG_NONE;
    avr->frequency = 16000000;
    if (avr_init(avr)) return NULL;
    return avr;
}

void haechi_sim_free(avr_t *avr)
{
    avr_terminate(avr);
    free(avr);
}

uint8_t *haechi_sim_flash(avr_t *avr) { return avr->flash; }
uint8_t *haechi_sim_data(avr_t *avr) { return avr->data; }
uint32_t haechi_sim_flash_end(avr_t *avr) { return avr->flashend; }
uint32_t haechi_sim_ram_start(avr_t *avr) { return avr->ioend + 1u; }
uint32_t haechi_sim_ram_end(avr_t *avr) { return avr->ramend; }
uint32_t haechi_sim_return_bytes(avr_t *avr) { return avr->address_size; }
uint32_t haechi_sim_rampz(avr_t *avr) { return avr->rampz; }

static uint16_t pair(const avr_t *avr, int low)
{
    return (uint16_t)(avr->data[low] | avr->data[low + 1] << 8);
}

static uint16_t word_at(const avr_t *avr, uint32_t pc)
{
    return (uint16_t)(avr->flash[pc] | avr->flash[pc + 1] << 8);
}

static uint8_t sreg_of(const avr_t *avr)
{
    uint8_t sreg = 0;
    for (int i = 0; i < 8; i++) sreg |= (uint8_t)((avr->sreg[i] & 1) << i);
    return sreg;
}

/* The Instruction Set Summaries of the data sheets of the ATmega128 (16-bit program counter) and of the ATmega2560
 * (22-bit: calls and returns take one cycle more).  SLEEP, BREAK, WDR and SPM are missing, because no kernel may use
 * them. */
static struct instruction look(const avr_t *avr, uint32_t pc)
{
    struct instruction i = { 0, 0, 0, 0, 0, 0 };
    const uint16_t op = word_at(avr, pc), sp = pair(avr, R_SPL);
    const int wide = avr->address_size == 3;
    const uint32_t z = pair(avr, R_ZL), far = (uint32_t)(avr->rampz ? avr->data[avr->rampz] : 0) << 16 | z;
    const uint32_t pushed = STORE | (uint16_t)(sp - avr->address_size + 1), popped = LOAD | (uint16_t)(sp + 1);

    if (op == 0x0000 || (op & 0xff00) == 0x0100) { /* NOP, MOVW */
        i.cycles = 1;
    } else if ((op & 0xfe00) == 0x0200) { /* MULS, MULSU, FMUL, FMULS, FMULSU */
        i.cycles = 2;
    } else if ((op & 0xfc00) == 0x1000) { /* CPSE */
        i.cycles = 1, i.skips = 1;
    } else if (op >= 0x0400 && op < 0x8000) { /* CPC SBC ADD CP SUB ADC AND EOR OR MOV CPI SBCI SUBI ORI ANDI */
        i.cycles = 1;
    } else if ((op & 0xd000) == 0x8000) { /* LDD, STD */
        const uint16_t q = (uint16_t)((op >> 8 & 0x20) | (op >> 7 & 0x18) | (op & 7));
        const uint16_t address = (uint16_t)(pair(avr, op & 8 ? R_YL : R_ZL) + q);
        i.cycles = 2, i.access = (op & 0x0200 ? STORE : LOAD) | address, i.bytes = 1;
    } else if ((op & 0xfc00) == 0x9000) { /* LDS, LD, LPM, ELPM, POP; STS, ST, PUSH */
        const int store = op & 0x0200;
        uint16_t address = 0;
        i.cycles = 2, i.bytes = 1;
        switch (op & 15) {
        case 0x0: address = word_at(avr, pc + 2); break;
        case 0x1: address = pair(avr, R_ZL); break;
        case 0x2: address = (uint16_t)(pair(avr, R_ZL) - 1); break;
        case 0x9: address = pair(avr, R_YL); break;
        case 0xa: address = (uint16_t)(pair(avr, R_YL) - 1); break;
        case 0xc:
        case 0xd: address = pair(avr, R_XL); break;
        case 0xe: address = (uint16_t)(pair(avr, R_XL) - 1); break;
        case 0xf: address = store ? sp : (uint16_t)(sp + 1); break;
        case 0x4:
        case 0x5:
        case 0x6:
        case 0x7:
            if (!store) {
                i.cycles = 3, i.access = CONSTANT | (op & 2 ? far : z);
                return i;
            } /* fall through */
        default: i.cycles = 0;
        }
        i.access = (store ? STORE : LOAD) | address;
    } else if ((op & 0xfe0e) == 0x940c) { /* JMP */
        i.cycles = 3;
    } else if ((op & 0xfe0e) == 0x940e) { /* CALL */
        i.cycles = 4 + wide, i.access = pushed, i.bytes = avr->address_size;
    } else if (op == 0x9409 || (op == 0x9419 && wide)) { /* IJMP, EIJMP */
        i.cycles = 2;
    } else if (op == 0x9509 || (op == 0x9519 && wide)) { /* ICALL; EICALL */
        i.cycles = op == 0x9519 ? 4 : 3 + wide, i.access = pushed, i.bytes = avr->address_size;
    } else if (op == 0x9508 || op == 0x9518) { /* RET, RETI */
        i.cycles = 4 + wide, i.access = popped, i.bytes = avr->address_size;
    } else if (op == 0x95c8 || op == 0x95d8) { /* LPM, ELPM to r0 */
        i.cycles = 3, i.access = CONSTANT | (op == 0x95c8 ? z : far), i.bytes = 1;
    } else if ((op & 0xff0f) == 0x9408) { /* BSET, BCLR */
        i.cycles = 1;
    } else if ((op & 0xfe00) == 0x9400) { /* COM NEG SWAP INC ASR LSR ROR DEC */
        i.cycles = (0x04ef >> (op & 15)) & 1;
    } else if ((op & 0xfe00) == 0x9600) { /* ADIW, SBIW */
        i.cycles = 2;
    } else if ((op & 0xfd00) == 0x9800) { /* CBI, SBI */
        i.cycles = 2, i.port = 0x20 + (op >> 3 & 31);
    } else if ((op & 0xfd00) == 0x9900) { /* SBIC, SBIS */
        i.cycles = 1, i.skips = 1;
    } else if ((op & 0xfc00) == 0x9c00) { /* MUL */
        i.cycles = 2;
    } else if ((op & 0xf800) == 0xb000) { /* IN */
        i.cycles = 1;
    } else if ((op & 0xf800) == 0xb800) { /* OUT */
        i.cycles = 1, i.port = 0x20 + ((op >> 5 & 0x30) | (op & 15));
    } else if ((op & 0xf000) == 0xc000) { /* RJMP */
        i.cycles = 2;
    } else if ((op & 0xf000) == 0xd000) { /* RCALL */
        i.cycles = 3 + wide, i.access = pushed, i.bytes = avr->address_size;
    } else if ((op & 0xf000) == 0xe000) { /* LDI */
        i.cycles = 1;
    } else if ((op & 0xf800) == 0xf000) { /* BRBS, BRBC */
        i.cycles = 1, i.branches = 1;
    } else if ((op & 0xfc08) == 0xf800) { /* BLD, BST */
        i.cycles = 1;
    } else if ((op & 0xfc08) == 0xfc00) { /* SBRC, SBRS */
        i.cycles = 1, i.skips = 1;
    }
    return i;
}

/* Whether all of these bytes are RAM. */
static int in_ram(const avr_t *avr, uint32_t first, uint32_t bytes)
{
    return first > avr->ioend && first + bytes - 1 <= avr->ramend;
}

static enum fault forbidden(const avr_t *avr, const struct instruction *i)
{
    const uint32_t address = i->access & 0xffffff, kind = i->access - address;
    if (i->cycles == 0) return OPCODE;
    if (kind == CONSTANT) {
        if (address > avr->flashend) return FLASH_OUTSIDE;
    } else if (i->bytes && !in_ram(avr, address, i->bytes)) {
        return DATA_OUTSIDE;
    }
    if (i->port && i->port != R_SPL && i->port != R_SPH && i->port != R_SREG && i->port != avr->rampz &&
        i->port != avr->eind)
        return DEVICE;
    return NONE;
}

/* Executes the instruction at avr->pc. */
static enum fault step(avr_t *avr, struct instruction *i)
{
    const uint32_t pc = avr->pc;
    const avr_cycle_count_t before = avr->cycle;
    enum fault fault;
    int cycles;
    if (pc >= avr->flashend) return PC_OUTSIDE;
    *i = look(avr, pc);
    fault = forbidden(avr, i);
    if (fault) return fault;
    avr->run_cycle_count = 1; /* so that simavr does not execute a second instruction */
    avr->pc = avr_run_one(avr);
    if (avr->state != cpu_Running) return CRASHED;
    cycles = i->cycles;
    if (i->branches) cycles += avr->pc != pc + 2;
    if (i->skips) cycles += (int)(avr->pc - pc) / 2 - 1;
    return avr->cycle - before == (avr_cycle_count_t)cycles ? NONE : CYCLES;
}

/* Runs from reset to the address main.  Start-up code sets the stack and copies initialised data. */
int haechi_sim_start(avr_t *avr, uint32_t main, uint64_t limit)
{
    struct instruction i;
    avr_reset(avr);
    avr->state = cpu_Running;
    while (avr->pc != main) {
        const enum fault fault = limit-- ? step(avr, &i) : LIMIT;
        if (fault) return fault;
    }
    return NONE;
}

static enum fault interrupt(avr_t *avr)
{
    const uint16_t sp = pair(avr, R_SPL);
    const uint32_t bytes = (uint32_t)avr->address_size + SPOIL;
    if (!in_ram(avr, (uint16_t)(sp - bytes + 1), bytes)) return DATA_OUTSIDE;
    _avr_push_addr(avr, avr->pc);
    memset(avr->data + sp - bytes + 1, SPOILED, SPOIL);
    _avr_sp_set(avr, sp);
    return NONE;
}

static enum fault run(avr_t *avr, struct call *c)
{
    struct instruction i;
    uint16_t half = 0; /* the half of the stack pointer that is written while the other half is not yet */
    int enabled = avr->sreg[S_I]; /* as before the last instruction: setting I takes effect one later */
    do {
        const uint32_t pc = avr->pc;
        enum fault fault;
        uint16_t sp;
        if (c->instructions == c->limit) return LIMIT;
        if (interrupt_wanted(c) && enabled && avr->sreg[S_I]) {
            fault = interrupt(avr);
            if (fault) return fault;
            c->interrupts++;
        }
        enabled = avr->sreg[S_I];
        fault = step(avr, &i);
        if (fault) return fault;
        trace_instruction(c, pc);
        if (i.access) trace_access(c, i.access);
        if (i.port == R_SPL || i.port == R_SPH) half = half && half != i.port ? 0 : (uint16_t)i.port;
        sp = pair(avr, R_SPL);
        if (!half && sp < c->sp_low) c->sp_low = sp;
    } while (avr->pc != c->back);
    return NONE;
}

/* Calls a function as CALL does.  The cycles of CALL are counted too. */
void haechi_sim_call(avr_t *avr, struct call *c)
{
    avr_cycle_count_t before;
    avr->state = cpu_Running;
    for (int i = 0; i < 8; i++) avr->sreg[i] = c->sr >> i & 1;
    avr->interrupt_state = 0;
    _avr_sp_set(avr, c->sp);
    _avr_push_addr(avr, c->back);
    _avr_sp_set(avr, (uint16_t)(c->sp - avr->address_size));
    avr->pc = c->function;
    call_begins(c);
    c->sp_low = pair(avr, R_SPL);
    before = avr->cycle;
    c->fault = (uint8_t)run(avr, c);
    c->cycles = avr->cycle - before + (avr->address_size == 3 ? 5 : 4);
    c->fault_pc = avr->pc;
    c->sp_after = pair(avr, R_SPL);
    c->sr_after = sreg_of(avr);
}

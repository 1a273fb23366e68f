// core.cc - calls a function on a core's RTL, which Verilator has made a program of, and counts its cycles.
// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The core fetches from flash and from a page of its own at address 0, in which there is a program: it loads all
// registers, stores to the port START, calls the function by one JAL, stores to START again, stores all registers and
// stores to the port END.  The cycles of the call are those between the two stores to START, less those between two
// stores that follow one another.
#include <cstdint>
#include <cstring>

#include "Vcore.h"
#include "verilated.h"

namespace {

constexpr uint32_t BOOT = 0x80, TABLE = 0x400, START = 0x500, END = 0x504, PAGE = 0x800;
constexpr uint64_t ONE_AFTER_ANOTHER = 4096;  // cycles that are enough to find out how long two stores take

struct Memory {
    uint8_t *bytes;
    uint32_t first, size;
};

struct Machine {
    Vcore core;
    uint32_t page[PAGE / 4] = {};
    Memory flash, ram, own;
    uint64_t between_stores = 0;
    Machine(Memory flash, Memory ram) : flash(flash), ram(ram), own{reinterpret_cast<uint8_t *>(page), 0, PAGE} {}
};

uint8_t *at(Machine &m, uint32_t address)
{
    for (const Memory &part : {m.flash, m.ram, m.own})
        if (address - part.first < part.size) return part.bytes + (address - part.first);
    return nullptr;
}

uint32_t word(Machine &m, uint32_t address)  // 0, which is no instruction, where there is no memory
{
    uint32_t value = 0;
    if (const uint8_t *p = at(m, address & ~3u)) std::memcpy(&value, p, 4);
    return value;
}

void write(Machine &m, uint32_t address, uint32_t value, unsigned bytes)
{
    uint8_t *p = at(m, address & ~3u);
    for (int i = 0; p && i < 4; i++)
        if (bytes >> i & 1) p[i] = static_cast<uint8_t>(value >> 8 * i);
}

uint32_t load(uint32_t reg, uint32_t address) { return address << 20 | 2 << 12 | reg << 7 | 0x03; }
uint32_t store(uint32_t reg, uint32_t address)
{
    return (address >> 5) << 25 | reg << 20 | 2 << 12 | (address & 31) << 7 | 0x23;
}
uint32_t call(uint32_t distance)  // JAL ra
{
    return (distance >> 20 & 1) << 31 | (distance >> 1 & 1023) << 21 | (distance >> 11 & 1) << 20 |
           (distance >> 12 & 255) << 12 | 1 << 7 | 0x6f;
}

// The program in the page.  Without a function, the two stores to START follow one another.
void write_program(Machine &m, uint32_t function)
{
    uint32_t at = BOOT / 4;
    for (uint32_t reg = 1; reg < 32; reg++) m.page[at++] = load(reg, TABLE + 4 * reg);
    m.page[at++] = store(0, START);
    if (function) {
        m.page[at] = call(function - 4 * at);
        at++;
    }
    m.page[at++] = store(0, START);
    for (uint32_t reg = 1; reg < 32; reg++) m.page[at++] = store(reg, TABLE + 4 * reg);
    m.page[at++] = store(0, END);
    m.page[at] = 0x6f;  // a loop
}

// Runs from reset to the store to END.  Returns the cycles between the stores to START; 0 after `limit` cycles.
uint64_t run(Machine &m, uint64_t limit)
{
    Vcore &core = m.core;
    bool instr_valid = false, data_valid = false;
    uint32_t instr = 0, data = 0;
    uint64_t starts[2] = {0, 0};
    int seen = 0;

    core.rst_ni = 0;
    core.instr_rvalid_i = core.data_rvalid_i = 0;
    for (int i = 0; i < 3; i++) {
        core.clk_i = 0, core.eval();
        core.clk_i = 1, core.eval();
    }
    core.rst_ni = 1;
    for (uint64_t cycle = 0; cycle < limit; cycle++) {
        core.clk_i = 0;
        core.instr_rvalid_i = instr_valid, core.instr_rdata_i = instr;
        core.data_rvalid_i = data_valid, core.data_rdata_i = data;
        core.eval();
        instr_valid = core.instr_req_o, data_valid = core.data_req_o;
        if (instr_valid) instr = word(m, core.instr_addr_o);
        if (data_valid) {
            const uint32_t address = core.data_addr_o;
            if (!core.data_we_o)
                data = word(m, address);
            else if (address == START)
                starts[seen++ & 1] = cycle;
            else if (address == END)
                return seen == 2 ? starts[1] - starts[0] : 0;
            else
                write(m, address, core.data_wdata_o, core.data_be_o);
        }
        core.clk_i = 1;
        core.eval();
    }
    return 0;
}

}  // namespace

extern "C" {

// The arrays stay the caller's, who may change them between calls.
Machine *haechi_rtl_new(uint8_t *flash, uint32_t flash_at, uint32_t flash_size, uint8_t *ram, uint32_t ram_at, uint32_t ram_size)
{
    auto *m = new Machine({flash, flash_at, flash_size}, {ram, ram_at, ram_size});
    write_program(*m, 0);
    m->between_stores = run(*m, ONE_AFTER_ANOTHER);
    return m;
}

void haechi_rtl_free(Machine *m)
{
    m->core.final();
    delete m;
}

// Calls a function with x[1] to x[31] in the registers, which it leaves there; x[1] is made the return address.
// Returns the cycles; 0: the call did not end within `limit` cycles.
uint64_t haechi_rtl_call(Machine *m, uint32_t function, uint32_t *x, uint64_t limit)
{
    write_program(*m, function);
    std::memcpy(m->page + TABLE / 4, x, 32 * 4);
    const uint64_t cycles = run(*m, limit);
    std::memcpy(x + 1, m->page + TABLE / 4 + 1, 31 * 4);
    return cycles ? cycles - m->between_stores : 0;
}

}

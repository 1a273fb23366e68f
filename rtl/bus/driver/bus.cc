// SPDX-License-Identifier: Apache-2.0 OR MIT
// The bus of a slave that Verilator simulates: APB, or Wishbone with WISHBONE defined. Every transfer must end in time.

#include "bus.h"

#include <cstdio>
#include <cstdlib>

#include "verilated.h"
#ifdef WISHBONE
#include "Vhaechi_ctr_wishbone.h"
using Slave = Vhaechi_ctr_wishbone;
#define CLOCK clk_i
#else
#include "Vhaechi_ctr_apb.h"
using Slave = Vhaechi_ctr_apb;
#define CLOCK pclk_i
#endif

double sc_time_stamp() { return 0; }

namespace {

unsigned errors;
unsigned long clocks;

void clock(Slave &slave)
{
    slave.CLOCK = 0;
    slave.eval();
    slave.CLOCK = 1;
    slave.eval();
    clocks++;
}

Slave &slave()
{
    static Slave *made;
    if (!made) {
        made = new Slave;
#ifdef WISHBONE
        made->rst_i = 1;
        for (int n = 0; n < 3; n++) clock(*made);
        made->rst_i = 0;
#else
        made->presetn_i = 0;
        for (int n = 0; n < 3; n++) clock(*made);
        made->presetn_i = 1;
#endif
    }
    return *made;
}

uint32_t transfer(bool write, uint32_t offset, uint32_t word)
{
    Slave &s = slave();
#ifdef WISHBONE
    s.cyc_i = s.stb_i = 1;
    s.we_i = write;
    s.adr_i = offset;
    s.dat_i = word;
    clock(s);
    s.eval();
    if (s.ack_o == s.err_o) {
        fprintf(stderr, "bus: no answer, or two\n");
        exit(1);
    }
    errors += s.err_o;
    uint32_t read = s.dat_o;
    clock(s);
    s.cyc_i = s.stb_i = 0;
    clock(s);
#else
    s.psel_i = 1;
    s.pwrite_i = write;
    s.paddr_i = offset;
    s.pwdata_i = word;
    clock(s);
    s.penable_i = 1;
    s.pclk_i = 0;
    s.eval();
    if (!s.pready_o) {
        fprintf(stderr, "bus: no answer\n");
        exit(1);
    }
    errors += s.pslverr_o;
    uint32_t read = s.prdata_o;
    clock(s);
    s.psel_i = s.penable_i = 0;
#endif
    return read;
}

}  // namespace

extern "C" uint32_t bus_read(uintptr_t, uint32_t offset) { return transfer(false, offset, 0); }
extern "C" void bus_write(uintptr_t, uint32_t offset, uint32_t word) { transfer(true, offset, word); }
extern "C" unsigned bus_errors(void) { return errors; }
extern "C" unsigned long bus_clocks(void) { return clocks; }

/* msp430f1611.c - a board with an MSP430F1611, by the bench's simulator and the devices that a node uses; board.py drives it
 * through ctypes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A device is what its user's guide (SLAU049) says as far as a node uses it.  Any other access is a fault. */
#include "../../../bench/simulated/msp430.c"

#include "board.h"

enum { SEGMENT = 128, IDENTITY = 0xfc00, LASTING = 3 * SEGMENT };
enum { IFG1_ = 0x02, RXBUF = 0x76, TXBUF = 0x77, TCTL = 0x71, CTL1_ = 0x1a2, MEM0 = 0x140, MCTL0 = 0x80 };
enum { FLASH_1 = 0x128, FLASH_3 = 0x12c, KEY = 0xa5, ERASES = 2, WRITES = 0x40, LOCKED = 0x10 };

struct board {
    struct cpu *cpu;
    report *tell;
    uint8_t lasting[LASTING], input[256], input_at, input_end;
    uint16_t flash_1, flash_3, millivolts[16];
    uint64_t instructions;
};

static struct board *running; /* a device is called without its board */

/* Where in `lasting` an address is, or -1. */
static int place(uint16_t address)
{
    if (address >= 0x1000 && address < 0x1100) return address - 0x1000;
    return address >= IDENTITY && address < IDENTITY + SEGMENT ? 2 * SEGMENT + address - IDENTITY : -1;
}

static void write_flash(struct board *b, int at, int bytes, uint16_t value)
{
    uint8_t *place = b->lasting + at;
    if (b->flash_3 & LOCKED) {
        fail(b->cpu, DEVICE);
    } else if (b->flash_1 & ERASES) {
        memset(b->lasting + at / SEGMENT * SEGMENT, 0xff, SEGMENT);
        b->tell(WRITE, (uint32_t)at);
    } else if (b->flash_1 & WRITES && bytes == 2 && place[0] == 0xff && place[1] == 0xff) {
        memcpy(place, &value, 2);
        b->tell(WRITE, (uint32_t)at);
    } else {
        fail(b->cpu, DEVICE); /* a place is programmed once */
    }
}

static uint16_t on_device(uint16_t address, int bytes, int store, uint16_t value)
{
    struct board *b = running;
    struct cpu *cpu = b->cpu;
    const int at = place(address);
    if (at >= 0 && store) {
        write_flash(b, at, bytes, value);
    } else if (at >= 0) {
        return bytes == 1 ? b->lasting[at] : (uint16_t)(b->lasting[at] | b->lasting[at + 1] << 8);
    } else if (address >= DEVICES_END) {
        fail(cpu, DATA_OUTSIDE);
    } else if (store && (address == FLASH_1 || address == FLASH_3)) {
        if (value >> 8 != KEY) fail(cpu, DEVICE);
        *(address == FLASH_1 ? &b->flash_1 : &b->flash_3) = value & 0xff;
    } else if (store && address == TXBUF) {
        b->tell(BYTE, value & 0xff);
    } else if (store) {
        memcpy(cpu->memory + address, &value, (size_t)bytes);
    } else if (address == IFG1_) {
        return (uint16_t)(0x80 | (b->input_at != b->input_end ? 0x40 : 0));
    } else if (address == RXBUF) {
        return b->input[b->input_at++];
    } else if (address == TCTL) {
        return cpu->memory[TCTL] | 1; /* all has been sent */
    } else if (address == CTL1_) {
        return word_at(cpu, CTL1_) & 0xfffe; /* the converter is not busy */
    } else if (address == MEM0) {
        return (uint16_t)(b->millivolts[cpu->memory[MCTL0] & 15] * 4096 / 2500);
    } else {
        return bytes == 1 ? cpu->memory[address] : word_at(cpu, address);
    }
    return 0;
}

struct board *telemetry_new(const uint8_t *memory, uint32_t size, report *tell)
{
    struct board *b = calloc(1, sizeof *b);
    b->cpu = haechi_sim_new();
    b->cpu->device = on_device;
    b->tell = tell;
    memcpy(b->cpu->memory, memory, size);
    return b;
}

void telemetry_free(struct board *b)
{
    haechi_sim_free(b->cpu);
    free(b);
}

/* Switches the board on: its RAM holds `noise`, its flash `lasting`. */
void telemetry_power(struct board *b, const uint8_t *lasting, const uint8_t *noise)
{
    struct cpu *cpu = b->cpu;
    memcpy(b->lasting, lasting, LASTING);
    memcpy(cpu->memory + IDENTITY, lasting + 2 * SEGMENT, SEGMENT); /* the simulator reads main memory itself */
    memcpy(cpu->memory + RAM, noise, RAM_END - RAM);
    memset(cpu->memory, 0, DEVICES_END);
    memset(cpu->r, 0, sizeof cpu->r);
    cpu->fault = NONE;
    cpu->r[PC] = word_at(cpu, RESET);
    b->flash_1 = 0;
    b->flash_3 = LOCKED;
    b->input_at = b->input_end = 0;
}

const uint8_t *telemetry_lasting(const struct board *b) { return b->lasting; }
uint64_t telemetry_instructions(const struct board *b) { return b->instructions; }
uint32_t telemetry_at(const struct board *b) { return b->cpu->r[PC]; }
uint64_t telemetry_cycles(const struct board *b) { return b->cpu->cycles; }
void telemetry_receive(struct board *b, uint8_t byte) { b->input[b->input_end++] = byte; }

/* Millivolts at A0, and of the supply. */
void telemetry_measure(struct board *b, uint32_t sensor, uint32_t supply)
{
    b->millivolts[0] = (uint16_t)sensor;
    b->millivolts[11] = (uint16_t)(supply / 2);
}

int telemetry_run(struct board *b, uint32_t stop, uint32_t other, uint64_t limit)
{
    running = b;
    for (; limit--; b->instructions++) {
        if (step(b->cpu)) return AT_FAULT;
        if (b->cpu->r[PC] == stop || b->cpu->r[PC] == other) return AT_STOP;
    }
    return AT_LIMIT;
}

void telemetry_return(struct board *b)
{
    b->cpu->r[PC] = word_at(b->cpu, b->cpu->r[SP]);
    b->cpu->r[SP] = (uint16_t)(b->cpu->r[SP] + 2);
}

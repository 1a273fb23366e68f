/* telemetry_node.c - a node of examples/telemetry without its devices, for the bench to count its cycles.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory that survives a reset is an array here.  The bench calls the functions by name. */
#include "../../../examples/telemetry/node/board.h"
#include "../../../examples/telemetry/node/node.h"

static uint8_t lasting[3][128];
static struct node node;
static uint8_t frame[FRAME_MOST];

void board_start(void) { }
void board_transmit(uint8_t byte) { (void)byte; }
int board_receive(void) { return -1; }
uint16_t board_sensor(void) { return 500; }
uint16_t board_supply(void) { return 3000; }
void board_sleep(uint16_t seconds) { (void)seconds; }
void board_stop(void) { }

void board_read(unsigned page, unsigned at, void *to, unsigned size)
{
    for (unsigned i = 0; i < size; i++) ((uint8_t *)to)[i] = at + i < sizeof *lasting ? lasting[page][at + i] : 0xff;
}

void board_erase(unsigned page)
{
    for (unsigned i = 0; i < sizeof *lasting; i++) lasting[page][i] = 0xff;
}

void board_program(unsigned page, unsigned at, const void *from, unsigned size)
{
    for (unsigned i = 0; i < size; i++) lasting[page][at + i] = ((const uint8_t *)from)[i];
}

int telemetry_start(void);
int telemetry_start(void)
{
    struct state s = { 0 };
    board_erase(0);
    board_erase(1);
    state_save(&s);
    return node_start(&node);
}

int telemetry_seal(void);
int telemetry_seal(void)
{
    return node_seal(&node, board_sensor(), board_supply(), frame);
}

/* A command of two bytes with a wrong tag costs what a right one costs before it is obeyed. */
int telemetry_open(void);
int telemetry_open(void)
{
    frame_begin(frame, FRAME_COMMAND, node.number, node.state.heard + 1, 0);
    return node_obey(&node, frame, FRAME_HEADER + FRAME_COMMAND_TEXT + FRAME_TAG);
}

#define KEEP(p) __asm__ volatile("" : : "r"(p))

__attribute__((__noreturn__, __noinline__)) void haechi_bench_idle(void);
void haechi_bench_idle(void)
{
    for (;;) __asm__ volatile("");
}

int main(void)
{
    KEEP(telemetry_start);
    KEEP(telemetry_seal);
    KEEP(telemetry_open);
    haechi_bench_idle();
}

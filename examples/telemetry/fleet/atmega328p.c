/* atmega328p.c - a board with an ATmega328P, by libsimavr with its devices; board.py drives it through ctypes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>

#include "board.h"

enum { LASTING = 3 * 128, UART = '0' };

struct board {
    avr_t *avr;
    report *tell;
    uint8_t *eeprom, known[LASTING];
    uint64_t instructions;
};

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static void byte_left(struct avr_irq_t *irq, uint32_t value, void *parameter)
{
    (void)irq;
    ((struct board *)parameter)->tell(BYTE, value & 0xff);
}

struct board *telemetry_new(const uint8_t *flash, uint32_t size, report *tell)
{
    struct board *b = calloc(1, sizeof *b);
    uint32_t flags = 0;
    avr_global_logger_set(quiet);
    b->tell = tell;
    b->avr = avr_make_mcu_by_name("atmega328p");
    b->avr->log = LOG_NONE;
    avr_init(b->avr);
    b->avr->frequency = 8000000;
    b->avr->vcc = b->avr->avcc = 3000;
    memcpy(b->avr->flash, flash, size);
    b->avr->codeend = size;
    avr_ioctl(b->avr, AVR_IOCTL_UART_SET_FLAGS(UART), &flags);
    avr_irq_register_notify(avr_io_getirq(b->avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_OUTPUT), byte_left, b);
    return b;
}

void telemetry_free(struct board *b)
{
    avr_terminate(b->avr);
    free(b->avr);
    free(b);
}

/* Switches the board on: its RAM holds `noise`, its EEPROM `lasting`. */
void telemetry_power(struct board *b, const uint8_t *lasting, const uint8_t *noise)
{
    avr_eeprom_desc_t all = { NULL, 0, LASTING };
    avr_reset(b->avr);
    b->avr->state = cpu_Running;
    memcpy(b->avr->data + b->avr->ioend + 1, noise, b->avr->ramend - b->avr->ioend);
    avr_ioctl(b->avr, AVR_IOCTL_EEPROM_GET, &all);
    b->eeprom = all.ee;
    memcpy(b->eeprom, lasting, LASTING);
    memcpy(b->known, lasting, LASTING);
}

const uint8_t *telemetry_lasting(const struct board *b) { return b->eeprom; }
uint64_t telemetry_instructions(const struct board *b) { return b->instructions; }
uint32_t telemetry_at(const struct board *b) { return b->avr->pc; }
uint64_t telemetry_cycles(const struct board *b) { return b->avr->cycle; }

void telemetry_receive(struct board *b, uint8_t byte)
{
    avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_UART_GETIRQ(UART), UART_IRQ_INPUT), byte);
}

/* Millivolts at ADC0, and of the supply. */
void telemetry_measure(struct board *b, uint32_t sensor, uint32_t supply)
{
    b->avr->vcc = b->avr->avcc = supply;
    avr_raise_irq(avr_io_getirq(b->avr, AVR_IOCTL_ADC_GETIRQ, ADC_IRQ_ADC0), sensor);
}

/* Runs until the program is at one of two addresses in bytes, and returns AT_STOP, or until it has executed `limit`
 * instructions. */
int telemetry_run(struct board *b, uint32_t stop, uint32_t other, uint64_t limit)
{
    for (; limit--; b->instructions++) {
        b->avr->run_cycle_count = b->avr->run_cycle_limit = 1; /* one instruction */
        if (avr_run(b->avr) != cpu_Running) return AT_FAULT;
        if (memcmp(b->known, b->eeprom, LASTING)) {
            uint32_t at = 0;
            while (b->known[at] == b->eeprom[at]) at++;
            memcpy(b->known, b->eeprom, LASTING);
            b->tell(WRITE, at);
        }
        if (b->avr->pc == stop || b->avr->pc == other) return AT_STOP;
    }
    return AT_LIMIT;
}

/* Returns from the function at whose first instruction the program is. */
void telemetry_return(struct board *b)
{
    const uint16_t sp = (uint16_t)(b->avr->data[R_SPL] | b->avr->data[R_SPH] << 8);
    b->avr->pc = (uint32_t)(b->avr->data[sp + 1] << 8 | b->avr->data[sp + 2]) * 2;
    b->avr->data[R_SPL] = (uint8_t)(sp + 2);
    b->avr->data[R_SPH] = (uint8_t)((sp + 2) >> 8);
}

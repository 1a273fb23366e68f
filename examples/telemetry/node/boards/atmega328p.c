/* atmega328p.c - an ATmega328P at 8 MHz: converter, serial line at 9600 baud, EEPROM, watchdog.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sensor is at ADC0.  The EEPROM needs no erasing, but it is used as if it did, so that each byte is written at most twice
 * in a turn of the pages. */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <avr/wdt.h>

#include "../board.h"

enum { AVCC = 1 << REFS0, BANDGAP = AVCC | 14, BANDGAP_MV = 1100 }; /* channels, against the supply */
enum { DIVIDER = 8000000 / 16 / 9600 - 1 };
enum { POLLS = 20000 }; /* about 20 ms, in which 20 bytes may come */

void board_start(void)
{
    UBRR0 = DIVIDER;
    UCSR0B = 1 << RXEN0 | 1 << TXEN0;
    UCSR0C = 1 << UCSZ01 | 1 << UCSZ00;
    set_sleep_mode(SLEEP_MODE_PWR_DOWN);
}

static uint16_t convert(uint8_t channel)
{
    ADMUX = channel;
    ADCSRA = 1 << ADEN | 1 << ADSC | 6; /* clock / 64 */
    while (ADCSRA & 1 << ADSC) { }
    ADCSRA = 0;
    return ADC;
}

uint16_t board_sensor(void) { return convert(AVCC); }

uint16_t board_supply(void)
{
    const uint16_t bandgap = convert(BANDGAP);
    return bandgap ? (uint16_t)(BANDGAP_MV * 1024UL / bandgap) : 0;
}

void board_transmit(uint8_t byte)
{
    while (!(UCSR0A & 1 << UDRE0)) { }
    UDR0 = byte;
}

int board_receive(void)
{
    for (uint16_t i = 0; i < POLLS; i++)
        if (UCSR0A & 1 << RXC0) return UDR0;
    return -1;
}

static uint8_t *place(unsigned page, unsigned at) { return (uint8_t *)(page * BOARD_PAGE + at); }

void board_read(unsigned page, unsigned at, void *to, unsigned size) { eeprom_read_block(to, place(page, at), size); }

void board_erase(unsigned page)
{
    for (unsigned i = 0; i < BOARD_PAGE; i++) eeprom_update_byte(place(page, i), 0xff);
    eeprom_busy_wait();
}

void board_program(unsigned page, unsigned at, const void *from, unsigned size)
{
    eeprom_update_block(from, place(page, at), size);
    eeprom_busy_wait();
}

EMPTY_INTERRUPT(WDT_vect)

void board_sleep(uint16_t seconds)
{
    while (!(UCSR0A & 1 << UDRE0)) { }
    wdt_reset();
    WDTCSR = 1 << WDCE | 1 << WDE;
    WDTCSR = 1 << WDIE | 1 << WDP2 | 1 << WDP1; /* an interrupt each second, and no reset */
    sei();
    while (seconds--) sleep_mode();
    cli();
    wdt_disable();
}

void board_stop(void)
{
    cli();
    for (;;) sleep_mode();
}

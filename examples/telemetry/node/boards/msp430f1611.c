/* msp430f1611.c - an MSP430F1611 at about 1 MHz, with a watch crystal: converter, serial line at 9600 baud, flash, watchdog.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sensor is at A0.  Records are in segments B and A of the information memory, the identity in the last but one segment of
 * the main memory.  The addresses are those of the data sheet (SLAS368) and of the user's guide (SLAU049). */
#include "../board.h"

#define BYTE(address) (*(volatile uint8_t *)(address))
#define WORD(address) (*(volatile uint16_t *)(address))

enum { IE1 = 0x00, IFG1 = 0x02, ME1 = 0x04, P3SEL = 0x1b };
enum { WDTIE = 1, URXIFG0 = 0x40, UTXIFG0 = 0x80, USART0 = 0xc0, P3_4_AND_5 = 0x30 };
enum { U0CTL = 0x70, U0TCTL, U0RCTL, U0MCTL, U0BR0, U0BR1, U0RXBUF, U0TXBUF };
enum { CHAR = 0x10, SWRST = 1, ACLK = 0x10, TXEPT = 1 };
enum { ADC12CTL0 = 0x1a0, ADC12CTL1 = 0x1a2, ADC12MEM0 = 0x140, ADC12MCTL0 = 0x80 };
enum { SAMPLE = 0x0400, REF2_5V = 0x40, REFON = 0x20, ADC12ON = 0x10, ENC = 2, ADC12SC = 1, SHP = 0x200, ADC12BUSY = 1 };
enum { HALF_SUPPLY = 0x10 | 11, SENSOR = 0x10 | 0 }; /* channels, against the reference of 2.5 V */
enum { WDTCTL = 0x120, WDTHOLD = 0x5a80, EACH_SECOND = 0x5a1c };
enum { FCTL1 = 0x128, FCTL2 = 0x12a, FCTL3 = 0x12c, KEY = 0xa500, ERASE = 2, WRT = 0x40, LOCK = 0x10, BY_3 = 0x42 };
enum { POLLS = 1000 }; /* about 20 ms, in which 20 bytes may come */

static const uint16_t pages[] = { 0x1000, 0x1080, 0xfc00 };

void board_start(void)
{
    WORD(WDTCTL) = WDTHOLD;
    WORD(FCTL2) = KEY | BY_3; /* 350 kHz */
    BYTE(P3SEL) = P3_4_AND_5;
    BYTE(U0CTL) = CHAR | SWRST;
    BYTE(U0TCTL) = ACLK;
    BYTE(U0BR0) = 3; /* 32768 / 9600, and a modulation for the rest */
    BYTE(U0BR1) = 0;
    BYTE(U0MCTL) = 0x4a;
    BYTE(ME1) = USART0;
    BYTE(U0CTL) = CHAR;
}

static uint16_t convert(uint8_t channel)
{
    WORD(ADC12CTL0) = SAMPLE | REF2_5V | REFON | ADC12ON;
    WORD(ADC12CTL1) = SHP;
    BYTE(ADC12MCTL0) = channel;
    WORD(ADC12CTL0) |= ENC | ADC12SC;
    while (WORD(ADC12CTL1) & ADC12BUSY) { }
    WORD(ADC12CTL0) &= (uint16_t)~ENC;
    WORD(ADC12CTL0) = 0;
    return WORD(ADC12MEM0);
}

uint16_t board_sensor(void) { return convert(SENSOR); }

uint16_t board_supply(void)
{
    const uint16_t half = convert(HALF_SUPPLY); /* in 2500 / 4096 mV; 5000 / 4096 = 1 + 1/4 - 1/32 + 1/512 */
    return (uint16_t)(half + (half >> 2) - (half >> 5) + (half >> 9));
}

void board_transmit(uint8_t byte)
{
    while (!(BYTE(IFG1) & UTXIFG0)) { }
    BYTE(U0TXBUF) = byte;
}

int board_receive(void)
{
    for (uint16_t i = 0; i < POLLS; i++)
        if (BYTE(IFG1) & URXIFG0) return BYTE(U0RXBUF);
    return -1;
}

void board_read(unsigned page, unsigned at, void *to, unsigned size)
{
    uint8_t *byte = to;
    for (unsigned i = 0; i < size; i++) byte[i] = BYTE(pages[page] + at + i);
}

/* The CPU waits while flash is erased or programmed, because it runs from flash. */
void board_erase(unsigned page)
{
    WORD(FCTL3) = KEY;
    WORD(FCTL1) = KEY | ERASE;
    WORD(pages[page]) = 0;
    WORD(FCTL1) = KEY;
    WORD(FCTL3) = KEY | LOCK;
}

void board_program(unsigned page, unsigned at, const void *from, unsigned size)
{
    const uint16_t *word = from;
    WORD(FCTL3) = KEY;
    WORD(FCTL1) = KEY | WRT;
    for (unsigned i = 0; i < size; i += 2) WORD(pages[page] + at + i) = *word++;
    WORD(FCTL1) = KEY;
    WORD(FCTL3) = KEY | LOCK;
}

/* The watchdog's interrupt, which wakes the CPU, is in msp430f1611.S. */
void board_sleep(uint16_t seconds)
{
    while (!(BYTE(U0TCTL) & TXEPT)) { }
    WORD(WDTCTL) = EACH_SECOND;
    BYTE(IE1) |= WDTIE;
    while (seconds--) __asm__ volatile("bis #0xd8, r2\n\tnop"); /* LPM3 with interrupts */
    BYTE(IE1) &= (uint8_t)~WDTIE;
    WORD(WDTCTL) = WDTHOLD;
}

void board_stop(void)
{
    for (;;) __asm__ volatile("bis #0xf0, r2\n\tnop"); /* LPM4 */
}

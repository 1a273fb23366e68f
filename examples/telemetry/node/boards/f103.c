/* f103.c - an STM32F103 (Cortex-M3) or a GD32VF103 (RISC-V), whose peripherals are alike, at 8 MHz: converter, serial line at 9600
 * baud, flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The sensor is at PA0, the serial line at PA9 and PA10.  Records and identity are in the last three pages of 64 KB of flash.  The
 * addresses are those of RM0008 and of the GD32VF103's user manual. */
#include "../board.h"

#define WORD(address) (*(volatile uint32_t *)(address))
#define BYTE(address) (*(volatile uint8_t *)(address))
#define HALF(address) (*(volatile uint16_t *)(address))

enum { RCC_APB2ENR = 0x40021018, WANTED = 1 << 14 | 1 << 9 | 1 << 2 }; /* USART1, ADC1, port A */
enum { GPIOA_CRH = 0x40010804, PINS = 0x444444b4 }; /* PA9 is an output of the USART, PA10 an input */
enum { USART_SR = 0x40013800, USART_DR = 0x40013804, USART_BRR = 0x40013808, USART_CR1 = 0x4001380c };
enum { RXNE = 1 << 5, TC = 1 << 6, TXE = 1 << 7, UE_TE_RE = 1 << 13 | 1 << 3 | 1 << 2 };
enum { ADC_SR = 0x40012400, ADC_CR2 = 0x40012408, ADC_SMPR1 = 0x4001240c, ADC_SQR3 = 0x40012434, ADC_DR = 0x4001244c };
enum { EOC = 1 << 1, ADON = 1, TSVREFE = 1 << 23, SENSOR = 0, VREFINT = 17, VREFINT_MV = 1200 };
enum { FLASH_KEYR = 0x40022004, FLASH_SR = 0x4002200c, FLASH_CR = 0x40022010, FLASH_AR = 0x40022014 };
enum { BSY = 1, PG = 1, PER = 2, STRT = 1 << 6, LOCK = 1 << 7 };
enum { PAGES = 0x0800f400 };
enum { POLLS = 200, PAUSE = 100 }; /* about 20 ms, in which 20 bytes may come */

void board_start(void)
{
    WORD(RCC_APB2ENR) |= WANTED;
    WORD(GPIOA_CRH) = PINS;
    WORD(USART_BRR) = 8000000 / 9600;
    WORD(USART_CR1) = UE_TE_RE;
    WORD(ADC_SMPR1) = 7 << 21; /* a long sample of the reference */
}

static uint16_t convert(uint32_t channel)
{
    WORD(ADC_CR2) = TSVREFE | ADON;
    WORD(ADC_SQR3) = channel;
    WORD(ADC_CR2) = TSVREFE | ADON; /* set again, ADON starts a conversion */
    while (!(WORD(ADC_SR) & EOC)) { }
    WORD(ADC_CR2) = 0;
    return (uint16_t)WORD(ADC_DR);
}

uint16_t board_sensor(void) { return convert(SENSOR); }

uint16_t board_supply(void)
{
    const uint16_t reference = convert(VREFINT);
    return reference ? (uint16_t)(VREFINT_MV * 4096u / reference) : 0;
}

void board_transmit(uint8_t byte)
{
    while (!(WORD(USART_SR) & TXE)) { }
    WORD(USART_DR) = byte;
}

int board_receive(void)
{
    for (int i = 0; i < POLLS; i++) {
        if (WORD(USART_SR) & RXNE) return (int)(WORD(USART_DR) & 0xff);
        for (volatile int k = 0; k < PAUSE; k++) { }
    }
    return -1;
}

static uint32_t place(unsigned page, unsigned at) { return PAGES + page * BOARD_PAGE + at; }

void board_read(unsigned page, unsigned at, void *to, unsigned size)
{
    uint8_t *byte = to;
    for (unsigned i = 0; i < size; i++) byte[i] = BYTE(place(page, at + i));
}

static void unlock(uint32_t what)
{
    if (WORD(FLASH_CR) & LOCK) WORD(FLASH_KEYR) = 0x45670123, WORD(FLASH_KEYR) = 0xcdef89ab;
    WORD(FLASH_CR) = what;
}

static void finish(void)
{
    while (WORD(FLASH_SR) & BSY) { }
}

void board_erase(unsigned page)
{
    unlock(PER);
    WORD(FLASH_AR) = place(page, 0);
    WORD(FLASH_CR) = PER | STRT;
    finish();
    WORD(FLASH_CR) = LOCK;
}

void board_program(unsigned page, unsigned at, const void *from, unsigned size)
{
    const uint8_t *byte = from;
    unlock(PG);
    for (unsigned i = 0; i < size; i += 2, byte += 2) {
        HALF(place(page, at + i)) = (uint16_t)(byte[0] | byte[1] << 8);
        finish();
    }
    WORD(FLASH_CR) = LOCK;
}

#if defined(__riscv)
/* The machine timer of the Bumblebee core counts at a quarter of the clock.  Its interrupt need not be taken: it ends WFI. */
enum { MTIME = 0xd1000000, MTIMECMP = 0xd1000008, TIMER_INTIE = 0xd2001000 + 7 * 4 + 1 };

static void sleep_a_second(void)
{
    WORD(MTIME) = WORD(MTIME + 4) = 0;
    WORD(MTIMECMP + 4) = 0;
    WORD(MTIMECMP) = 8000000 / 4;
    *(volatile uint8_t *)TIMER_INTIE = 1;
    while (WORD(MTIME) < 8000000 / 4) __asm__ volatile("wfi");
}
#else
/* SysTick counts at an eighth of the clock.  While PRIMASK is set its exception is not taken, but it ends WFI. */
enum { SYST_CSR = 0xe000e010, SYST_RVR = 0xe000e014, SYST_CVR = 0xe000e018, ICSR = 0xe000ed04, PENDSTCLR = 1 << 25 };

static void sleep_a_second(void)
{
    WORD(SYST_RVR) = 8000000 / 8 - 1;
    WORD(SYST_CVR) = 0;
    WORD(SYST_CSR) = 3;
    __asm__ volatile("cpsid i\n\twfi");
    WORD(SYST_CSR) = 0;
    WORD(ICSR) = PENDSTCLR;
}
#endif

void board_sleep(uint16_t seconds)
{
    while (!(WORD(USART_SR) & TC)) { }
    while (seconds--) sleep_a_second();
}

void board_stop(void)
{
    for (;;) __asm__ volatile("wfi");
}

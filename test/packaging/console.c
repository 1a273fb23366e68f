/* console.c - what programs for Zephyr, ESP-IDF and others print, in a buffer that the tests read from the simulator.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdarg.h>
#include <stdio.h>
#include <zephyr/sys/printk.h>

char serial_text[256];
static unsigned end;

/* Where the simulators go after a call. */
__attribute__((__noreturn__)) void haechi_bench_idle(void)
{
    for (;;) __asm__ volatile("");
}

static void put(char c)
{
    if (end < sizeof serial_text - 1) serial_text[end++] = c;
}

/* Knows text, %d of one digit, and %02x. */
static void print(const char *format, va_list values)
{
    for (; *format; format++) {
        if (*format != '%') {
            put(*format);
        } else if (*++format == 'd') {
            const int value = va_arg(values, int);
            if (value < 0) put('-');
            put((char)('0' + (value < 0 ? -value : value)));
        } else {
            const unsigned value = va_arg(values, unsigned);
            put("0123456789abcdef"[value >> 4 & 15]);
            put("0123456789abcdef"[value & 15]);
            format += 2;
        }
    }
}

void printk(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(format, values);
    va_end(values);
}

int printf(const char *format, ...)
{
    va_list values;
    va_start(values, format);
    print(format, values);
    va_end(values);
    return 0;
}

int puts(const char *text)
{
    while (*text) put(*text++);
    put('\n');
    return 0;
}

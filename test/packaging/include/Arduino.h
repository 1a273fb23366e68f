/* Arduino.h - the part of Arduino's interface that the example sketches use, for the simulator.  What they print
 * goes to serial_text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef ARDUINO_H
#define ARDUINO_H
#include <stdint.h>

enum { HEX = 16, A0 = 54 };

extern "C" {
void setup(void);
void loop(void);
extern char serial_text[256];
__attribute__((__noreturn__, __noinline__, __used__)) void haechi_bench_idle(void);
}

char serial_text[256];
static uint8_t serial_end;

static struct {
    void begin(long) {}
    void put(char c) { serial_text[serial_end++] = c; }
    void print(int digit, int) { put("0123456789ABCDEF"[digit & 15]); }
    void print(const char *text)
    {
        while (*text) put(*text++);
    }
    void println(const char *text)
    {
        print(text);
        put('\n');
    }
} Serial;

static inline uint32_t millis(void)
{
    return 0x01020304;
}
static inline int analogRead(int pin)
{
    return pin == A0 ? 0x2a5 : 0;
}
static inline void delay(uint32_t) {}

void haechi_bench_idle(void)
{
    for (;;) __asm__ volatile("");
}

int main(void)
{
    setup();
    haechi_bench_idle();
}
#endif

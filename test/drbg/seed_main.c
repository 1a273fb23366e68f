/* seed_main.c - starts the generator of examples/seed as firmware does after a reset, and leaves sixteen random bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../examples/seed/seed.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>

int8_t error;
uint8_t given[16];

int main(void)
{
    haechi_drbg d;
    error = (int8_t)seed_start(&d);
    if (!error) error = (int8_t)haechi_drbg_read(&d, given, sizeof given, NULL, 0);
    cli();
    sleep_enable();
    for (;;) sleep_cpu(); /* without interrupts: simavr ends here */
}

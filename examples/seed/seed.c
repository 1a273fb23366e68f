/* seed.c - a seed in EEPROM, for AVR.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order of steps decides what a failure of the power can do:
 *
 *     read the seed and the noise -> make the generator -> read the next seed from it -> write it
 *         -> only then give out bytes
 *
 * While the next seed is being written, EEPROM holds some bytes of the old one and some of the new.  A reset then starts
 * from this mixture, of which at least one half of the bytes of one seed remains, and which no other start has used.  The
 * old seed itself never makes a generator again whose bytes somebody has got. */
#include "seed.h"

#include <avr/eeprom.h>
#include <avr/io.h>

enum { SAMPLES = 64, UNSET = 256 };

/* Start-up code does not clear this: after power was off, its bytes are partly noise, which is the chip's own each time. */
static uint8_t remained[UNSET] __attribute__((__section__(".noinit")));

/* The lowest bit of each conversion of a pin that is connected to nothing, or of a sensor, eight to a byte.  Their
 * entropy is unknown: an attacker may hold the pin at a voltage.  That is why they are added to the seed and never take
 * its place. */
static void convert(uint8_t noise[SAMPLES / 8])
{
    ADMUX = 0;
    ADCSRA = 1 << ADEN | 7;
    for (uint8_t i = 0; i < SAMPLES; i++) {
        ADCSRA |= 1 << ADSC;
        while (ADCSRA & 1 << ADSC) {
        }
        noise[i / 8] = (uint8_t)(noise[i / 8] << 1 | (ADCW & 1));
    }
    ADCSRA = 0;
}

int seed_start(haechi_drbg *d)
{
    uint8_t seed[SEED_SIZE], noise[SAMPLES / 8] = { 0 };
    int error;
    if (eeprom_read_byte((const uint8_t *)SEED_AT) != SEED_MARK) return HAECHI_EUSE;
    eeprom_read_block(seed, (const void *)(SEED_AT + 1), SEED_SIZE);
    convert(noise);
    error = haechi_drbg_init(d, &haechi_drbg_lea128, 0, seed, SEED_SIZE, noise, sizeof noise, remained, UNSET);
    if (!error) error = haechi_drbg_read(d, seed, SEED_SIZE, NULL, 0);
    if (!error) eeprom_update_block(seed, (void *)(SEED_AT + 1), SEED_SIZE);
    if (!error) eeprom_busy_wait();
    haechi_wipe(seed, sizeof seed);
    haechi_wipe(remained, sizeof remained);
    if (error) haechi_wipe(d, sizeof *d);
    return error;
}

/* seed.h - random bytes on a microcontroller without a source of entropy that could be trusted alone: a seed in EEPROM survives
 * resets, and noise of the chip is mixed into it at each start.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_drbg d;
 *     if (seed_start(&d)) stop();                       // once after each reset
 *     haechi_drbg_read(&d, key, 16, NULL, 0);
 */
#ifndef SEED_H
#define SEED_H
#include <haechi.h>

/* Of these two, bytes of the seed and its place in EEPROM. Whoever makes the device writes SEED_SIZE random bytes there, and
 * SEED_MARK before them; each device gets bytes of its own. */
enum { SEED_AT = 0, SEED_SIZE = 32, SEED_MARK = 0x5e };

/* Makes a generator from the seed and from noise, and writes another seed back before it returns: no seed is used twice, even if
 * the power fails at any time.
 * HAECHI_EUSE: nobody has written a seed, and the noise alone is not enough. Other codes are those of haechi_drbg_init. */
int seed_start(haechi_drbg *d);

#endif

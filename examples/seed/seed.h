/* seed.h - random bytes on a microcontroller without a source of entropy that could be trusted alone: a seed in EEPROM
 * survives resets, and noise of the chip is mixed into it at each start.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_drbg d;
 *     if (seed_start(&d)) stop();                       // once after each reset
 *     haechi_drbg_read(&d, key, 16, NULL, 0);
 */
#ifndef SEED_H
#define SEED_H
#include <haechi.h>

/* SEED_MARK stands at SEED_AT in EEPROM, and the seed of SEED_SIZE bytes after it.  Whoever makes the device writes both,
 * with random bytes of its own for each device. */
enum { SEED_AT = 0, SEED_SIZE = 32, SEED_MARK = 0x5e };

/* Makes a generator from the seed and from noise, and writes another seed back before it returns.  No two starts give the
 * same bytes, even if the power fails at any time.
 * HAECHI_EUSE: nobody has written a seed, and the noise alone is not enough.  Other codes are those of haechi_drbg_init. */
int seed_start(haechi_drbg *d);

#endif

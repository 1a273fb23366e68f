/* seed_flash.h - random bytes on a microcontroller without EEPROM: a seed in two pages of flash survives resets.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_drbg d;
 *     if (seed_flash_start(&d, noise, sizeof noise)) stop();     // once after each reset
 *     haechi_drbg_read(&d, key, 16, NULL, 0);
 *
 * The three functions at the end are the part's own; seed_flash.c calls them. */
#ifndef SEED_FLASH_H
#define SEED_FLASH_H
#include <haechi.h>

/* Of the seed, in bytes; and of what the flash writes at once, which nothing can write again before the page is erased:
 * 4, 8 or 16. */
enum { SEED_SIZE = 32 };
#ifndef SEED_UNIT
#define SEED_UNIT 8
#endif

/* The beginning of a page.  number counts the seeds from 1 on, and mark is its complement, which is written last.  What
 * follows either in its unit is zero.  All ones are what an erased page holds, so they are no number. */
typedef struct {
    union {
        uint32_t number;
        uint8_t unit[SEED_UNIT];
    } first;
    uint8_t seed[SEED_SIZE];
    union {
        uint32_t mark;
        uint8_t unit[SEED_UNIT];
    } last;
} seed_page;

/* Makes a generator from the seed and from len bytes of noise, which may be none, writes another seed into the other page
 * and erases the page of this one before it returns.  No two starts give the same bytes, even if the power fails at any
 * time.
 * HAECHI_EUSE: nobody has written a seed, or the flash did not take the next one.  Other codes are those of
 * haechi_drbg_init.  On an error there is no generator. */
int seed_flash_start(haechi_drbg *d, const void *noise, size_t len);

/* Page 0 or 1, as the processor reads it: aligned to 4. */
const seed_page *seed_flash_page(uint8_t page);

/* Erases a page, so that all of its bits are ones.  Returns when it has been done; not 0: it failed. */
int seed_flash_erase(uint8_t page);

/* Writes SEED_UNIT bytes, `at` bytes after the beginning of an erased page.  Likewise. */
int seed_flash_write(uint8_t page, uint8_t at, const uint8_t *unit);

#endif

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

/* SEED_SIZE is the size of the seed in bytes.  SEED_UNIT is how many bytes the flash writes at once: 4, 8 or 16.  The
 * flash cannot write them again before their page is erased. */
enum { SEED_SIZE = 32 };
#ifndef SEED_UNIT
#define SEED_UNIT 8
#endif

/* The beginning of a page.  number counts the seeds from 1 on.  mark is the complement of number and is written last.  The
 * bytes behind number and behind mark, up to SEED_UNIT, are zero.  An erased page holds all ones, which are no number. */
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

/* Returns the address at which the processor reads page 0 or 1, a multiple of 4. */
const seed_page *seed_flash_page(uint8_t page);

/* Erases a page, so that all of its bits are ones, and waits for the end.  Returns 0, or another number if it failed. */
int seed_flash_erase(uint8_t page);

/* Writes SEED_UNIT bytes, `at` bytes after the beginning of an erased page, and waits for the end.  Returns 0, or another
 * number if it failed. */
int seed_flash_write(uint8_t page, uint8_t at, const uint8_t *unit);

#endif

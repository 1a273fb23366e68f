/* seed_flash.c - a seed in two pages of flash, for parts whose flash is erased by pages and written once.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The order of steps decides what a failure of the power can do:
 *
 *     read the newest seed -> make the generator -> read the next seed from it
 *         -> erase the other page -> write the next seed into it, its mark last -> erase the page of the old seed
 *         -> only then give out bytes
 *
 * The power may fail
 *   - before the mark is there: the next start takes the old seed again, from which nobody has got bytes;
 *   - after it: the next start takes the new seed, whatever remains of the old one, whose number is lower.
 *
 * A write that is cut short clears some of the bits that it should clear, and an erasure that is cut short sets some of
 * all bits.  Neither makes a number and its complement out of anything else: each bit that is set in one of the two words
 * is clear in the other, so that both would have to lose a bit or both would have to gain one.  A page whose erasure was
 * cut short may still have its number, but with a seed that nobody wrote: its number is lower than the other page's.
 * Before it is written to, a page is erased in any case, because what a cut left there may read as erased without being
 * so. */
#include "seed_flash.h"

enum { PARTS = (int)(sizeof(seed_page) / SEED_UNIT) };

static uint8_t valid(const seed_page *p)
{
    return p->first.number != 0 && p->first.number != 0xffffffff && p->last.mark == (uint32_t)~p->first.number;
}

static int write(uint8_t page, const seed_page *next)
{
    const uint8_t *from = (const uint8_t *)next;
    if (seed_flash_erase(page)) return HAECHI_EUSE;
    for (uint8_t i = 0; i < PARTS; i++)
        if (seed_flash_write(page, (uint8_t)(i * SEED_UNIT), from + i * SEED_UNIT)) return HAECHI_EUSE;
    return haechi_verify(seed_flash_page(page), next, sizeof *next) ? HAECHI_EUSE : HAECHI_OK;
}

int seed_flash_start(haechi_drbg *d, const void *noise, size_t len)
{
    const seed_page *p[2] = { seed_flash_page(0), seed_flash_page(1) };
    const uint8_t newest = valid(p[1]) && (!valid(p[0]) || p[1]->first.number > p[0]->first.number);
    const uint32_t nonce[2] = { p[newest]->first.number, p[newest]->last.mark };
    seed_page next;
    int error;
    haechi_wipe(d, sizeof *d);
    if (!valid(p[newest]) || nonce[0] == 0xfffffffe) return HAECHI_EUSE;
    haechi_wipe(&next, sizeof next);
    next.first.number = nonce[0] + 1;
    next.last.mark = ~next.first.number;
    error = haechi_drbg_init(d, &haechi_drbg_lea128, 0, p[newest]->seed, SEED_SIZE, nonce, sizeof nonce, noise, len);
    if (!error) error = haechi_drbg_read(d, next.seed, SEED_SIZE, NULL, 0);
    if (!error) error = write(!newest, &next);
    if (!error && seed_flash_erase(newest)) error = HAECHI_EUSE;
    haechi_wipe(&next, sizeof next);
    if (error) haechi_wipe(d, sizeof *d);
    return error;
}

/* state.c - records in two pages of flash or EEPROM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Records follow each other in a page.  When it is full, the other page is erased and takes the next record, so that the newest
 * complete record is never in a page that is being erased.  A record whose writing was interrupted fails its check and
 * does not count.  Each record has the sequence number after that of the one before; there are far fewer than 2^15 records, so
 * that the difference of two numbers says which is newer, even where they wrap. */
#include "state.h"

#include <stddef.h>
#include "../../../src/haechi.h"
#include "board.h"

enum { SLOTS = BOARD_PAGE / sizeof(struct state) };

_Static_assert(sizeof(struct state) == 32, "a record has no gaps");

static uint8_t page, slot; /* of the newest record */

static uint32_t check_of(const struct state *s)
{
    const uint8_t *at = (const uint8_t *)s, *end = at + offsetof(struct state, check);
    uint32_t crc = 0xffffffff;
    while (at < end) {
        crc ^= *at++;
        for (uint8_t i = 0; i < 8; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void read_slot(unsigned p, unsigned i, struct state *s)
{
    board_read(p, i * sizeof *s, s, sizeof *s);
}

int state_load(struct state *s)
{
    struct state found;
    int result = STATE_NONE;
    for (uint8_t p = 0; p < 2; p++) {
        for (uint8_t i = 0; i < SLOTS; i++) {
            read_slot(p, i, &found);
            if (found.check != check_of(&found)) continue;
            if (result == STATE_OK && (int16_t)(found.sequence - s->sequence) <= 0) continue;
            *s = found;
            page = p;
            slot = i;
            result = STATE_OK;
        }
    }
    return result;
}

static int blank(unsigned p, unsigned i)
{
    struct state found;
    const uint8_t *byte = (const uint8_t *)&found;
    read_slot(p, i, &found);
    for (uint8_t k = 0; k < sizeof found; k++)
        if (byte[k] != 0xff) return 0;
    return 1;
}

int state_save(struct state *s)
{
    struct state found;
    s->sequence++;
    s->check = check_of(s);
    do slot++;
    while (slot < SLOTS && !blank(page, slot)); /* a record that was interrupted leaves its place used */
    if (slot >= SLOTS) {
        page ^= 1;
        slot = 0;
        board_erase(page);
    }
    board_program(page, slot * sizeof *s, s, sizeof *s);
    read_slot(page, slot, &found);
    return haechi_verify(&found, s, sizeof found) ? STATE_WORN : STATE_OK;
}

void state_identity(struct identity *i)
{
    board_read(2, 0, i, sizeof *i);
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The driver of haechi_ctr: a cipher in counter mode behind APB or Wishbone. rtl/bus/README.md describes the registers.
 *
 * Every function takes the base of the registers. On a chip, reads and writes are those of volatile words. A program that
 * reaches the bus in another way defines HAECHI_CTR_READ(base, offset) and HAECHI_CTR_WRITE(base, offset, word) before it
 * includes this file. Nothing here waits for interrupts, and no function may run while another one uses the same base. */
#ifndef HAECHI_CTR_H
#define HAECHI_CTR_H

#include <stddef.h>
#include <stdint.h>

#include "haechi_ctr_map.h"

#ifndef HAECHI_CTR_READ
#define HAECHI_CTR_READ(base, offset) (*(volatile uint32_t *)((base) + (offset)))
#define HAECHI_CTR_WRITE(base, offset, word) (*(volatile uint32_t *)((base) + (offset)) = (word))
#endif

/* How often a function reads STATUS before it gives up. The slowest engine is ready after fewer clocks than this. */
#define HAECHI_CTR_TRIES 4096

enum { HAECHI_CTR_OK = 0, HAECHI_CTR_NO_DEVICE = -1, HAECHI_CTR_TIMEOUT = -2 };

static inline uint32_t haechi_ctr_word(const uint8_t *bytes, size_t len)
{
    uint32_t word = 0;
    for (size_t i = 0; i < len && i < 4; i++) word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}

/* The engine at this base, as one of HAECHI_CTR_LEA_128 and the other constants of haechi_ctr_map.h. */
static inline uint32_t haechi_ctr_id(uintptr_t base)
{
    return HAECHI_CTR_READ(base, HAECHI_CTR_ID);
}

/* Clears the key, the counter and whatever is left of a message. */
static inline void haechi_ctr_clear(uintptr_t base)
{
    HAECHI_CTR_WRITE(base, HAECHI_CTR_CONTROL, HAECHI_CTR_CONTROL_CLEAR);
}

/* Begins a message, with an engine that the caller names by its constant: a key of 4 * HAECHI_CTR_ID_KEY(id) bytes, and the
 * first counter block, of 4 * HAECHI_CTR_ID_BLOCK(id) bytes. Returns HAECHI_CTR_NO_DEVICE where another engine, another device
 * or none is at this base. */
static inline int haechi_ctr_start(uintptr_t base, uint32_t id, const uint8_t *key, const uint8_t *counter)
{
    if (haechi_ctr_id(base) != id) return HAECHI_CTR_NO_DEVICE;
    haechi_ctr_clear(base);
    for (unsigned i = 0; i < 4 * HAECHI_CTR_ID_KEY(id); i += 4)
        HAECHI_CTR_WRITE(base, HAECHI_CTR_KEY + i, haechi_ctr_word(key + i, 4));
    for (unsigned i = 0; i < 4 * HAECHI_CTR_ID_BLOCK(id); i += 4)
        HAECHI_CTR_WRITE(base, HAECHI_CTR_COUNTER + i, haechi_ctr_word(counter + i, 4));
    HAECHI_CTR_WRITE(base, HAECHI_CTR_CONTROL, HAECHI_CTR_CONTROL_START);
    return HAECHI_CTR_OK;
}

/* Encrypts or decrypts the next len bytes of the message, from in to out, which may be the same. Only the last call for a
 * message may have a len that is no multiple of 4. Returns HAECHI_CTR_TIMEOUT where the hardware does not answer; it has
 * then written only whole words of the result. */
static inline int haechi_ctr_crypt(uintptr_t base, const uint8_t *in, uint8_t *out, size_t len)
{
    for (size_t at = 0; at < len; at += 4) {
        size_t here = len - at < 4 ? len - at : 4;
        unsigned tries = HAECHI_CTR_TRIES;
        while (!(HAECHI_CTR_READ(base, HAECHI_CTR_STATUS) & HAECHI_CTR_STATUS_READY))
            if (!--tries) return HAECHI_CTR_TIMEOUT;
        HAECHI_CTR_WRITE(base, HAECHI_CTR_DATA, haechi_ctr_word(in + at, here));
        uint32_t word = HAECHI_CTR_READ(base, HAECHI_CTR_DATA);
        for (size_t i = 0; i < here; i++) out[at + i] = (uint8_t)(word >> 8 * i);
    }
    return HAECHI_CTR_OK;
}

#endif

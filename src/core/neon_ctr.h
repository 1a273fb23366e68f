/* neon_ctr.h - counter mode for kernels in NEON that encrypt BATCH blocks at a time.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel defines NEON_TARGET (core/neon.h), BATCH, and WORTH, the number of blocks from which on a batch with idle
 * lanes is faster than one block after another. */
#ifndef HAECHI_NEON_CTR_H
#define HAECHI_NEON_CTR_H

#include "bytes.h"

/* The next counter block, big-endian.  A block of 8 bytes is low alone. */
struct counter {
    uint64_t high, low;
};

/* The counter after n blocks.  Compilers must not branch on the carry, because a mode may count on from a secret. */
static inline __attribute__((__always_inline__)) NEON_TARGET void move_on(struct counter *c, size_t n)
{
    c->low += n;
    __asm__("" : "+r"(c->low));
    c->high += c->low < n;
}

/* Within a batch the last byte or word of the counter changes; the others change at most once, by a carry.  This is the
 * counter after that carry, where `last` is the number of values that the last byte or word has. */
static inline __attribute__((__always_inline__)) NEON_TARGET struct counter after_carry(struct counter c, uint64_t last)
{
    c.low += last;
    __asm__("" : "+r"(c.low));
    c.high += c.low < last;
    return c;
}

/* Counter mode of n blocks, as kernel.h says of ctr.  `batch` writes the encrypted counters from c on to out, XORed to
 * in unless in is NULL; keys is for batch alone.  `crypt` encrypts a block with rk. */
static inline __attribute__((__always_inline__)) NEON_TARGET void
ctr_in_batches(void (*batch)(const void *keys, uint8_t *out, const uint8_t *in, const struct counter *c), const void *keys,
               void (*crypt)(const void *rk, void *buf), const void *rk, size_t block, uint8_t *counter, uint8_t *out,
               const uint8_t *in, size_t n)
{
    uint8_t some[16 * BATCH];
    struct counter c = { haechi_load_be64(counter), haechi_load_be64(counter + block - 8) };

    while (n) {
        const int whole = n >= BATCH;
        const size_t m = whole ? BATCH : n >= WORTH ? n : 1;
        if (whole) {
            batch(keys, out, in, &c);
        } else {
            if (n >= WORTH) {
                batch(keys, some, NULL, &c);
            } else {
                haechi_store_be64(some, c.high);
                haechi_store_be64(some + block - 8, c.low);
                crypt(rk, some);
            }
            if (in == NULL) haechi_copy(out, some, block * m);
            else haechi_xor(out, in, some, block * m);
            haechi_wipe(some, sizeof some);
        }
        move_on(&c, m);
        n -= m;
        out += block * m;
        if (in != NULL) in += block * m;
    }
    haechi_store_be64(counter, c.high);
    haechi_store_be64(counter + block - 8, c.low);
}

#endif

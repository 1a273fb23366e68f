/* ctr_micro.c - counter mode (SP 800-38A, 6.5) on microcontrollers: the counter is the whole block, big-endian, and
 * wraps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whole blocks go to the kernel's own counter mode where it has one; all other bytes go one at a time.  No code here
 * branches on a carry, because a counter may be secret.  ctr.c is the counter mode of hosts. */
#include "mode.h"

#if HAECHI_MICRO

/* Computes left = E(iv) and increments iv. */
static inline void refill(const haechi_key *k, haechi_stream *s)
{
    uint8_t *byte = s->iv + haechi_block_size(k), carry = 1;
    do {
        const uint8_t before = *--byte;
        byte[offsetof(haechi_stream, left)] = before;
        *byte = (uint8_t)(before + carry);
        carry = (uint8_t)(carry & (*byte == 0));
    } while (byte != s->iv);
    haechi_block(k, s->left);
}

/* Encrypts whole blocks by the kernel's own counter mode, if it has one, and returns their length in bytes. */
static size_t whole_blocks(const haechi_key *k, haechi_stream *s, uint8_t *o, const uint8_t *i, size_t len)
{
    const struct haechi_kernel *const kernel = (const struct haechi_kernel *)k->impl;
    void (*const own)(const void *, uint8_t *, void *, const void *, size_t) = HAECHI_READ(kernel->ctr);
    const uint8_t block = HAECHI_READ(kernel->block);

    if (own == NULL || haechi_unaligned(kernel, (uintptr_t)o | (uintptr_t)i | (uintptr_t)s->iv)) return 0;
    len &= ~(size_t)(block - 1u);
    if (len) own(haechi_round_keys(k), s->iv, o, i, len >> (block == 8 ? 3 : 4));
    return len;
}

static HAECHI_INLINE void crypt(const haechi_key *k, haechi_stream *s, uint8_t *o, const uint8_t *i, size_t len)
{
    const uint8_t mask = (uint8_t)(haechi_block_size(k) - 1);
    uint8_t used = s->used;

    for (; len; len--) {
        if (used == 0) {
            const size_t n = whole_blocks(k, s, o, i, len);
            o += n, i += n, len -= n;
            if (len == 0) break;
            refill(k, s);
        }
        *o++ = *i++ ^ s->left[used];
        used = (uint8_t)((used + 1) & mask);
    }
    s->used = used;
}

int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    const int error = haechi_stream_usable(k, s, out, in, len);
    if (error) haechi_wipe(out, len);
    else crypt(k, s, (uint8_t *)out, (const uint8_t *)in, len);
    return error;
}

void haechi_ctr_text(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    crypt(k, s, (uint8_t *)out, (const uint8_t *)in, len);
}

#endif

/* ctr.c - counter mode (SP 800-38A, 6.5) over the whole block, big-endian, wrapping.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whole blocks go to the kernel's own counter mode where it has one.  No branch on a carry: a counter may be
 * secret. */
#include "mode.h"

#if HAECHI_MICRO

/* left = E(iv), iv moves on. */
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

/* Whole blocks by the kernel's own counter mode, if it has one: how many bytes. */
static size_t whole_blocks(const haechi_key *k, haechi_stream *s, uint8_t *o, const uint8_t *i, size_t len)
{
    const struct haechi_kernel *const kernel = (const struct haechi_kernel *)k->impl;
    void (*const own)(const void *, uint8_t *, void *, const void *, size_t) = HAECHI_READ(kernel->ctr);
    const uint8_t block = HAECHI_READ(kernel->block);

    if (own == NULL || haechi_odd(kernel, (uintptr_t)o | (uintptr_t)i | (uintptr_t)s->iv)) return 0;
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

#else
#define LANES 64 /* of any kernel, at most */

/* Writes n counter blocks to out and leaves the next one in ctr. */
static void count(uint8_t *ctr, uint8_t *out, size_t block, size_t n)
{
    uint64_t low = haechi_load_be64(ctr + block - 8), high = haechi_load_be64(ctr);
    for (; n; n--, out += block) {
        haechi_store_be64(out, high); /* of a block of 8 bytes there is low alone */
        haechi_store_be64(out + block - 8, low);
        low++;
        __asm__("" : "+r"(low)); /* or compilers make branches: of low == 0, and of low for the loop's end */
        high += low == 0;
    }
    haechi_store_be64(ctr, high);
    haechi_store_be64(ctr + block - 8, low);
}

/* n blocks. */
static void whole_blocks(const haechi_key *k, uint8_t *ctr, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct haechi_kernel *const kernel = haechi_kernel_of(k);
    const size_t block = kernel->block;
    uint8_t stream[LANES * 16];
    const size_t most = n < LANES ? n : LANES;

    if (kernel->ctr != NULL && !haechi_odd(kernel, (uintptr_t)out | (uintptr_t)in | (uintptr_t)ctr)) {
        kernel->ctr(haechi_round_keys(k), ctr, out, in, n);
        return;
    }
    while (n) {
        const size_t m = n < most ? n : most;
        count(ctr, stream, block, m);
        haechi_blocks(k, stream, stream, m);
        haechi_xor(out, in, stream, m * block);
        n -= m, out += m * block, in += m * block;
    }
    haechi_wipe(stream, most * block);
}

static inline void crypt(const haechi_key *k, haechi_stream *s, uint8_t *o, const uint8_t *i, size_t len)
{
    const size_t block = haechi_block_size(k);
    size_t n;

    for (; s->used && len; len--) { /* the rest of the last block */
        *o++ = *i++ ^ s->left[s->used++];
        if (s->used == block) s->used = 0;
    }
    if (haechi_kernel_of(k)->ctr_bytes != NULL && len) {
        haechi_kernel_of(k)->ctr_bytes(haechi_round_keys(k), s->iv, s->left, o, i, len);
        s->used = (uint8_t)(len & (block - 1)); /* 8 or 16: a division would take as long as a short message */
        return;
    }
    n = len & ~(block - 1);
    if (n) whole_blocks(k, s->iv, o, i, n / block);
    len -= n;
    if (len) { /* the beginning of the next one */
        count(s->iv, s->left, block, 1);
        haechi_block(k, s->left);
        haechi_xor(o + n, i + n, s->left, len);
        s->used = (uint8_t)len;
    }
}

#endif

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

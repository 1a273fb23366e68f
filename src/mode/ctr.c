/* ctr.c - counter mode (SP 800-38A, 6.5) on hosts: the counter is the whole block, big-endian, and wraps.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Two blocks and more go to the kernel's own counter mode where it has one.  One block does not: the kernel's frame
 * would have to be overwritten afterwards, which takes longer than the block.  No code here branches on a carry, because
 * a counter may be secret.  ctr_micro.c is the counter mode of small machines. */
#include "mode.h"

#if !HAECHI_MICRO

#define LANES 64 /* No kernel works on more blocks at once. */

/* Writes n counter blocks to out and leaves the next one in ctr. */
static void count(uint8_t *ctr, uint8_t *out, size_t block, size_t n)
{
    uint64_t low = haechi_load_be64(ctr + block - 8), high = haechi_load_be64(ctr);
    for (; n; n--, out += block) {
        haechi_store_be64(out, high); /* A block of 8 bytes is low alone, which overwrites high. */
        haechi_store_be64(out + block - 8, low);
        low++;
        __asm__("" : "+r"(low)); /* Otherwise compilers branch on low == 0, and let low end the loop. */
        high += low == 0;
    }
    haechi_store_be64(ctr, high);
    haechi_store_be64(ctr + block - 8, low);
}

/* Encrypts n blocks and leaves the next counter in ctr. */
static void whole_blocks(const haechi_key *k, uint8_t *ctr, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct haechi_kernel *const kernel = haechi_kernel_of(k);
    const size_t block = kernel->block;
    uint8_t stream[LANES * 16];
    const size_t most = n < LANES ? n : LANES;

    if (kernel->ctr != NULL && !haechi_unaligned(kernel, (uintptr_t)out | (uintptr_t)in | (uintptr_t)ctr)) {
        kernel->ctr(haechi_round_keys(k), ctr, out, in, n);
        haechi_scrub_kernel(kernel, n);
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

    for (; s->used && len; len--) { /* The rest of the last block of key stream comes first. */
        *o++ = *i++ ^ s->left[s->used++];
        if (s->used == block) s->used = 0;
    }
    if (haechi_kernel_of(k)->ctr_bytes != NULL && len > block) {
        haechi_kernel_of(k)->ctr_bytes(haechi_round_keys(k), s->iv, s->left, o, i, len);
        haechi_scrub_kernel(haechi_kernel_of(k), (len + 15) >> (block == 16 ? 4 : 3));
        s->used = (uint8_t)(len & (block - 1)); /* A division would take as long as a short message. */
        return;
    }
    n = len > block ? len & ~(block - 1) : 0;
    if (n) whole_blocks(k, s->iv, o, i, n / block);
    len -= n;
    if (len == block) { /* One whole block, of whose key stream nothing is left. */
        uint8_t stream[16];
        count(s->iv, stream, block, 1);
        haechi_block(k, stream);
        haechi_xor(o, i, stream, block);
        haechi_wipe(stream, block);
    } else if (len) { /* The text ends inside a block, whose key stream stays in left. */
        count(s->iv, s->left, block, 1);
        haechi_block(k, s->left);
        haechi_xor(o + n, i + n, s->left, len);
        s->used = (uint8_t)len;
    }
}

int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    const int error = haechi_stream_usable(k, s, out, in, len);
    if (error) haechi_wipe(out, len);
    else crypt(k, s, (uint8_t *)out, (const uint8_t *)in, len);
    haechi_scrub();
    return error;
}

void haechi_ctr_text(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    crypt(k, s, (uint8_t *)out, (const uint8_t *)in, len);
}

#endif

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

/* Encrypts len bytes, for which a kernel without a counter mode encrypts counters, and leaves the next counter in s->iv and
 * the key stream of an incomplete last block in s->left. */
static void by_blocks(const haechi_key *k, haechi_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    const size_t block = haechi_block_size(k), most = LANES * block;
    const size_t room = len < most ? (len + block - 1) & ~(block - 1) : most;
    uint8_t stream[LANES * 16];

    for (size_t m; len; len -= m, out += m, in += m) {
        const size_t blocks = (len < most ? len + block - 1 : most) >> (block == 16 ? 4 : 3);
        m = len < most ? len : most;
        count(s->iv, stream, block, blocks);
        haechi_blocks(k, stream, stream, blocks);
        haechi_xor(out, in, stream, m);
        if (m & (block - 1)) haechi_copy(s->left, stream + (blocks - 1) * block, block);
    }
    haechi_wipe(stream, room);
}

static inline void crypt(const haechi_key *k, haechi_stream *s, uint8_t *o, const uint8_t *i, size_t len)
{
    const struct haechi_kernel *const kernel = haechi_kernel_of(k);
    const size_t block = kernel->block;

    for (; s->used && len; len--) { /* The rest of the last block of key stream comes first. */
        *o++ = *i++ ^ s->left[s->used++];
        if (s->used == block) s->used = 0;
    }
    if (len > block && kernel->ctr_bytes == NULL && kernel->ctr != NULL &&
        !haechi_unaligned(kernel, (uintptr_t)o | (uintptr_t)i | (uintptr_t)s->iv)) {
        const size_t bytes = len & ~(block - 1), n = bytes >> (block == 16 ? 4 : 3);
        kernel->ctr(haechi_round_keys(k), s->iv, o, i, n);
        haechi_scrub_kernel(kernel, n);
        o += bytes, i += bytes, len -= bytes;
    } else if (len > block) {
        if (kernel->ctr_bytes != NULL) {
            kernel->ctr_bytes(haechi_round_keys(k), s->iv, s->left, o, i, len);
            haechi_scrub_kernel(kernel, (len + 15) >> (block == 16 ? 4 : 3));
        } else {
            by_blocks(k, s, o, i, len);
        }
        s->used = (uint8_t)(len & (block - 1)); /* A division would take as long as a short message. */
        return;
    }
    if (len == block) { /* One whole block, of whose key stream nothing is left. */
        uint8_t stream[16];
        count(s->iv, stream, block, 1);
        haechi_block(k, stream);
        haechi_xor(o, i, stream, block);
        haechi_wipe(stream, block);
    } else if (len) { /* The text ends inside a block, whose key stream stays in left. */
        count(s->iv, s->left, block, 1);
        haechi_block(k, s->left);
        haechi_xor(o, i, s->left, len);
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

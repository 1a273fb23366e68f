/* ctr.c - counter mode (SP 800-38A, 6.5) over the whole block, big-endian, wrapping.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whole blocks go to the kernel's own counter mode where it has one.  No branch on a carry: a counter may be
 * secret. */
#include "mode.h"

int haechi_stream_usable(const haechi_key *k, const haechi_stream *s, const void *out, const void *in, size_t len)
{
    const int error = haechi_usable(k, 0, out, in, len);
    return error ? error : s == NULL || s->used >= haechi_block_size(k) ? HAECHI_EUSE : HAECHI_OK;
}

#if HAECHI_MICRO

/* left = E(iv), iv moves on. */
static __attribute__((__noinline__)) void refill(const haechi_key *k, haechi_stream *s)
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

int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int error = haechi_stream_usable(k, s, out, in, len);
    if (error) return haechi_refuse(out, len, error);

    while (len) {
        const struct haechi_kernel *const kernel = haechi_kernel_of(k);
        void (*const own)(const void *, uint8_t *, void *, const void *, size_t) = HAECHI_READ(kernel->ctr);
        const uint8_t block = HAECHI_READ(kernel->block);
        size_t n;
        if (s->used == 0 && own != NULL && len >= block &&
            !haechi_odd(kernel, (uintptr_t)o | (uintptr_t)i | (uintptr_t)s->iv)) {
            n = len & ~(size_t)(block - 1u);
            own(haechi_round_keys(k), s->iv, o, i, n >> (block == 8 ? 3 : 4));
        } else {
            if (s->used == 0) refill(k, s);
            n = (size_t)(block - s->used);
            if (n > len) n = len;
            haechi_xor(o, i, s->left + s->used, n);
            s->used = (uint8_t)((s->used + n) & (block - 1u));
        }
        o += n, i += n, len -= n;
    }
    return HAECHI_OK;
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

int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int error = haechi_stream_usable(k, s, out, in, len);
    size_t block, n;
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(k);
    for (; s->used && len; len--) { /* the rest of the last block */
        *o++ = *i++ ^ s->left[s->used++];
        if (s->used == block) s->used = 0;
    }
    if (haechi_kernel_of(k)->ctr_bytes != NULL && len) {
        haechi_kernel_of(k)->ctr_bytes(haechi_round_keys(k), s->iv, s->left, o, i, len);
        s->used = (uint8_t)(len & (block - 1)); /* 8 or 16: a division would take as long as a short message */
        return HAECHI_OK;
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
    return HAECHI_OK;
}

#endif

/* ctr.c - counter mode (SP 800-38A, 6.5) over the whole block, big-endian, wrapping.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/bytes.h"
#include "../core/kernel.h"

/* Counter blocks made ready at once for bulk: enough for 64 lanes; one where blocks come one at a time. */
#define BATCH (HAECHI_MICRO ? 1 : 64)

/* Writes n counter blocks to out and leaves the next one in ctr.  No branch on a carry. */
static void count(uint8_t *ctr, uint8_t *out, size_t block, size_t n)
{
#if HAECHI_MICRO
    for (; n; n--, out += block) {
        unsigned carry = 1;
        for (size_t i = block; i-- > 0;) {
            out[i] = ctr[i];
            carry += ctr[i];
            ctr[i] = (uint8_t)carry;
            carry >>= 8;
        }
    }
#else
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
#endif
}

static void whole_blocks(const haechi_key *k, uint8_t *ctr, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    const size_t block = HAECHI_READ(kernel->block);
    uint8_t stream[BATCH * 16];

    if (HAECHI_READ(kernel->ctr) != NULL) {
        HAECHI_READ(kernel->ctr)(haechi_round_keys(k), ctr, out, in, n);
        return;
    }
    while (n) {
        const size_t m = n < BATCH ? n : BATCH;
        count(ctr, stream, block, m);
        haechi_blocks(k, stream, stream, m);
        haechi_xor(out, in, stream, m * block);
        n -= m;
        out += m * block;
        in += m * block;
    }
    haechi_wipe(stream, sizeof stream);
}

int haechi_ctr(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    size_t block, n;
    int error = HAECHI_EUSE;

    if (len != 0 && (out == NULL || in == NULL)) goto fail;
    error = HAECHI_EKEY;
    if (kernel == NULL) goto fail;
    error = HAECHI_EUSE;
    block = HAECHI_READ(kernel->block);
    if ((HAECHI_READ(kernel->flags) & HAECHI_INVERSE) || s == NULL || s->used >= block) goto fail;

    for (; s->used && len; len--) { /* the rest of the last block */
        *o++ = *i++ ^ s->left[s->used++];
        if (s->used == block) s->used = 0;
    }
    n = len / block;
    if (n) whole_blocks(k, s->iv, o, i, n);
    len -= n * block;
    if (len) { /* the beginning of the next one */
        count(s->iv, s->left, block, 1);
        haechi_blocks(k, s->left, s->left, 1);
        haechi_xor(o + n * block, i + n * block, s->left, len);
        s->used = (uint8_t)len;
    }
    return HAECHI_OK;

fail:
    if (out != NULL) haechi_wipe(out, len);
    return error;
}

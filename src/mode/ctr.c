/* ctr.c - counter mode (SP 800-38A, 6.5) over the whole block, big-endian, wrapping.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/bytes.h"
#include "../core/kernel.h"

/* Writes n counter blocks to out and leaves the next one in ctr; no branch on a carry, a counter may be
 * secret.  Then whole blocks by these, where the kernel has no counter mode of its own. */
#if HAECHI_MICRO

static void count(uint8_t *ctr, uint8_t *out, size_t block, size_t n)
{
    for (; n; n--, out += block) {
        uint16_t carry = 1;
        for (uint8_t i = (uint8_t)block; i-- > 0;) {
            out[i] = ctr[i];
            carry = (uint16_t)(carry + ctr[i]);
            ctr[i] = (uint8_t)carry;
            carry >>= 8;
        }
    }
}

static void by_counting(const haechi_key *k, uint8_t *ctr, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    const uint8_t block = HAECHI_READ(kernel->block);
    void (*const crypt)(const void *, void *) = HAECHI_READ(kernel->crypt);
    uint32_t stream[4]; /* at an address that suits any kernel */

    for (; n; n--) {
        count(ctr, (uint8_t *)stream, block, 1);
        crypt(haechi_round_keys(k), stream);
        for (uint8_t i = 0; i < block; i++) *out++ = *in++ ^ ((const uint8_t *)stream)[i];
    }
    haechi_wipe(stream, sizeof stream);
}

#else

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

static void by_counting(const haechi_key *k, uint8_t *ctr, uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t block = haechi_kernel_of(k)->block;
    uint8_t stream[64 * 16]; /* enough at once for 64 lanes */

    while (n) {
        const size_t m = n < 64 ? n : 64;
        count(ctr, stream, block, m);
        haechi_blocks(k, stream, stream, m);
        haechi_xor(out, in, stream, m * block);
        n -= m;
        out += m * block;
        in += m * block;
    }
    haechi_wipe(stream, sizeof stream);
}

#endif

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
    if (HAECHI_READ(kernel->ctr) != NULL && !haechi_odd(kernel, (uintptr_t)o | (uintptr_t)i | (uintptr_t)s->iv))
        HAECHI_READ(kernel->ctr)(haechi_round_keys(k), s->iv, o, i, n);
    else
        by_counting(k, s->iv, o, i, n);
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

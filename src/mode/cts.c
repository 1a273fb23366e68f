/* cts.c - CBC with ciphertext stealing (addendum to SP 800-38A), for a plaintext of at least one block.  The
 * ciphertext is as long as the plaintext.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Let the last block of plaintext, P', have d bytes, 0 < d <= block.  The block before it is encrypted as in CBC, to X;
 * then P', filled up with zeros, to C.  C contains the bytes of X from d on, so only the first d bytes of X, X', go out:
 *
 *     variant 1    ... | X' | C |     for d = block this is CBC
 *     variant 2    ... | C | X' |     but for d = block as variant 1
 *     variant 3    ... | C | X' |     always
 *
 * A message of one block has no X: it is encrypted as in CBC. */
#include "mode.h"

static int usable(const haechi_key *k, uint8_t flags, const uint8_t *iv, unsigned variant, const void *out,
                  const void *in, size_t len)
{
    const int error = haechi_usable(k, flags, out, in, len);
    if (error) return error;
    if (iv == NULL || variant < 1 || variant > 3) return HAECHI_EUSE;
    return len < haechi_block_size(k) ? HAECHI_ELEN : HAECHI_OK;
}

/* Whether C precedes X' in the output. */
static int swaps(unsigned variant, size_t d, size_t block)
{
    return variant == 3 || (variant == 2 && d != block);
}

int haechi_cbc_cts_encrypt(const haechi_key *k, const uint8_t *iv, unsigned variant, void *out, const void *in,
                           size_t len)
{
    uint8_t chain[16], tail[16] = { 0 }, *o = (uint8_t *)out;
    size_t block, d, whole;
    const int error = usable(k, 0, iv, variant, out, in, len);
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(k);
    d = HAECHI_REST(len - 1, block) + 1;
    whole = len - d; /* all bytes before P' */
    haechi_copy(chain, iv, block);
    haechi_copy(tail, (const uint8_t *)in + whole, d); /* in place, C may overwrite it */
    haechi_cbc_encrypt(k, chain, out, in, whole);
    if (whole == 0) {
        haechi_cbc_encrypt(k, chain, out, tail, block);
    } else if (swaps(variant, d, block)) {
        haechi_copy(o + whole, chain, d);
        haechi_cbc_encrypt(k, chain, o + whole - block, tail, block);
    } else {
        haechi_cbc_encrypt(k, chain, o + whole - block + d, tail, block);
    }
    haechi_wipe(tail, sizeof tail);
    return HAECHI_OK;
}

int haechi_cbc_cts_decrypt(const haechi_key *inv, const uint8_t *iv, unsigned variant, void *out, const void *in,
                           size_t len)
{
    const uint8_t *const i = (const uint8_t *)in;
    uint8_t chain[16], x[16], tail[16], *o = (uint8_t *)out;
    size_t block, d, whole;
    const int error = usable(inv, HAECHI_INVERSE, iv, variant, out, in, len);
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(inv);
    d = HAECHI_REST(len - 1, block) + 1;
    whole = len - d;
    haechi_copy(chain, iv, block);
    if (whole == 0) return haechi_cbc_decrypt(inv, chain, out, in, len);
    if (swaps(variant, d, block)) {
        haechi_copy(tail, i + whole - block, block);
        haechi_copy(x, i + whole, d);
    } else {
        haechi_copy(x, i + whole - block, d);
        haechi_copy(tail, i + whole - block + d, block);
    }
    haechi_cbc_decrypt(inv, chain, out, in, whole - block);
    haechi_block(inv, tail); /* X ^ P', where P' is filled up with zeros */
    haechi_copy(x + d, tail + d, block - d);
    /* Not haechi_xor_into: gcc -O3 warns of it, because it does not know that d is short. */
    for (size_t n = 0; n < d; n++) tail[n] ^= x[n];
    haechi_cbc_decrypt(inv, chain, o + whole - block, x, block);
    haechi_copy(o + whole, tail, d);
    haechi_wipe(tail, sizeof tail);
    haechi_scrub();
    return HAECHI_OK;
}

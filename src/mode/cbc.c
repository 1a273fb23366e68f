/* cbc.c - cipher block chaining (SP 800-38A, 6.2).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

static int usable(const haechi_key *k, uint8_t flags, const uint8_t *iv, const void *out, const void *in, size_t len)
{
    const int error = haechi_usable(k, flags, out, in, len);
    if (error) return error;
    if (iv == NULL) return HAECHI_EUSE;
    return HAECHI_REST(len, haechi_block_size(k)) ? HAECHI_ELEN : HAECHI_OK;
}

int haechi_cbc_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int error = usable(k, 0, iv, out, in, len);
    uint8_t block;
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(k);
#if HAECHI_MICRO
    for (; len; len -= block, o += block, i += block) {
        haechi_xor(iv, iv, i, block);
        haechi_block(k, iv);
        haechi_copy(o, iv, block);
    }
#else
    const enum haechi_whole how = haechi_whole_of(k);
    for (; len; len -= block, o += block, i += block) {
        haechi_xor_whole(iv, iv, i, how);
        haechi_block(k, iv);
        haechi_copy_whole(o, iv, how);
    }
#endif
    haechi_scrub();
    return HAECHI_OK;
}

/* Computes o[at] = plain[at] ^ i[at - block] from the end on, for all blocks but the first. */
static void xor_chain(uint8_t *o, const uint8_t *plain, const uint8_t *i, size_t n, size_t block)
{
#if UINTPTR_MAX > 0xffffffff && !HAECHI_MICRO
    for (; n >= 64 + block; n -= 64) haechi_xor_64(o + n - 64, plain + n - 64, i + n - 64 - block);
#endif
    for (n -= block; n; n -= block) haechi_xor(o + n, plain + n, i + n - block, block);
}

/* Decrypts a batch at a time into a buffer.  It XORs the previous ciphertext from the end on, so that in place no
 * ciphertext is overwritten before it has been used twice. */
int haechi_cbc_decrypt(const haechi_key *inv, uint8_t *iv, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    uint32_t batch[HAECHI_BATCH * 4];
    uint8_t *const plain = (uint8_t *)batch;
    size_t block, used = 0;
    const int error = usable(inv, HAECHI_INVERSE, iv, out, in, len);
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(inv);
#if !HAECHI_MICRO
    if (len == block) { /* To overwrite what the kernel's cbc leaves on the stack takes longer than a block. */
        const uint64_t low = haechi_load_le64(i), high = haechi_load_le64(i + block - 8); /* of 8 bytes, the same */
        if (o != i) haechi_copy(o, i, block);
        haechi_block(inv, o);
        haechi_xor_into(o, iv, block);
        haechi_store_le64(iv, low);
        haechi_store_le64(iv + block - 8, high);
        haechi_scrub();
        return HAECHI_OK;
    }
    if (haechi_kernel_of(inv)->cbc != NULL) {
        haechi_kernel_of(inv)->cbc(haechi_round_keys(inv), iv, out, in, len / block);
        haechi_scrub_kernel(haechi_kernel_of(inv), len / block);
        return HAECHI_OK;
    }
#endif
    while (len) {
        const size_t n = len < HAECHI_BATCH * block ? len : HAECHI_BATCH * block;
        uint8_t next[16];
        if (used < n) used = n;
        haechi_blocks(inv, plain, i, HAECHI_WHOLE(n, block));
        haechi_copy(next, i + n - block, block);
        xor_chain(o, plain, i, n, block);
        haechi_xor(o, plain, iv, block);
        haechi_copy(iv, next, block);
        o += n, i += n, len -= n;
    }
    haechi_wipe(batch, used);
    return HAECHI_OK;
}

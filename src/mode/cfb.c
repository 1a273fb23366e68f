/* cfb.c - cipher feedback (SP 800-38A, 6.3) by whole blocks and by bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * By whole blocks, iv is a shift register: from used on it holds key stream, and before that the ciphertext that has
 * replaced key stream. */
#include "mode.h"

int haechi_cfb_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int error = haechi_stream_usable(k, s, out, in, len);
    if (error) return haechi_refuse(out, len, error);

#if !HAECHI_MICRO
    for (const size_t block = haechi_block_size(k); s->used == 0 && len >= block;
         o += block, i += block, len -= block) {
        haechi_block(k, s->iv);
        haechi_xor(s->iv, s->iv, i, block);
        haechi_copy(o, s->iv, block);
    }
#endif
    for (; len; len--) {
        if (s->used == 0) haechi_block(k, s->iv);
        *o++ = s->iv[s->used] ^= *i++;
        if (++s->used == haechi_block_size(k)) s->used = 0;
    }
    haechi_scrub();
    return HAECHI_OK;
}

#if !HAECHI_MICRO
/* Decrypts n > 0 blocks and leaves the last one of the ciphertext in iv.  The key stream of a block is the encrypted
 * ciphertext before it.  Only the first block has to be encrypted by itself. */
static void decrypt_blocks(const haechi_key *k, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t n)
{
    const size_t block = haechi_block_size(k), most = n < HAECHI_BATCH ? n : HAECHI_BATCH;
    uint8_t first[16], stream[HAECHI_BATCH * 16];

    haechi_copy(first, iv, block);
    haechi_block(k, first);
    haechi_copy(iv, in + (n - 1) * block, block);
    while (n) {
        const size_t m = n < most ? n : most, known = m < n ? m : m - 1, rest = (m - 1) * block;
        if (known) haechi_blocks(k, stream, in, known);
        haechi_xor(out, in, first, block);
        haechi_xor(out + block, in + block, stream, rest);
        haechi_copy(first, stream + rest, known < m ? 0 : block);
        out += m * block, in += m * block, n -= m;
    }
    haechi_wipe(stream, most * block);
    haechi_wipe(first, sizeof first);
}
#endif

int haechi_cfb_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int error = haechi_stream_usable(k, s, out, in, len);
    if (error) return haechi_refuse(out, len, error);

    while (len) {
#if !HAECHI_MICRO
        const size_t block = haechi_block_size(k);
        if (s->used == 0 && len >= block) {
            const size_t whole = len - len % block;
            decrypt_blocks(k, s->iv, o, i, whole / block);
            o += whole, i += whole, len -= whole;
            continue;
        }
#endif
        if (s->used == 0) haechi_block(k, s->iv);
        const uint8_t c = *i++;
        *o++ = s->iv[s->used] ^ c;
        s->iv[s->used++] = c;
        if (s->used == haechi_block_size(k)) s->used = 0;
        len--;
    }
    haechi_scrub();
    return HAECHI_OK;
}

/* ---- CFB8: iv is shifted by each byte of ciphertext. */

static int by_bytes(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len, uint8_t decrypt)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    uint32_t stream[4];
    uint8_t block;
    int error = haechi_usable(k, 0, out, in, len);
    if (!error && iv == NULL) error = HAECHI_EUSE;
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(k);
    for (; len; len--) {
        const uint8_t before = *i++;
        uint8_t after;
        haechi_copy((uint8_t *)stream, iv, block);
        haechi_block(k, stream);
        after = before ^ *(const uint8_t *)stream;
        haechi_copy(iv, iv + 1, block - 1u);
        iv[block - 1] = decrypt ? before : after;
        *o++ = after;
    }
    haechi_wipe(stream, sizeof stream);
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_cfb8_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    return by_bytes(k, iv, out, in, len, 0);
}

int haechi_cfb8_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t len)
{
    return by_bytes(k, iv, out, in, len, 1);
}

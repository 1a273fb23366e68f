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
    if (s->used == 0 && len) {
        haechi_block(k, s->iv);
        haechi_xor(s->iv, s->iv, i, len);
        haechi_copy(o, s->iv, len);
        s->used = (uint8_t)len;
        len = 0;
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
/* Decrypts len > 0 bytes and leaves the register as it is then.  The key stream of a block is the encrypted ciphertext
 * before it, so that only the first block has to be encrypted by itself.  Of an incomplete last block the register
 * holds the ciphertext and then the rest of the key stream. */
static void decrypt_text(const haechi_key *k, haechi_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    const size_t block = haechi_block_size(k) == 16 ? 16 : 8, tail = len & (block - 1); /* so gcc sees that first holds it */
    size_t n = len >> (block == 16 ? 4 : 3); /* A division would take as long as a short message. */
    const size_t most = n < HAECHI_BATCH ? n : HAECHI_BATCH;
    uint8_t first[16], end[16], stream[HAECHI_BATCH * 16];

    haechi_copy(first, s->iv, block);
    haechi_block(k, first);
    if (!tail) haechi_copy(s->iv, in + len - block, block);
    haechi_copy(end, in + len - tail, tail);
    while (n) {
        const size_t m = n < most ? n : most, known = m < n || tail ? m : m - 1, rest = (m - 1) * block;
        if (known) haechi_blocks(k, stream, in, known);
        haechi_xor(out, in, first, block);
        haechi_xor(out + block, in + block, stream, rest);
        haechi_copy(first, stream + rest, known < m ? 0 : block);
        out += m * block, in += m * block, n -= m;
    }
    if (tail) {
        haechi_xor(out, end, first, tail);
        haechi_copy(s->iv, first, block);
        haechi_copy(s->iv, end, tail);
        s->used = (uint8_t)tail;
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
        if (s->used == 0) {
            decrypt_text(k, s, o, i, len);
            break;
        }
#else
        if (s->used == 0) haechi_block(k, s->iv);
#endif
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

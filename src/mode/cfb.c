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
    const enum haechi_whole how = haechi_whole_of(k);
    for (const size_t block = haechi_block_size(k); s->used == 0 && len >= block;
         o += block, i += block, len -= block) {
        haechi_block(k, s->iv);
        haechi_xor_whole(s->iv, s->iv, i, how);
        haechi_copy_whole(o, s->iv, how);
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
#define SHORT 1024 /* bytes: a multiple of what kernels process at once for few blocks */

/* Decrypts len > 0 bytes and leaves the register as it is then: of an incomplete last block it holds the ciphertext and
 * then the rest of the key stream.  The key stream of a block is the encrypted ciphertext before it, and that of the
 * first one is the encrypted register. */
static void decrypt_text(const haechi_key *k, haechi_stream *s, uint8_t *out, const uint8_t *in, size_t len)
{
    const size_t block = haechi_block_size(k) == 16 ? 16 : 8, tail = len & (block - 1);
    const size_t n = len >> (block == 16 ? 4 : 3); /* A division would take as long as a short message. */
    const size_t blocks = tail ? n + 1 : n;
    const int is_short = blocks * block <= SHORT;
    const size_t ends = is_short ? blocks : (blocks - 2) % (SHORT / block) + 2; /* what does not go through xex */
    uint8_t stream[SHORT + 16], *const last = stream + (ends - 1) * block;

    /* The kernel encrypts the register and, in the same call, all ciphertext of a short message or the end of a long one. */
    haechi_copy(stream, s->iv, block);
    haechi_copy(stream + block, in + (blocks - ends) * block, (ends - 1) * block);
    if (ends == 1) haechi_block(k, stream);
    else haechi_blocks(k, stream, stream, ends);
    haechi_copy(s->iv, tail ? last : in + len - block, block);
    haechi_copy(s->iv, in + len - tail, tail);
    s->used = (uint8_t)tail;
    if (!is_short) {
        const size_t middle = blocks - ends, at = (middle + 1) * block;
        haechi_xor(out + at, in + at, stream + block, len - at);
        haechi_xex(k, out + block, in, NULL, in + block, middle);
        len = block;
    }
    haechi_xor(out, in, stream, len);
    haechi_wipe(stream, ends * block);
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

/* legacy.c - cipher feedback by 64 bits and by one bit: haechi_legacy.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_legacy.h"

#include "mode.h"

#define SEGMENT 8 /* bytes */

/* When a segment begins, iv is shifted by one segment.  Ciphertext then fills its end.  left holds the key stream. */
static int by_segments(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len, int decrypt)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    int error = haechi_stream_usable(k, s, out, in, len);
    if (!error && (haechi_block_size(k) != 16 || s->used >= SEGMENT)) error = HAECHI_EUSE;
    if (error) return haechi_refuse(out, len, error);

    for (; len; len--) {
        uint8_t before = *i++, after;
        if (s->used == 0) {
            haechi_copy(s->left, s->iv, 16);
            haechi_block(k, s->left);
            haechi_copy(s->iv, s->iv + SEGMENT, SEGMENT);
        }
        after = before ^ s->left[s->used];
        s->iv[SEGMENT + s->used++] = decrypt ? before : after;
        *o++ = after;
        if (s->used == SEGMENT) s->used = 0;
    }
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_cfb64_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    return by_segments(k, s, out, in, len, 0);
}

int haechi_cfb64_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    return by_segments(k, s, out, in, len, 1);
}

static int by_bits(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits, int decrypt)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const size_t len = bits / 8 + (bits % 8 != 0);
    uint32_t stream[4];
    uint8_t block;
    int error = haechi_usable(k, 0, out, in, len);
    if (!error && iv == NULL) error = HAECHI_EUSE;
    if (error) return haechi_refuse(out, len, error);

    block = haechi_block_size(k);
    for (size_t at = 0; at < len; at++) {
        const uint8_t before = i[at], end = bits / 8 == at ? (uint8_t)(8 - bits % 8) : 0;
        uint8_t after = 0;
        for (uint8_t bit = 8; bit-- > end;) {
            uint8_t in_bit = before >> bit & 1, out_bit, carry;
            haechi_copy((uint8_t *)stream, iv, block);
            haechi_block(k, stream);
            out_bit = in_bit ^ *(const uint8_t *)stream >> 7;
            after = (uint8_t)(after | out_bit << bit);
            carry = decrypt ? in_bit : out_bit;
            for (uint8_t b = block; b-- > 0;) { /* shifts iv by this bit of ciphertext */
                const uint8_t byte = iv[b];
                iv[b] = (uint8_t)(byte << 1 | carry);
                carry = byte >> 7;
            }
        }
        o[at] = after;
    }
    haechi_wipe(stream, sizeof stream);
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_cfb1_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits)
{
    return by_bits(k, iv, out, in, bits, 0);
}

int haechi_cfb1_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits)
{
    return by_bits(k, iv, out, in, bits, 1);
}

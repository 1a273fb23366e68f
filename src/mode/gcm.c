/* gcm.c - Galois/counter mode (SP 800-38D): GHASH over aad and ciphertext, counter mode with 32 bits of counter.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"
#include "ghash.h"

#define TEXT_MOST ((haechi_length)(HAECHI_MICRO ? 0xffffffff : 0xfffffffe0)) /* bytes: 2^36 - 32 */
#define AAD_MOST ((haechi_length)(HAECHI_MICRO ? 0xffffffff : 0x1fffffffffffffff))

static int init(haechi_aead *a)
{
    const haechi_key *const k = haechi_aead_key(a);
    uint32_t h[4] = { 0, 0, 0, 0 };

    if (haechi_block_size(k) != 16) return HAECHI_EUSE;
    haechi_block(k, h);
    haechi_ghash_init(a->derived, (const uint8_t *)h);
    haechi_wipe(h, sizeof h);
    return HAECHI_OK;
}

/* The block that has begun ends: with zeros, if anything is missing. */
static void turn(const haechi_aead *a, haechi_aead_stream *s)
{
    const uint8_t zeros[16] = { 0 };
    if (s->mac.used) haechi_ghash(a->derived, s->mac.x, zeros, 1);
    s->mac.used = 0;
}

static void mac(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *in, size_t len)
{
    while (len) {
        size_t n = 16u - s->mac.used;
        if (n == 16 && len >= 16) {
            n = len & ~(size_t)15;
            haechi_ghash(a->derived, s->mac.x, in, n / 16);
        } else {
            if (n > len) n = len;
            haechi_xor(s->mac.x + s->mac.used, s->mac.x + s->mac.used, in, n);
            s->mac.used = (uint8_t)(s->mac.used + n);
            if (s->mac.used == 16) turn(a, s);
        }
        in += n, len -= n;
    }
}

/* 8 times bytes, big-endian. */
static void store_bits(uint8_t *out, haechi_length bytes)
{
    out[7] = (uint8_t)(bytes << 3);
    bytes >>= 5;
    for (uint8_t i = 7; i-- > 0; bytes >>= 8) out[i] = (uint8_t)bytes;
}

/* The lengths of two parts, in bits. */
static void mac_lengths(const haechi_aead *a, haechi_aead_stream *s, haechi_length first, haechi_length second)
{
    uint8_t lengths[16];
    turn(a, s);
    store_bits(lengths, first);
    store_bits(lengths + 8, second);
    haechi_ghash(a->derived, s->mac.x, lengths, 1);
}

/* The counter has 32 bits.  After a nonce of 12 bytes it starts at 1, and the longest text ends before it wraps.
 * After any other it starts anywhere, as GHASH has it, which is secret: then no branch may tell when it wraps, so
 * blocks go one at a time, and the carry out of the 32 bits is undone after each. */
static void text(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t len)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;

    while (len) {
        const size_t begun = 16u - s->text.used;
        const size_t n = s->hashed && len > begun ? begun : len;
        uint8_t kept[12];
        haechi_copy(kept, s->text.iv, 12);
        haechi_ctr(haechi_aead_key(a), &s->text, o, i, n);
        haechi_copy(s->text.iv, kept, 12);
        o += n, i += n, len -= n;
    }
}

static int begin(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    const uint8_t t = s->taglen;
    uint16_t carry = 1;

    if (noncelen == 0 || (t != 4 && t != 8 && t < 12)) return HAECHI_ELEN;
    if (noncelen == 12) {
        haechi_copy(s->text.iv, nonce, 12);
        s->text.iv[15] = 1;
    } else {
        mac(a, s, nonce, noncelen);
        mac_lengths(a, s, 0, noncelen);
        haechi_copy(s->text.iv, s->mac.x, 16);
        s->hashed = 1;
        haechi_wipe(&s->mac, sizeof s->mac);
    }
    haechi_copy(s->mask, s->text.iv, 16);
    haechi_block(haechi_aead_key(a), s->mask);
    for (uint8_t i = 15; i >= 12; i--) { /* 32 bits, no branch on the carry */
        carry = (uint16_t)(carry + s->text.iv[i]);
        s->text.iv[i] = (uint8_t)carry;
        carry >>= 8;
    }
    s->aadlen = AAD_MOST;
    s->len = TEXT_MOST;
    return HAECHI_OK;
}

static void tag(const haechi_aead *a, haechi_aead_stream *s)
{
    mac_lengths(a, s, AAD_MOST - s->aadlen, TEXT_MOST - s->len);
    haechi_xor(s->mask, s->mask, s->mac.x, 16);
}

haechi_mode haechi_gcm HAECHI_FLASH = { init, begin, mac, turn, text, tag, HAECHI_TEXT | HAECHI_MAC_OUT,
                                        HAECHI_MAC_IN | HAECHI_TEXT };

/* ccm.c - CCM (SP 800-38C, RFC 3610): CBC-MAC over the plaintext, and counter mode.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * B0 = flags | nonce | length of the text in q bytes begins the MAC, A_i = q - 1 | nonce | i are the counter
 * blocks; A_0 masks the tag.  q = 15 - bytes of nonce. */
#include "aead.h"

static int init(haechi_aead *a)
{
    return haechi_block_size(haechi_aead_key(a)) == 16 ? HAECHI_OK : HAECHI_EUSE;
}

static void mac(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *in, size_t len)
{
    haechi_cbcmac(haechi_aead_key(a), &s->mac, in, len);
}

static int begin(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    const uint8_t q = (uint8_t)(15 - noncelen), t = s->taglen;
    haechi_length rest = s->len, aadlen = s->aadlen;
    uint8_t *const b = s->mac.x, *const ctr = s->text.iv;

    if (noncelen < 7 || noncelen > 13 || t < 4 || t > 16 || t % 2) return HAECHI_ELEN;
    haechi_copy(b + 1, nonce, noncelen);
    for (uint8_t i = 15; i >= 16 - q; i--, rest >>= 8) b[i] = (uint8_t)rest;
    if (rest) return HAECHI_ELIMIT;
    b[0] = (uint8_t)((aadlen ? 0x40 : 0) | (t - 2) / 2 << 3 | (q - 1));
    s->mac.used = 16;

    ctr[0] = (uint8_t)(q - 1);
    haechi_copy(ctr + 1, nonce, noncelen);
    haechi_copy(s->mask, ctr, 16);
    haechi_block(haechi_aead_key(a), s->mask);
    ctr[15] = 1;

    if (aadlen) { /* its length before it: 2 bytes, or ff fe and 4, or ff ff and 8 */
        uint8_t coded[10] = { 0xff, 0xff };
        uint8_t n = 10;
        for (uint8_t i = 10; i-- > 2; aadlen >>= 8) coded[i] = (uint8_t)aadlen;
        aadlen = s->aadlen;
        if (aadlen < 0xff00) {
            n = 2;
        } else if (sizeof aadlen <= 4 || aadlen >> 31 >> 1 == 0) {
            n = 6;
            coded[4] = 0xff, coded[5] = 0xfe;
        }
        mac(a, s, coded + 10 - n, n);
    }
    return HAECHI_OK;
}

/* Zeros fill the block: from here on it counts as full. */
static void turn(const haechi_aead *a, haechi_aead_stream *s)
{
    (void)a;
    s->mac.used = 16;
}

static void text(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t len)
{
    haechi_ctr(haechi_aead_key(a), &s->text, out, in, len);
}

static void tag(const haechi_aead *a, haechi_aead_stream *s)
{
    haechi_block(haechi_aead_key(a), s->mac.x);
    haechi_xor(s->mask, s->mask, s->mac.x, 16);
}

haechi_mode haechi_ccm HAECHI_FLASH = { init, begin, mac, turn, text, tag, HAECHI_MAC_IN | HAECHI_TEXT,
                                        HAECHI_TEXT | HAECHI_MAC_OUT };

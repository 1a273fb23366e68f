/* ccm.c - CCM (SP 800-38C, RFC 3610): CBC-MAC over the plaintext, and counter mode.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The MAC begins with B0 = flags | nonce | length of the text in q bytes.  The counter blocks are A_i = q - 1 | nonce
 * | i; A_0 masks the tag.  q = 15 - bytes of nonce. */
#include "aead.h"

static int begin(const haechi_key *k, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    uint8_t *const b = s->mac.x;
    haechi_length rest;
    uint8_t n = (uint8_t)noncelen;

    if (noncelen - 7 > 6 || (uint8_t)(s->taglen - 4) > 12 || s->taglen % 2) return HAECHI_ELEN;
    b[0] = (uint8_t)(14 - n);
    haechi_copy(b + 1, nonce, n);
    haechi_copy(s->text.iv, b, 16);
    haechi_ctr_text(k, &s->text, s->mask, s->mask, 16);

    rest = s->len;
    for (uint8_t i = 15; rest; rest >>= 8) {
        if (i == n) return HAECHI_ELIMIT;
        b[i--] = (uint8_t)rest;
    }
    b[0] = (uint8_t)(b[0] + 4 * s->taglen - 8);
    s->mac.used = 16;

    rest = s->aadlen;
    if (rest) { /* the length of aad precedes it: in 2 bytes, or after ff fe in 4, or after ff ff in 8 */
        uint8_t *const coded = s->text.left; /* it holds no key stream at this time */
        b[0] |= 0x40;
        n = rest < 0xff00 ? 2 : sizeof rest <= 4 || (uint64_t)rest >> 32 == 0 ? 6 : 10;
        for (uint8_t i = n; i > 0; rest >>= 8) coded[--i] = (uint8_t)rest;
        if (n > 2) coded[0] = 0xff, coded[1] = sizeof rest > 4 && n > 6 ? 0xff : 0xfe;
        haechi_cbcmac(k, &s->mac, coded, n);
    }
    return HAECHI_OK;
}

static void turn(const haechi_key *k, haechi_aead_stream *s, uint8_t to)
{
    s->mac.used = 16; /* zeros fill the block, so that it counts as full */
    if (to == HAECHI_PHASE_TEXT) return;
    haechi_block(k, s->mac.x);
    haechi_xor_into(s->mask, s->mac.x, 16);
}

haechi_mode haechi_ccm HAECHI_FLASH = { .begin = begin, .mac = haechi_cbcmac, .turn = turn, .text = haechi_ctr_text,
                                        .flags = HAECHI_MAC_PLAIN | HAECHI_BLOCK16 };

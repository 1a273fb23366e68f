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

#if !HAECHI_MICRO
/* The length of the text has 2 bytes at least, and that of the aad has 2 bytes. */
static int fits(const haechi_job *j, size_t block)
{
    (void)block;
    return j->noncelen >= 7 && j->noncelen <= 13 && j->taglen >= 4 && j->taglen <= 16 && j->taglen % 2 == 0 &&
           j->len <= 0xffff && j->aadlen < 0xff00;
}

/* The counter A_0, which is encrypted into the mask of the tag, and B_0. */
static void begin_lane(struct haechi_batch *b, size_t lane)
{
    const haechi_job *const j = haechi_job_of(b, lane);
    uint8_t *const b0 = b->lane[lane].ends[0];
    uint64_t high, low;

    haechi_load_some(&high, &low, (const uint8_t *)j->nonce, j->noncelen);
    low = high << 56 | low >> 8;
    high = (uint64_t)(14 - j->noncelen) << 56 | high >> 8;
    b->high[lane] = high;
    b->low[lane] = low;
    haechi_store_be64(b0, high + ((uint64_t)(4 * j->taglen - 8 + (j->aadlen ? 0x40 : 0)) << 56));
    haechi_store_be64(b0 + 8, low | j->len);
    b->lane[lane].first = 1;
}

/* The block that begins with the length of the aad is the last one of a first part. */
static void begin_aad(struct haechi_lane *l, const haechi_job *j)
{
    const size_t len = j->aadlen;
    uint64_t high, low;

    if (len == 0) return;
    haechi_load_some(&high, &low, (const uint8_t *)j->aad, len < 14 ? len : 14);
    haechi_store_be64(l->ends[1], (uint64_t)len << 48 | high >> 16);
    haechi_store_be64(l->ends[1] + 8, high << 48 | low >> 16);
    l->last = 1;
}

static void side_by_side(struct haechi_batch *b, uint8_t opens)
{
    for (size_t i = 0; i < b->n; i++) begin_lane(b, i);
    haechi_crypt_counters(b);
    for (size_t i = 0; i < b->n; i++) haechi_copy_block(b->lane[i].tag, haechi_block_of(b, i), 16);
    if (opens) haechi_text_of_lanes(b);
    haechi_clear_lanes(b);
    for (size_t i = 0; i < b->n; i++) begin_aad(&b->lane[i], haechi_job_of(b, i));
    haechi_absorb(b);
    for (size_t i = 0; i < b->n; i++) {
        const haechi_job *const j = haechi_job_of(b, i);
        if (j->aadlen > 14) haechi_begin_padded(b, &b->lane[i], (const uint8_t *)j->aad + 14, j->aadlen - 14);
    }
    haechi_absorb(b);
    for (size_t i = 0; i < b->n; i++) {
        const haechi_job *const j = haechi_job_of(b, i);
        haechi_begin_padded(b, &b->lane[i], (const uint8_t *)(opens ? j->out : j->in), j->len);
    }
    haechi_absorb(b);
    for (size_t i = 0; i < b->n; i++)
        haechi_xor_block(b->lane[i].tag, b->lane[i].tag, haechi_block_of(b, i), 16);
    if (!opens) haechi_text_of_lanes(b);
    haechi_end_lanes(b, opens);
}
#endif

haechi_mode haechi_ccm HAECHI_FLASH = {
    .begin = begin, .mac = haechi_cbcmac, .turn = turn, .text = haechi_ctr_text,
    .flags = HAECHI_MAC_PLAIN | HAECHI_SERIAL | HAECHI_BLOCK16,
#if !HAECHI_MICRO
    .fits = fits, .side_by_side = side_by_side,
#endif
};

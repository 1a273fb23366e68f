/* cmac.c - CMAC (SP 800-38B), and the CBC-MAC that it, CCM and EAX are made of.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

void haechi_cbcmac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len)
{
    const uint8_t block = haechi_block_size(k);

#if !HAECHI_MICRO
    for (; s->used == block && len >= block; in += block, len -= block) {
        haechi_block(k, s->x);
        haechi_xor(s->x, s->x, in, block);
    }
#endif
    for (; len; len--) {
        if (s->used == block) {
            haechi_block(k, s->x);
            s->used = 0;
        }
        s->x[s->used++] ^= *in++;
    }
}

void haechi_double(uint8_t *x, uint8_t size)
{
    uint8_t carry = 0;
    for (uint8_t i = size; i-- > 0;) {
        const uint8_t byte = x[i];
        x[i] = (uint8_t)(byte << 1 | carry);
        carry = byte >> 7;
    }
    x[size - 1] ^= (uint8_t)((size == 8 ? 0x1b : 0x87) & -carry);
}

void haechi_cmac_end(const haechi_key *k, haechi_cmac *s, const uint8_t *twice)
{
    const uint8_t block = haechi_block_size(k);
    uint8_t last[16];

    haechi_copy(last, twice, block);
    if (s->used < block) { /* not a whole block: 10...0 and 4L */
        s->x[s->used] ^= 0x80;
        haechi_double(last, block);
    }
    haechi_xor(s->x, s->x, last, block);
    haechi_block(k, s->x);
    s->used = 0;
    haechi_wipe(last, sizeof last);
}

/* The usual checks; a state that was never zeroed does not pass. */
static int usable(const haechi_key *k, const haechi_cmac *s, const void *out, const void *in, size_t len)
{
    const int error = haechi_usable(k, 0, out, in, len);
    return error ? error : s == NULL || s->used > haechi_block_size(k) ? HAECHI_EUSE : HAECHI_OK;
}

int haechi_cmac_update(const haechi_key *k, haechi_cmac *s, const void *in, size_t len)
{
    const int error = usable(k, s, in, in, len);
    if (!error) haechi_cbcmac(k, s, (const uint8_t *)in, len);
    return error;
}

int haechi_cmac_tag(const haechi_key *k, haechi_cmac *s, void *tag, size_t taglen)
{
    uint32_t l[4] = { 0, 0, 0, 0 };
    int error = usable(k, s, tag, tag, taglen);

    if (!error && (taglen == 0 || taglen > haechi_block_size(k))) error = HAECHI_ELEN;
    if (error) return haechi_refuse(tag, taglen, error);

    haechi_block(k, l);
    haechi_double((uint8_t *)l, haechi_block_size(k));
    haechi_cmac_end(k, s, (const uint8_t *)l);
    haechi_copy((uint8_t *)tag, s->x, taglen);
    haechi_wipe(s, sizeof *s);
    haechi_wipe(l, sizeof l);
    return HAECHI_OK;
}

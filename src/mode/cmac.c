/* cmac.c - CMAC (SP 800-38B), and the CBC-MAC of which CMAC, CCM and EAX are made.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

static HAECHI_INLINE void cbcmac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len)
{
    const uint8_t block = haechi_block_size(k);
    uint8_t used;

#if !HAECHI_MICRO
    const enum haechi_whole how = haechi_whole_of(k);
    if (s->used == 0 && len >= block) {
        haechi_xor_whole(s->x, s->x, in, how);
        s->used = block;
        in += block, len -= block;
    }
    for (; s->used == block && len >= block; in += block, len -= block) {
        haechi_block(k, s->x);
        haechi_xor_whole(s->x, s->x, in, how);
    }
#endif
    used = s->used;
    for (; len; len--) {
        if (used == block) {
            haechi_block(k, s->x);
            used = 0;
        }
        s->x[used++] ^= *in++;
    }
    s->used = used;
}

void haechi_cbcmac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len)
{
    cbcmac(k, s, in, len);
}

int haechi_cmac_update(const haechi_key *k, haechi_cmac *s, const void *in, size_t len)
{
    const int error = haechi_cmac_usable(k, s, in, len);
    if (!error) cbcmac(k, s, (const uint8_t *)in, len);
    haechi_scrub();
    return error;
}

int haechi_cmac_tag(const haechi_key *k, haechi_cmac *s, void *tag, size_t taglen)
{
    uint32_t l[4];
    int error = haechi_cmac_usable(k, s, tag, taglen);
    if (!error && taglen - 1 >= haechi_block_size(k)) error = HAECHI_ELEN;
    if (error) {
        haechi_wipe(tag, taglen);
    } else {
        haechi_wipe(l, sizeof l);
        haechi_block(k, l);
        haechi_cmac_end(k, s, (uint8_t *)l);
        haechi_copy((uint8_t *)tag, s->x, (uint8_t)taglen);
        haechi_wipe(s, sizeof *s);
        haechi_wipe(l, sizeof l);
    }
    haechi_scrub();
    return error;
}

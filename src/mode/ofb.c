/* ofb.c - output feedback (SP 800-38A, 6.4): iv is encrypted repeatedly, and each result is key stream.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

int haechi_ofb(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
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
        haechi_xor_whole(o, i, s->iv, how);
    }
    if (s->used == 0 && len) {
        haechi_block(k, s->iv);
        haechi_xor(o, i, s->iv, len);
        s->used = (uint8_t)len;
        len = 0;
    }
#endif
    for (; len; len--) {
        if (s->used == 0) haechi_block(k, s->iv);
        *o++ = *i++ ^ s->iv[s->used++];
        if (s->used == haechi_block_size(k)) s->used = 0;
    }
    haechi_scrub();
    return HAECHI_OK;
}

/* cmac_message.c - CMAC of a whole message under a subkey that is kept (SP 800-38B).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

int haechi_cmac_derive(const haechi_key *k, haechi_cmac_subkey *l)
{
    const int error = haechi_admit(k, 0, 0, l, sizeof *l);

    haechi_wipe(l, sizeof *l);
    if (!error) {
        haechi_block(k, l->l);
        l->derived = 1;
    }
    haechi_scrub();
    return error;
}

#if !HAECHI_MICRO
/* The tag of at most one block, from l to l.  Such a message is one block of the cipher, beside which all other steps
 * count. */
static void of_one_block(const haechi_key *k, uint8_t *l, const uint8_t *in, size_t len, uint8_t block)
{
    haechi_twice(l, block);
    if (len < block) {
        haechi_twice(l, block);
        l[len] ^= 0x80;
        haechi_xor_into(l, in, len);
    } else {
        haechi_xor_whole(l, l, in, haechi_whole_of(k));
    }
    haechi_block(k, l);
}
#endif

int haechi_cmac_message(const haechi_key *k, const haechi_cmac_subkey *l, const void *in, size_t len, void *tag,
                        size_t taglen)
{
    haechi_cmac s;
    uint8_t twice[16];
    int error = haechi_admit(k, 0, 0, in, len);

    if (!error && (l == NULL || tag == NULL)) error = HAECHI_EUSE;
    if (!error && l->derived != 1) error = HAECHI_EKEY;
    if (!error && taglen - 1 >= haechi_block_size(k)) error = HAECHI_ELEN;
    if (error) {
        haechi_wipe(tag, taglen);
#if !HAECHI_MICRO
    } else if (len <= haechi_block_size(k)) {
        haechi_copy(twice, l->l, sizeof twice);
        of_one_block(k, twice, (const uint8_t *)in, len, haechi_block_size(k));
        haechi_copy((uint8_t *)tag, twice, taglen);
        haechi_wipe(twice, sizeof twice);
#endif
    } else {
        haechi_wipe(&s, sizeof s);
        haechi_cbcmac(k, &s, (const uint8_t *)in, len);
        haechi_copy(twice, l->l, sizeof twice);
        haechi_cmac_end(k, &s, twice);
        haechi_copy((uint8_t *)tag, s.x, (uint8_t)taglen);
        haechi_wipe(&s, sizeof s);
        haechi_wipe(twice, sizeof twice);
    }
    haechi_scrub();
    return error;
}

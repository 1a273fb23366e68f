/* eax.c - EAX (M. Bellare, P. Rogaway, D. Wagner, The EAX Mode of Operation, FSE 2004).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Three CMACs, of 0 | nonce, 1 | aad and 2 | ciphertext, the numbers as blocks; the first is where counter mode
 * begins, and the tag is the XOR of all.  derived: L of CMAC. */
#include "aead.h"

/* A CMAC ends and joins the tag; number `to` begins. */
static void turn(const haechi_key *k, haechi_aead_stream *s, uint8_t to)
{
    const uint8_t block = haechi_block_size(k);

    haechi_copy(s->text.left, haechi_derived(k), 16); /* a stream that has no use for it now */
    haechi_cmac_end(k, &s->mac, s->text.left);
    haechi_xor_into(s->mask, s->mac.x, 16);
    haechi_wipe(s->mac.x, 16);
    s->mac.x[block - 1] = to;
    s->mac.used = block;
}

static int begin(const haechi_key *k, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    const uint8_t block = haechi_block_size(k);

    if (noncelen == 0 || s->taglen < 4 || s->taglen > block) return HAECHI_ELEN;
    s->mac.used = block;
    haechi_cbcmac(k, &s->mac, nonce, noncelen);
    turn(k, s, 1);
    haechi_copy(s->text.iv, s->mask, 16);
    return HAECHI_OK;
}

haechi_mode haechi_eax HAECHI_FLASH = { .begin = begin, .mac = haechi_cbcmac, .turn = turn, .text = haechi_ctr_text,
                                        .flags = HAECHI_ANY_LENGTH };

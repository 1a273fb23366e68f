/* eax.c - EAX (M. Bellare, P. Rogaway, D. Wagner, The EAX Mode of Operation, FSE 2004).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * There are three CMACs, of 0 | nonce, 1 | aad and 2 | ciphertext, where the numbers are whole blocks.  The first is
 * the initial counter block, and the tag is the XOR of all three.  derived holds L of CMAC. */
#include "aead.h"

/* Ends a CMAC, XORs it to the tag, and begins the CMAC with number `to`. */
static void turn(const haechi_key *k, haechi_aead_stream *s, uint8_t to)
{
    const uint8_t block = haechi_block_size(k);

    haechi_copy(s->text.left, haechi_derived(k), 16); /* the stream does not use it at this time */
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

#if !HAECHI_MICRO
static int fits(const haechi_job *j, size_t block)
{
    return j->noncelen > 0 && j->taglen >= 4 && j->taglen <= block;
}

/* The CMACs with this number, of all lanes: added to the tags, and in x. */
static void add_cmacs(struct haechi_batch *b)
{
    haechi_clear_lanes(b);
    haechi_absorb(b);
    for (size_t i = 0; i < b->n; i++) {
        uint8_t *const tag = b->lane[i].tag;
        haechi_xor_block(tag, tag, haechi_block_of(b, i), b->block);
    }
}

static void side_by_side(struct haechi_batch *b, uint8_t opens)
{
    haechi_derive_lanes(b);
    for (size_t i = 0; i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        haechi_store_le64(l->tag, 0);
        haechi_store_le64(l->tag + 8, 0);
        haechi_begin_cmac(b, l, 0, haechi_job_of(b, i)->nonce, haechi_job_of(b, i)->noncelen);
    }
    add_cmacs(b);
    for (size_t i = 0; i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        haechi_set_counter(b, i, l->tag);
        haechi_begin_cmac(b, l, 1, haechi_job_of(b, i)->aad, haechi_job_of(b, i)->aadlen);
    }
    add_cmacs(b);
    if (!opens) haechi_text_of_lanes(b);
    for (size_t i = 0; i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        haechi_begin_cmac(b, l, 2, opens ? b->text[i].in : b->text[i].out, b->text[i].len);
    }
    add_cmacs(b);
    haechi_end_lanes(b, opens);
    if (opens) haechi_text_of_lanes(b);
}
#endif

haechi_mode haechi_eax HAECHI_FLASH = {
    .begin = begin, .mac = haechi_cbcmac, .turn = turn, .text = haechi_ctr_text, .flags = HAECHI_ANY_LENGTH | HAECHI_SERIAL,
#if !HAECHI_MICRO
    .fits = fits, .side_by_side = side_by_side,
#endif
};

/* eax.c - EAX (M. Bellare, P. Rogaway, D. Wagner, The EAX Mode of Operation, FSE 2004).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Three CMACs, of 0 | nonce, 1 | aad and 2 | ciphertext, the numbers as blocks; the first is where counter mode
 * begins, and the tag is the XOR of all.  derived: 2L of CMAC. */
#include "aead.h"

static int init(haechi_aead *a)
{
    haechi_key *const k = (haechi_key *)(void *)(a + 1);
    haechi_block(k, a->derived); /* zeroed by haechi_aead_init */
    haechi_double((uint8_t *)a->derived, haechi_block_size(k));
    return HAECHI_OK;
}

static void mac(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *in, size_t len)
{
    haechi_cbcmac(haechi_aead_key(a), &s->mac, in, len);
}

/* CMAC number n begins. */
static void omac(const haechi_aead *a, haechi_aead_stream *s, uint8_t n)
{
    const uint8_t block = haechi_block_size(haechi_aead_key(a));
    for (uint8_t i = 0; i < block; i++) s->mac.x[i] = 0;
    s->mac.x[block - 1] = n;
    s->mac.used = block;
}

/* It ends and joins the tag. */
static void tag(const haechi_aead *a, haechi_aead_stream *s)
{
    haechi_cmac_end(haechi_aead_key(a), &s->mac, (const uint8_t *)a->derived);
    haechi_xor(s->mask, s->mask, s->mac.x, 16);
}

static int begin(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    if (noncelen == 0 || s->taglen < 4 || s->taglen > haechi_block_size(haechi_aead_key(a))) return HAECHI_ELEN;
    omac(a, s, 0);
    mac(a, s, nonce, noncelen);
    tag(a, s);
    haechi_copy(s->text.iv, s->mask, 16);
    omac(a, s, 1);
    s->aadlen = s->len = (haechi_length)-1;
    return HAECHI_OK;
}

static void turn(const haechi_aead *a, haechi_aead_stream *s)
{
    tag(a, s);
    omac(a, s, 2);
}

static void text(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t len)
{
    haechi_ctr(haechi_aead_key(a), &s->text, out, in, len);
}

haechi_mode haechi_eax HAECHI_FLASH = { init, begin, mac, turn, text, tag, HAECHI_TEXT | HAECHI_MAC_OUT,
                                        HAECHI_MAC_IN | HAECHI_TEXT };

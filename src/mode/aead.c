/* aead.c - authenticated encryption: what GCM, CCM and EAX have in common.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * aead_message.c works on a whole message, aead_message_micro.c does so on microcontrollers, and pieces.c works on a
 * message in pieces. */
#include "aead.h"

int haechi_aead_init(haechi_aead *a, size_t size, haechi_mode *m, haechi_cipher *c, const void *key, size_t len)
{
    haechi_key *const k = (haechi_key *)(void *)(a + 1);
    int error = HAECHI_EROOM;

    if (a == NULL || size < sizeof *a) goto fail;
    error = haechi_expand(k, size - sizeof *a, c, key, len);
    if (error) goto fail;
    error = HAECHI_EUSE;
    if (m == NULL || (haechi_flags(k) & HAECHI_INVERSE)) goto fail;
    if ((HAECHI_READ(m->flags) & HAECHI_BLOCK16) && haechi_block_size(k) != 16) goto fail;
    haechi_wipe(a, sizeof *a);
    a->impl = m;
    haechi_block(k, a->derived);
#if !HAECHI_MICRO
    if (m->derive != NULL) m->derive(a->derived);
    haechi_scrub();
#endif
    return HAECHI_OK;

fail: /* impl, made of zero bytes, is NULL: every call then returns HAECHI_EKEY */
    haechi_wipe(a, size);
    haechi_scrub();
    return error;
}

int haechi_aead_start(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    haechi_mode *const m = haechi_mode_of(a);

    if (m == NULL) return HAECHI_EKEY;
    if (nonce == NULL) return noncelen ? HAECHI_EUSE : HAECHI_ELEN;
    return HAECHI_READ(m->begin)(haechi_aead_key(a), s, nonce, noncelen);
}

void haechi_aead_text(const haechi_aead *a, haechi_aead_stream *s, uint8_t *out, const uint8_t *in, size_t len,
                      uint8_t what)
{
    haechi_mode *const m = haechi_mode_of(a);
    const haechi_key *const k = haechi_aead_key(a);

    while (len) {
        const size_t n = len < HAECHI_PIECE ? len : HAECHI_PIECE;
        if (what & HAECHI_MAC_IN) HAECHI_READ(m->mac)(k, &s->mac, in, n);
        if (what & HAECHI_TEXT) HAECHI_READ(m->text)(k, &s->text, out, in, n);
        if (what & HAECHI_MAC_OUT) HAECHI_READ(m->mac)(k, &s->mac, out, n);
        in += n, out += n, len -= n;
    }
}

int haechi_seal(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, void *out,
                const void *in, size_t len, void *tag, size_t taglen)
{
    return haechi_aead_message(a, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen, 0);
}

int haechi_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, void *out,
                const void *in, size_t len, const void *tag, size_t taglen)
{
    return haechi_aead_message(a, nonce, noncelen, aad, aadlen, out, in, len, (void *)(uintptr_t)tag, taglen, 1);
}

/* aead_message.c - authenticated encryption of a whole message on hosts.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Cipher and MAC take turns on pieces of the text that fit in the first-level cache.  aead_message_micro.c does this
 * work on microcontrollers. */
#include "aead.h"

#if !HAECHI_MICRO

/* Checks all arguments and processes everything that precedes the text. */
static int head(const haechi_aead *a, haechi_aead_stream *s, const void *nonce, size_t noncelen, const void *aad,
                size_t aadlen, const void *out, const void *in, size_t len, const void *tag, size_t taglen)
{
    int error;

    if (a == NULL) return HAECHI_EKEY;
    if ((aad == NULL && aadlen) || ((out == NULL || in == NULL) && len) || tag == NULL) return HAECHI_EUSE;
    if (taglen > 16) return HAECHI_ELEN;
    haechi_wipe(s, sizeof *s);
    s->taglen = (uint8_t)taglen;
    s->aadlen = aadlen;
    s->len = len;
    error = haechi_aead_start(a, s, (const uint8_t *)nonce, noncelen);
    if (error) return error;
    haechi_mode_of(a)->mac(haechi_aead_key(a), &s->mac, (const uint8_t *)aad, aadlen);
    haechi_mode_of(a)->turn(haechi_aead_key(a), s, HAECHI_PHASE_TEXT);
    return HAECHI_OK;
}

int haechi_aead_message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                        void *out, const void *in, size_t len, void *tag, size_t taglen, uint8_t opens)
{
    haechi_aead_stream s;
    int error = head(a, &s, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen);

    if (!error) {
        const uint8_t what = haechi_aead_order(a, opens);
        const uint8_t later = opens && (what & HAECHI_MAC_IN) ? HAECHI_TEXT : 0;
        haechi_aead_text(a, &s, (uint8_t *)out, (const uint8_t *)in, len, (uint8_t)(what & ~later));
        haechi_mode_of(a)->turn(haechi_aead_key(a), &s, HAECHI_PHASE_TAG);
        if (opens) error = haechi_verify(s.mask, tag, taglen);
        else haechi_copy((uint8_t *)tag, s.mask, taglen);
        if (later && !error) haechi_aead_text(a, &s, (uint8_t *)out, (const uint8_t *)in, len, later);
        haechi_wipe(&s, sizeof s);
    }
    haechi_scrub();
    if (error) {
        if (!opens) haechi_wipe(tag, taglen);
        haechi_wipe(out, len);
    }
    return error;
}

#endif

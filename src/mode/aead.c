/* aead.c - authenticated encryption in one go: what GCM, CCM and EAX have in common.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

int haechi_aead_init(haechi_aead *a, size_t size, haechi_mode *m, haechi_cipher *c, const void *key, size_t len)
{
    int error = HAECHI_EROOM;
    haechi_key *const k = (haechi_key *)(void *)(a + 1);

    if (a == NULL || size < sizeof *a) goto fail;
    error = haechi_init(k, size - sizeof *a, c, key, len);
    if (error) goto fail;
    error = HAECHI_EUSE;
    if (m == NULL || (HAECHI_READ(haechi_kernel_of(k)->flags) & HAECHI_INVERSE)) goto fail;
    haechi_wipe(a->derived, sizeof a->derived);
    error = HAECHI_READ(m->init)(a);
    if (error) goto fail;
    a->impl = m;
    return HAECHI_OK;

fail: /* an impl of zero bytes is NULL: every call answers HAECHI_EKEY */
    return haechi_refuse(a, size, error);
}

int haechi_aead_start(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen,
                      haechi_length aadlen, haechi_length len, size_t taglen)
{
    haechi_mode *const m = haechi_mode_of(a);
    int error;

    if (m == NULL) return HAECHI_EKEY;
    if (nonce == NULL) return noncelen ? HAECHI_EUSE : HAECHI_ELEN;
    haechi_wipe(s, sizeof *s);
    s->aadlen = aadlen;
    s->len = len;
    s->taglen = (uint8_t)taglen;
    if (taglen > 16) return HAECHI_ELEN;
    error = HAECHI_READ(m->begin)(a, s, nonce, noncelen);
    if (error) return error;
    return aadlen > s->aadlen || len > s->len ? HAECHI_ELIMIT : HAECHI_OK;
}

/* Up to the text, with everything checked. */
static int head(const haechi_aead *a, haechi_aead_stream *s, const void *nonce, size_t noncelen, const void *aad,
                size_t aadlen, const void *out, const void *in, size_t len, const void *tag, size_t taglen)
{
    int error;

    if (a == NULL) return HAECHI_EKEY;
    if ((aad == NULL && aadlen) || ((out == NULL || in == NULL) && len) || tag == NULL) return HAECHI_EUSE;
    error = haechi_aead_start(a, s, (const uint8_t *)nonce, noncelen, aadlen, len, taglen);
    if (error) return error;
    s->aadlen -= aadlen;
    s->len -= len;
    HAECHI_READ(haechi_mode_of(a)->mac)(a, s, (const uint8_t *)aad, aadlen);
    HAECHI_READ(haechi_mode_of(a)->turn)(a, s);
    return HAECHI_OK;
}

void haechi_aead_text(const haechi_aead *a, haechi_aead_stream *s, uint8_t *out, const uint8_t *in, size_t len,
                      uint8_t what)
{
    haechi_mode *const m = haechi_mode_of(a);

    while (len) {
        const size_t n = len < HAECHI_PIECE ? len : HAECHI_PIECE;
        if (what & HAECHI_MAC_IN) HAECHI_READ(m->mac)(a, s, in, n);
        if (what & HAECHI_TEXT) HAECHI_READ(m->text)(a, s, out, in, n);
        if (what & HAECHI_MAC_OUT) HAECHI_READ(m->mac)(a, s, out, n);
        in += n, out += n, len -= n;
    }
}

/* The whole message, sealed or opened.  Nothing is deciphered before the tag is right, except where the plaintext is
 * what the tag is of. */
static __attribute__((__noinline__)) int message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                                              void *out, const void *in, size_t len, void *tag, size_t taglen,
                                              uint8_t opens)
{
    haechi_aead_stream s;
    int error = head(a, &s, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen);

    if (!error) {
        uint8_t what = opens ? haechi_decrypts(a) : haechi_encrypts(a);
        if (opens && !(what & HAECHI_MAC_OUT)) what = HAECHI_MAC_IN;
        haechi_aead_text(a, &s, (uint8_t *)out, (const uint8_t *)in, len, what);
        HAECHI_READ(haechi_mode_of(a)->tag)(a, &s);
        if (!opens) {
            haechi_copy((uint8_t *)tag, s.mask, taglen);
        } else {
            error = haechi_verify(s.mask, tag, taglen);
            if (!error && what == HAECHI_MAC_IN)
                haechi_aead_text(a, &s, (uint8_t *)out, (const uint8_t *)in, len, HAECHI_TEXT);
        }
        haechi_wipe(&s, sizeof s);
    }
    if (!error) return HAECHI_OK;
    if (!opens) haechi_refuse(tag, taglen, error);
    return haechi_refuse(out, len, error);
}

int haechi_seal(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, void *out,
                const void *in, size_t len, void *tag, size_t taglen)
{
    return message(a, nonce, noncelen, aad, aadlen, out, in, len, tag, taglen, 0);
}

int haechi_open(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen, void *out,
                const void *in, size_t len, const void *tag, size_t taglen)
{
    return message(a, nonce, noncelen, aad, aadlen, out, in, len, (void *)(uintptr_t)tag, taglen, 1);
}

/* aead.c - authenticated encryption in one go: what GCM, CCM and EAX have in common.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

int haechi_aead_init(haechi_aead *a, size_t size, haechi_mode *m, haechi_cipher *c, const void *key, size_t len)
{
    haechi_key *const k = (haechi_key *)(void *)(a + 1);
    int error = HAECHI_EROOM;

    if (a == NULL || size < sizeof *a) goto fail;
    error = haechi_init(k, size - sizeof *a, c, key, len);
    if (error) goto fail;
    error = HAECHI_EUSE;
    if (m == NULL || (haechi_flags(k) & HAECHI_INVERSE)) goto fail;
    if ((HAECHI_READ(m->flags) & HAECHI_BLOCK16) && haechi_block_size(k) != 16) goto fail;
    haechi_wipe(a, sizeof *a);
    a->impl = m;
    haechi_block(k, a->derived);
#if !HAECHI_MICRO
    if (m->derive != NULL) m->derive(a->derived);
#endif
    return HAECHI_OK;

fail: /* an impl of zero bytes is NULL: every call answers HAECHI_EKEY */
    haechi_wipe(a, size);
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

#if HAECHI_MICRO

/* What haechi_seal and haechi_open are given: in memory, for few registers would hold it. */
struct message {
    const haechi_aead *a;
    const uint8_t *nonce;
    size_t noncelen;
    const uint8_t *aad;
    size_t aadlen;
    uint8_t *out;
    const uint8_t *in;
    size_t len;
    uint8_t *tag;
    size_t taglen;
    uint8_t opens;
    haechi_aead_stream s;
};

/* As haechi_verify, which a program may do without; x gets lost. */
static inline uint8_t differ(uint8_t *x, const uint8_t *y, uint8_t n)
{
    uint8_t d = 0;

    haechi_add(x, y, n);
    for (; n; n--) {
        d |= *x++;
        __asm__ volatile("" : "+r"(d)); /* no compiler may stop at the first difference */
    }
    return d;
}

static inline int work(struct message *j)
{
    const haechi_key *const k = haechi_aead_key(j->a);
    haechi_mode *m;
    uint8_t mac_first, to = HAECHI_PHASE_TEXT;
    int error;

    if (j->a == NULL) return HAECHI_EKEY;
    if ((j->nonce == NULL && j->noncelen) || (j->aad == NULL && j->aadlen) ||
        ((j->out == NULL || j->in == NULL) && j->len) || j->tag == NULL)
        return HAECHI_EUSE;
    m = (haechi_mode *)j->a->impl;
    if (m == NULL) return HAECHI_EKEY;
    if (j->taglen > 16) return HAECHI_ELEN;
    haechi_wipe(&j->s, sizeof j->s);
    j->s.taglen = (uint8_t)j->taglen;
    j->s.aadlen = j->aadlen;
    j->s.len = j->len;
    error = HAECHI_READ(m->begin)(k, &j->s, j->nonce, j->noncelen);
    if (error) return error;

    mac_first = (uint8_t)(j->opens ^ (HAECHI_READ(m->flags) & HAECHI_MAC_PLAIN));
    do { /* the aad, then the text as if it were more of it */
        __asm__("" : "+r"(m)); /* or gcc holds the addresses of all slots in registers */
        HAECHI_READ(m->mac)(k, &j->s.mac, j->aad, j->aadlen);
        HAECHI_READ(m->turn)(k, &j->s, to);
        if (to & 1) {
            if (!j->opens) haechi_copy(j->tag, j->s.mask, j->taglen);
            else if (differ(j->s.mask, j->tag, (uint8_t)j->taglen)) return HAECHI_EAUTH;
        }
        if (!((to ^ mac_first) & 1)) {
            HAECHI_READ(m->text)(k, &j->s.text, j->out, j->in, j->len);
            j->in = j->out;
        }
        j->aad = j->in;
        j->aadlen = j->len;
    } while (to++ == HAECHI_PHASE_TEXT);
    return HAECHI_OK;
}

/* The whole message.  Nothing is deciphered before the tag is right, except where the plaintext is what the tag is
 * of. */
static HAECHI_NOINLINE int message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad,
                                   size_t aadlen, void *out, const void *in, size_t len, void *tag, size_t taglen,
                                   uint8_t opens)
{
    struct message j;
    int error;

    j.a = a;
    j.nonce = (const uint8_t *)nonce;
    j.noncelen = noncelen;
    j.aad = (const uint8_t *)aad;
    j.aadlen = aadlen;
    j.out = (uint8_t *)out;
    j.in = (const uint8_t *)in;
    j.len = len;
    j.tag = (uint8_t *)tag;
    j.taglen = taglen;
    j.opens = opens;
    error = work(&j);
    if (error) {
        haechi_wipe(j.out, j.len);
        if (!j.opens) haechi_wipe(j.tag, j.taglen);
    }
    haechi_wipe(&j, sizeof j);
    return error;
}

#else

/* Up to the text, with everything checked. */
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

/* The whole message.  Nothing is deciphered before the tag is right, except where the plaintext is what the tag is
 * of. */
static HAECHI_NOINLINE int message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad,
                                   size_t aadlen, void *out, const void *in, size_t len, void *tag, size_t taglen,
                                   uint8_t opens)
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
    if (error) {
        if (!opens) haechi_wipe(tag, taglen);
        haechi_wipe(out, len);
    }
    return error;
}

#endif

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

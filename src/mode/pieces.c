/* pieces.c - authenticated encryption in pieces: haechi_stream.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

/* Returns the error, which ends the stream. */
static int end(haechi_aead_stream *s, int error)
{
    if (error && s != NULL) s->phase = HAECHI_PHASE_NONE;
    return error;
}

static uint8_t flags_of(const haechi_aead *a)
{
    return haechi_mode_of(a) == NULL ? 0 : HAECHI_READ(haechi_mode_of(a)->flags);
}

/* Whether the mode, which is not CCM, has tags of so many bytes.  The mode's own check of a nonce tells. */
static int has_tags_of(const haechi_aead *a, size_t taglen)
{
    const uint8_t nonce[12] = { 0 };
    haechi_aead_stream probe = { 0 };
    int error;

    if (taglen == haechi_block_size(haechi_aead_key(a))) return 1;
    if (taglen > 16) return 0;
    probe.taglen = (uint8_t)taglen;
    error = haechi_aead_start(a, &probe, nonce, sizeof nonce);
    haechi_wipe(&probe, sizeof probe);
    return !error;
}

int haechi_aead_begin(const haechi_aead *a, haechi_aead_stream *s, const void *nonce, size_t noncelen,
                      haechi_length aadlen, haechi_length len, size_t taglen)
{
    int error = HAECHI_ELEN, later;

    if (s == NULL) return HAECHI_EUSE;
    haechi_wipe(s, sizeof *s);
    if (flags_of(a) & HAECHI_MAC_PLAIN) { /* the MAC of CCM begins with the lengths */
        s->aadlen = aadlen;
        s->len = len;
    }
    later = taglen == HAECHI_TAG_LATER && haechi_mode_of(a) != NULL && !(flags_of(a) & HAECHI_MAC_PLAIN);
    if (later) taglen = haechi_block_size(haechi_aead_key(a));
    s->taglen = (uint8_t)taglen;
    if (taglen <= 16) error = haechi_aead_start(a, s, (const uint8_t *)nonce, noncelen);
    haechi_scrub();
    if (error) {
        haechi_wipe(s, sizeof *s);
        return error;
    }
    s->phase = HAECHI_PHASE_AAD;
    s->use = flags_of(a);
    haechi_copy(s->check, (const uint8_t *)a->derived, sizeof s->check);
    if (later) s->taglen = 0;
    if (s->use & HAECHI_ANY_LENGTH) s->aadlen = s->len = (haechi_length)-1;
    return HAECHI_OK;
}

#define DIRECTIONS (HAECHI_ENCRYPTS | HAECHI_DECRYPTS)

/* Processes n more bytes of aad or text, as `phase` says; *room more bytes may come.  `refused` is the direction that
 * the call does not allow. */
static int more(const haechi_aead *a, haechi_aead_stream *s, uint8_t phase, uint8_t refused, const void *out,
                const void *in, size_t n)
{
    haechi_length *room;

    if (haechi_mode_of(a) == NULL) return HAECHI_EKEY;
    if (s == NULL || s->phase == HAECHI_PHASE_NONE || s->phase > phase || (s->use & refused)) return HAECHI_EUSE;
    if ((s->use & ~DIRECTIONS) != flags_of(a)) return HAECHI_EUSE;
    if (haechi_verify(s->check, a->derived, sizeof s->check)) return HAECHI_EUSE;
    if (n && (out == NULL || in == NULL)) return HAECHI_EUSE;
    room = phase == HAECHI_PHASE_AAD ? &s->aadlen : &s->len;
    if (n > *room) return HAECHI_ELIMIT;
    *room -= n;
    if (s->phase < phase) {
        HAECHI_READ(haechi_mode_of(a)->turn)(haechi_aead_key(a), s, phase);
        s->phase = phase;
    }
    return HAECHI_OK;
}

int haechi_aead_aad(const haechi_aead *a, haechi_aead_stream *s, const void *aad, size_t n)
{
    const int error = end(s, more(a, s, HAECHI_PHASE_AAD, 0, aad, aad, n));
    if (!error) HAECHI_READ(haechi_mode_of(a)->mac)(haechi_aead_key(a), &s->mac, (const uint8_t *)aad, n);
    haechi_scrub();
    return error;
}

static int text(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t n, uint8_t opens)
{
    const uint8_t refused = opens ? HAECHI_ENCRYPTS : HAECHI_DECRYPTS;
    const int error = end(s, more(a, s, HAECHI_PHASE_TEXT, refused, out, in, n));
    if (error) return haechi_refuse(out, n, error);

    s->use |= DIRECTIONS ^ refused;
    haechi_aead_text(a, s, (uint8_t *)out, (const uint8_t *)in, n, haechi_aead_order(a, opens));
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_aead_encrypt(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t n)
{
    return text(a, s, out, in, n, 0);
}

int haechi_aead_decrypt(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t n)
{
    return text(a, s, out, in, n, 1);
}

/* Leaves the tag in s->mask. */
static int finish(const haechi_aead *a, haechi_aead_stream *s, uint8_t refused, const void *tag, size_t taglen)
{
    int error = more(a, s, HAECHI_PHASE_TEXT, refused, tag, tag, 0);
    if (!error && tag == NULL) error = HAECHI_EUSE;
    if (!error && (s->taglen ? taglen != s->taglen : !has_tags_of(a, taglen))) error = HAECHI_ELEN;
    if (!error && (flags_of(a) & HAECHI_MAC_PLAIN) && (s->aadlen || s->len)) error = HAECHI_ELEN;
    if (!error) HAECHI_READ(haechi_mode_of(a)->turn)(haechi_aead_key(a), s, HAECHI_PHASE_TAG);
    haechi_scrub();
    return error;
}

int haechi_aead_tag(const haechi_aead *a, haechi_aead_stream *s, void *tag, size_t taglen)
{
    const int error = finish(a, s, HAECHI_DECRYPTS, tag, taglen);
    if (error) haechi_refuse(tag, taglen, error);
    else haechi_copy((uint8_t *)tag, s->mask, taglen);
    if (s != NULL) haechi_wipe(s, sizeof *s);
    return error;
}

int haechi_aead_verify(const haechi_aead *a, haechi_aead_stream *s, const void *tag, size_t taglen)
{
    int error = finish(a, s, HAECHI_ENCRYPTS, tag, taglen);
    if (!error) error = haechi_verify(s->mask, tag, taglen);
    if (s != NULL) haechi_wipe(s, sizeof *s);
    return error;
}

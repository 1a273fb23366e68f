/* aead.h - what a mode of authenticated encryption is.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_AEAD_H
#define HAECHI_AEAD_H

#include "mode.h"

/* mac takes the aad and then, after turn, the text: CCM's the plaintext, the others' the ciphertext. */
struct haechi_mode_st {
    int (*init)(haechi_aead *a); /* derives; the expanded key is there */
    int (*begin)(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen);
    void (*mac)(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *in, size_t len);
    void (*turn)(const haechi_aead *a, haechi_aead_stream *s);
    void (*text)(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t len);
    void (*tag)(const haechi_aead *a, haechi_aead_stream *s); /* leaves it in s->mask; text may go on */
    uint8_t encrypts, decrypts; /* what one piece of text takes, of these: */
};
#define HAECHI_MAC_IN 1
#define HAECHI_TEXT 2
#define HAECHI_MAC_OUT 4

/* Bytes of text that go through cipher and MAC in turn: they stay in the first cache. */
#define HAECHI_PIECE (HAECHI_MICRO ? (size_t)-1 : 16384)

static inline haechi_mode *haechi_mode_of(const haechi_aead *a)
{
    return a == NULL ? NULL : (haechi_mode *)a->impl;
}

static inline uint8_t haechi_encrypts(const haechi_aead *a)
{
    return HAECHI_READ(haechi_mode_of(a)->encrypts);
}

static inline uint8_t haechi_decrypts(const haechi_aead *a)
{
    return HAECHI_READ(haechi_mode_of(a)->decrypts);
}

static inline const haechi_key *haechi_aead_key(const haechi_aead *a)
{
    return (const haechi_key *)(const void *)(a + 1);
}

/* Begins a message: HAECHI_ELIMIT where aad or text are longer than they may be. */
int haechi_aead_start(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen,
                      haechi_length aadlen, haechi_length len, size_t taglen);

/* A piece of text, any length. */
void haechi_aead_text(const haechi_aead *a, haechi_aead_stream *s, uint8_t *out, const uint8_t *in, size_t len,
                      uint8_t what);

#endif

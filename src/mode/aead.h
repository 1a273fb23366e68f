/* aead.h - what a mode of authenticated encryption is.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_AEAD_H
#define HAECHI_AEAD_H

#include "mode.h"

/* A key k is always that of a haechi_aead: haechi_derived finds what lies before it. */
struct haechi_mode_st {
    /* Checks s->taglen and the nonce's length, makes counter and mask.  s->aadlen and s->len are what was promised, or
     * will come at once; they become how much more there may be. */
    int (*begin)(const haechi_key *k, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen);
    /* Of the aad, and then of the text. */
    void (*mac)(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len);
    /* To HAECHI_PHASE_TEXT: the aad is complete.  To HAECHI_PHASE_TAG: the text is; leaves the tag in s->mask, and
     * text may go on. */
    void (*turn)(const haechi_key *k, haechi_aead_stream *s, uint8_t to);
    void (*text)(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
    uint8_t flags; /* of these: */
#if !HAECHI_MICRO
    void (*derive)(void *derived); /* what else follows from the enciphered block of zeros; NULL: nothing */
#endif
};
#define HAECHI_MAC_PLAIN 1  /* the MAC begins with the lengths and is of the plaintext, else of the ciphertext */
#define HAECHI_ANY_LENGTH 2 /* no limit for aad and text: begin says none */
#define HAECHI_BLOCK16 16   /* no blocks of 8 bytes */

/* s->use: no two modes have the same flags, so these tell the mode; and the stream's direction. */
#define HAECHI_ENCRYPTS 64
#define HAECHI_DECRYPTS 128

enum { HAECHI_PHASE_NONE, HAECHI_PHASE_AAD, HAECHI_PHASE_TEXT, HAECHI_PHASE_TAG }; /* s->phase: what may come */

/* Bytes of text that go through cipher and MAC in turn: they stay in the first cache. */
#define HAECHI_PIECE (HAECHI_MICRO ? (size_t)-1 : 16384)

static inline haechi_mode *haechi_mode_of(const haechi_aead *a)
{
    return a == NULL ? NULL : (haechi_mode *)a->impl;
}

static inline const haechi_key *haechi_aead_key(const haechi_aead *a)
{
    return (const haechi_key *)(const void *)(a + 1);
}

/* The enciphered block of zeros, and what else the mode derives. */
static inline const uint8_t *haechi_derived(const haechi_key *k)
{
    return (const uint8_t *)((const haechi_aead *)(const void *)k - 1)->derived;
}

/* Begins a message with what s says of taglen, aadlen and len; the rest of s is zero.  HAECHI_ELIMIT: too much of aad
 * or text is promised. */
int haechi_aead_start(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen);

/* haechi_seal, or haechi_open where opens is 1.  Nothing is deciphered before the tag has been found right, except
 * where the tag is made of the plaintext. */
int haechi_aead_message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                        void *out, const void *in, size_t len, void *tag, size_t taglen, uint8_t opens);

/* A piece of text, any length; what of these is done with it, in this order: */
#define HAECHI_MAC_IN 1
#define HAECHI_TEXT 2
#define HAECHI_MAC_OUT 4
void haechi_aead_text(const haechi_aead *a, haechi_aead_stream *s, uint8_t *out, const uint8_t *in, size_t len,
                      uint8_t what);

/* What a piece takes of them: when sealing, it is the plaintext that comes in. */
static inline uint8_t haechi_aead_order(const haechi_aead *a, uint8_t opens)
{
    const uint8_t plain = HAECHI_READ(haechi_mode_of(a)->flags) & HAECHI_MAC_PLAIN;
    return plain != opens ? HAECHI_MAC_IN | HAECHI_TEXT : HAECHI_TEXT | HAECHI_MAC_OUT;
}

#endif

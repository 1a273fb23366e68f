/* aead.h - what a mode of authenticated encryption is.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_AEAD_H
#define HAECHI_AEAD_H

#include "lanes.h"

/* A key k is always part of a haechi_aead, so that haechi_derived finds what precedes it. */
struct haechi_mode_st {
    /* Checks s->taglen and the length of the nonce, and computes counter and mask.  Before the call, s->aadlen and
     * s->len are the lengths that the caller announces; after it, they are the numbers of bytes that may still come.
     * */
    int (*begin)(const haechi_key *k, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen);
    /* Adds bytes of the aad, and then of the text, to the MAC. */
    void (*mac)(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len);
    /* With HAECHI_PHASE_TEXT it ends the aad.  With HAECHI_PHASE_TAG it ends the text and leaves the tag in s->mask;
     * text may be overwritten then. */
    void (*turn)(const haechi_key *k, haechi_aead_stream *s, uint8_t to);
    void (*text)(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
    uint8_t flags; /* of these: */
#if !HAECHI_MICRO
    void (*derive)(void *derived); /* computes more from the encrypted block of zeros; NULL: nothing */

    /* Whether a job, of which no pointer is NULL that may not be NULL, has lengths for side_by_side.  What these refuse
     * begin may allow. */
    int (*fits)(const haechi_job *job, size_t block);
    /* Seals or opens a message in each lane, and ends with haechi_end_lanes. */
    void (*side_by_side)(struct haechi_batch *b, uint8_t opens);
#endif
};

#if !HAECHI_MICRO
static inline haechi_job *haechi_job_of(const struct haechi_batch *b, size_t lane)
{
    return (haechi_job *)b->job[lane];
}

/* Hands out the tags; or, if opens, verifies them, zeroes out where that fails, and makes l->len 0 there.  Sets all
 * results. */
void haechi_end_lanes(struct haechi_batch *b, uint8_t opens);
#endif

#define HAECHI_MAC_PLAIN 1  /* the MAC begins with the lengths and is of the plaintext, not of the ciphertext */
#define HAECHI_ANY_LENGTH 2 /* aad and text may have any length: begin sets no limit */
#define HAECHI_SERIAL 4     /* each block waits for the one before: however long messages are, lanes are faster */
#define HAECHI_BLOCK16 16   /* the mode takes no blocks of 8 bytes */

/* s->use holds the flags of the mode, which differ between all modes, and the direction of the stream. */
#define HAECHI_ENCRYPTS 64
#define HAECHI_DECRYPTS 128

enum { HAECHI_PHASE_NONE, HAECHI_PHASE_AAD, HAECHI_PHASE_TEXT, HAECHI_PHASE_TAG }; /* s->phase: what may come next */

/* Cipher and MAC take turns on pieces of so many bytes, which fit in the first-level cache. */
#define HAECHI_PIECE (HAECHI_MICRO ? (size_t)-1 : 16384)

static inline haechi_mode *haechi_mode_of(const haechi_aead *a)
{
    return a == NULL ? NULL : (haechi_mode *)a->impl;
}

static inline const haechi_key *haechi_aead_key(const haechi_aead *a)
{
    return (const haechi_key *)(const void *)(a + 1);
}

/* Returns the encrypted block of zeros, followed by what else the mode derives. */
static inline const uint8_t *haechi_derived(const haechi_key *k)
{
    return (const uint8_t *)((const haechi_aead *)(const void *)k - 1)->derived;
}

/* Begins a message of which s holds taglen, aadlen and len; the rest of s is zero.  HAECHI_ELIMIT: aadlen or len is
 * too large. */
int haechi_aead_start(const haechi_aead *a, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen);

/* haechi_seal, or haechi_open if opens is 1.  It decrypts only after it has verified the tag, except where the MAC is
 * of the plaintext. */
int haechi_aead_message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                        void *out, const void *in, size_t len, void *tag, size_t taglen, uint8_t opens);

/* Processes a piece of text of any length.  The flags say what it does, in this order: */
#define HAECHI_MAC_IN 1
#define HAECHI_TEXT 2
#define HAECHI_MAC_OUT 4
void haechi_aead_text(const haechi_aead *a, haechi_aead_stream *s, uint8_t *out, const uint8_t *in, size_t len,
                      uint8_t what);

/* Returns these flags for a whole message.  The plaintext is the input when sealing. */
static inline uint8_t haechi_aead_order(const haechi_aead *a, uint8_t opens)
{
    const uint8_t plain = HAECHI_READ(haechi_mode_of(a)->flags) & HAECHI_MAC_PLAIN;
    return plain != opens ? HAECHI_MAC_IN | HAECHI_TEXT : HAECHI_TEXT | HAECHI_MAC_OUT;
}

#endif

/* haechi_stream.h - authenticated encryption in pieces.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * DECRYPTION IN PIECES RETURNS BYTES THAT NOBODY HAS VERIFIED.  Until haechi_aead_verify has returned HAECHI_OK they
 * may come from anybody: do not act on them and do not pass them on.  Where a message fits in memory, use
 * haechi_open; where it does not, seal it in chunks.
 *
 *     haechi_aead_stream s;
 *     haechi_aead_begin(&a, &s, nonce, noncelen, aadlen, len, taglen);
 *     haechi_aead_aad(&a, &s, aad, n);             // as often as you like
 *     haechi_aead_encrypt(&a, &s, out, in, n);     // likewise; or haechi_aead_decrypt
 *     haechi_aead_tag(&a, &s, tag, taglen);        // or haechi_aead_verify
 *
 * A stream holds no pointers, so that a program may copy it and continue with both.  It remembers its mode, a check
 * value of its key and whether it encrypts or decrypts.  HAECHI_EUSE is the answer to a call out of order, to another
 * mode, to the key object of another key, to haechi_aead_decrypt after haechi_aead_encrypt or the other way round, to
 * haechi_aead_tag after haechi_aead_decrypt, and to haechi_aead_verify after haechi_aead_encrypt.  A program may go
 * on with a copy of the key object, or with another one made of the same key.  (The check value has 32 bits: it takes
 * one wrong key in 2^32 for the right one.)  An error of any call ends the stream: all further calls are refused
 * until the next haechi_aead_begin.
 *
 * A stream takes 78 bytes of RAM on AVR, 5 of which are mode, direction and check. */
#ifndef HAECHI_STREAM_H
#define HAECHI_STREAM_H

#include "haechi.h"

#ifdef __cplusplus
extern "C" {
#endif

#if HAECHI_MICRO
typedef size_t haechi_length; /* bytes: where size_t has 16 bits, at most 65535 of aad and of text */
#else
typedef uint64_t haechi_length;
#endif

typedef struct {
    uint8_t phase, taglen;     /* what may come next: nothing, aad or text; bytes of the tag */
    uint8_t began;             /* GCM: how the key stream began */
    uint8_t use;               /* the mode's flags and, once there was text, the direction */
    uint8_t check[4];          /* a check value of what the mode has derived from the key */
    haechi_length aadlen, len; /* how many bytes of each may still come; with CCM, must come */
    haechi_stream text;        /* the position in the key stream */
    haechi_cmac mac;           /* the authenticator so far: CBC-MAC, CMAC or GHASH */
    uint8_t mask[16];          /* what is XORed to the tag */
} haechi_aead_stream;

/* CCM must know beforehand how many bytes of aad and text will come; GCM and EAX ignore aadlen and len.  With GCM and
 * EAX, taglen may be HAECHI_TAG_LATER; haechi_aead_tag or haechi_aead_verify then says how long the tag is.  Errors
 * are those of haechi_seal. */
#define HAECHI_TAG_LATER ((size_t)-1)
HAECHI_API int haechi_aead_begin(const haechi_aead *a, haechi_aead_stream *s, const void *nonce, size_t noncelen,
                                 haechi_length aadlen, haechi_length len, size_t taglen);

/* HAECHI_ELIMIT: these are more bytes than were announced, or than the mode allows. */
HAECHI_API int haechi_aead_aad(const haechi_aead *a, haechi_aead_stream *s, const void *aad, size_t n);
HAECHI_API int haechi_aead_encrypt(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t n);
HAECHI_API int haechi_aead_decrypt(const haechi_aead *a, haechi_aead_stream *s, void *out, const void *in, size_t n);

/* Both end the stream.  HAECHI_ELEN: taglen is not that of haechi_aead_begin, or bytes that were announced for CCM
 * are missing.  HAECHI_EAUTH: this is not what was sealed; discard what was decrypted. */
HAECHI_API int haechi_aead_tag(const haechi_aead *a, haechi_aead_stream *s, void *tag, size_t taglen);
HAECHI_API int haechi_aead_verify(const haechi_aead *a, haechi_aead_stream *s, const void *tag, size_t taglen);

#ifdef __cplusplus
}
#endif
#endif

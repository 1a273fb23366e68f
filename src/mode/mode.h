/* mode.h - what the modes share.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_MODE_H
#define HAECHI_MODE_H

#include "../core/bytes.h"
#include "../core/kernel.h"
#include "../haechi_stream.h"

/* Blocks that a mode hands to a kernel at once: batches of 64 lanes, and four of them hide what a call costs;
 * microcontrollers take one at a time. */
#define HAECHI_BATCH (HAECHI_MICRO ? 1 : 256)

/* haechi_usable with a forward key; HAECHI_EUSE also where there is no stream or it was never zeroed. */
int haechi_stream_usable(const haechi_key *k, const haechi_stream *s, const void *out, const void *in, size_t len);

/* CBC-MAC over what follows.  The block is enciphered only when more comes: whoever ends the message may still
 * change it. */
void haechi_cbcmac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len);

/* Ends a CMAC: x becomes the tag, used 0.  twice: 2L, L the enciphered block of zeros. */
void haechi_cmac_end(const haechi_key *k, haechi_cmac *s, const uint8_t *twice);

/* x = 2x in GF(2^128) or GF(2^64), as SP 800-38B doubles; no branch. */
void haechi_double(uint8_t *x, uint8_t size);

#endif

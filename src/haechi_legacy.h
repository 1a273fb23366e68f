/* haechi_legacy.h - feedback by less than a block, for data that exists already.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CFB with segments of 64 bits and of one bit (SP 800-38A, 6.3).  CFB64 costs twice as much as CFB by whole blocks,
 * CFB1 128 times as much, and neither is safer.  Errors are those of haechi.h. */
#ifndef HAECHI_LEGACY_H
#define HAECHI_LEGACY_H

#include "haechi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* CFB64 for LEA and ARIA; for HIGHT, haechi_cfb_encrypt is CFB64.  Calls may split the bytes in any way, and a stream
 * is used as in haechi_cfb_encrypt. */
HAECHI_API int haechi_cfb64_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb64_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

/* Takes so many bits at in; the first one is the most significant bit of the first byte.  The unused bits of the last
 * byte of out become 0.  iv is one block, in which the call leaves the iv for the bits that follow. */
HAECHI_API int haechi_cfb1_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits);
HAECHI_API int haechi_cfb1_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits);

#ifdef __cplusplus
}
#endif
#endif

/* haechi_legacy.h - feedback by less than a block, for data that exists already.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * CFB with segments of 64 bits and of one bit (SP 800-38A, 6.3).  A CFB64 costs two, a CFB1 128 times what CFB
 * by whole blocks costs, and neither is any safer.  Errors as in haechi.h. */
#ifndef HAECHI_LEGACY_H
#define HAECHI_LEGACY_H

#include "haechi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* LEA and ARIA; for HIGHT it is haechi_cfb_encrypt.  Any length, any split; a stream as there. */
HAECHI_API int haechi_cfb64_encrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);
HAECHI_API int haechi_cfb64_decrypt(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

/* bits at in, the first one the most significant of the first byte; what is left of the last byte of out comes
 * out as 0.  iv is one block and moves on. */
HAECHI_API int haechi_cfb1_encrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits);
HAECHI_API int haechi_cfb1_decrypt(const haechi_key *k, uint8_t *iv, void *out, const void *in, size_t bits);

#ifdef __cplusplus
}
#endif
#endif

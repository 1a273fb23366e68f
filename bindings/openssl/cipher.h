/* cipher.h - what all ciphers of the provider have in common.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_OPENSSL_CIPHER_H
#define HAECHI_OPENSSL_CIPHER_H

#include "core.h"

#include <haechi.h>

enum mode { ECB, CBC, CTS, CTR, OFB, CFB, CFB8, CFB1, XTS, KW, KWP, GCM, CCM };

/* One entry of the table in provider.c. */
struct cipher {
    enum mode mode;
    uint8_t key, block, iv; /* bytes; of XTS both keys together; the IV unless a parameter changes its length */
    haechi_cipher *forward, *inverse;
};

/* What every cipher answers without a key: mode, lengths, flags. */
int haechi_ossl_describe(const struct cipher *cipher, OSSL_PARAM params[]);
const OSSL_PARAM *haechi_ossl_described(void *core);

/* The reason of one of the library's errors goes on libcrypto's queue; returns 0. */
int haechi_ossl_refuse(const struct core *core, int error, const char *file, int line, const char *function);
#define REFUSE(core, error) haechi_ossl_refuse(core, error, __FILE__, __LINE__, __func__)

/* Whether made bytes at out and len bytes at in overlap in part; the library takes out == in or buffers apart. */
static inline int haechi_ossl_overlap(const uint8_t *out, size_t made, const uint8_t *in, size_t len)
{
    return out != in && (uintptr_t)out < (uintptr_t)in + len && (uintptr_t)in < (uintptr_t)out + made;
}

/* The functions of a cipher's contexts, behind which libcrypto knows a void pointer.  Plain: modes without
 * authentication (plain.c); aead: GCM and CCM (aead.c). */
void *haechi_ossl_plain_new(const struct core *core, const struct cipher *cipher);
void *haechi_ossl_aead_new(const struct core *core, const struct cipher *cipher);

OSSL_FUNC_cipher_freectx_fn haechi_ossl_plain_free, haechi_ossl_aead_free;
OSSL_FUNC_cipher_dupctx_fn haechi_ossl_plain_dup, haechi_ossl_aead_dup;
OSSL_FUNC_cipher_encrypt_init_fn haechi_ossl_plain_encrypt, haechi_ossl_aead_encrypt;
OSSL_FUNC_cipher_decrypt_init_fn haechi_ossl_plain_decrypt, haechi_ossl_aead_decrypt;
OSSL_FUNC_cipher_update_fn haechi_ossl_plain_update, haechi_ossl_aead_update;
OSSL_FUNC_cipher_final_fn haechi_ossl_plain_final, haechi_ossl_aead_final;
OSSL_FUNC_cipher_cipher_fn haechi_ossl_plain_once, haechi_ossl_aead_once;
OSSL_FUNC_cipher_get_ctx_params_fn haechi_ossl_plain_get, haechi_ossl_aead_get;
OSSL_FUNC_cipher_set_ctx_params_fn haechi_ossl_plain_set, haechi_ossl_aead_set;
OSSL_FUNC_cipher_gettable_ctx_params_fn haechi_ossl_plain_gettable, haechi_ossl_aead_gettable;
OSSL_FUNC_cipher_settable_ctx_params_fn haechi_ossl_plain_settable, haechi_ossl_aead_settable;

#endif

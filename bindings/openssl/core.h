/* core.h - what libcrypto offers to a provider: memory, errors, parameters.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The module does not link to libcrypto: a program may have loaded another version of it.  All that it needs comes
 * through the functions that libcrypto passes to OSSL_provider_init. */
#ifndef HAECHI_OPENSSL_CORE_H
#define HAECHI_OPENSSL_CORE_H

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The provider's context. */
struct core {
    const OSSL_CORE_HANDLE *handle;
    OSSL_FUNC_core_new_error_fn *new_error;
    OSSL_FUNC_core_set_error_debug_fn *set_error_debug;
    OSSL_FUNC_core_vset_error_fn *vset_error;
    OSSL_FUNC_CRYPTO_zalloc_fn *zalloc;
    OSSL_FUNC_CRYPTO_clear_free_fn *clear_free;
};

/* Why an operation failed; provider.c has the text of each. */
enum reason {
    REASON_NO_KEY = 1,
    REASON_NO_IV,
    REASON_KEY_LENGTH,
    REASON_IV_LENGTH,
    REASON_TAG_LENGTH,
    REASON_NO_TAG,
    REASON_FORGED,
    REASON_PADDING,
    REASON_PARTIAL_BLOCK,
    REASON_OUTPUT_TOO_SMALL,
    REASON_OVERLAP,
    REASON_ORDER,
    REASON_PARAMETER,
    REASON_MESSAGE_LENGTH,
    REASON_CPU,
    REASON_ENTROPY,
    REASON_MEMORY,
    REASON_TLS_RECORD,
    REASON_KEYS_EQUAL,
    REASON_SELF_TEST,
    REASON_INITIAL_VALUE,
    REASON_UNWRAP,
};

/* Puts the reason on libcrypto's queue of errors; returns 0, which is how a provider's functions say "failed". */
int haechi_ossl_fail(const struct core *core, enum reason reason, const char *file, int line, const char *function);
#define FAIL(core, reason) haechi_ossl_fail(core, reason, __FILE__, __LINE__, __func__)

/* Whether a parameter has that name.  Every message asks for some of a dozen names, which differ in their first
 * letters: a call of strcmp would take longer. */
static inline int haechi_ossl_is(const OSSL_PARAM *param, const char *name)
{
    const char *key = param->key;

    while (*key == *name && *name != 0) key++, name++;
    return *key == *name;
}

/* The parameter of that name in an array, NULL where there is none or no array. */
OSSL_PARAM *haechi_ossl_find(OSSL_PARAM *params, const char *name);
const OSSL_PARAM *haechi_ossl_find_const(const OSSL_PARAM *params, const char *name);

/* The number that a parameter holds, signed or unsigned, of 4 or 8 bytes.  0: it holds none, or a negative one. */
int haechi_ossl_get(const OSSL_PARAM *param, size_t *value);

/* These answer a request for the parameter of that name, if there is one in the array.  0: it cannot hold the value. */
int haechi_ossl_put(OSSL_PARAM *params, const char *name, size_t value);
int haechi_ossl_put_octets(OSSL_PARAM *params, const char *name, const void *value, size_t size);
int haechi_ossl_put_text(OSSL_PARAM *params, const char *name, const char *value);

#endif

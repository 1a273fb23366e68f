/* drbg_aes.c - AES by OpenSSL as kernels, ciphers and kinds of DRBG, for the published vectors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * An expanded key is the key itself, which is slow but enough for a test.  The kinds have no cached constants, so that
 * the generator computes them. */
#include <stdlib.h>
#include <string.h>

#include <openssl/evp.h>

#include "drbg/kind.h"

static void crypt(const EVP_CIPHER *cipher, const void *key, uint8_t *out, const uint8_t *in, size_t n)
{
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    if (!EVP_EncryptInit_ex(context, cipher, NULL, (const uint8_t *)key, NULL)) abort();
    if (!EVP_EncryptUpdate(context, out, &written, in, (int)(16 * n)) || written != (int)(16 * n)) abort();
    EVP_CIPHER_CTX_free(context);
}

#define ONLY(RUNG, suffix) RUNG(aes_openssl, suffix)
#define AES(bits)                                                                                            \
    static void expand##bits(void *rk, const void *key)                                                      \
    {                                                                                                        \
        memcpy(rk, key, bits / 8);                                                                           \
    }                                                                                                        \
    static void crypt##bits(const void *rk, void *buf)                                                       \
    {                                                                                                        \
        crypt(EVP_aes_##bits##_ecb(), rk, (uint8_t *)buf, (const uint8_t *)buf, 1);                          \
    }                                                                                                        \
    static void bulk##bits(const void *rk, void *out, const void *in, size_t n)                              \
    {                                                                                                        \
        crypt(EVP_aes_##bits##_ecb(), rk, (uint8_t *)out, (const uint8_t *)in, n);                           \
    }                                                                                                        \
    HAECHI_KERNEL(aes_openssl_##bits) = { .rk = bits / 8, .block = 16, .key = bits / 8,                      \
                                          .expand = expand##bits, .crypt = crypt##bits,                      \
                                          .bulk = bulk##bits };                                              \
    extern haechi_cipher haechi_aes##bits;                                                                   \
    HAECHI_CIPHER(aes##bits, ONLY, _##bits);                                                                 \
    typedef HAECHI_ROOM(bits / 8) haechi_aes##bits##_key;                                                    \
    extern haechi_drbg_kind haechi_drbg_aes##bits;                                                           \
    HAECHI_DRBG_KIND(aes##bits, bits / 8, 16, NULL)

AES(128);
AES(192);
AES(256);

/* A kind whose room is too small for its cipher.  The generator must refuse it; otherwise it would give zeros. */
typedef HAECHI_ROOM(8) haechi_cramped_key;
#define haechi_cramped haechi_aes128
extern haechi_drbg_kind haechi_drbg_cramped;
HAECHI_DRBG_KIND(cramped, 16, 16, NULL);

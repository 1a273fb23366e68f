/* misuse.c - calls in any order, with parameters of any type, size and value: nothing may crash or write too far.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     misuse SEED ROUNDS
 *
 * To be built, with the module, by the sanitizers of addresses and undefined behaviour.  Every buffer is allocated in
 * the size that the call is told, so that the first byte too many is seen. */
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state; /* xorshift64*, so that a round can be drawn again */
static uint32_t draw(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

static uint8_t *bytes(size_t n)
{
    uint8_t *const p = malloc(n ? n : 1);

    if (p == NULL) exit(2);
    for (size_t i = 0; i < n; i++) p[i] = (uint8_t)draw(256);
    return p;
}

static const char *const names[] = {
    OSSL_CIPHER_PARAM_KEYLEN, OSSL_CIPHER_PARAM_IVLEN, OSSL_CIPHER_PARAM_PADDING, OSSL_CIPHER_PARAM_NUM,
    OSSL_CIPHER_PARAM_USE_BITS, OSSL_CIPHER_PARAM_IV, OSSL_CIPHER_PARAM_UPDATED_IV, OSSL_CIPHER_PARAM_AEAD_TAG,
    OSSL_CIPHER_PARAM_AEAD_TAGLEN, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD,
    OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN,
    OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, OSSL_CIPHER_PARAM_CTS_MODE, "no-such-parameter",
};

/* One parameter of any kind, with room for exactly what it says. */
static OSSL_PARAM parameter(uint8_t **room)
{
    static const unsigned types[] = {
        OSSL_PARAM_INTEGER, OSSL_PARAM_UNSIGNED_INTEGER, OSSL_PARAM_OCTET_STRING, OSSL_PARAM_OCTET_PTR,
        OSSL_PARAM_UTF8_STRING, OSSL_PARAM_UTF8_PTR,
    };
    static const size_t sizes[] = { 0, 1, 3, 4, 7, 8, 12, 13, 16, 17, 128, 200 };
    OSSL_PARAM p = { names[draw(sizeof names / sizeof *names)], types[draw(6)], NULL, sizes[draw(12)], 0 };

    if (p.data_type == OSSL_PARAM_OCTET_PTR || p.data_type == OSSL_PARAM_UTF8_PTR) p.data_size = sizeof(void *);
    *room = draw(8) ? bytes(p.data_size) : NULL;
    if (*room != NULL && p.data_size >= 4 && draw(2)) memset(*room + 1, 0, p.data_size - 1); /* a small number */
    if (*room != NULL && p.data_size >= 3 && p.data_type == OSSL_PARAM_UTF8_STRING) memcpy(*room, "CS2", 3);
    p.data = *room;
    return p;
}

static void parameters(EVP_CIPHER_CTX *c)
{
    OSSL_PARAM list[4];
    uint8_t *room[3];
    const uint32_t n = draw(4);

    for (uint32_t i = 0; i < n; i++) list[i] = parameter(&room[i]);
    list[n] = OSSL_PARAM_construct_end();
    if (draw(2)) EVP_CIPHER_CTX_set_params(c, list);
    else EVP_CIPHER_CTX_get_params(c, list);
    for (uint32_t i = 0; i < n; i++) free(room[i]);
}

static void init(EVP_CIPHER_CTX *c)
{
    uint8_t *const key = bytes(64), *const iv = bytes(256);

    EVP_CipherInit_ex2(c, NULL, draw(4) ? key : NULL, draw(4) ? iv : NULL, (int)draw(2), NULL);
    free(key);
    free(iv);
}

static void update(EVP_CIPHER_CTX *c)
{
    const size_t len = draw(3) ? draw(64) : draw(700);
    uint8_t *const in = bytes(len), *const out = bytes(len + 16);
    uint8_t *const both = bytes(len + 16);
    int n;

    switch (draw(5)) {
    case 0: EVP_CipherUpdate(c, NULL, &n, in, (int)len); break;
    case 1: EVP_CipherUpdate(c, NULL, &n, NULL, (int)len); break;
    case 2: EVP_CipherUpdate(c, both, &n, both, (int)len); break;
    case 3: EVP_Cipher(c, both, both, (unsigned)len); break;
    default: EVP_CipherUpdate(c, out, &n, in, (int)len); break;
    }
    free(in);
    free(out);
    free(both);
}

int main(int argc, char **argv)
{
    static const char *const ciphers[] = {
        "ARIA-128-ECB", "LEA-192-CBC", "ARIA-256-CTR", "LEA-128-OFB", "LEA-128-CFB", "ARIA-128-CFB8", "LEA-256-CFB1",
        "ARIA-128-XTS", "LEA-128-GCM", "ARIA-256-GCM", "LEA-128-CCM", "ARIA-192-CCM", "HIGHT-CBC", "HIGHT-CTR",
        "ARIA-128-CBC-CTS", "LEA-192-CBC-CTS", "ARIA-256-WRAP", "LEA-128-WRAP", "ARIA-128-WRAP-PAD", "LEA-256-WRAP-PAD",
    };
    OSSL_PROVIDER *const provider = OSSL_PROVIDER_load(NULL, "haechi");

    if (argc != 3 || provider == NULL) return 2;
    state = strtoull(argv[1], NULL, 0) * 2 + 1;
    for (long i = strtol(argv[2], NULL, 0); i > 0; i--) {
        EVP_CIPHER *const cipher = EVP_CIPHER_fetch(NULL, ciphers[draw(sizeof ciphers / sizeof *ciphers)], NULL);
        EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
        if (cipher == NULL || !EVP_CipherInit_ex2(c, cipher, NULL, NULL, 1, NULL)) return 2;
        for (uint32_t calls = 1 + draw(12); calls > 0; calls--) {
            uint8_t last[32];
            int n;
            switch (draw(8)) {
            case 0: case 1: init(c); break;
            case 2: case 3: case 4: update(c); break;
            case 5: EVP_CipherFinal_ex(c, last, &n); break;
            case 6: parameters(c); break;
            default: {
                EVP_CIPHER_CTX *const copy = EVP_CIPHER_CTX_new();
                if (EVP_CIPHER_CTX_copy(copy, c)) {
                    EVP_CIPHER_CTX_free(c);
                    c = copy;
                } else {
                    EVP_CIPHER_CTX_free(copy);
                }
            }
            }
        }
        EVP_CIPHER_CTX_free(c);
        EVP_CIPHER_free(cipher);
        ERR_clear_error();
    }
    return OSSL_PROVIDER_unload(provider) ? 0 : 1;
}

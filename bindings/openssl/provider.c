/* provider.c - LEA, HIGHT and ARIA for OpenSSL 3: the table of ciphers and what libcrypto asks of a provider.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Names and object identifiers of ARIA are those of OpenSSL and of RFC 5794, appendix B.  For LEA and HIGHT no
 * published object identifier of a mode was found, so they have names alone.  HIGHT is in wire order (haechi.h). */
#include "cipher.h"

#include <openssl/core_names.h>
#include <openssl/evp.h> /* EVP_CIPH_GCM_MODE and the like; nothing of it is called */
#include <string.h>

/* ---- What every cipher says of itself. */

int haechi_ossl_describe(const struct cipher *cipher, OSSL_PARAM params[])
{
    static const uint32_t modes[] = {
        [ECB] = EVP_CIPH_ECB_MODE,  [CBC] = EVP_CIPH_CBC_MODE,  [CTR] = EVP_CIPH_CTR_MODE, [OFB] = EVP_CIPH_OFB_MODE,
        [CFB] = EVP_CIPH_CFB_MODE,  [CFB8] = EVP_CIPH_CFB_MODE, [CFB1] = EVP_CIPH_CFB_MODE, [GCM] = EVP_CIPH_GCM_MODE,
        [CCM] = EVP_CIPH_CCM_MODE,  [XTS] = EVP_CIPH_XTS_MODE,  [CTS] = EVP_CIPH_CBC_MODE, [KW] = EVP_CIPH_WRAP_MODE,
        [KWP] = EVP_CIPH_WRAP_MODE,
    };
    const enum mode mode = cipher->mode;
    const int aead = mode == GCM || mode == CCM, wrap = mode == KW || mode == KWP;
    const int blocks = mode == ECB || mode == CBC || mode == CTS || wrap; /* the others are streams to libcrypto */

    return haechi_ossl_put(params, OSSL_CIPHER_PARAM_MODE, modes[mode]) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_KEYLEN, cipher->key) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_IVLEN, cipher->iv) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_BLOCK_SIZE, blocks ? cipher->block : 1) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_AEAD, (size_t)aead) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_CUSTOM_IV, aead || wrap || mode == XTS) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_CTS, mode == CTS) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, 0) &&
           haechi_ossl_put(params, OSSL_CIPHER_PARAM_HAS_RAND_KEY, 0);
}

const OSSL_PARAM *haechi_ossl_described(void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_CIPHER_PARAM_MODE, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_BLOCK_SIZE, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_AEAD, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { OSSL_CIPHER_PARAM_CUSTOM_IV, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { OSSL_CIPHER_PARAM_CTS, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { OSSL_CIPHER_PARAM_TLS1_MULTIBLOCK, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { OSSL_CIPHER_PARAM_HAS_RAND_KEY, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)core;
    return table;
}

/* ---- Reasons. */

static const OSSL_ITEM reasons[] = {
    { REASON_NO_KEY, "no key set" },
    { REASON_NO_IV, "no initialisation vector, or it was used already" },
    { REASON_KEY_LENGTH, "invalid key length" },
    { REASON_IV_LENGTH, "invalid length of the initialisation vector" },
    { REASON_TAG_LENGTH, "invalid tag length" },
    { REASON_NO_TAG, "no tag" },
    { REASON_FORGED, "the tag does not match" },
    { REASON_PADDING, "bad decrypt: the padding is not that of PKCS#7" },
    { REASON_PARTIAL_BLOCK, "wrong final block length" },
    { REASON_OUTPUT_TOO_SMALL, "output buffer too small" },
    { REASON_OVERLAP, "input and output overlap in part" },
    { REASON_ORDER, "not now: the call is out of order" },
    { REASON_PARAMETER, "a parameter has the wrong type, size or value" },
    { REASON_MESSAGE_LENGTH, "the message is too long or too short for the mode" },
    { REASON_CPU, "this build needs another CPU" },
    { REASON_ENTROPY, "the operating system gave no entropy" },
    { REASON_MEMORY, "out of memory" },
    { REASON_TLS_RECORD, "invalid TLS record" },
    { REASON_KEYS_EQUAL, "XTS: both halves of the key are equal" },
    { REASON_SELF_TEST, "the self-test failed" },
    { REASON_INITIAL_VALUE, "key wrap begins with the constant of SP 800-38F alone" },
    { REASON_UNWRAP, "this was not wrapped under this key" },
    { 0, NULL },
};

int haechi_ossl_refuse(const struct core *core, int error, const char *file, int line, const char *function)
{
    const enum reason reason = error == HAECHI_EAUTH    ? REASON_FORGED
                               : error == HAECHI_EKEY   ? REASON_KEY_LENGTH
                               : error == HAECHI_ELEN   ? REASON_MESSAGE_LENGTH
                               : error == HAECHI_ELIMIT ? REASON_MESSAGE_LENGTH
                                                        : REASON_ORDER;
    return haechi_ossl_fail(core, reason, file, line, function);
}

/* ---- The table.  X(identifier, names, plain or aead, mode, bytes of key, block and IV, the library's cipher). */

/* All modes of a cipher with blocks of 16 bytes.  The last arguments are further names of nine of them.  Those of
 * CBC-CTS, WRAP and WRAP-PAD follow OpenSSL's AES-128-CBC-CTS, AES-128-WRAP and AES-128-WRAP-PAD; OpenSSL has no ARIA in
 * these modes.  With a block of 16 bytes, libcrypto tells WRAP-PAD of room for all that it may add. */
#define MODES_16(X, base, name, bits, ecb, cbc, cfb, ofb, ctr, gcm, ccm, kw, kwp)                            \
    X(base##_ecb, name "-ECB" ecb, plain, ECB, bits / 8, 16, 0, base)                                        \
    X(base##_cbc, name "-CBC" cbc, plain, CBC, bits / 8, 16, 16, base)                                       \
    X(base##_cts, name "-CBC-CTS", plain, CTS, bits / 8, 16, 16, base)                                       \
    X(base##_cfb, name "-CFB" cfb, plain, CFB, bits / 8, 16, 16, base)                                       \
    X(base##_cfb8, name "-CFB8", plain, CFB8, bits / 8, 16, 16, base)                                        \
    X(base##_cfb1, name "-CFB1", plain, CFB1, bits / 8, 16, 16, base)                                        \
    X(base##_ofb, name "-OFB" ofb, plain, OFB, bits / 8, 16, 16, base)                                       \
    X(base##_ctr, name "-CTR" ctr, plain, CTR, bits / 8, 16, 16, base)                                       \
    X(base##_xts, name "-XTS", plain, XTS, bits / 4, 16, 16, base)                                           \
    X(base##_kw, name "-WRAP" kw, plain, KW, bits / 8, 8, 8, base)                                           \
    X(base##_kwp, name "-WRAP-PAD" kwp, plain, KWP, bits / 8, 16, 4, base)                                   \
    X(base##_gcm, name "-GCM" gcm, aead, GCM, bits / 8, 16, 12, base)                                        \
    X(base##_ccm, name "-CCM" ccm, aead, CCM, bits / 8, 16, 7, base)

#define ARIA ":1.2.410.200046.1.1." /* RFC 5794, appendix B */
#define CIPHERS(X)                                                                                           \
    MODES_16(X, aria128, "ARIA-128", 128, ARIA "1", ":ARIA128" ARIA "2", ARIA "3", ARIA "4", ARIA "5",       \
             ARIA "34", ARIA "37", ":id-aria128-kw" ARIA "40", ":id-aria128-kwp" ARIA "43")                  \
    MODES_16(X, aria192, "ARIA-192", 192, ARIA "6", ":ARIA192" ARIA "7", ARIA "8", ARIA "9", ARIA "10",      \
             ARIA "35", ARIA "38", ":id-aria192-kw" ARIA "41", ":id-aria192-kwp" ARIA "44")                  \
    MODES_16(X, aria256, "ARIA-256", 256, ARIA "11", ":ARIA256" ARIA "12", ARIA "13", ARIA "14", ARIA "15",  \
             ARIA "36", ARIA "39", ":id-aria256-kw" ARIA "42", ":id-aria256-kwp" ARIA "45")                  \
    MODES_16(X, lea128, "LEA-128", 128, "", ":LEA128", "", "", "", "", "", "", "")                           \
    MODES_16(X, lea192, "LEA-192", 192, "", ":LEA192", "", "", "", "", "", "", "")                           \
    MODES_16(X, lea256, "LEA-256", 256, "", ":LEA256", "", "", "", "", "", "", "")                           \
    X(hight_ecb, "HIGHT-ECB", plain, ECB, 16, 8, 0, hight)                                                   \
    X(hight_cbc, "HIGHT-CBC:HIGHT", plain, CBC, 16, 8, 8, hight)                                             \
    X(hight_cfb, "HIGHT-CFB", plain, CFB, 16, 8, 8, hight)                                                   \
    X(hight_ofb, "HIGHT-OFB", plain, OFB, 16, 8, 8, hight)                                                   \
    X(hight_ctr, "HIGHT-CTR", plain, CTR, 16, 8, 8, hight)

#define ENTRY(number, function) { number, (void (*)(void))function }
#define DEFINE(id, names, kind, mode, key, block, iv, base)                                                  \
    static const struct cipher id = { mode, key, block, iv, &haechi_##base, &haechi_##base##_inv };      \
    static void *id##_new(void *core) { return haechi_ossl_##kind##_new(core, &id); }                        \
    static int id##_describe(OSSL_PARAM params[]) { return haechi_ossl_describe(&id, params); }              \
    static const OSSL_DISPATCH id##_functions[] = {                                                          \
        ENTRY(OSSL_FUNC_CIPHER_NEWCTX, id##_new),                                                            \
        ENTRY(OSSL_FUNC_CIPHER_FREECTX, haechi_ossl_##kind##_free),                                          \
        ENTRY(OSSL_FUNC_CIPHER_DUPCTX, haechi_ossl_##kind##_dup),                                            \
        ENTRY(OSSL_FUNC_CIPHER_ENCRYPT_INIT, haechi_ossl_##kind##_encrypt),                                  \
        ENTRY(OSSL_FUNC_CIPHER_DECRYPT_INIT, haechi_ossl_##kind##_decrypt),                                  \
        ENTRY(OSSL_FUNC_CIPHER_UPDATE, haechi_ossl_##kind##_update),                                         \
        ENTRY(OSSL_FUNC_CIPHER_FINAL, haechi_ossl_##kind##_final),                                           \
        ENTRY(OSSL_FUNC_CIPHER_CIPHER, haechi_ossl_##kind##_once),                                           \
        ENTRY(OSSL_FUNC_CIPHER_GET_PARAMS, id##_describe),                                                   \
        ENTRY(OSSL_FUNC_CIPHER_GETTABLE_PARAMS, haechi_ossl_described),                                      \
        ENTRY(OSSL_FUNC_CIPHER_GET_CTX_PARAMS, haechi_ossl_##kind##_get),                                    \
        ENTRY(OSSL_FUNC_CIPHER_GETTABLE_CTX_PARAMS, haechi_ossl_##kind##_gettable),                          \
        ENTRY(OSSL_FUNC_CIPHER_SET_CTX_PARAMS, haechi_ossl_##kind##_set),                                    \
        ENTRY(OSSL_FUNC_CIPHER_SETTABLE_CTX_PARAMS, haechi_ossl_##kind##_settable),                          \
        { 0, NULL },                                                                                         \
    };
CIPHERS(DEFINE)

#define OFFER(id, names, kind, mode, key, block, iv, base) { names, "provider=haechi", id##_functions, NULL },
static const OSSL_ALGORITHM ciphers[] = { CIPHERS(OFFER){ NULL, NULL, NULL, NULL } };

static const OSSL_ALGORITHM *query(void *core, int operation, int *no_cache)
{
    (void)core;
    *no_cache = 0;
    return operation == OSSL_OP_CIPHER ? ciphers : NULL;
}

/* ---- The provider. */

static const OSSL_PARAM *gettable(void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_PROV_PARAM_NAME, OSSL_PARAM_UTF8_PTR, NULL, 0, 0 },
        { OSSL_PROV_PARAM_VERSION, OSSL_PARAM_UTF8_PTR, NULL, 0, 0 },
        { OSSL_PROV_PARAM_BUILDINFO, OSSL_PARAM_UTF8_PTR, NULL, 0, 0 },
        { OSSL_PROV_PARAM_STATUS, OSSL_PARAM_INTEGER, NULL, sizeof(int), 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)core;
    return table;
}

static int get(void *core, OSSL_PARAM params[])
{
    (void)core;
    return haechi_ossl_put_text(params, OSSL_PROV_PARAM_NAME, "Haechi: LEA, HIGHT and ARIA") &&
           haechi_ossl_put_text(params, OSSL_PROV_PARAM_VERSION, HAECHI_VERSION) &&
           haechi_ossl_put_text(params, OSSL_PROV_PARAM_BUILDINFO, HAECHI_VERSION) &&
           haechi_ossl_put(params, OSSL_PROV_PARAM_STATUS, 1);
}

static const OSSL_ITEM *get_reasons(void *core)
{
    (void)core;
    return reasons;
}

/* One block of each cipher, both ways.  The key is 00 01 02 ..., the plaintext 00 11 22 ...; those of ARIA are the
 * vectors of RFC 5794, and the tests compare all of them with the specification. */
static int self_test(void *context)
{
    static const struct {
        haechi_cipher *forward, *inverse;
        uint8_t key, block; /* bytes */
        uint8_t encrypted[16];
    } cases[] = {
        { &haechi_aria128, &haechi_aria128_inv, 16, 16,
          { 0xd7, 0x18, 0xfb, 0xd6, 0xab, 0x64, 0x4c, 0x73, 0x9d, 0xa9, 0x5f, 0x3b, 0xe6, 0x45, 0x17, 0x78 } },
        { &haechi_aria192, &haechi_aria192_inv, 24, 16,
          { 0x26, 0x44, 0x9c, 0x18, 0x05, 0xdb, 0xe7, 0xaa, 0x25, 0xa4, 0x68, 0xce, 0x26, 0x3a, 0x9e, 0x79 } },
        { &haechi_aria256, &haechi_aria256_inv, 32, 16,
          { 0xf9, 0x2b, 0xd7, 0xc7, 0x9f, 0xb7, 0x2e, 0x2f, 0x2b, 0x8f, 0x80, 0xc1, 0x97, 0x2d, 0x24, 0xfc } },
        { &haechi_lea128, &haechi_lea128_inv, 16, 16,
          { 0xc2, 0x1e, 0xc8, 0xa0, 0xd5, 0x79, 0x43, 0x76, 0xc1, 0xf9, 0x7d, 0x8d, 0xd6, 0x76, 0xeb, 0x65 } },
        { &haechi_lea192, &haechi_lea192_inv, 24, 16,
          { 0xa6, 0xef, 0xe1, 0x2e, 0x5b, 0x9a, 0xec, 0x37, 0x91, 0x6f, 0xb2, 0xac, 0xdb, 0x59, 0x3f, 0xc4 } },
        { &haechi_lea256, &haechi_lea256_inv, 32, 16,
          { 0x0d, 0xdf, 0x51, 0x3e, 0xed, 0xe3, 0x76, 0xac, 0x54, 0x8c, 0xb9, 0x7c, 0xc1, 0x40, 0x3a, 0xba } },
        { &haechi_hight, &haechi_hight_inv, 16, 8,
          { 0x28, 0x54, 0xe5, 0x0b, 0x3d, 0x2b, 0x2c, 0x8a } },
    };
    struct core *const core = context;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t block = cases[i].block;
        uint8_t key[32], plain[16], text[16];
        haechi_any_key k;
        int fails;
        for (uint8_t j = 0; j < sizeof key; j++) key[j] = j;
        for (uint8_t j = 0; j < sizeof plain; j++) text[j] = plain[j] = (uint8_t)(0x11 * j);
        fails = haechi_init(&k.key, sizeof k, cases[i].forward, key, cases[i].key) ||
                haechi_ecb(&k.key, text, text, block) || haechi_verify(text, cases[i].encrypted, block) ||
                haechi_init(&k.key, sizeof k, cases[i].inverse, key, cases[i].key) ||
                haechi_ecb(&k.key, text, text, block) || haechi_verify(text, plain, block);
        if (fails) return FAIL(core, REASON_SELF_TEST);
    }
    return 1;
}

static void teardown(void *context)
{
    struct core *const core = context;

    core->clear_free(core, sizeof *core, __FILE__, __LINE__);
}

static const OSSL_DISPATCH functions[] = {
    ENTRY(OSSL_FUNC_PROVIDER_TEARDOWN, teardown),
    ENTRY(OSSL_FUNC_PROVIDER_GETTABLE_PARAMS, gettable),
    ENTRY(OSSL_FUNC_PROVIDER_GET_PARAMS, get),
    ENTRY(OSSL_FUNC_PROVIDER_QUERY_OPERATION, query),
    ENTRY(OSSL_FUNC_PROVIDER_GET_REASON_STRINGS, get_reasons),
    ENTRY(OSSL_FUNC_PROVIDER_SELF_TEST, self_test),
    { 0, NULL },
};

extern __attribute__((__visibility__("default"))) OSSL_provider_init_fn OSSL_provider_init;

int OSSL_provider_init(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out, void **context)
{
    struct core found = { .handle = handle }, *core;

    for (; in->function_id != 0; in++) switch (in->function_id) {
        case OSSL_FUNC_CORE_NEW_ERROR: found.new_error = OSSL_FUNC_core_new_error(in); break;
        case OSSL_FUNC_CORE_SET_ERROR_DEBUG: found.set_error_debug = OSSL_FUNC_core_set_error_debug(in); break;
        case OSSL_FUNC_CORE_VSET_ERROR: found.vset_error = OSSL_FUNC_core_vset_error(in); break;
        case OSSL_FUNC_CRYPTO_ZALLOC: found.zalloc = OSSL_FUNC_CRYPTO_zalloc(in); break;
        case OSSL_FUNC_CRYPTO_CLEAR_FREE: found.clear_free = OSSL_FUNC_CRYPTO_clear_free(in); break;
        default: break;
        }
    if (found.zalloc == NULL || found.clear_free == NULL) return 0;
    if (!self_test(&found)) return 0;
    core = found.zalloc(sizeof *core, __FILE__, __LINE__);
    if (core == NULL) return FAIL(&found, REASON_MEMORY);
    *core = found;
    *out = functions;
    *context = core;
    return 1;
}

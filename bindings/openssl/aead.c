/* aead.c - GCM and CCM, by messages in pieces and by TLS and DTLS 1.2 records.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The manners are those of OpenSSL's own ciphers.  GCM takes any number of pieces, hands out plaintext before the tag
 * is verified, as EVP_DecryptUpdate must, and ends with the verdict.  CCM takes one piece, which comes out only if its
 * tag is right.  An IV is used once: whoever encrypts again must bring another. */
#include "cipher.h"

#include <haechi_random.h>
#include <haechi_stream.h>
#include <openssl/core_names.h>
#include <string.h>

#define IV_MOST 128  /* bytes: OpenSSL's own limit for GCM */
#define TLS_AAD 13   /* bytes: sequence number, type, version, length (RFC 5246, 6.2.3.3) */
#define TLS_FIXED 4  /* bytes of the nonce that the key block determines (RFC 5288, 3) */
#define TLS_EXPLICIT 8 /* bytes of the nonce that each record carries */
#define UNSET ((size_t)-1)

enum { NONE, SET, SPENT };

/* It holds no pointer into itself, so a copy is a duplicate. */
struct context {
    const struct core *core;
    const struct cipher *cipher;
    uint8_t encrypts, has_key;
    uint8_t iv_is;              /* NONE, SET or SPENT */
    uint8_t begun;              /* the stream has taken the IV */
    uint8_t generates;          /* the last bytes of the IV are a counter that this context moves on */
    uint8_t has_tag;            /* encryption: of the message that has ended; decryption: the one to compare with */
    size_t ivlen, taglen;       /* taglen: UNSET where nobody said, of GCM */
    size_t promised;            /* CCM: bytes of text, UNSET where nobody said */
    size_t record_aad;          /* TLS_AAD where a record comes next, else UNSET */
    uint64_t records;           /* that this key has sealed */
    uint8_t iv[IV_MOST], tag[16], aad[TLS_AAD];
    haechi_aead_stream stream;
    haechi_any_aead key;
};

static haechi_mode *mode_of(const struct cipher *cipher)
{
    return cipher->mode == GCM ? &haechi_gcm : &haechi_ccm;
}

void *haechi_ossl_aead_new(const struct core *core, const struct cipher *cipher)
{
    struct context *const c = core->zalloc(sizeof *c, __FILE__, __LINE__);

    if (c == NULL) {
        FAIL(core, REASON_MEMORY);
        return NULL;
    }
    c->core = core;
    c->cipher = cipher;
    c->ivlen = cipher->iv;
    c->taglen = cipher->mode == GCM ? UNSET : 12; /* OpenSSL's default for CCM */
    c->promised = c->record_aad = UNSET;
    return c;
}

void haechi_ossl_aead_free(void *context)
{
    struct context *const c = context;

    if (c != NULL) c->core->clear_free(c, sizeof *c, __FILE__, __LINE__);
}

void *haechi_ossl_aead_dup(void *context)
{
    const struct context *const c = context;
    struct context *const copy = c->core->zalloc(sizeof *copy, __FILE__, __LINE__);

    if (copy == NULL) FAIL(c->core, REASON_MEMORY);
    else *copy = *c;
    return copy;
}

/* ---- Initialisation. */

static int init(struct context *c, int encrypts, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM params[])
{
    c->encrypts = !!encrypts;
    c->begun = 0;
    c->promised = c->record_aad = UNSET;
    if (c->encrypts) c->has_tag = 0;
    if (c->encrypts && c->cipher->mode == GCM) c->taglen = UNSET;
    if (iv != NULL) {
        const int fits = c->cipher->mode == GCM ? ivlen >= 1 && ivlen <= IV_MOST : ivlen == c->ivlen;
        if (!fits) return FAIL(c->core, REASON_IV_LENGTH);
        memcpy(c->iv, iv, ivlen);
        c->ivlen = ivlen;
        c->iv_is = SET;
        c->generates = 0;
    }
    if (key != NULL) {
        int error;
        c->has_key = 0;
        if (keylen != c->cipher->key) return FAIL(c->core, REASON_KEY_LENGTH);
        error = haechi_aead_init(&c->key.aead, sizeof c->key, mode_of(c->cipher), c->cipher->forward, key, keylen);
        if (error) return REFUSE(c->core, error);
        c->has_key = 1;
        c->records = 0;
    }
    return haechi_ossl_aead_set(c, params);
}

int haechi_ossl_aead_encrypt(void *context, const unsigned char *key, size_t keylen, const unsigned char *iv,
                             size_t ivlen, const OSSL_PARAM params[])
{
    return init(context, 1, key, keylen, iv, ivlen, params);
}

int haechi_ossl_aead_decrypt(void *context, const unsigned char *key, size_t keylen, const unsigned char *iv,
                             size_t ivlen, const OSSL_PARAM params[])
{
    return init(context, 0, key, keylen, iv, ivlen, params);
}

/* ---- Messages. */

/* Begins the stream where it has not begun.  GCM does not need the lengths. */
static int begin(struct context *c, size_t aadlen, size_t len)
{
    int error;

    if (c->begun) return 1;
    if (!c->has_key) return FAIL(c->core, REASON_NO_KEY);
    if (c->iv_is == NONE && c->encrypts && c->cipher->mode == GCM) { /* as OpenSSL: GET_IV tells what was drawn */
        if (haechi_random(c->iv, c->ivlen)) return FAIL(c->core, REASON_ENTROPY);
        c->iv_is = SET;
    }
    if (c->iv_is != SET) return FAIL(c->core, REASON_NO_IV);
    error = haechi_aead_begin(&c->key.aead, &c->stream, c->iv, c->ivlen, aadlen, len,
                              c->cipher->mode == CCM ? c->taglen : c->encrypts ? 16 : c->has_tag ? c->taglen : HAECHI_TAG_LATER);
    if (error) return REFUSE(c->core, error);
    c->begun = 1;
    return 1;
}

/* The message is complete, and its IV is spent. */
static int finish(struct context *c)
{
    const size_t taglen = c->encrypts && c->cipher->mode == GCM ? 16 : c->taglen;
    int error;

    if (!c->encrypts && !(c->has_tag && c->taglen != UNSET)) return FAIL(c->core, REASON_NO_TAG);
    error = c->encrypts ? haechi_aead_tag(&c->key.aead, &c->stream, c->tag, taglen)
                        : haechi_aead_verify(&c->key.aead, &c->stream, c->tag, taglen);
    c->begun = 0;
    c->iv_is = SPENT;
    c->has_tag = c->encrypts && !error;
    if (c->encrypts) c->taglen = taglen;
    return error ? REFUSE(c->core, error) : 1;
}

static int text(struct context *c, uint8_t *out, const uint8_t *in, size_t len)
{
    const int error = (c->encrypts ? haechi_aead_encrypt : haechi_aead_decrypt)(&c->key.aead, &c->stream, out, in, len);

    return error ? REFUSE(c->core, error) : 1;
}

static int gcm(struct context *c, uint8_t *out, size_t *outlen, size_t room, const uint8_t *in, size_t len)
{
    if (!begin(c, 0, 0)) return 0;
    if (out == NULL) {
        const int error = haechi_aead_aad(&c->key.aead, &c->stream, in, len);
        if (error) return REFUSE(c->core, error);
    } else {
        if (room < len) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
        if (haechi_ossl_overlap(out, len, in, len)) return FAIL(c->core, REASON_OVERLAP);
        if (!text(c, out, in, len)) return 0;
    }
    *outlen = len;
    return 1;
}

/* The order is: the text's length (out and in are NULL), the whole aad (out is NULL), the whole text. */
static int ccm(struct context *c, uint8_t *out, size_t *outlen, size_t room, const uint8_t *in, size_t len)
{
    if (out == NULL && in == NULL) {
        c->promised = len;
    } else if (out == NULL) {
        int error;
        if (c->begun || (c->promised == UNSET && len)) return FAIL(c->core, REASON_ORDER);
        if (c->promised == UNSET) return 1; /* no aad */
        if (!begin(c, len, c->promised)) return 0;
        error = haechi_aead_aad(&c->key.aead, &c->stream, in, len);
        if (error) return REFUSE(c->core, error);
    } else {
        if (room < len) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
        if (haechi_ossl_overlap(out, len, in, len)) return FAIL(c->core, REASON_OVERLAP);
        if (!c->encrypts && !c->has_tag) return FAIL(c->core, REASON_NO_TAG);
        if (!begin(c, 0, len) || !text(c, out, in, len)) return 0;
        c->promised = UNSET;
        if (!finish(c)) {
            haechi_wipe(out, len);
            return 0;
        }
    }
    *outlen = len;
    return 1;
}

/* ---- Records of TLS and DTLS 1.2: explicit nonce, text, tag, all in place. */

/* The counter in the last bytes of the IV; 0 where it has come round. */
static int move_on(uint8_t *iv, size_t ivlen)
{
    for (size_t i = ivlen; i-- > ivlen - TLS_EXPLICIT;)
        if (++iv[i]) return 1;
    return 0;
}

static int record(struct context *c, uint8_t *out, size_t *outlen, size_t room, const uint8_t *in, size_t len)
{
    const size_t taglen = c->cipher->mode == GCM ? 16 : c->taglen, around = TLS_EXPLICIT + taglen;
    uint8_t *const explicit_iv = c->iv + c->ivlen - TLS_EXPLICIT;
    int error;

    c->record_aad = UNSET;
    if (!c->has_key) return FAIL(c->core, REASON_NO_KEY);
    if (c->iv_is != SET) return FAIL(c->core, REASON_NO_IV);
    if (out == NULL || out != in || len < around || room < len) return FAIL(c->core, REASON_TLS_RECORD);
    if (c->encrypts) {
        if (++c->records == 0) return FAIL(c->core, REASON_TLS_RECORD); /* every nonce has been used */
        if (c->cipher->mode == CCM) memcpy(explicit_iv, c->aad, TLS_EXPLICIT); /* the sequence number */
        memcpy(out, explicit_iv, TLS_EXPLICIT);
        error = haechi_seal(&c->key.aead, c->iv, c->ivlen, c->aad, TLS_AAD, out + TLS_EXPLICIT, in + TLS_EXPLICIT,
                            len - around, out + len - taglen, taglen);
        if (c->cipher->mode == GCM) (void)move_on(c->iv, c->ivlen);
        *outlen = len;
    } else {
        memcpy(explicit_iv, in, TLS_EXPLICIT);
        error = haechi_open(&c->key.aead, c->iv, c->ivlen, c->aad, TLS_AAD, out + TLS_EXPLICIT, in + TLS_EXPLICIT,
                            len - around, in + len - taglen, taglen);
        *outlen = len - around;
    }
    if (!error) return 1;
    *outlen = 0;
    return REFUSE(c->core, error);
}

/* ---- Text, for libcrypto. */

int haechi_ossl_aead_update(void *context, unsigned char *out, size_t *outlen, size_t room, const unsigned char *in,
                            size_t len)
{
    struct context *const c = context;

    *outlen = 0;
    if (c->record_aad != UNSET) return record(c, out, outlen, room, in, len);
    if (c->cipher->mode == CCM) return ccm(c, out, outlen, room, in, len);
    return len == 0 ? 1 : gcm(c, out, outlen, room, in, len);
}

int haechi_ossl_aead_final(void *context, unsigned char *out, size_t *outlen, size_t room)
{
    struct context *const c = context;

    (void)out, (void)room;
    *outlen = 0;
    if (c->cipher->mode == CCM || c->record_aad != UNSET) return 1;
    return begin(c, 0, 0) && finish(c);
}

/* EVP_Cipher: a record, a piece, or the end of the message where in is NULL. */
int haechi_ossl_aead_once(void *context, unsigned char *out, size_t *outlen, size_t room, const unsigned char *in,
                          size_t len)
{
    struct context *const c = context;

    if (in == NULL && out != NULL) return haechi_ossl_aead_final(context, out, outlen, room);
    return haechi_ossl_aead_update(c, out, outlen, room, in, len);
}

/* ---- Parameters. */

/* GCM: the lengths of SP 800-38D, 5.2.1.2.  CCM: those of SP 800-38C, A.1. */
static int tag_length(const struct context *c, size_t len)
{
    if (c->cipher->mode == CCM) return len >= 4 && len <= 16 && len % 2 == 0;
    return len == 4 || len == 8 || (len >= 12 && len <= 16);
}

/* EVP_CTRL_AEAD_SET_TAG: the tag to compare with; CCM also takes a length alone, before the text. */
static int set_tag(struct context *c, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING) return FAIL(c->core, REASON_PARAMETER);
    if (!tag_length(c, p->data_size)) return FAIL(c->core, REASON_TAG_LENGTH);
    if (p->data != NULL) {
        if (c->encrypts) return FAIL(c->core, REASON_ORDER);
        memcpy(c->tag, p->data, p->data_size);
        c->has_tag = 1;
    }
    c->taglen = p->data_size;
    return 1;
}

static int set_ivlen(struct context *c, const OSSL_PARAM *p)
{
    size_t len;

    if (!haechi_ossl_get(p, &len)) return FAIL(c->core, REASON_PARAMETER);
    if (c->cipher->mode == GCM ? len < 1 || len > IV_MOST : len < 7 || len > 13)
        return FAIL(c->core, REASON_IV_LENGTH);
    if (len != c->ivlen) c->iv_is = NONE;
    c->ivlen = len;
    return 1;
}

/* A record comes next: its aad, whose length counts explicit nonce and, in decryption, tag. */
static int set_record(struct context *c, const OSSL_PARAM *p)
{
    const size_t around = TLS_EXPLICIT + (c->encrypts ? 0 : c->cipher->mode == GCM ? 16 : c->taglen);
    size_t len;

    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL || p->data_size != TLS_AAD ||
        c->ivlen != TLS_FIXED + TLS_EXPLICIT)
        return FAIL(c->core, REASON_TLS_RECORD);
    memcpy(c->aad, p->data, TLS_AAD);
    len = (size_t)c->aad[TLS_AAD - 2] << 8 | c->aad[TLS_AAD - 1];
    if (len < around) return FAIL(c->core, REASON_TLS_RECORD);
    len -= around;
    c->aad[TLS_AAD - 2] = (uint8_t)(len >> 8);
    c->aad[TLS_AAD - 1] = (uint8_t)len;
    c->record_aad = TLS_AAD;
    return 1;
}

/* EVP_CTRL_AEAD_SET_IV_FIXED.  A length of -1 restores a whole IV. */
static int set_fixed(struct context *c, const OSSL_PARAM *p)
{
    if (p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL) return FAIL(c->core, REASON_PARAMETER);
    if (p->data_size == UNSET) {
        memcpy(c->iv, p->data, c->ivlen);
    } else {
        if (p->data_size < TLS_FIXED || p->data_size > c->ivlen || c->ivlen - p->data_size < TLS_EXPLICIT)
            return FAIL(c->core, REASON_IV_LENGTH);
        memcpy(c->iv, p->data, p->data_size);
        if (c->encrypts && haechi_random(c->iv + p->data_size, c->ivlen - p->data_size))
            return FAIL(c->core, REASON_ENTROPY);
    }
    c->iv_is = SET;
    c->generates = 1;
    return 1;
}

/* EVP_CTRL_GCM_IV_GEN: the last bytes of the IV go out, the message may begin, and the counter moves on for the next
 * one. */
static int get_generated(struct context *c, OSSL_PARAM *p)
{
    size_t size = p->data_size;

    if (!c->generates || !c->has_key || p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL)
        return FAIL(c->core, REASON_ORDER);
    if (size == 0 || size > c->ivlen) size = c->ivlen;
    c->iv_is = SET;
    c->begun = 0;
    memcpy(p->data, c->iv + c->ivlen - size, size);
    p->return_size = size;
    if (!begin(c, 0, 0)) return 0;
    (void)move_on(c->iv, c->ivlen);
    return 1;
}

/* EVP_CTRL_GCM_SET_IV_INV: what the other side's message carries of its IV. */
static int set_carried(struct context *c, const OSSL_PARAM *p)
{
    if (!c->generates || c->encrypts || p->data_type != OSSL_PARAM_OCTET_STRING || p->data == NULL ||
        p->data_size > c->ivlen)
        return FAIL(c->core, REASON_ORDER);
    memcpy(c->iv + c->ivlen - p->data_size, p->data, p->data_size);
    c->iv_is = SET;
    c->begun = 0;
    return 1;
}

int haechi_ossl_aead_set(void *context, const OSSL_PARAM params[])
{
    static const struct {
        const char *name;
        int (*set)(struct context *c, const OSSL_PARAM *p);
        uint8_t gcm_only;
    } known[] = {
        { OSSL_CIPHER_PARAM_AEAD_IVLEN, set_ivlen, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TAG, set_tag, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, set_record, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, set_fixed, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, set_carried, 1 },
    };
    struct context *const c = context;

    for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        size_t keylen;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (haechi_ossl_is(p, known[i].name) && !(known[i].gcm_only && c->cipher->mode != GCM) &&
                !known[i].set(c, p))
                return 0;
        if (haechi_ossl_is(p, OSSL_CIPHER_PARAM_KEYLEN) &&
            (!haechi_ossl_get(p, &keylen) || keylen != c->cipher->key))
            return FAIL(c->core, REASON_KEY_LENGTH);
    }
    return 1;
}

int haechi_ossl_aead_get(void *context, OSSL_PARAM params[])
{
    struct context *const c = context;
    OSSL_PARAM *p;

    if (!haechi_ossl_put(params, OSSL_CIPHER_PARAM_KEYLEN, c->cipher->key) ||
        !haechi_ossl_put(params, OSSL_CIPHER_PARAM_IVLEN, c->ivlen) ||
        !haechi_ossl_put(params, OSSL_CIPHER_PARAM_AEAD_TAGLEN, c->taglen == UNSET ? 16 : c->taglen) ||
        !haechi_ossl_put(params, OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, c->cipher->mode == GCM ? 16 : c->taglen) ||
        !haechi_ossl_put_octets(params, OSSL_CIPHER_PARAM_IV, c->iv, c->ivlen) ||
        !haechi_ossl_put_octets(params, OSSL_CIPHER_PARAM_UPDATED_IV, c->iv, c->ivlen))
        return FAIL(c->core, REASON_PARAMETER);
    p = haechi_ossl_find(params, OSSL_CIPHER_PARAM_AEAD_TAG);
    if (p != NULL) {
        if (!c->encrypts || !c->has_tag) return FAIL(c->core, REASON_NO_TAG);
        if (p->data_size > c->taglen || !tag_length(c, p->data_size)) return FAIL(c->core, REASON_TAG_LENGTH);
        if (!haechi_ossl_put_octets(params, OSSL_CIPHER_PARAM_AEAD_TAG, c->tag, p->data_size))
            return FAIL(c->core, REASON_PARAMETER);
    }
    p = haechi_ossl_find(params, OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN);
    return p == NULL || c->cipher->mode != GCM || get_generated(c, p);
}

const OSSL_PARAM *haechi_ossl_aead_gettable(void *context, void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_AEAD_TAGLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_UPDATED_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_AAD_PAD, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_GET_IV_GEN, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)context, (void)core;
    return table;
}

const OSSL_PARAM *haechi_ossl_aead_settable(void *context, void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_AEAD_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_AEAD_TAG, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_AAD, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_AEAD_TLS1_SET_IV_INV, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)context, (void)core;
    return table;
}

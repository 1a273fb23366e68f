/* plain.c - the modes without associated data: ECB, CBC, CBC-CTS, CTR, OFB, CFB, CFB8, CFB1, XTS, key wrap.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The manners are those of OpenSSL's own ciphers: ECB and CBC buffer what does not fill a block and pad unless told
 * otherwise; CBC-CTS and key wrap take a message in one call; initialisation without an IV begins again at the last
 * one, but CTR goes on. */
#include "cipher.h"

#include <haechi_legacy.h>
#include <openssl/core_names.h>
#include <string.h>

/* It holds no pointer into itself, so a copy is a duplicate. */
struct context {
    const struct core *core;
    const struct cipher *cipher;
    uint8_t encrypts, has_key, has_iv;
    uint8_t pads;             /* ECB, CBC: as PKCS#7 has it */
    uint8_t in_bits;          /* CFB1: lengths are in bits */
    uint8_t variant;          /* CBC-CTS: 1, 2 or 3 */
    uint8_t spent;            /* CBC-CTS: the message has come, and the next one needs an initialisation */
    uint8_t held;             /* ECB, CBC: bytes of buffer that wait for the rest of their block */
    uint8_t buffer[16];
    uint8_t given[16];        /* the IV that the last initialisation was given */
    haechi_stream stream;     /* its iv is the block that chains or counts, in every mode */
    union {
        haechi_any_key key;
        haechi_any_xts xts;
    } u;
};

void *haechi_ossl_plain_new(const struct core *core, const struct cipher *cipher)
{
    struct context *const c = core->zalloc(sizeof *c, __FILE__, __LINE__);

    if (c == NULL) {
        FAIL(core, REASON_MEMORY);
        return NULL;
    }
    c->core = core;
    c->cipher = cipher;
    c->pads = 1;
    c->variant = 1; /* OpenSSL's default */
    return c;
}

void haechi_ossl_plain_free(void *context)
{
    struct context *const c = context;

    if (c != NULL) c->core->clear_free(c, sizeof *c, __FILE__, __LINE__);
}

void *haechi_ossl_plain_dup(void *context)
{
    const struct context *const c = context;
    struct context *const copy = c->core->zalloc(sizeof *copy, __FILE__, __LINE__);

    if (copy == NULL) FAIL(c->core, REASON_MEMORY);
    else *copy = *c;
    return copy;
}

/* ---- Initialisation. */

/* Whether decryption takes the inverse cipher. */
static int turns(enum mode mode)
{
    return mode == ECB || mode == CBC || mode == CTS || mode == XTS || mode == KW || mode == KWP;
}

/* Whether a message comes in one call. */
static int in_one_call(enum mode mode)
{
    return mode == CTS || mode == KW || mode == KWP;
}

static int expand(struct context *c, const uint8_t *key, size_t len)
{
    const struct cipher *const cipher = c->cipher;
    haechi_cipher *const direction = turns(cipher->mode) && !c->encrypts ? cipher->inverse : cipher->forward;
    int error;

    c->has_key = 0;
    if (len != cipher->key) return FAIL(c->core, REASON_KEY_LENGTH);
    if (cipher->mode == XTS) {
        if (haechi_verify(key, key + len / 2, len / 2) == HAECHI_OK) return FAIL(c->core, REASON_KEYS_EQUAL);
        error = haechi_xts_init(&c->u.xts.xts, sizeof c->u.xts, direction, cipher->forward, key, len);
    } else {
        error = haechi_init(&c->u.key.key, sizeof c->u.key, direction, key, len);
    }
    if (error) return REFUSE(c->core, error);
    c->has_key = 1;
    return 1;
}

/* Key wrap has no IV, but OpenSSL gives its ciphers one: the constant that the mode begins with (SP 800-38F). */
static const uint8_t icv1[8] = { 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6, 0xa6 }, icv2[4] = { 0xa6, 0x59, 0x59, 0xa6 };

static int init(struct context *c, int encrypts, const uint8_t *key, size_t keylen, const uint8_t *iv, size_t ivlen,
                const OSSL_PARAM params[])
{
    const enum mode mode = c->cipher->mode;

    /* Whoever turns round without a key would go on with the key of the other direction. */
    if (key == NULL && c->encrypts != !!encrypts && turns(mode)) c->has_key = 0;
    c->encrypts = !!encrypts;
    c->held = c->stream.used = c->spent = 0;
    if (iv != NULL && mode != ECB) {
        if (ivlen != c->cipher->iv) return FAIL(c->core, REASON_IV_LENGTH);
        if ((mode == KW || mode == KWP) && memcmp(iv, mode == KW ? icv1 : icv2, ivlen))
            return FAIL(c->core, REASON_INITIAL_VALUE);
        memcpy(c->given, iv, ivlen);
        memcpy(c->stream.iv, iv, ivlen);
        c->has_iv = 1;
    } else if (c->has_iv && mode != CTR) {
        memcpy(c->stream.iv, c->given, c->cipher->iv);
    }
    if (key != NULL && !expand(c, key, keylen)) return 0;
    return haechi_ossl_plain_set(c, params);
}

int haechi_ossl_plain_encrypt(void *context, const unsigned char *key, size_t keylen, const unsigned char *iv,
                              size_t ivlen, const OSSL_PARAM params[])
{
    return init(context, 1, key, keylen, iv, ivlen, params);
}

int haechi_ossl_plain_decrypt(void *context, const unsigned char *key, size_t keylen, const unsigned char *iv,
                              size_t ivlen, const OSSL_PARAM params[])
{
    return init(context, 0, key, keylen, iv, ivlen, params);
}

/* ---- Text. */

static int ready(const struct context *c)
{
    const enum mode mode = c->cipher->mode;

    if (!c->has_key) return FAIL(c->core, REASON_NO_KEY);
    if (!c->has_iv && mode != ECB && mode != KW && mode != KWP) return FAIL(c->core, REASON_NO_IV);
    return 1;
}

/* len bytes, of ECB and CBC a whole number of blocks. */
static int work(struct context *c, uint8_t *out, const uint8_t *in, size_t len)
{
    haechi_key *const key = &c->u.key.key;
    uint8_t *const iv = c->stream.iv;
    const int encrypts = c->encrypts;
    int error = HAECHI_EUSE;

    if (haechi_ossl_overlap(out, len, in, len)) return FAIL(c->core, REASON_OVERLAP);
    switch (c->cipher->mode) {
    case ECB: error = haechi_ecb(key, out, in, len); break;
    case CBC: error = (encrypts ? haechi_cbc_encrypt : haechi_cbc_decrypt)(key, iv, out, in, len); break;
    case CTR: error = haechi_ctr(key, &c->stream, out, in, len); break;
    case OFB: error = haechi_ofb(key, &c->stream, out, in, len); break;
    case CFB: error = (encrypts ? haechi_cfb_encrypt : haechi_cfb_decrypt)(key, &c->stream, out, in, len); break;
    case CFB8: error = (encrypts ? haechi_cfb8_encrypt : haechi_cfb8_decrypt)(key, iv, out, in, len); break;
    case CFB1:
        if (!c->in_bits && len > SIZE_MAX / 8) return FAIL(c->core, REASON_MESSAGE_LENGTH);
        error = (encrypts ? haechi_cfb1_encrypt : haechi_cfb1_decrypt)(key, iv, out, in, c->in_bits ? len : 8 * len);
        break;
    case XTS:
        error = (encrypts ? haechi_xts_encrypt : haechi_xts_decrypt)(&c->u.xts.xts, iv, out, in, len);
        break;
    default: break;
    }
    return error ? REFUSE(c->core, error) : 1;
}

/* What was held back, with the bytes that complete its block, and then the other whole blocks of in. */
static int work_held(struct context *c, uint8_t *out, const uint8_t *in, size_t whole)
{
    const size_t block = c->cipher->block, missing = block - c->held;

    memcpy(c->buffer + c->held, in, missing);
    if (!work(c, c->buffer, c->buffer, block)) return 0;
    memcpy(out, c->buffer, block);
    return whole == block || work(c, out + block, in + missing, whole - block);
}

/* ECB and CBC.  With padding, decryption holds the last whole block back: it may be the padding. */
static int update_blocks(struct context *c, uint8_t *out, size_t *outlen, size_t room, const uint8_t *in, size_t len)
{
    const size_t block = c->cipher->block, all = c->held + len;
    size_t whole = all - all % block, used;
    uint8_t tail[16], *copy = NULL;
    int done = 1;

    if (all < len) return FAIL(c->core, REASON_MESSAGE_LENGTH);
    if (!c->encrypts && c->pads && whole == all && whole) whole -= block;
    if (whole > room) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
    used = whole ? whole - c->held : 0;
    memcpy(tail, in + used, len - used); /* in place, the output may take its place */
    if (whole && c->held) {
        /* Output runs ahead of input by what was held back. */
        if (used && (out == in || haechi_ossl_overlap(out, used, in, used))) {
            copy = c->core->zalloc(used, __FILE__, __LINE__);
            if (copy == NULL) return FAIL(c->core, REASON_MEMORY);
            memcpy(copy, in, used);
        }
        done = work_held(c, out, copy == NULL ? in : copy, whole);
        if (copy != NULL) c->core->clear_free(copy, used, __FILE__, __LINE__);
    } else if (whole) {
        done = work(c, out, in, whole);
    }
    if (done) {
        if (whole) c->held = 0;
        memcpy(c->buffer + c->held, tail, len - used);
        c->held = (uint8_t)(c->held + len - used);
        *outlen = whole;
    }
    haechi_wipe(tail, sizeof tail);
    return done;
}

static int final_padded(struct context *c, uint8_t *out, size_t *outlen, size_t room)
{
    const uint8_t block = c->cipher->block;
    uint8_t pad, differs = 0;

    if (c->encrypts) {
        if (room < block) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
        memset(c->buffer + c->held, block - c->held, (size_t)(block - c->held));
        if (!work(c, out, c->buffer, block)) return 0;
        *outlen = block;
        return 1;
    }
    if (c->held != block) return FAIL(c->core, REASON_PARTIAL_BLOCK);
    if (!work(c, c->buffer, c->buffer, block)) return 0;
    pad = c->buffer[block - 1];
    if (pad == 0 || pad > block) return FAIL(c->core, REASON_PADDING);
    for (uint8_t i = (uint8_t)(block - pad); i < block; i++) differs |= c->buffer[i] ^ pad;
    if (differs) return FAIL(c->core, REASON_PADDING);
    if (room < (size_t)(block - pad)) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
    memcpy(out, c->buffer, (size_t)(block - pad));
    *outlen = (size_t)(block - pad);
    return 1;
}

/* A message in one call.  Without an out, the call asks how much room the result takes at most. */
static int work_whole(struct context *c, uint8_t *out, size_t *outlen, size_t room, const uint8_t *in, size_t len)
{
    const haechi_key *const key = &c->u.key.key;
    const enum mode mode = c->cipher->mode;
    const uint8_t *const iv = c->given;
    const int encrypts = c->encrypts;
    size_t made = len;
    int error;

    if (len > SIZE_MAX - 16 || (mode != CTS && !encrypts && len < 8)) return FAIL(c->core, REASON_MESSAGE_LENGTH);
    if (mode != CTS) made = !encrypts ? len - 8 : mode == KW ? len + 8 : HAECHI_KWP_SIZE(len);
    if (out == NULL) {
        *outlen = made;
        return 1;
    }
    if (in == NULL) return FAIL(c->core, REASON_PARAMETER);
    if (c->spent) return FAIL(c->core, REASON_ORDER);
    if (room < made) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
    if (haechi_ossl_overlap(out, made, in, len)) return FAIL(c->core, REASON_OVERLAP);
    if (mode == CTS)
        error = (encrypts ? haechi_cbc_cts_encrypt : haechi_cbc_cts_decrypt)(key, iv, c->variant, out, in, len);
    else if (mode == KW)
        error = (encrypts ? haechi_kw_wrap : haechi_kw_unwrap)(key, out, in, len);
    else
        error = encrypts ? haechi_kwp_wrap(key, out, in, len) : haechi_kwp_unwrap(key, out, &made, in, len);
    if (error == HAECHI_EAUTH) return FAIL(c->core, REASON_UNWRAP);
    if (error) return REFUSE(c->core, error);
    c->spent = mode == CTS;
    *outlen = made;
    return 1;
}

int haechi_ossl_plain_update(void *context, unsigned char *out, size_t *outlen, size_t room, const unsigned char *in,
                             size_t len)
{
    struct context *const c = context;
    const enum mode mode = c->cipher->mode;

    *outlen = 0;
    if (!ready(c)) return 0;
    if (in_one_call(mode)) return work_whole(c, out, outlen, room, in, len);
    if (len == 0) return 1;
    if (in == NULL || out == NULL) return FAIL(c->core, REASON_PARAMETER);
    if (mode == ECB || mode == CBC) return update_blocks(c, out, outlen, room, in, len);
    if (room < len) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
    if (!work(c, out, in, len)) return 0;
    *outlen = len;
    return 1;
}

int haechi_ossl_plain_final(void *context, unsigned char *out, size_t *outlen, size_t room)
{
    struct context *const c = context;
    int done = 1;

    *outlen = 0;
    if (!ready(c)) return 0;
    if (c->cipher->mode != ECB && c->cipher->mode != CBC) return 1;
    if (c->pads) done = final_padded(c, out, outlen, room);
    else if (c->held) return FAIL(c->core, REASON_PARTIAL_BLOCK);
    haechi_wipe(c->buffer, sizeof c->buffer);
    if (done) c->held = 0;
    return done;
}

/* EVP_Cipher: one piece, neither buffered nor padded. */
int haechi_ossl_plain_once(void *context, unsigned char *out, size_t *outlen, size_t room, const unsigned char *in,
                           size_t len)
{
    struct context *const c = context;

    *outlen = 0;
    if (!ready(c)) return 0;
    if (len == 0) return 1;
    if (in_one_call(c->cipher->mode)) return work_whole(c, out, outlen, room, in, len);
    if (in == NULL || out == NULL) return FAIL(c->core, REASON_PARAMETER);
    if (room < len) return FAIL(c->core, REASON_OUTPUT_TOO_SMALL);
    if (!work(c, out, in, len)) return 0;
    *outlen = len;
    return 1;
}

/* ---- Parameters. */

/* What OpenSSL calls num: how much of the current block of CTR, OFB or CFB is spent. */
static int set_num(struct context *c, size_t num)
{
    const enum mode mode = c->cipher->mode;

    if (mode != CTR && mode != OFB && mode != CFB) return 1;
    if (num >= c->cipher->block) return FAIL(c->core, REASON_PARAMETER);
    c->stream.used = (uint8_t)num;
    return 1;
}

/* The variant of CBC-CTS, by its name in SP 800-38A's addendum: "CS1" to "CS3". */
static int set_variant(struct context *c, const OSSL_PARAM *p)
{
    const char *const name = p->data;

    if (p->data_type != OSSL_PARAM_UTF8_STRING || name == NULL || p->data_size < 3 || (name[0] | 0x20) != 'c' ||
        (name[1] | 0x20) != 's' || name[2] < '1' || name[2] > '3' || (p->data_size > 3 && name[3] != 0))
        return FAIL(c->core, REASON_PARAMETER);
    c->variant = (uint8_t)(name[2] - '0');
    return 1;
}

int haechi_ossl_plain_set(void *context, const OSSL_PARAM params[])
{
    struct context *const c = context;

    for (const OSSL_PARAM *p = params; p != NULL && p->key != NULL; p++) {
        const int pads = haechi_ossl_is(p, OSSL_CIPHER_PARAM_PADDING);
        const int bits = haechi_ossl_is(p, OSSL_CIPHER_PARAM_USE_BITS);
        const int num = haechi_ossl_is(p, OSSL_CIPHER_PARAM_NUM);
        const int keylen = haechi_ossl_is(p, OSSL_CIPHER_PARAM_KEYLEN);
        size_t value;
        if (c->cipher->mode == CTS && haechi_ossl_is(p, OSSL_CIPHER_PARAM_CTS_MODE) && !set_variant(c, p)) return 0;
        if (!pads && !bits && !num && !keylen) continue; /* libcrypto passes on what other ciphers know */
        if (!haechi_ossl_get(p, &value)) return FAIL(c->core, REASON_PARAMETER);
        if (pads) c->pads = value != 0;
        if (bits) c->in_bits = value != 0;
        if (num && !set_num(c, value)) return 0;
        if (keylen && value != c->cipher->key) return FAIL(c->core, REASON_KEY_LENGTH);
    }
    return 1;
}

int haechi_ossl_plain_get(void *context, OSSL_PARAM params[])
{
    static const char *const variants[] = { "CS1", "CS2", "CS3" };
    const struct context *const c = context;
    const size_t ivlen = c->cipher->iv;

    return (haechi_ossl_put(params, OSSL_CIPHER_PARAM_KEYLEN, c->cipher->key) &&
            haechi_ossl_put(params, OSSL_CIPHER_PARAM_IVLEN, ivlen) &&
            haechi_ossl_put(params, OSSL_CIPHER_PARAM_PADDING, c->pads) &&
            haechi_ossl_put(params, OSSL_CIPHER_PARAM_NUM, c->stream.used) &&
            haechi_ossl_put_text(params, OSSL_CIPHER_PARAM_CTS_MODE, variants[c->variant - 1]) &&
            haechi_ossl_put_octets(params, OSSL_CIPHER_PARAM_IV, c->given, ivlen) &&
            haechi_ossl_put_octets(params, OSSL_CIPHER_PARAM_UPDATED_IV, c->stream.iv, ivlen)) ||
           FAIL(c->core, REASON_PARAMETER);
}

const OSSL_PARAM *haechi_ossl_plain_gettable(void *context, void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_IVLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_PADDING, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_NUM, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_CTS_MODE, OSSL_PARAM_UTF8_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { OSSL_CIPHER_PARAM_UPDATED_IV, OSSL_PARAM_OCTET_STRING, NULL, 0, 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)context, (void)core;
    return table;
}

const OSSL_PARAM *haechi_ossl_plain_settable(void *context, void *core)
{
    static const OSSL_PARAM table[] = {
        { OSSL_CIPHER_PARAM_KEYLEN, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(size_t), 0 },
        { OSSL_CIPHER_PARAM_PADDING, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_NUM, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_USE_BITS, OSSL_PARAM_UNSIGNED_INTEGER, NULL, sizeof(unsigned), 0 },
        { OSSL_CIPHER_PARAM_CTS_MODE, OSSL_PARAM_UTF8_STRING, NULL, 0, 0 },
        { NULL, 0, NULL, 0, 0 },
    };
    (void)context, (void)core;
    return table;
}

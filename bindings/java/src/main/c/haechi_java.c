/* haechi_java.c - the native methods of haechi.Context, which call the library and do nothing else.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A method returns 0, a count, or one of the library's errors, which Context.java knows by the names of haechi.h.
 *
 * Bytes come as an array and an index, or as the address of a direct buffer if the array is null.  Arrays are not
 * copied: they are held in place while the library works on them, which may keep the garbage collector waiting.  Large
 * arrays are therefore held for one slice after the other.  Only the decryption of an AEAD needs the whole message
 * before it may write anything: above AT_ONCE bytes it works on copies of what is in arrays. */
#include <haechi_jobs.h>
#include <haechi_random.h>
#include <haechi_stream.h>
#include <jni.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLICE = 1 << 16,   /* bytes, whole blocks: some microseconds of work */
    AT_ONCE = 1 << 20, /* bytes */
    NO_MEMORY = -100,  /* beside the errors of haechi.h */
};

struct secret {
    uint8_t bytes[32];
    size_t len; /* 0: there is none */
};

/* What one Cipher, Mac or SecureRandom keeps in native memory, where no garbage collector copies it. */
struct context {
    union {
        haechi_any_key key;
        haechi_any_aead aead;
    } u;
    haechi_stream position; /* of CTR, OFB, CFB; its iv is what the other modes chain */
    haechi_aead_stream pieces;
    haechi_cmac mac;
    haechi_drbg generator;
    struct secret given; /* the key that was expanded */
    uint8_t turned;      /* for the inverse cipher */
    struct secret last;  /* the key of the last encryption by an AEAD */
};

static jfieldID address_field; /* Context.address */

static struct context *of(JNIEnv *env, jobject self)
{
    return (struct context *)(intptr_t)(*env)->GetLongField(env, self, address_field);
}

/* ---- Bytes. */

struct bytes {
    jbyteArray array; /* NULL: at is an address */
    jlong at, len;
    uint8_t *base; /* of the array, while it is held */
};

/* Whether these bytes exist: no mistake of a caller, and no race between two of them, reaches memory beside an array. */
static int exist(JNIEnv *env, const struct bytes *b)
{
    return b->len >= 0 && (b->array == NULL ? b->at != 0 || b->len == 0
                                            : b->at >= 0 && b->at <= (*env)->GetArrayLength(env, b->array) - b->len);
}

/* Holds the array in place until let_go.  Meanwhile no other function of Java may be called.  0: there is no memory. */
static int hold(JNIEnv *env, struct bytes *b)
{
    if (b->array == NULL || b->len == 0) return 1;
    b->base = (*env)->GetPrimitiveArrayCritical(env, b->array, NULL);
    return b->base != NULL;
}

static void let_go(JNIEnv *env, struct bytes *b, jint mode)
{
    if (b->array != NULL && b->base != NULL) (*env)->ReleasePrimitiveArrayCritical(env, b->array, b->base, mode);
    b->base = NULL;
}

static uint8_t *start(const struct bytes *b)
{
    if (b->len == 0) return NULL;
    return b->array == NULL ? (uint8_t *)(intptr_t)b->at : b->base + b->at;
}

/* Holds in and out.  One array is held once, because a Java machine may answer with a copy each time. */
static int hold_both(JNIEnv *env, struct bytes *in, struct bytes *out, int same)
{
    if (!hold(env, out)) return 0;
    if (same) {
        in->base = out->base;
        return 1;
    }
    if (hold(env, in)) return 1;
    let_go(env, out, JNI_ABORT);
    return 0;
}

static void let_both_go(JNIEnv *env, struct bytes *in, struct bytes *out, int same)
{
    if (same) in->base = NULL;
    else let_go(env, in, JNI_ABORT);
    let_go(env, out, 0);
}

/* Whether both are bytes of one array.  Of an array nothing is held where there are no bytes. */
static int one_array(JNIEnv *env, const struct bytes *a, const struct bytes *b)
{
    return a->array != NULL && b->array != NULL && a->len && b->len && (*env)->IsSameObject(env, a->array, b->array);
}

/* Calls work on successive slices of in and out, which are equally long. */
typedef int work_fn(struct context *c, int what, uint8_t *out, const uint8_t *in, size_t len);

static int in_slices(JNIEnv *env, struct context *c, work_fn *work, int what, struct bytes in, struct bytes out)
{
    const jlong len = in.len;
    const int same = one_array(env, &in, &out);
    int error = HAECHI_OK;

    for (jlong done = 0; done < len && !error; done += in.len, in.at += in.len, out.at += in.len) {
        in.len = len - done > SLICE ? SLICE : len - done;
        if (!hold_both(env, &in, &out, same)) return NO_MEMORY;
        error = work(c, what, start(&out), start(&in), (size_t)in.len);
        let_both_go(env, &in, &out, same);
    }
    return error;
}

/* Copies a short array, such as an IV, to bytes of the caller.  0: it has more than most bytes. */
static int copy_short(JNIEnv *env, uint8_t *to, size_t most, jbyteArray from, size_t *len)
{
    *len = from == NULL ? 0 : (size_t)(*env)->GetArrayLength(env, from);
    if (*len > most) return 0;
    if (*len) (*env)->GetByteArrayRegion(env, from, 0, (jsize)*len, (jbyte *)to);
    return 1;
}

/* ---- Memory. */

static jlong allocate(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return (jlong)(intptr_t)calloc(1, sizeof(struct context));
}

static void release(JNIEnv *env, jclass self, jlong address)
{
    void *const c = (void *)(intptr_t)address;

    (void)env, (void)self;
    haechi_wipe(c, sizeof(struct context));
    free(c);
}

static jlong address_of(JNIEnv *env, jclass self, jobject buffer)
{
    (void)self;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

/* ---- Keys. */

enum { FAMILIES = 3, SIZES = 3 }; /* as in Family.java; keys of 16, 24 and 32 bytes */

static haechi_cipher *const forward[FAMILIES][SIZES] = {
    { &haechi_lea128, &haechi_lea192, &haechi_lea256 },
    { &haechi_hight, NULL, NULL },
    { &haechi_aria128, &haechi_aria192, &haechi_aria256 },
};
static haechi_cipher *const inverse[FAMILIES][SIZES] = {
    { &haechi_lea128_inv, &haechi_lea192_inv, &haechi_lea256_inv },
    { &haechi_hight_inv, NULL, NULL },
    { &haechi_aria128_inv, &haechi_aria192_inv, &haechi_aria256_inv },
};
static haechi_mode *const modes[] = { &haechi_gcm, &haechi_ccm, &haechi_eax }; /* as in Mode.java */

/* NULL: there is no key of this length. */
static haechi_cipher *cipher(haechi_cipher *const table[FAMILIES][SIZES], jint family, size_t len)
{
    if (family < 0 || family >= FAMILIES || len < 16 || len > 32 || len % 8) return NULL;
    return table[family][len / 8 - 2];
}

/* The key that Java gives; has no length if it is none. */
static struct secret take_key(JNIEnv *env, jbyteArray key)
{
    struct secret taken = { { 0 }, 0 };

    if (!copy_short(env, taken.bytes, sizeof taken.bytes, key, &taken.len)) taken.len = 0;
    return taken;
}

static int same_key(const struct secret *a, const struct secret *b)
{
    return a->len == b->len && haechi_verify(a->bytes, b->bytes, a->len) == HAECHI_OK;
}

/* A key that has been expanded is not expanded again: most programs give the same one with every IV. */
static jint set_key(JNIEnv *env, jobject self, jint family, jboolean turned, jbyteArray key)
{
    struct context *const c = of(env, self);
    struct secret k = take_key(env, key);
    int error = HAECHI_OK;

    if (c->turned != turned || !same_key(&k, &c->given)) {
        error = haechi_init(&c->u.key.key, sizeof c->u.key, cipher(turned ? inverse : forward, family, k.len), k.bytes, k.len);
        c->given = k;
        c->turned = turned;
        if (error) c->given.len = 0;
    }
    haechi_wipe(&k, sizeof k);
    return error;
}

static jint set_aead_key(JNIEnv *env, jobject self, jint mode, jint family, jbyteArray key)
{
    struct context *const c = of(env, self);
    struct secret k = take_key(env, key);
    int error = HAECHI_OK;

    if (!same_key(&k, &c->given)) {
        error = haechi_aead_init(&c->u.aead.aead, sizeof c->u.aead, modes[mode], cipher(forward, family, k.len), k.bytes, k.len);
        c->given = k;
        if (error) c->given.len = 0;
    }
    haechi_wipe(&k, sizeof k);
    return error;
}

/* An encryption begins under the key that was set. */
static void remember_key(JNIEnv *env, jobject self)
{
    struct context *const c = of(env, self);

    c->last = c->given;
}

/* Whether the last encryption by an AEAD was under this key. */
static jboolean encrypted_under(JNIEnv *env, jobject self, jbyteArray key)
{
    struct secret k = take_key(env, key);
    const int same = same_key(&k, &of(env, self)->last);

    haechi_wipe(&k, sizeof k);
    return same ? JNI_TRUE : JNI_FALSE;
}

static jstring kernel(JNIEnv *env, jobject self)
{
    const char *const name = haechi_kernel_name(&of(env, self)->u.key.key);

    return name == NULL ? NULL : (*env)->NewStringUTF(env, name);
}

/* ---- Modes without authentication. */

enum { ECB, CBC, CTR, OFB, CFB, CFB8 }; /* as in Mode.java, after the AEADs; decryption adds DECRYPTS */
enum { DECRYPTS = 16 };

static int crypt_slice(struct context *c, int what, uint8_t *out, const uint8_t *in, size_t len)
{
    const haechi_key *const k = &c->u.key.key;
    haechi_stream *const s = &c->position;

    switch (what) {
    case ECB:
    case ECB + DECRYPTS: return haechi_ecb(k, out, in, len);
    case CBC: return haechi_cbc_encrypt(k, s->iv, out, in, len);
    case CBC + DECRYPTS: return haechi_cbc_decrypt(k, s->iv, out, in, len);
    case CTR:
    case CTR + DECRYPTS: return haechi_ctr(k, s, out, in, len);
    case OFB:
    case OFB + DECRYPTS: return haechi_ofb(k, s, out, in, len);
    case CFB: return haechi_cfb_encrypt(k, s, out, in, len);
    case CFB + DECRYPTS: return haechi_cfb_decrypt(k, s, out, in, len);
    case CFB8: return haechi_cfb8_encrypt(k, s->iv, out, in, len);
    case CFB8 + DECRYPTS: return haechi_cfb8_decrypt(k, s->iv, out, in, len);
    default: return HAECHI_EUSE;
    }
}

static jint crypt_bytes(JNIEnv *env, jobject self, jint what, jbyteArray in, jlong in_at, jbyteArray out, jlong out_at,
                        jint len)
{
    const struct bytes from = { in, in_at, len, NULL }, to = { out, out_at, len, NULL };

    if (!exist(env, &from) || !exist(env, &to)) return HAECHI_EUSE;
    return in_slices(env, of(env, self), crypt_slice, what, from, to);
}

/* The position becomes the beginning of a message with this IV. */
static void set_iv(JNIEnv *env, jobject self, jbyteArray iv)
{
    haechi_stream *const s = &of(env, self)->position;
    size_t len;

    memset(s, 0, sizeof *s);
    (void)copy_short(env, s->iv, sizeof s->iv, iv, &len);
}

/* Decrypts one block after the block before it, or after the position's where before is null, which stays. */
static jint decrypt_block(JNIEnv *env, jobject self, jint what, jbyteArray before, jbyteArray block)
{
    struct context *const c = of(env, self);
    uint8_t iv[16], text[16];
    size_t len;
    int error;

    memcpy(iv, c->position.iv, sizeof iv);
    if (before != NULL && !copy_short(env, iv, sizeof iv, before, &len)) return HAECHI_ELEN;
    if (!copy_short(env, text, sizeof text, block, &len)) return HAECHI_ELEN;
    error = what == ECB ? haechi_ecb(&c->u.key.key, text, text, len)
                        : haechi_cbc_decrypt(&c->u.key.key, iv, text, text, len);
    if (!error) (*env)->SetByteArrayRegion(env, block, 0, (jsize)len, (const jbyte *)text);
    haechi_wipe(text, sizeof text);
    return error;
}

/* ---- Key wrap. */

/* The length of the result, or an error. */
static jint wrap(JNIEnv *env, jobject self, jboolean pads, jboolean encrypts, jbyteArray in, jint len, jbyteArray out)
{
    const haechi_key *const k = &of(env, self)->u.key.key;
    struct bytes from = { in, 0, len, NULL }, to = { out, 0, encrypts ? (jlong)len + 15 : len, NULL };
    size_t made = 0;
    int error;

    if (!exist(env, &from) || !exist(env, &to) || one_array(env, &from, &to)) return HAECHI_EUSE;
    if (!hold_both(env, &from, &to, 0)) return NO_MEMORY;
    if (encrypts) {
        made = pads ? HAECHI_KWP_SIZE((size_t)len) : (size_t)len + 8;
        error = (pads ? haechi_kwp_wrap : haechi_kw_wrap)(k, start(&to), start(&from), (size_t)len);
    } else if (pads) {
        error = haechi_kwp_unwrap(k, start(&to), &made, start(&from), (size_t)len);
    } else {
        made = (size_t)len - 8;
        error = haechi_kw_unwrap(k, start(&to), start(&from), (size_t)len);
    }
    let_both_go(env, &from, &to, 0);
    return error ? error : (jint)made;
}

/* ---- Authenticated encryption. */

static int encrypt_slice(struct context *c, int what, uint8_t *out, const uint8_t *in, size_t len)
{
    (void)what;
    return haechi_aead_encrypt(&c->u.aead.aead, &c->pieces, out, in, len);
}

static int aad_slice(struct context *c, int what, uint8_t *out, const uint8_t *in, size_t len)
{
    (void)what, (void)out;
    return haechi_aead_aad(&c->u.aead.aead, &c->pieces, in, len);
}

/* An IV of any length that Java can have: on the stack if it is short, as all usual ones are. */
struct iv {
    uint8_t here[64], *p;
    size_t len;
};

static int take_iv(JNIEnv *env, struct iv *iv, jbyteArray from)
{
    const size_t len = (size_t)(*env)->GetArrayLength(env, from);

    iv->p = len > sizeof iv->here ? malloc(len) : iv->here;
    return iv->p != NULL && copy_short(env, iv->p, len, from, &iv->len);
}

static void drop_iv(struct iv *iv)
{
    if (iv->p != iv->here) free(iv->p);
}

/* Begins a message of which aadlen and len bytes will come. */
static int begin(JNIEnv *env, struct context *c, jbyteArray iv, jlong aadlen, jlong len, jint taglen)
{
    struct iv nonce;
    int error;

    if (!take_iv(env, &nonce, iv)) return NO_MEMORY;
    error = haechi_aead_begin(&c->u.aead.aead, &c->pieces, nonce.p, nonce.len, (haechi_length)aadlen, (haechi_length)len,
                              (size_t)taglen);
    drop_iv(&nonce);
    return error;
}

static jint aead_begin(JNIEnv *env, jobject self, jbyteArray iv, jint taglen)
{
    return begin(env, of(env, self), iv, 0, 0, taglen);
}

static jint aead_aad(JNIEnv *env, jobject self, jbyteArray aad, jlong at, jint len)
{
    const struct bytes from = { aad, at, len, NULL };

    if (!exist(env, &from)) return HAECHI_EUSE;
    return in_slices(env, of(env, self), aad_slice, 0, from, from);
}

static jint aead_encrypt(JNIEnv *env, jobject self, jbyteArray in, jlong in_at, jbyteArray out, jlong out_at, jint len)
{
    const struct bytes from = { in, in_at, len, NULL }, to = { out, out_at, len, NULL };

    if (!exist(env, &from) || !exist(env, &to)) return HAECHI_EUSE;
    return in_slices(env, of(env, self), encrypt_slice, 0, from, to);
}

static jint aead_tag(JNIEnv *env, jobject self, jbyteArray out, jlong out_at, jint taglen)
{
    struct context *const c = of(env, self);
    struct bytes to = { out, out_at, taglen, NULL };
    int error;

    if (!exist(env, &to)) return HAECHI_EUSE;
    if (!hold(env, &to)) return NO_MEMORY;
    error = haechi_aead_tag(&c->u.aead.aead, &c->pieces, start(&to), (size_t)taglen);
    let_go(env, &to, 0);
    return error;
}

/* A whole message: len bytes of text at in, and text and tag at out. */
static jint seal(JNIEnv *env, jobject self, jbyteArray iv, jbyteArray aad, jint aadlen, jbyteArray in, jlong in_at,
                 jint len, jbyteArray out, jlong out_at, jint taglen)
{
    struct context *const c = of(env, self);
    struct bytes with = { aad, 0, aadlen, NULL }, from = { in, in_at, len, NULL };
    struct bytes to = { out, out_at, (jlong)len + taglen, NULL };
    struct iv nonce;
    int error = NO_MEMORY;

    if (taglen < 0 || !exist(env, &with) || !exist(env, &from) || !exist(env, &to)) return HAECHI_EUSE;
    if ((jlong)aadlen + len > SLICE) {
        error = begin(env, c, iv, aadlen, len, taglen);
        if (!error) error = in_slices(env, c, aad_slice, 0, with, with);
        if (!error) error = in_slices(env, c, encrypt_slice, 0, from, to);
        if (!error) error = aead_tag(env, self, out, out_at + len, taglen);
        return error;
    }
    if (!take_iv(env, &nonce, iv)) return NO_MEMORY;
    const int same = one_array(env, &from, &to);
    if (hold_both(env, &from, &to, same)) {
        if (hold(env, &with)) {
            error = haechi_seal(&c->u.aead.aead, nonce.p, nonce.len, start(&with), (size_t)aadlen, start(&to),
                                start(&from), (size_t)len, start(&to) + len, (size_t)taglen);
            let_go(env, &with, JNI_ABORT);
        }
        let_both_go(env, &from, &to, same);
    }
    drop_iv(&nonce);
    return error;
}

/* Copies all of an array to memory, or back, a slice at a time: the virtual machine cannot stop this thread meanwhile. */
static void copy_slices(JNIEnv *env, const struct bytes *array, uint8_t *memory, int back)
{
    for (jlong done = 0, n; done < array->len; done += n) {
        n = array->len - done > AT_ONCE ? AT_ONCE : array->len - done;
        if (back) (*env)->SetByteArrayRegion(env, array->array, (jsize)(array->at + done), (jsize)n, (jbyte *)memory + done);
        else (*env)->GetByteArrayRegion(env, array->array, (jsize)(array->at + done), (jsize)n, (jbyte *)memory + done);
    }
}

/* Opens a message while no array is held. */
static int open_long(JNIEnv *env, struct context *c, const struct iv *nonce, const struct bytes *with, const struct bytes *from,
                     const struct bytes *to, size_t taglen)
{
    const size_t len = (size_t)to->len;
    uint8_t *const aad = malloc((size_t)with->len + 1);
    const int copies = from->array != NULL || to->array != NULL;
    uint8_t *const copy = copies ? malloc((size_t)from->len + 1) : NULL;
    const uint8_t *const in = from->array == NULL ? start(from) : copy;
    uint8_t *const out = to->array == NULL ? start(to) : copy;
    int error = NO_MEMORY;

    if (aad != NULL && (copy != NULL || !copies)) {
        copy_slices(env, with, aad, 0);
        if (in == copy) copy_slices(env, from, copy, 0);
        error = haechi_open(&c->u.aead.aead, nonce->p, nonce->len, aad, (size_t)with->len, out, in, len, in + len, taglen);
        if (!error && out == copy) copy_slices(env, to, copy, 1);
        haechi_wipe(copy, copies ? len : 0);
    }
    free(aad);
    free(copy);
    return error;
}

/* A whole message: len bytes of text and then the tag at in, and the text at out. */
static jint open_message(JNIEnv *env, jobject self, jbyteArray iv, jbyteArray aad, jint aadlen, jbyteArray in, jlong in_at,
                         jint len, jbyteArray out, jlong out_at, jint taglen)
{
    struct context *const c = of(env, self);
    struct bytes with = { aad, 0, aadlen, NULL }, from = { in, in_at, (jlong)len + taglen, NULL };
    struct bytes to = { out, out_at, len, NULL };
    struct iv nonce;
    int error = NO_MEMORY;

    if (taglen < 0 || !exist(env, &with) || !exist(env, &from) || !exist(env, &to)) return HAECHI_EUSE;
    if (!take_iv(env, &nonce, iv)) return NO_MEMORY;
    if ((jlong)aadlen + len > AT_ONCE) {
        error = open_long(env, c, &nonce, &with, &from, &to, (size_t)taglen);
        drop_iv(&nonce);
        return error;
    }
    const int same = one_array(env, &from, &to);
    if (hold_both(env, &from, &to, same)) {
        if (hold(env, &with)) {
            error = haechi_open(&c->u.aead.aead, nonce.p, nonce.len, start(&with), (size_t)aadlen, start(&to), start(&from),
                                (size_t)len, start(&from) + len, (size_t)taglen);
            let_go(env, &with, JNI_ABORT);
        }
        let_both_go(env, &from, &to, same);
    }
    drop_iv(&nonce);
    return error;
}

/* ---- Many messages. */

enum { KEY_AT, IV_AT, IV_LEN, AAD_LEN, TEXT_LEN, PLACES }; /* of a message, as in Messages.java */

/* A job of a message that lies in the size bytes at base: IV, associated data, text and tag follow one another.  0: it does not lie
 * there. */
static int lay_out(haechi_job *j, const jint *place, uint8_t *base, jlong size, jint keylen, jint taglen)
{
    jlong end = (jlong)place[IV_AT] + taglen;
    uint8_t *at = base;

    for (int i = 0; i < PLACES; i++)
        if (place[i] < 0) return 0;
    for (int i = IV_LEN; i < PLACES; i++) end += place[i];
    if (taglen < 0 || end > size || (jlong)place[KEY_AT] + keylen > size) return 0;
    j->key = base + place[KEY_AT];
    j->noncelen = (size_t)place[IV_LEN], j->aadlen = (size_t)place[AAD_LEN];
    j->len = (size_t)place[TEXT_LEN], j->taglen = (size_t)taglen;
    j->nonce = at += place[IV_AT];
    j->aad = at += j->noncelen;
    j->in = j->out = at += j->aadlen;
    j->tag = at + j->len;
    return 1;
}

static jint many(JNIEnv *env, jclass self, jint mode, jint family, jint keylen, jboolean opens, jobject buffer, jintArray layout,
                 jint taglen, jbyteArray results)
{
    uint8_t *const base = (*env)->GetDirectBufferAddress(env, buffer);
    const jlong size = (*env)->GetDirectBufferCapacity(env, buffer);
    const jsize n = (*env)->GetArrayLength(env, results);
    jint *const places = calloc((size_t)n + 1, PLACES * sizeof *places);
    haechi_job *const jobs = calloc((size_t)n + 1, sizeof *jobs);
    jbyte *const said = calloc((size_t)n + 1, 1);
    int error = HAECHI_OK;

    (void)self;
    if (places == NULL || jobs == NULL || said == NULL) error = NO_MEMORY;
    else (*env)->GetIntArrayRegion(env, layout, 0, PLACES * n, places);
    for (jsize i = 0; i < n && !error; i++)
        if (!lay_out(&jobs[i], places + PLACES * i, base, size, keylen, taglen)) error = HAECHI_EUSE;
    if (!error) {
        (void)(opens ? haechi_open_jobs : haechi_seal_jobs)(modes[mode], cipher(forward, family, (size_t)keylen), jobs, sizeof *jobs,
                                                            (size_t)n);
        for (jsize i = 0; i < n; i++) said[i] = (jbyte)jobs[i].result;
        (*env)->SetByteArrayRegion(env, results, 0, n, said);
    }
    free(places);
    free(jobs);
    free(said);
    return error;
}

static void wipe_buffer(JNIEnv *env, jclass self, jobject buffer)
{
    (void)self;
    haechi_wipe((*env)->GetDirectBufferAddress(env, buffer), (size_t)(*env)->GetDirectBufferCapacity(env, buffer));
}

/* ---- CMAC. */

static int mac_slice(struct context *c, int what, uint8_t *out, const uint8_t *in, size_t len)
{
    (void)what, (void)out;
    return haechi_cmac_update(&c->u.key.key, &c->mac, in, len);
}

static void mac_reset(JNIEnv *env, jobject self)
{
    struct context *const c = of(env, self);

    haechi_wipe(&c->mac, sizeof c->mac);
}

static jint mac_update(JNIEnv *env, jobject self, jbyteArray in, jlong at, jint len)
{
    const struct bytes from = { in, at, len, NULL };

    if (!exist(env, &from)) return HAECHI_EUSE;
    return in_slices(env, of(env, self), mac_slice, 0, from, from);
}

static jint mac_tag(JNIEnv *env, jobject self, jbyteArray out)
{
    struct context *const c = of(env, self);
    const size_t len = (size_t)(*env)->GetArrayLength(env, out);
    uint8_t tag[16];
    int error;

    if (len > sizeof tag) return HAECHI_ELEN;
    error = haechi_cmac_tag(&c->u.key.key, &c->mac, tag, len);
    if (!error) (*env)->SetByteArrayRegion(env, out, 0, (jsize)len, (const jbyte *)tag);
    return error;
}

/* ---- Random bytes. */

enum { PIECE = 4096 }; /* bytes that a call of the generator gives */

/* Bytes of the generator that the operating system seeds. */
static jint random_bytes(JNIEnv *env, jclass self, jbyteArray out)
{
    const jsize len = (*env)->GetArrayLength(env, out);
    uint8_t piece[PIECE];
    int error = HAECHI_OK;

    (void)self;
    for (jsize done = 0, n; done < len && !error; done += n) {
        n = len - done > PIECE ? PIECE : len - done;
        error = haechi_random(piece, (size_t)n);
        if (!error) (*env)->SetByteArrayRegion(env, out, done, n, (const jbyte *)piece);
    }
    haechi_wipe(piece, sizeof piece);
    return error;
}

enum { ENTROPY = 32, NONCE = 16, INPUT_MOST = 1 << 16 }; /* bytes */

/* An input of the generator, such as a personalisation string, in native memory.  NULL: it is too long. */
static uint8_t *take_input(JNIEnv *env, jbyteArray from, size_t *len)
{
    const jsize has = from == NULL ? 0 : (*env)->GetArrayLength(env, from);
    uint8_t *const p = has > INPUT_MOST ? NULL : malloc((size_t)has + 1);

    if (p != NULL) (void)copy_short(env, p, INPUT_MOST, from, len);
    return p;
}

static void drop_input(uint8_t *p, size_t len)
{
    haechi_wipe(p, len);
    free(p);
}

static jint generator_init(JNIEnv *env, jobject self, jboolean resists, jbyteArray person)
{
    haechi_drbg *const d = &of(env, self)->generator;
    uint8_t seed[ENTROPY + NONCE];
    size_t len;
    uint8_t *const text = take_input(env, person, &len);
    int error;

    if (text == NULL) return HAECHI_ELIMIT;
    error = haechi_random(seed, sizeof seed);
    if (!error)
        error = haechi_drbg_init(d, &haechi_drbg_lea256, resists ? HAECHI_DRBG_PREDICTION_RESISTANCE : 0, seed, ENTROPY,
                                 seed + ENTROPY, NONCE, text, len);
    haechi_wipe(seed, sizeof seed);
    drop_input(text, len);
    return error;
}

static int reseed(haechi_drbg *d, const uint8_t *more, size_t len)
{
    uint8_t seed[ENTROPY];
    int error = haechi_random(seed, sizeof seed);

    if (!error) error = haechi_drbg_reseed(d, seed, sizeof seed, more, len);
    haechi_wipe(seed, sizeof seed);
    return error;
}

static jint generator_reseed(JNIEnv *env, jobject self, jboolean afresh, jbyteArray more)
{
    size_t len;
    uint8_t *const text = take_input(env, more, &len);
    int error = HAECHI_OK;

    if (text == NULL) return HAECHI_ELIMIT;
    if (afresh) error = haechi_random_reseed();
    if (!error) error = reseed(&of(env, self)->generator, text, len);
    drop_input(text, len);
    return error;
}

/* Reads, and reseeds first where the generator asks for that. */
static int read_piece(haechi_drbg *d, uint8_t *out, size_t len, const uint8_t *more, size_t morelen)
{
    int error = haechi_drbg_read(d, out, len, more, morelen);

    if (error == HAECHI_ERESEED || error == HAECHI_EUSE) { /* EUSE: prediction resistance, where the reseed takes more */
        error = reseed(d, more, morelen);
        if (!error) error = haechi_drbg_read(d, out, len, NULL, 0);
    }
    return error;
}

static jint generator_read(JNIEnv *env, jobject self, jbyteArray out, jbyteArray more)
{
    haechi_drbg *const d = &of(env, self)->generator;
    const jsize len = (*env)->GetArrayLength(env, out);
    uint8_t piece[PIECE];
    size_t morelen;
    uint8_t *const text = take_input(env, more, &morelen);
    int error = HAECHI_OK;

    if (text == NULL) return HAECHI_ELIMIT;
    for (jsize done = 0, n; done < len && !error; done += n) {
        n = len - done > PIECE ? PIECE : len - done;
        error = read_piece(d, piece, (size_t)n, text, morelen);
        if (!error) (*env)->SetByteArrayRegion(env, out, done, n, (const jbyte *)piece);
    }
    haechi_wipe(piece, sizeof piece);
    drop_input(text, morelen);
    return error;
}

/* ---- The library. */

static jstring version(JNIEnv *env, jclass self)
{
    (void)self;
    return (*env)->NewStringUTF(env, haechi_version());
}

static jint self_test(JNIEnv *env, jclass self)
{
    (void)env, (void)self;
    return haechi_drbg_test(&haechi_drbg_lea256);
}

#define METHOD(name, signature, function) { (char *)name, (char *)signature, (void *)(intptr_t)function }

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    const JNINativeMethod methods[] = {
        METHOD("allocate", "()J", allocate),
        METHOD("release", "(J)V", release),
        METHOD("addressOf", "(Ljava/nio/ByteBuffer;)J", address_of),
        METHOD("setKey", "(IZ[B)I", set_key),
        METHOD("setAeadKey", "(II[B)I", set_aead_key),
        METHOD("rememberKey", "()V", remember_key),
        METHOD("encryptedUnder", "([B)Z", encrypted_under),
        METHOD("kernel", "()Ljava/lang/String;", kernel),
        METHOD("crypt", "(I[BJ[BJI)I", crypt_bytes),
        METHOD("setIv", "([B)V", set_iv),
        METHOD("decryptBlock", "(I[B[B)I", decrypt_block),
        METHOD("wrap", "(ZZ[BI[B)I", wrap),
        METHOD("begin", "([BI)I", aead_begin),
        METHOD("aad", "([BJI)I", aead_aad),
        METHOD("encrypt", "([BJ[BJI)I", aead_encrypt),
        METHOD("tag", "([BJI)I", aead_tag),
        METHOD("seal", "([B[BI[BJI[BJI)I", seal),
        METHOD("open", "([B[BI[BJI[BJI)I", open_message),
        METHOD("macReset", "()V", mac_reset),
        METHOD("macUpdate", "([BJI)I", mac_update),
        METHOD("macTag", "([B)I", mac_tag),
        METHOD("many", "(IIIZLjava/nio/ByteBuffer;[II[B)I", many),
        METHOD("wipe", "(Ljava/nio/ByteBuffer;)V", wipe_buffer),
        METHOD("random", "([B)I", random_bytes),
        METHOD("generatorInit", "(Z[B)I", generator_init),
        METHOD("generatorReseed", "(Z[B)I", generator_reseed),
        METHOD("generatorRead", "([B[B)I", generator_read),
        METHOD("version", "()Ljava/lang/String;", version),
        METHOD("selfTest", "()I", self_test),
    };
    JNIEnv *env;
    jclass context;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK) return JNI_ERR;
    context = (*env)->FindClass(env, "haechi/Context");
    if (context == NULL) return JNI_ERR;
    address_field = (*env)->GetFieldID(env, context, "address", "J");
    if (address_field == NULL || (*env)->RegisterNatives(env, context, methods, sizeof methods / sizeof *methods)) return JNI_ERR;
    return JNI_VERSION_10;
}

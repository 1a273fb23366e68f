/* raw.c - streams, CMAC, XTS, key wrap and CTR_DRBG.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "door.h"

/* ---- Modes without authentication, as streams. */

enum mode { ECB, CBC, CTR, OFB, CFB, CFB8, CS1, CS2, CS3, MODES };
static const char *const mode_names[MODES] = { "ECB", "CBC", "CTR", "OFB", "CFB", "CFB8", "CBC-CS1", "CBC-CS2", "CBC-CS3" };

struct stream {
    PyObject_HEAD
    const struct cipher *cipher;
    haechi_any_key key;
    haechi_stream at;
    enum mode mode;
    char decrypts, busy, ended;
};

static PyObject *stream_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "cipher", "mode", "key", "iv", "decrypts", NULL };
    const char *family, *mode_name;
    PyObject *key_from, *iv_from = NULL;
    struct bytes key = { 0 }, iv = { 0 };
    struct stream *s = NULL;
    int decrypts = 0, error = -1, mode = 0;

    if (!PyArg_ParseTupleAndKeywords(args, named, "ssO|Op", names, &family, &mode_name, &key_from, &iv_from, &decrypts))
        return NULL;
    while (mode < MODES && strcmp(mode_names[mode], mode_name)) mode++;
    if (mode == MODES) {
        PyErr_Format(PyExc_ValueError, "there is no mode %s; there are ECB, CBC, CTR, OFB, CFB, CFB8 and CBC-CS1 to -CS3", mode_name);
        return NULL;
    }
    if (borrow(&key, key_from, 0) || borrow(&iv, iv_from, 1) || (s = allocate(type)) == NULL) goto end;
    s->mode = (enum mode)mode, s->decrypts = (char)decrypts;
    s->cipher = find_cipher(family, key.n);
    if (s->cipher == NULL) goto end;
    if (iv.n != (mode == ECB ? 0u : s->cipher->block)) {
        fail_length(mode == CTR ? "the counter block" : "the iv", iv.n, mode_name, mode == ECB ? "none" : s->cipher->block == 8 ? "8" : "16");
        goto end;
    }
    if (iv.n) memcpy(s->at.iv, iv.p, iv.n);
    const int inverse = decrypts && (mode == ECB || mode == CBC || mode >= CS1);
    error = haechi_init(&s->key.key, sizeof s->key, inverse ? s->cipher->inverse : s->cipher->forward, key.p, key.n);
    if (error) fail(error);
end:
    let_go(&key);
    let_go(&iv);
    if (error) Py_CLEAR(s);
    return (PyObject *)s;
}

static void stream_end(PyObject *o)
{
    end_object(o, sizeof(struct stream));
}

static int stream_mode(struct stream *s, uint8_t *out, const uint8_t *in, size_t n)
{
    const haechi_key *const k = &s->key.key;
    const unsigned variant = (unsigned)(s->mode - CS1 + 1);

    switch (s->mode) {
    case ECB: return haechi_ecb(k, out, in, n);
    case CBC: return (s->decrypts ? haechi_cbc_decrypt : haechi_cbc_encrypt)(k, s->at.iv, out, in, n);
    case CTR: return haechi_ctr(k, &s->at, out, in, n);
    case OFB: return haechi_ofb(k, &s->at, out, in, n);
    case CFB: return (s->decrypts ? haechi_cfb_decrypt : haechi_cfb_encrypt)(k, &s->at, out, in, n);
    case CFB8: return (s->decrypts ? haechi_cfb8_decrypt : haechi_cfb8_encrypt)(k, s->at.iv, out, in, n);
    default: return (s->decrypts ? haechi_cbc_cts_decrypt : haechi_cbc_cts_encrypt)(k, s->at.iv, variant, out, in, n);
    }
}

static int stream_run(PyObject *self, uint8_t *out, const uint8_t *in, size_t n)
{
    struct stream *const s = (struct stream *)self;
    const int error = stream_mode(s, out, in, n);
    s->ended = s->mode >= CS1;
    return error;
}

static int stream_check(PyObject *self, size_t n)
{
    const struct stream *const s = (struct stream *)self;
    if (s->ended) PyErr_SetString(PyExc_ValueError, "this stream has ended");
    else if (s->mode <= CBC && n % s->cipher->block)
        fail_length("the data", n, mode_names[s->mode], s->cipher->block == 8 ? "a multiple of 8" : "a multiple of 16");
    else if (s->mode >= CS1 && n < s->cipher->block)
        fail_length("the data", n, mode_names[s->mode], s->cipher->block == 8 ? "8 or more, all in one call" : "16 or more, all in one call");
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *stream_crypt(PyObject *self, PyObject *from, PyObject *buffer)
{
    static const struct in_pieces how = { stream_check, stream_run, fail };
    return crypt_piece(&how, self, &((struct stream *)self)->busy, from, buffer);
}

static PyObject *stream_update(PyObject *self, PyObject *data)
{
    return stream_crypt(self, data, NULL);
}

static PyObject *stream_update_into(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const struct signature s = { "update_into", 2, 2, { "data", "buf" } };
    PyObject *given[2];
    return take(&s, args, n, names, given) ? NULL : stream_crypt(self, given[0], given[1]);
}

static PyObject *stream_finalize(PyObject *self, PyObject *nothing)
{
    struct stream *const s = (struct stream *)self;
    (void)nothing;
    if (enter(&s->busy)) return NULL;
    if (s->ended && s->mode < CS1) {
        leave(&s->busy);
        PyErr_SetString(PyExc_ValueError, "this stream has ended");
        return NULL;
    }
    haechi_wipe(&s->key, sizeof s->key);
    haechi_wipe(&s->at, sizeof s->at);
    s->ended = 1;
    leave(&s->busy);
    return PyBytes_FromStringAndSize(NULL, 0);
}

static PyMethodDef stream_methods[] = {
    { "update", stream_update, METH_O, "update($self, data, /)\n--\n\nReturns as many bytes as data has. ValueError: the mode takes no data of this length." },
    { "update_into", METHOD(stream_update_into), NAMED, "update_into($self, data, buf)\n--\n\nWrites len(data) bytes to buf, which may begin where data begins, and returns their number." },
    { "finalize", stream_finalize, METH_NOARGS, "finalize($self, /)\n--\n\nEnds the stream, wipes its key and returns b\"\"." },
    { 0 }
};

/* ---- CMAC. */

struct mac {
    PyObject_HEAD
    const struct cipher *cipher;
    haechi_any_key key;
    haechi_cmac at;
    char busy, ended;
};

static PyObject *mac_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "cipher", "key", NULL };
    const char *family;
    PyObject *from;
    struct bytes key = { 0 };
    struct mac *m;
    int error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "sO", names, &family, &from) || borrow(&key, from, 0)) return NULL;
    m = allocate(type);
    if (m != NULL && (m->cipher = find_cipher(family, key.n)) != NULL) {
        error = haechi_init(&m->key.key, sizeof m->key, m->cipher->forward, key.p, key.n);
        if (error) fail(error);
    }
    let_go(&key);
    if (error) Py_CLEAR(m);
    return (PyObject *)m;
}

static void mac_end(PyObject *o)
{
    end_object(o, sizeof(struct mac));
}

static int mac_enter(struct mac *m)
{
    if (enter(&m->busy)) return -1;
    if (!m->ended) return 0;
    leave(&m->busy);
    PyErr_SetString(PyExc_ValueError, "this CMAC has ended");
    return -1;
}

static PyObject *mac_update(PyObject *self, PyObject *from)
{
    struct mac *const m = (struct mac *)self;
    struct bytes data = { 0 };
    int error;

    if (borrow(&data, from, 0) || mac_enter(m)) {
        let_go(&data);
        return NULL;
    }
    PyThreadState *const state = release_for(data.n);
    error = haechi_cmac_update(&m->key.key, &m->at, data.p, data.n);
    take_back(state);
    leave(&m->busy);
    let_go(&data);
    if (error) fail(error);
    return error ? NULL : Py_NewRef(Py_None);
}

/* Ends the CMAC with a tag of n bytes. */
static int mac_tag(struct mac *m, uint8_t tag[16], size_t n)
{
    int error;
    if (n < 4 || n > m->cipher->block) return fail_length("the tag", n, "CMAC", m->cipher->block == 8 ? "4 to 8" : "4 to 16");
    if (mac_enter(m)) return -1;
    error = haechi_cmac_tag(&m->key.key, &m->at, tag, n);
    m->ended = 1;
    leave(&m->busy);
    return error ? fail(error) : 0;
}

static PyObject *mac_finalize(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const struct signature s = { "finalize", 0, 1, { "length" } };
    struct mac *const m = (struct mac *)self;
    PyObject *given;
    uint8_t tag[16];
    size_t length = m->cipher->block;

    if (take(&s, args, n, names, &given) || (given != NULL && read_size(&length, given, "length")) || mac_tag(m, tag, length))
        return NULL;
    return PyBytes_FromStringAndSize((char *)tag, (Py_ssize_t)length);
}

static PyObject *mac_verify(PyObject *self, PyObject *from)
{
    struct bytes wanted = { 0 };
    uint8_t tag[16];
    int error;

    if (borrow(&wanted, from, 0)) return NULL;
    error = mac_tag((struct mac *)self, tag, wanted.n);
    if (!error && haechi_verify(tag, wanted.p, wanted.n)) error = fail(HAECHI_EAUTH);
    let_go(&wanted);
    return error ? NULL : Py_NewRef(Py_None);
}

static PyObject *mac_copy(PyObject *self, PyObject *nothing)
{
    struct mac *const m = (struct mac *)self, *made;
    (void)nothing;
    if (mac_enter(m)) return NULL;
    made = allocate(Py_TYPE(self));
    if (made != NULL) made->cipher = m->cipher, made->key = m->key, made->at = m->at;
    leave(&m->busy);
    return (PyObject *)made;
}

static PyMethodDef mac_methods[] = {
    { "update", mac_update, METH_O, "update($self, data, /)\n--\n\nAdds data to the message." },
    { "finalize", METHOD(mac_finalize), NAMED, "finalize($self, length=None)\n--\n\nEnds the message and returns the first `length` bytes of its tag: 4 to the block size, which is the default." },
    { "verify", mac_verify, METH_O, "verify($self, tag, /)\n--\n\nEnds the message. InvalidTag: this is not its tag, or not the beginning of its tag." },
    { "copy", mac_copy, METH_NOARGS, "copy($self, /)\n--\n\nReturns a CMAC that has taken the same message so far." },
    { 0 }
};

/* ---- XTS. */

struct xts {
    PyObject_HEAD
    haechi_any_xts to, back;
};

static PyObject *xts_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "cipher", "key", NULL };
    const char *family;
    PyObject *from;
    struct bytes key = { 0 };
    const struct cipher *c;
    struct xts *x = NULL;
    int error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "sO", names, &family, &from) || borrow(&key, from, 0)) return NULL;
    if (!strcmp(family, "HIGHT")) PyErr_SetString(PyExc_ValueError, "XTS takes ciphers whose blocks have 16 bytes: LEA and ARIA");
    else if (key.n % 2) fail_length("the key", key.n, "XTS", "two keys of 16, 24 or 32 bytes");
    else if ((c = find_cipher(family, key.n / 2)) != NULL && (x = allocate(type)) != NULL) {
        error = haechi_xts_init(&x->to.xts, sizeof x->to, c->forward, c->forward, key.p, key.n);
        if (!error) error = haechi_xts_init(&x->back.xts, sizeof x->back, c->inverse, c->forward, key.p, key.n);
        if (error == HAECHI_EKEY) PyErr_SetString(PyExc_ValueError, "the two halves of the key are equal, which XTS does not take");
        else if (error) fail(error);
    }
    let_go(&key);
    if (error) Py_CLEAR(x);
    return (PyObject *)x;
}

static void xts_end(PyObject *o)
{
    end_object(o, sizeof(struct xts));
}

static PyObject *xts_crypt(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names, int decrypts, const struct signature *s)
{
    const struct xts *const x = (struct xts *)self;
    PyObject *given[3] = { NULL, NULL, NULL }, *out = NULL;
    struct bytes tweak = { 0 }, data = { 0 }, to = { 0 };
    const int into = s->most == 3;

    if (take(s, args, n, names, given) || borrow(&tweak, given[0], 0) || borrow(&data, given[1], 0) ||
        (into && (borrow_to_write(&to, given[2]) || check_output(&to, data.n, &data, &tweak, 1))))
        goto end;
    if (tweak.n != 16) fail_length("the tweak", tweak.n, "XTS", "16");
    else if (data.n < 16 || data.n > 1 << 24) fail_length("the data", data.n, "XTS", "16 to 16777216");
    else out = into ? PyLong_FromSize_t(data.n) : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)data.n);
    if (out != NULL) {
        if (!into) to.p = (uint8_t *)PyBytes_AsString(out);
        PyThreadState *const state = release_for(data.n);
        const int error = decrypts ? haechi_xts_decrypt(&x->back.xts, tweak.p, to.p, data.p, data.n)
                                   : haechi_xts_encrypt(&x->to.xts, tweak.p, to.p, data.p, data.n);
        take_back(state);
        if (error) {
            Py_CLEAR(out);
            fail(error);
        }
    }
end:
    let_go(&tweak);
    let_go(&data);
    let_go(&to);
    return out;
}

#define XTS_METHOD(name, decrypts, count)                                                                    \
    static PyObject *xts_##name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)        \
    {                                                                                                        \
        static const struct signature s = { #name, count, count, { "tweak", "data", "buf" } };               \
        return xts_crypt(self, args, n, names, decrypts, &s);                                                \
    }
XTS_METHOD(encrypt, 0, 2)
XTS_METHOD(decrypt, 1, 2)
XTS_METHOD(encrypt_into, 0, 3)
XTS_METHOD(decrypt_into, 1, 3)

static PyMethodDef xts_methods[] = {
    { "encrypt", METHOD(xts_encrypt), NAMED, "encrypt($self, tweak, data)\n--\n\nEncrypts one sector of 16 to 16777216 bytes. tweak is its number in 16 bytes, little-endian." },
    { "decrypt", METHOD(xts_decrypt), NAMED, "decrypt($self, tweak, data)\n--\n\nDecrypts one sector. Nothing tells whether it was changed." },
    { "encrypt_into", METHOD(xts_encrypt_into), NAMED, "encrypt_into($self, tweak, data, buf)\n--\n\nWrites len(data) bytes to buf, which may begin where data begins, and returns their number." },
    { "decrypt_into", METHOD(xts_decrypt_into), NAMED, "decrypt_into($self, tweak, data, buf)\n--\n\nWrites len(data) bytes to buf, which may begin where data begins, and returns their number." },
    { 0 }
};

/* ---- Key wrap. */

static PyObject *wrap(PyObject *self, PyObject *args)
{
    const char *family;
    PyObject *kek_from, *from, *out = NULL;
    struct bytes kek = { 0 }, data = { 0 };
    const struct cipher *c;
    haechi_any_key k;
    size_t made, used = 0;
    int unwraps, padded, error = 0;

    (void)self;
    if (!PyArg_ParseTuple(args, "sOOpp", &family, &kek_from, &from, &unwraps, &padded) || borrow(&kek, kek_from, 0) ||
        borrow(&data, from, 0))
        goto end;
    if (!strcmp(family, "HIGHT")) {
        PyErr_SetString(PyExc_ValueError, "key wrap takes ciphers whose blocks have 16 bytes: LEA and ARIA");
        goto end;
    }
    if ((c = find_cipher(family, kek.n)) == NULL) goto end;
    if (unwraps ? data.n % 8 || data.n < (padded ? 16u : 24u) : padded ? data.n == 0 : data.n % 8 || data.n < 16) {
        if (unwraps) fail(HAECHI_EAUTH); /* Nothing that was wrapped has such a length. */
        else fail_length("the key to wrap", data.n, padded ? "KWP" : "KW", padded ? "1 or more" : "16 or more, a multiple of 8");
        goto end;
    }
    made = unwraps ? data.n - 8 : padded ? HAECHI_KWP_SIZE(data.n) : data.n + 8;
    out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)made);
    if (out == NULL) goto end;
    uint8_t *const to = (uint8_t *)PyBytes_AsString(out);
    error = haechi_init(&k.key, sizeof k, unwraps ? c->inverse : c->forward, kek.p, kek.n);
    if (!error) {
        if (!unwraps) error = (padded ? haechi_kwp_wrap : haechi_kw_wrap)(&k.key, to, data.p, data.n);
        else if (padded) error = haechi_kwp_unwrap(&k.key, to, &used, data.p, data.n);
        else error = haechi_kw_unwrap(&k.key, to, data.p, data.n);
    }
    haechi_wipe(&k, sizeof k);
    if (error) {
        Py_CLEAR(out);
        fail(error);
    } else if (unwraps && padded) {
        PyObject *const whole = out;
        out = PyBytes_FromStringAndSize((char *)to, (Py_ssize_t)used);
        haechi_wipe(to, made);
        Py_DECREF(whole);
    }
end:
    let_go(&kek);
    let_go(&data);
    return out;
}

/* ---- CTR_DRBG. */

struct drbg {
    PyObject_HEAD
    haechi_drbg at;
    size_t most; /* bytes of one read */
    char busy;
};

/* In the order of `ciphers`. */
static haechi_drbg_kind *const kinds[CIPHERS] = { &haechi_drbg_lea128, &haechi_drbg_lea192, &haechi_drbg_lea256, &haechi_drbg_aria128,
                                                  &haechi_drbg_aria192, &haechi_drbg_aria256, &haechi_drbg_hight };

/* What the lengths of entropy and nonce must be; the library's rules in words. */
static int fail_drbg(int error)
{
    if (error == HAECHI_ELEN)
        PyErr_SetString(PyExc_ValueError, "entropy or nonce has a wrong length: with the derivation function, entropy is at least as long as the key and the "
                                          "nonce at least half as long; without it, entropy is as long as key and block together and there is no nonce");
    else if (error == HAECHI_ELIMIT)
        PyErr_SetString(PyExc_ValueError, "an input is too long: with the derivation function at most 2^30 - 1 bytes, without it key and block together");
    else if (error == HAECHI_EUSE)
        PyErr_SetString(PyExc_ValueError, "with prediction resistance, additional input goes to reseed");
    else fail(error);
    return -1;
}

static PyObject *drbg_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "cipher", "key_length", "entropy", "nonce", "personalization", "derivation_function", "prediction_resistance", NULL };
    const char *family;
    PyObject *from[3] = { NULL, NULL, NULL };
    struct bytes given[3] = { { 0 }, { 0 }, { 0 } };
    const struct cipher *c;
    struct drbg *d = NULL;
    Py_ssize_t length;
    int derives = 1, resists = 0, error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "snO|OOpp", names, &family, &length, &from[0], &from[1], &from[2], &derives, &resists)) return NULL;
    if (borrow(&given[0], from[0], 0) || borrow(&given[1], from[1], 1) || borrow(&given[2], from[2], 1)) goto end;
    if ((c = find_cipher(family, length < 0 ? 0 : (size_t)length)) == NULL || (d = allocate(type)) == NULL) goto end;
    d->most = c->block == 8 ? 1024 : 65536;
    error = haechi_drbg_init(&d->at, kinds[c - ciphers], (derives ? 0u : HAECHI_DRBG_NO_DF) | (resists ? HAECHI_DRBG_PREDICTION_RESISTANCE : 0u),
                             given[0].p, given[0].n, given[1].p, given[1].n, given[2].p, given[2].n);
    if (error) fail_drbg(error);
end:
    for (int i = 0; i < 3; i++) let_go(&given[i]);
    if (error) Py_CLEAR(d);
    return (PyObject *)d;
}

static void drbg_end(PyObject *o)
{
    end_object(o, sizeof(struct drbg));
}

static PyObject *drbg_read(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const struct signature s = { "read", 1, 2, { "length", "additional" } };
    struct drbg *const d = (struct drbg *)self;
    PyObject *given[2], *out = NULL;
    struct bytes more = { 0 };
    size_t length;

    if (take(&s, args, n, names, given) || read_size(&length, given[0], "length") || borrow(&more, given[1], 1)) return NULL;
    if (length > d->most) PyErr_Format(PyExc_ValueError, "one read gives at most %zu bytes, not %zu", d->most, length);
    else if (!enter(&d->busy)) {
        out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)length);
        if (out != NULL) {
            const int error = haechi_drbg_read(&d->at, PyBytes_AsString(out), length, more.p, more.n);
            if (error) {
                Py_CLEAR(out);
                fail_drbg(error);
            }
        }
        leave(&d->busy);
    }
    let_go(&more);
    return out;
}

static PyObject *drbg_reseed(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const struct signature s = { "reseed", 1, 2, { "entropy", "additional" } };
    struct drbg *const d = (struct drbg *)self;
    PyObject *given[2];
    struct bytes entropy = { 0 }, more = { 0 };
    int error = -1;

    if (!take(&s, args, n, names, given) && !borrow(&entropy, given[0], 0) && !borrow(&more, given[1], 1) && !enter(&d->busy)) {
        error = haechi_drbg_reseed(&d->at, entropy.p, entropy.n, more.p, more.n);
        if (error) fail_drbg(error);
        leave(&d->busy);
    }
    let_go(&entropy);
    let_go(&more);
    return error ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef drbg_methods[] = {
    { "read", METHOD(drbg_read), NAMED, "read($self, length, additional=None)\n--\n\nReturns random bytes, at most 65536 and for HIGHT 1024. RuntimeError: the generator needs a reseed first." },
    { "reseed", METHOD(drbg_reseed), NAMED, "reseed($self, entropy, additional=None)\n--\n\nTakes fresh entropy. ValueError: its length is not that of the constructor's." },
    { 0 }
};

static PyObject *drbg_test(PyObject *self, PyObject *nothing)
{
    PyObject *const found = PyDict_New();
    (void)self, (void)nothing;
    for (const struct cipher *c = ciphers; found != NULL && c < ciphers + CIPHERS; c++)
        if (PyDict_SetItemString(found, c->name, haechi_drbg_test(kinds[c - ciphers]) == HAECHI_OK ? Py_True : Py_False)) {
            Py_DECREF(found);
            return NULL;
        }
    return found;
}

static PyMethodDef functions[] = { { "wrap", wrap, METH_VARARGS, NULL }, { "drbg_test", drbg_test, METH_NOARGS, NULL }, { 0 } };

int add_raw(PyObject *module)
{
#define TYPE(name, title, flags)                                                                                       \
    static PyType_Slot name##_slots[] = { { Py_tp_new, name##_make }, { Py_tp_dealloc, name##_end }, { Py_tp_methods, name##_methods }, { 0, NULL } }; \
    static PyType_Spec name##_spec = { "haechi._haechi." title, sizeof(struct name), 0, Py_TPFLAGS_DEFAULT | flags, name##_slots };
    TYPE(stream, "Stream", 0)
    TYPE(mac, "CMAC", Py_TPFLAGS_BASETYPE)
    TYPE(xts, "XTS", Py_TPFLAGS_BASETYPE)
    TYPE(drbg, "DRBG", Py_TPFLAGS_BASETYPE)
    return add_type(module, &stream_spec, NULL) || add_type(module, &mac_spec, NULL) || add_type(module, &xts_spec, NULL) ||
                   add_type(module, &drbg_spec, NULL) || PyModule_AddFunctions(module, functions)
               ? -1
               : 0;
}

/* aead.c - authenticated encryption: the classes LEAGCM and the like, of whole messages and of messages in pieces.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <haechi_stream.h>
#include <string.h>

#include "door.h"

PyObject *aead_type;

/* An attribute of the class that is a string. */
static const char *attribute(PyTypeObject *type, const char *name, PyObject **keep)
{
    *keep = PyObject_GetAttrString((PyObject *)type, name);
    if (*keep == NULL) {
        PyErr_Format(PyExc_TypeError, "this class has no cipher and mode: use haechi.LEAGCM, haechi.ARIACCM and the like");
        return NULL;
    }
    return PyUnicode_AsUTF8AndSize(*keep, NULL);
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "key", "tag_length", NULL };
    PyObject *mode = NULL, *family = NULL, *tag = NULL, *from;
    struct bytes key = { 0 };
    struct aead *a = NULL;
    const char *text;
    int error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "O|O", names, &from, &tag) || borrow(&key, from, 0)) return NULL;
    a = allocate(type);
    if (a == NULL || (text = attribute(type, "_mode", &mode)) == NULL || (a->mode = find_mode(text)) == NULL ||
        (text = attribute(type, "_cipher", &family)) == NULL || (a->cipher = find_cipher(text, key.n)) == NULL)
        goto end;
    a->tag = a->cipher->block;
    if (tag != NULL && tag != Py_None && read_size(&a->tag, tag, "tag_length")) goto end;
    if (check_tag(a->mode, a->cipher, a->tag)) goto end;
    error = haechi_aead_init(&a->key.aead, sizeof a->key, a->mode, a->cipher->forward, key.p, key.n);
    if (error) fail(error);
end:
    Py_XDECREF(mode);
    Py_XDECREF(family);
    let_go(&key);
    if (error) Py_CLEAR(a);
    return (PyObject *)a;
}

static void end(PyObject *o)
{
    end_object(o, sizeof(struct aead));
}

/* encrypt and decrypt, to new bytes or into a buffer. */
static PyObject *seal_or_open(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names, int opens,
                              const struct signature *s)
{
    const struct aead *const a = (struct aead *)self;
    const int into = s->most == 4;
    PyObject *given[4], *out = NULL;
    struct bytes data = { 0 }, to = { 0 }, others[2] = { { 0 }, { 0 } }, *const nonce = &others[0], *const aad = &others[1];
    size_t length, made;
    int error = 0;

    if (take(s, args, n, names, given) || borrow(nonce, given[0], 0) || borrow(&data, given[1], 0) ||
        borrow(aad, given[2], 1) || (into && borrow_to_write(&to, given[3])) || check_nonce(a->mode, nonce->n))
        goto end;
    if (opens && data.n < a->tag) {
        fail(HAECHI_EAUTH);
        goto end;
    }
    length = opens ? data.n - a->tag : data.n;
    made = opens ? length : length + a->tag;
    if (check_text(a->mode, nonce->n, length)) goto end;
    if (into) {
        if (check_output(&to, made, &data, others, 2)) goto end;
        out = PyLong_FromSize_t(made);
    } else {
        out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)made);
        if (out != NULL) to.p = (uint8_t *)PyBytes_AsString(out);
    }
    if (out != NULL) {
        PyThreadState *const state = release_for(data.n + aad->n);
        if (opens)
            error = haechi_open(&a->key.aead, nonce->p, nonce->n, aad->p, aad->n, to.p, data.p, length, data.p + length, a->tag);
        else
            error = haechi_seal(&a->key.aead, nonce->p, nonce->n, aad->p, aad->n, to.p, data.p, length, to.p + length, a->tag);
        take_back(state);
        if (error) {
            Py_CLEAR(out);
            fail(error);
        }
    }
end:
    let_go(nonce);
    let_go(&data);
    let_go(aad);
    let_go(&to);
    return out;
}

/* musl's <unistd.h>, which Python.h includes, declares functions encrypt and crypt. */
#define FOUR(name, opens, least, most)                                                                       \
    static PyObject *aead_##name(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)       \
    {                                                                                                        \
        static const struct signature s = { #name, least, most, { "nonce", "data", "associated_data", "buf" } }; \
        return seal_or_open(self, args, n, names, opens, &s);                                                \
    }
FOUR(encrypt, 0, 2, 3)
FOUR(decrypt, 1, 2, 3)
FOUR(encrypt_into, 0, 4, 4)
FOUR(decrypt_into, 1, 4, 4)

PyDoc_STRVAR(encrypt_doc, "encrypt($self, nonce, data, associated_data=None)\n--\n\n"
"Returns the encrypted data followed by the tag, len(data) + tag_length bytes.\n\n"
"A nonce must never repeat under a key. The associated data is authenticated and not encrypted.\n"
"ValueError: the mode has no nonces of this length, or the data is too long for it.");
PyDoc_STRVAR(decrypt_doc, "decrypt($self, nonce, data, associated_data=None)\n--\n\n"
"Verifies what encrypt returned and returns the data.\n\n"
"InvalidTag: this is not what was encrypted. ValueError: the mode has no nonces of this length.");
PyDoc_STRVAR(encrypt_into_doc, "encrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
"Writes what encrypt returns to buf, a writable buffer of exactly len(data) + tag_length bytes, and\n"
"returns their number. buf may begin where data begins, and overlaps no input otherwise. No other thread\n"
"may change the buffers meanwhile. Errors are those of encrypt; ValueError also: buf is not such a buffer.");
PyDoc_STRVAR(decrypt_into_doc, "decrypt_into($self, nonce, data, associated_data, buf)\n--\n\n"
"Writes what decrypt returns to buf, a writable buffer of exactly len(data) - tag_length bytes, and\n"
"returns their number. buf may begin where data begins, and overlaps no input otherwise. No other thread\n"
"may change the buffers meanwhile. With InvalidTag, buf holds zeros.");

static PyMethodDef methods[] = { { "encrypt", METHOD(aead_encrypt), NAMED, encrypt_doc },
                                 { "decrypt", METHOD(aead_decrypt), NAMED, decrypt_doc },
                                 { "encrypt_into", METHOD(aead_encrypt_into), NAMED, encrypt_into_doc },
                                 { "decrypt_into", METHOD(aead_decrypt_into), NAMED, decrypt_into_doc },
                                 { 0 } };

static PyObject *tag_length(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((struct aead *)self)->tag);
}

static PyObject *name(PyObject *self, void *unused)
{
    const struct aead *const a = (struct aead *)self;
    (void)unused;
    return PyUnicode_FromFormat("%s-%s", a->cipher->name, mode_name(a->mode));
}

static PyGetSetDef members[] = { { "tag_length", tag_length, NULL, "The bytes of the tag that follows the data.", NULL },
                                 { "name", name, NULL, "Like 'LEA-128-GCM'.", NULL },
                                 { 0 } };

/* ---- In pieces. */

struct pieces {
    PyObject_HEAD
    struct aead *of;
    haechi_aead_stream at;
    uint8_t tag[16];
    char opens, busy, ended;
};

static PyObject *pieces_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "aead", "nonce", "opens", "data_length", "associated_data_length", NULL };
    PyObject *of, *from, *lengths[2] = { NULL, NULL };
    struct bytes nonce = { 0 };
    struct pieces *p = NULL;
    size_t sizes[2] = { 0, 0 };
    int opens, error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "O!Op|OO", names, aead_type, &of, &from, &opens, &lengths[0], &lengths[1]) ||
        borrow(&nonce, from, 0))
        return NULL;
    const struct aead *const a = (struct aead *)of;
    if (check_nonce(a->mode, nonce.n)) goto end;
    for (int i = 0; i < 2; i++) {
        const int known = lengths[i] != NULL && lengths[i] != Py_None;
        if (known && read_size(&sizes[i], lengths[i], names[3 + i])) goto end;
        if (!known && a->mode == &haechi_ccm) {
            PyErr_SetString(PyExc_ValueError, "CCM must know data_length and associated_data_length beforehand");
            goto end;
        }
    }
    if (check_text(a->mode, nonce.n, sizes[0]) || (p = allocate(type)) == NULL) goto end;
    p->of = (struct aead *)Py_NewRef(of), p->opens = (char)opens;
    error = haechi_aead_begin(&a->key.aead, &p->at, nonce.p, nonce.n, sizes[1], sizes[0], a->tag);
    if (error) fail(error);
end:
    let_go(&nonce);
    if (error) Py_CLEAR(p);
    return (PyObject *)p;
}

static void pieces_end(PyObject *o)
{
    Py_XDECREF((PyObject *)((struct pieces *)o)->of);
    end_object(o, sizeof(struct pieces));
}

/* The library's errors in the middle of a message. */
static int fail_piece(int error)
{
    if (error == HAECHI_EUSE) PyErr_SetString(PyExc_ValueError, "this call is out of order: associated data, then data, then the end");
    else if (error == HAECHI_ELIMIT) PyErr_SetString(PyExc_ValueError, "these are more bytes than were announced, or than the mode allows");
    else if (error == HAECHI_ELEN) PyErr_SetString(PyExc_ValueError, "bytes that were announced are missing, or the tag has another length");
    else fail(error);
    return -1;
}

static PyObject *pieces_aad(PyObject *self, PyObject *from)
{
    struct pieces *const p = (struct pieces *)self;
    struct bytes data = { 0 };
    int error;

    if (borrow(&data, from, 0) || enter(&p->busy)) {
        let_go(&data);
        return NULL;
    }
    PyThreadState *const state = release_for(data.n);
    error = haechi_aead_aad(&p->of->key.aead, &p->at, data.p, data.n);
    take_back(state);
    leave(&p->busy);
    let_go(&data);
    if (error) fail_piece(error);
    return error ? NULL : Py_NewRef(Py_None);
}

static int pieces_check(PyObject *self, size_t n)
{
    (void)self, (void)n;
    return 0; /* the library checks */
}

static int pieces_run(PyObject *self, uint8_t *out, const uint8_t *in, size_t n)
{
    struct pieces *const p = (struct pieces *)self;
    return (p->opens ? haechi_aead_decrypt : haechi_aead_encrypt)(&p->of->key.aead, &p->at, out, in, n);
}

static PyObject *pieces_crypt(PyObject *self, PyObject *from, PyObject *buffer)
{
    static const struct in_pieces how = { pieces_check, pieces_run, fail_piece };
    return crypt_piece(&how, self, &((struct pieces *)self)->busy, from, buffer);
}

static PyObject *pieces_update(PyObject *self, PyObject *data)
{
    return pieces_crypt(self, data, NULL);
}

static PyObject *pieces_update_into(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
    static const struct signature s = { "update_into", 2, 2, { "data", "buf" } };
    PyObject *given[2];
    return take(&s, args, n, names, given) ? NULL : pieces_crypt(self, given[0], given[1]);
}

static PyObject *pieces_finalize(PyObject *self, PyObject *nothing)
{
    struct pieces *const p = (struct pieces *)self;
    int error;
    (void)nothing;
    if (enter(&p->busy)) return NULL;
    /* A second call would zero the tag. */
    error = p->opens || p->ended ? HAECHI_EUSE : haechi_aead_tag(&p->of->key.aead, &p->at, p->tag, p->of->tag);
    leave(&p->busy);
    if (error) {
        if (p->opens) PyErr_SetString(PyExc_ValueError, "to decrypt ends with finalize_with_tag");
        else fail_piece(error);
        return NULL;
    }
    p->ended = 1;
    return PyBytes_FromStringAndSize(NULL, 0);
}

static PyObject *pieces_verify(PyObject *self, PyObject *from)
{
    struct pieces *const p = (struct pieces *)self;
    struct bytes tag = { 0 };
    int error;

    if (borrow(&tag, from, 0) || enter(&p->busy)) {
        let_go(&tag);
        return NULL;
    }
    error = !p->opens ? HAECHI_EUSE : haechi_aead_verify(&p->of->key.aead, &p->at, tag.p, tag.n);
    leave(&p->busy);
    if (!p->opens) PyErr_SetString(PyExc_ValueError, "to encrypt ends with finalize");
    else if (error == HAECHI_ELEN && tag.n != p->of->tag) PyErr_Format(PyExc_ValueError, "the tag has %zu bytes; this key was given tag_length=%zu", tag.n, p->of->tag);
    else if (error) fail_piece(error);
    let_go(&tag);
    return error ? NULL : PyBytes_FromStringAndSize(NULL, 0);
}

static PyObject *pieces_tag(PyObject *self, void *unused)
{
    const struct pieces *const p = (struct pieces *)self;
    (void)unused;
    if (p->ended) return PyBytes_FromStringAndSize((const char *)p->tag, (Py_ssize_t)p->of->tag);
    PyErr_SetString(PyExc_ValueError, "the tag is known after finalize alone");
    return NULL;
}

static PyMethodDef pieces_methods[] = {
    { "authenticate_additional_data", pieces_aad, METH_O, "authenticate_additional_data($self, data, /)\n--\n\nAdds associated data, before all data." },
    { "update", pieces_update, METH_O, "update($self, data, /)\n--\n\nReturns as many bytes as data has." },
    { "update_into", METHOD(pieces_update_into), NAMED, "update_into($self, data, buf)\n--\n\nWrites len(data) bytes to buf and returns their number." },
    { "finalize", pieces_finalize, METH_NOARGS, "finalize($self, /)\n--\n\nEnds the message that was encrypted and returns b\"\"; tag is known from then on." },
    { "finalize_with_tag", pieces_verify, METH_O, "finalize_with_tag($self, tag, /)\n--\n\nVerifies the tag of the message that was decrypted. InvalidTag: discard what update returned." },
    { 0 }
};
static PyGetSetDef pieces_members[] = { { "tag", pieces_tag, NULL, "The tag, after finalize.", NULL }, { 0 } };

int add_aead(PyObject *module)
{
    static PyType_Slot slots[] = { { Py_tp_new, make }, { Py_tp_dealloc, end }, { Py_tp_methods, methods }, { Py_tp_getset, members }, { 0, NULL } };
    static PyType_Spec spec = { "haechi._haechi.AEAD", sizeof(struct aead), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots };
    static PyType_Slot piece_slots[] = { { Py_tp_new, pieces_make }, { Py_tp_dealloc, pieces_end }, { Py_tp_methods, pieces_methods },
                                         { Py_tp_getset, pieces_members }, { 0, NULL } };
    static PyType_Spec piece_spec = { "haechi._haechi.Pieces", sizeof(struct pieces), 0, Py_TPFLAGS_DEFAULT, piece_slots };
    return add_type(module, &spec, &aead_type) || add_type(module, &piece_spec, NULL) ? -1 : 0;
}

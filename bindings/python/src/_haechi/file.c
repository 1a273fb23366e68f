/* file.c - the encrypted file of docs/file-format.md, by the code of the haechi command.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "format.h"

#include <string.h>

#include "door.h"

/* head(cipher, salt, cost) -> the 48 bytes with which a new file begins; cost is None or (memory in KiB, passes, lanes). */
static PyObject *head(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *from, *cost_from;
    struct bytes salt = { 0 };
    const struct cipher *c = ciphers;
    struct cost cost;
    struct file f;

    (void)self;
    if (!PyArg_ParseTuple(args, "sOO", &name, &from, &cost_from) || borrow(&salt, from, 0)) return NULL;
    while (c < ciphers + CIPHERS && strcmp(c->name, name)) c++;
    if (c == ciphers + CIPHERS) PyErr_Format(PyExc_ValueError, "there is no cipher %s", name);
    else if (salt.n != SALT) fail_length("the salt", salt.n, "a file", "32");
    else if (cost_from == Py_None) file_head(&f, c, NULL, salt.p);
    else if (PyArg_ParseTuple(cost_from, "Ibb", &cost.memory, &cost.passes, &cost.lanes)) file_head(&f, c, &cost, salt.p);
    let_go(&salt);
    return PyErr_Occurred() ? NULL : PyBytes_FromStringAndSize((char *)f.header, HEAD);
}

/* recognise(head) -> (cipher, bytes of its key, version, bytes of the header, bytes of a tag, memory, passes, lanes). */
static PyObject *recognise(PyObject *self, PyObject *from)
{
    struct bytes given = { 0 };
    struct file f;
    const char *why;

    (void)self;
    if (borrow(&given, from, 0)) return NULL;
    why = given.n < HEAD ? "is too short for a file that haechi enc wrote." : file_recognise(&f, given.p);
    let_go(&given);
    if (why != NULL) {
        PyErr_Format(PyExc_ValueError, "this %s", why);
        return NULL;
    }
    return Py_BuildValue("siiiiIii", f.cipher->name, f.cipher->key, f.version, f.length, f.tag, (unsigned)f.cost.memory, f.cost.passes, f.cost.lanes);
}

struct opened {
    PyObject_HEAD
    struct file file;
    struct run run;
    char busy;
};

/* File(head, key, header=None): a new file, or with its header one that is read. */
static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    static char *names[] = { "head", "key", "header", NULL };
    PyObject *from[3] = { NULL, NULL, NULL };
    struct bytes given[3] = { { 0 }, { 0 }, { 0 } };
    struct opened *o = NULL;
    const char *why;
    int error = -1;

    if (!PyArg_ParseTupleAndKeywords(args, named, "OO|O", names, &from[0], &from[1], &from[2])) return NULL;
    if (borrow(&given[0], from[0], 0) || borrow(&given[1], from[1], 0) || borrow(&given[2], from[2], 1) || (o = allocate(type)) == NULL) goto end;
    why = given[0].n < HEAD ? "is too short for a file that haechi enc wrote." : file_recognise(&o->file, given[0].p);
    if (why != NULL) {
        PyErr_Format(PyExc_ValueError, "this %s", why);
        goto end;
    }
    const size_t key = o->file.version == PASSPHRASE ? STRETCHED : o->file.cipher->key;
    if (given[1].n != key) {
        fail_length("the key", given[1].n, o->file.cipher->name, key == 16 ? "16" : key == 24 ? "24" : "32");
        goto end;
    }
    if (given[2].n == 0) error = file_begin(&o->file, given[1].p);
    else if (given[2].n == o->file.length) error = file_open(&o->file, given[2].p, given[1].p);
    else fail_length("the header", given[2].n, "a file", o->file.length == HEADER_MOST ? "80" : "64");
    if (error == HAECHI_EAUTH) PyErr_Format(invalid_tag, "the key is another one, or the first %d bytes of the file are damaged", o->file.length);
    else if (error && !PyErr_Occurred()) fail(error);
end:
    for (int i = 0; i < 3; i++) let_go(&given[i]);
    if (error) Py_CLEAR(o);
    return (PyObject *)o;
}

static void end(PyObject *o)
{
    end_object(o, sizeof(struct opened));
}

static PyObject *chunk(PyObject *self, PyObject *args, int opens)
{
    struct opened *const o = (struct opened *)self;
    const size_t tag = o->file.tag;
    unsigned long long number;
    int last, error;
    PyObject *from, *out = NULL;
    struct bytes data = { 0 };

    if (!PyArg_ParseTuple(args, "KpO", &number, &last, &from) || borrow(&data, from, 0)) return NULL;
    if (data.n > CHUNK + (opens ? tag : 0)) fail_length("the chunk", data.n, "a file", "at most 65536 and a tag");
    else if (opens && (data.n < tag || (data.n == tag && number != 0))) fail(HAECHI_EAUTH);
    else if (!enter(&o->busy)) {
        const size_t text = opens ? data.n - tag : data.n;
        out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(opens ? text : text + tag));
        if (out != NULL) {
            uint8_t *const to = (uint8_t *)PyBytes_AsString(out);
            PyThreadState *const state = release_for(text);
            memcpy(to, data.p, text);
            error = opens ? file_unseal(&o->file, &o->run, number, last, to, text, data.p + text)
                          : file_seal(&o->file, &o->run, number, last, to, text, to + text);
            take_back(state);
            if (error) {
                Py_CLEAR(out);
                fail(error);
            }
        }
        leave(&o->busy);
    }
    let_go(&data);
    return out;
}

static PyObject *seal(PyObject *self, PyObject *args)
{
    return chunk(self, args, 0);
}

static PyObject *unseal(PyObject *self, PyObject *args)
{
    return chunk(self, args, 1);
}

static PyObject *header(PyObject *self, void *unused)
{
    const struct opened *const o = (struct opened *)self;
    (void)unused;
    return PyBytes_FromStringAndSize((const char *)o->file.header, o->file.length);
}

static PyMethodDef methods[] = { { "seal", seal, METH_VARARGS, NULL }, { "open", unseal, METH_VARARGS, NULL }, { 0 } };
static PyGetSetDef members[] = { { "header", header, NULL, NULL, NULL }, { 0 } };
static PyMethodDef functions[] = { { "file_head", head, METH_VARARGS, NULL }, { "file_recognise", recognise, METH_O, NULL }, { 0 } };

int add_file(PyObject *module)
{
    static PyType_Slot slots[] = { { Py_tp_new, make }, { Py_tp_dealloc, end }, { Py_tp_methods, methods }, { Py_tp_getset, members }, { 0, NULL } };
    static PyType_Spec spec = { "haechi._haechi.File", sizeof(struct opened), 0, Py_TPFLAGS_DEFAULT, slots };
    return add_type(module, &spec, NULL) || PyModule_AddIntConstant(module, "CHUNK", CHUNK) || PyModule_AddIntConstant(module, "SALT", SALT) ||
                   PyModule_AddIntConstant(module, "HEAD", HEAD) || PyModule_AddIntConstant(module, "STRETCHED", STRETCHED) ||
                   PyModule_AddFunctions(module, functions)
               ? -1
               : 0;
}

/* module.c - the Python module, arguments and errors.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "door.h"

#include <string.h>

PyObject *invalid_tag;

/* ---- Arguments. */

int take(const struct signature *s, PyObject *const *args, Py_ssize_t n, PyObject *names, PyObject **out)
{
    const Py_ssize_t named = names == NULL ? 0 : PyTuple_Size(names);

    if (n > s->most) {
        PyErr_Format(PyExc_TypeError, "%s() takes at most %d arguments, not %zd", s->function, s->most, n);
        return -1;
    }
    for (Py_ssize_t i = 0; i < s->most; i++) out[i] = i < n ? args[i] : NULL;
    for (Py_ssize_t i = 0; i < named; i++) {
        PyObject *const name = PyTuple_GetItem(names, i);
        int at = 0;
        while (at < s->most && PyUnicode_CompareWithASCIIString(name, s->names[at])) at++;
        if (at == s->most || out[at] != NULL) {
            PyErr_Format(PyExc_TypeError, at == s->most ? "%s() has no argument '%U'" : "%s() got the argument '%U' twice",
                         s->function, name);
            return -1;
        }
        out[at] = args[n + i];
    }
    for (int i = 0; i < s->least; i++)
        if (out[i] == NULL) {
            PyErr_Format(PyExc_TypeError, "%s() needs the argument '%s'", s->function, s->names[i]);
            return -1;
        }
    return 0;
}

static int borrow_as(struct bytes *b, PyObject *from, int flags)
{
    if (PyObject_GetBuffer(from, &b->held, flags)) return -1;
    b->p = b->held.buf, b->n = (size_t)b->held.len;
    return 0;
}

int borrow(struct bytes *b, PyObject *from, int optional)
{
    if (optional && (from == NULL || from == Py_None)) return 0;
    return borrow_as(b, from, PyBUF_SIMPLE);
}

int borrow_to_write(struct bytes *b, PyObject *from)
{
    return borrow_as(b, from, PyBUF_WRITABLE);
}

void let_go(struct bytes *b)
{
    if (b->held.obj != NULL) PyBuffer_Release(&b->held);
}

int overlap(const void *a, size_t n, const void *b, size_t m)
{
    const uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
    return n != 0 && m != 0 && (x < y ? y - x < n : x - y < m);
}

int check_output(const struct bytes *out, size_t n, const struct bytes *same, const struct bytes *others, int count)
{
    if (out->n != n) {
        PyErr_Format(PyExc_ValueError, "the output buffer has %zu bytes; it must have %zu", out->n, n);
        return -1;
    }
    int shared = same != NULL && out->p != same->p && overlap(out->p, out->n, same->p, same->n);
    for (int i = 0; i < count; i++) shared |= overlap(out->p, out->n, others[i].p, others[i].n);
    if (shared) PyErr_SetString(PyExc_ValueError, "the output buffer overlaps an input and does not begin where the data begins");
    return shared ? -1 : 0;
}

int read_size(size_t *n, PyObject *from, const char *what)
{
    const Py_ssize_t value = PyNumber_AsSsize_t(from, PyExc_OverflowError);
    if (value == -1 && PyErr_Occurred()) {
        if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
            PyErr_Clear();
            PyErr_Format(PyExc_ValueError, "%s is %S, which no length can be", what, from);
        }
        return -1;
    }
    if (value < 0) {
        PyErr_Format(PyExc_ValueError, "%s is %zd; it cannot be negative", what, value);
        return -1;
    }
    *n = (size_t)value;
    return 0;
}

int enter(char *busy)
{
    if (*busy) {
        PyErr_SetString(PyExc_RuntimeError, "another thread is using this object, which has a position");
        return -1;
    }
    *busy = 1;
    return 0;
}

PyObject *crypt_piece(const struct in_pieces *how, PyObject *self, char *busy, PyObject *from, PyObject *buffer)
{
    struct bytes data = { 0 }, to = { 0 };
    PyObject *out = NULL;

    if (borrow(&data, from, 0) || (buffer != NULL && (borrow_to_write(&to, buffer) || check_output(&to, data.n, &data, NULL, 0))) ||
        how->check(self, data.n) || enter(busy))
        goto end;
    out = buffer != NULL ? PyLong_FromSize_t(data.n) : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)data.n);
    if (out != NULL) {
        if (buffer == NULL) to.p = (uint8_t *)PyBytes_AsString(out);
        PyThreadState *const state = release_for(data.n);
        const int error = how->run(self, to.p, data.p, data.n);
        take_back(state);
        if (error) {
            Py_CLEAR(out);
            how->fail(error);
        }
    }
    leave(busy);
end:
    let_go(&data);
    let_go(&to);
    return out;
}

/* ---- Errors. */

int fail_length(const char *what, size_t is, const char *who, const char *takes)
{
    PyErr_Format(PyExc_ValueError, "%s has %zu bytes; %s takes %s", what, is, who, takes);
    return -1;
}

int fail(int error)
{
    switch (error) {
    case HAECHI_EAUTH:
        PyErr_SetString(invalid_tag, "this is not what was encrypted: forged, damaged, or of another key");
        break;
    case HAECHI_ECPU: PyErr_SetString(PyExc_RuntimeError, "this CPU can run no kernel of this build"); break;
    case HAECHI_ERESEED: PyErr_SetString(PyExc_RuntimeError, "the generator needs fresh entropy: call reseed"); break;
    default: PyErr_Format(PyExc_SystemError, "the library answered %d, which this module did not expect", error);
    }
    return -1;
}

/* ---- Ciphers and modes. */

const struct cipher *find_cipher(const char *family, size_t n)
{
    int known = 0;
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        if (!strncmp(c->name, family, strlen(family)) && strcspn(c->name, "-") == strlen(family)) {
            if (c->key == n) return c;
            known = c->block;
        }
    if (known) fail_length("the key", n, family, known == 8 ? "16" : "16, 24 or 32");
    else PyErr_Format(PyExc_ValueError, "there is no cipher %s; there are LEA, HIGHT and ARIA", family);
    return NULL;
}

static const struct {
    const char *name, *nonces, *tags;
    haechi_mode *mode;
} modes[] = { { "GCM", "1 or more", "4, 8 or 12 to 16", &haechi_gcm },
              { "CCM", "7 to 13", "4, 6, 8, 10, 12, 14 or 16", &haechi_ccm },
              { "EAX", "1 or more", "4 to 16 (HIGHT: 4 to 8)", &haechi_eax } };
enum { MODES = sizeof modes / sizeof *modes };

haechi_mode *find_mode(const char *name)
{
    for (int i = 0; i < MODES; i++)
        if (!strcmp(modes[i].name, name)) return modes[i].mode;
    PyErr_Format(PyExc_ValueError, "there is no mode %s; there are GCM, CCM and EAX", name);
    return NULL;
}

static int index_of(haechi_mode *m)
{
    int i = 0;
    while (modes[i].mode != m) i++;
    return i;
}

const char *mode_name(haechi_mode *m)
{
    return modes[index_of(m)].name;
}

int check_nonce(haechi_mode *m, size_t n)
{
    const int fits = m == &haechi_ccm ? n >= 7 && n <= 13 : n > 0;
    return fits ? 0 : fail_length("the nonce", n, mode_name(m), modes[index_of(m)].nonces);
}

int check_tag(haechi_mode *m, const struct cipher *c, size_t n)
{
    int fits = n >= 4 && n <= c->block;
    if (m == &haechi_gcm) fits = fits && (n == 4 || n == 8 || n >= 12);
    if (m == &haechi_ccm) fits = fits && n % 2 == 0;
    return fits ? 0 : fail_length("the tag", n, mode_name(m), modes[index_of(m)].tags);
}

uint64_t longest(haechi_mode *m, size_t noncelen)
{
    if (m == &haechi_gcm) return (UINT64_C(1) << 36) - 32;
    if (m == &haechi_ccm && noncelen > 7) return (UINT64_C(1) << 8 * (15 - noncelen)) - 1;
    return UINT64_MAX;
}

int check_text(haechi_mode *m, size_t noncelen, size_t n)
{
    const uint64_t most = longest(m, noncelen);
    if (n <= most) return 0;
    PyErr_Format(PyExc_ValueError, "the data has %zu bytes; %s with a nonce of %zu bytes takes at most %llu", n, mode_name(m),
                 noncelen, (unsigned long long)most);
    return -1;
}

/* ---- Objects. */

void *allocate(PyTypeObject *type)
{
    return ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
}

void end_object(PyObject *o, size_t size)
{
    PyTypeObject *const type = Py_TYPE(o);
    haechi_wipe((char *)o + sizeof(PyObject), size - sizeof(PyObject));
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(o);
    Py_DECREF(type);
}

int add_type(PyObject *module, PyType_Spec *spec, PyObject **type)
{
    PyObject *const made = PyType_FromSpec(spec);
    int error;
    if (made == NULL) return -1;
    error = PyModule_AddType(module, (PyTypeObject *)made);
    if (type != NULL && !error) *type = made; /* The module keeps the type alive. */
    else Py_DECREF(made);
    return error;
}

/* ---- Functions of the module. */

static PyObject *wipe(PyObject *self, PyObject *buffer)
{
    struct bytes b = { 0 };
    (void)self;
    if (borrow_to_write(&b, buffer)) return NULL;
    haechi_wipe(b.p, b.n);
    let_go(&b);
    return Py_NewRef(Py_None);
}

static PyObject *kernels(PyObject *self, PyObject *nothing)
{
    PyObject *const found = PyDict_New();
    (void)self, (void)nothing;
    for (const struct cipher *c = ciphers; found != NULL && c < ciphers + CIPHERS; c++) {
        static const uint8_t key[32];
        haechi_any_key k;
        const int error = haechi_init(&k.key, sizeof k, c->forward, key, c->key);
        PyObject *const name = error ? NULL : PyUnicode_FromString(haechi_kernel_name(&k.key));
        if (error) fail(error);
        if (name == NULL || PyDict_SetItemString(found, c->name, name)) {
            Py_XDECREF(name);
            Py_DECREF(found);
            return NULL;
        }
        Py_DECREF(name);
    }
    return found;
}

static PyMethodDef functions[] = { { "wipe", wipe, METH_O, "wipe($module, buffer, /)\n--\n\nZeroes a writable buffer, such as a bytearray that held a key." }, { "kernels", kernels, METH_NOARGS, NULL }, { 0 } };

static int execute(PyObject *module)
{
    static int loaded; /* The exception and the types are those of one interpreter. */
    if (loaded) {
        PyErr_SetString(PyExc_ImportError, "haechi can be imported in one interpreter of a process only");
        return -1;
    }
    invalid_tag = PyErr_NewExceptionWithDoc("haechi.InvalidTag",
                                            "What was to be decrypted or verified is not authentic: it was forged or "
                                            "damaged, or the key, the nonce or the associated data is another one.",
                                            NULL, NULL);
    if (invalid_tag == NULL || PyModule_AddObjectRef(module, "InvalidTag", invalid_tag) ||
        PyModule_AddStringConstant(module, "version", haechi_version()) || add_aead(module) || add_raw(module) ||
        add_file(module) || add_columns(module))
        return -1;
    loaded = 1;
    return 0;
}

static PyModuleDef_Slot slots[] = { { Py_mod_exec, execute }, { 0 } };
static struct PyModuleDef definition = { PyModuleDef_HEAD_INIT, "_haechi", NULL, 0, functions, slots, NULL, NULL, NULL };

PyMODINIT_FUNC PyInit__haechi(void);
PyMODINIT_FUNC PyInit__haechi(void)
{
    return PyModuleDef_Init(&definition);
}

/* rows.c - whole columns of messages: a table of keys, and the rows that are sealed or opened with them.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <haechi_jobs.h>
#include <stdlib.h>

#include "column.h"

enum { BATCH = 256 /* messages that one call of the library takes */ };

/* ---- Keys. */

struct keys {
    PyObject_HEAD
    haechi_mode *mode;
    const struct cipher *cipher;
    size_t tag, n;
    uint8_t *raw;   /* n keys */
    int by_id;      /* 0: rows name a key by its place */
    enum kind kind; /* of the ids: WHOLE, or SMALL for bytes */
    int64_t *whole; /* n ids that are integers */
    uint8_t *text;  /* n ids that are bytes, one after the other, */
    size_t *ends;   /* and where each of them ends */
    uint32_t *slots; /* a hash table: the place of a key plus 1, or 0 */
    size_t mask;
};
static PyObject *keys_type;

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ h >> 32;
}

static uint64_t hash(const uint8_t *p, size_t n)
{
    uint64_t h = n;
    for (; n >= 8; p += 8, n -= 8) h = mix(h ^ load_word(p, 8));
    for (; n; n--) h = mix(h ^ *p++);
    return h;
}

/* The slot that holds this id, or the empty one where it belongs. */
static uint32_t *slot_of_whole(const struct keys *k, int64_t id)
{
    size_t i = mix((uint64_t)id) & k->mask;
    while (k->slots[i] && k->whole[k->slots[i] - 1] != id) i = (i + 1) & k->mask;
    return &k->slots[i];
}

static uint32_t *slot_of_text(const struct keys *k, const uint8_t *p, size_t n)
{
    size_t i = hash(p, n) & k->mask;
    for (; k->slots[i]; i = (i + 1) & k->mask) {
        const size_t at = k->slots[i] - 1, from = at ? k->ends[at - 1] : 0;
        if (k->ends[at] - from == n && !memcmp(k->text + from, p, n)) break;
    }
    return &k->slots[i];
}

/* The key of a row that is not null, or NULL. */
static const uint8_t *find(const struct keys *k, const struct column *ids, size_t row)
{
    size_t at = 0;

    if (ids->kind == WHOLE) {
        int fits;
        const int64_t id = whole(ids, row, &fits);
        if (!fits) return NULL;
        if (k->by_id) at = *slot_of_whole(k, id);
        else at = id >= 0 && (uint64_t)id < k->n ? (size_t)id + 1 : 0;
    } else {
        const uint8_t *p;
        size_t n;
        if (value(ids, row, &p, &n)) return NULL;
        at = *slot_of_text(k, p, n);
    }
    return at ? k->raw + (at - 1) * k->cipher->key : NULL;
}

static void keys_end(PyObject *o)
{
    struct keys *const k = (struct keys *)o;
    if (k->raw != NULL) haechi_wipe(k->raw, k->n * k->cipher->key);
    free(k->raw), free(k->whole), free(k->text), free(k->ends), free(k->slots);
    end_object(o, sizeof *k);
}

/* The rows of a list of columns; -1 with an error. */
static int count_rows(PyObject *list, size_t *n)
{
    *n = 0;
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        PyObject *const c = PyList_GetItem(list, i);
        if (!PyObject_TypeCheck(c, (PyTypeObject *)column_type)) {
            PyErr_SetString(PyExc_TypeError, "this is no list of columns");
            return -1;
        }
        *n += ((struct column *)c)->n;
    }
    return 0;
}

static int copy_keys(struct keys *k, PyObject *list, const haechi_key *unwraps)
{
    const size_t stored = k->cipher->key + (unwraps == NULL ? 0u : 8u);
    uint8_t *to = k->raw;
    size_t row = 0;

    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const struct column *const c = (struct column *)PyList_GetItem(list, i);
        for (size_t j = 0; j < c->n; j++, row++, to += k->cipher->key) {
            const uint8_t *p;
            size_t n;
            int error = 0;
            if (!is_valid(c, j)) {
                PyErr_Format(PyExc_ValueError, "key %zu is null", row);
                return -1;
            }
            if (value(c, j, &p, &n) || n != stored) {
                PyErr_Format(PyExc_ValueError, "key %zu has %zu bytes; all must have %zu, as the first one has", row, n, stored);
                return -1;
            }
            if (unwraps == NULL) memcpy(to, p, n);
            else error = haechi_kw_unwrap(unwraps, to, p, n);
            if (error) {
                PyErr_Format(invalid_tag, "key %zu is not authentic: it was damaged, or wrapped under another key", row);
                return -1;
            }
        }
    }
    return 0;
}

static int copy_ids(struct keys *k, PyObject *list)
{
    size_t row = 0, size = 0, text = 0;

    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const struct column *const c = (struct column *)PyList_GetItem(list, i);
        for (size_t j = 0; j < c->n; j++) {
            const uint8_t *p;
            size_t n;
            if (c->kind != WHOLE && is_valid(c, j) && !value(c, j, &p, &n)) size += n;
        }
        k->kind = c->kind == WHOLE ? WHOLE : SMALL;
    }
    for (k->mask = 15; k->mask < 2 * k->n; k->mask = 2 * k->mask + 1) continue;
    k->by_id = 1;
    k->slots = calloc(k->mask + 1, sizeof *k->slots);
    k->whole = calloc(k->n + 1, sizeof *k->whole), k->ends = calloc(k->n + 1, sizeof *k->ends), k->text = malloc(size + 1);
    if (k->slots == NULL || k->whole == NULL || k->ends == NULL || k->text == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const struct column *const c = (struct column *)PyList_GetItem(list, i);
        for (size_t j = 0; j < c->n; j++, row++) {
            const char *wrong = !is_valid(c, j) ? "is null" : NULL;
            uint32_t *slot = NULL;
            int fits;
            if (wrong == NULL && c->kind == WHOLE) {
                k->whole[row] = whole(c, j, &fits);
                if (!fits) wrong = "is above 2^63 - 1";
                else slot = slot_of_whole(k, k->whole[row]);
            } else if (wrong == NULL) {
                const uint8_t *p;
                size_t n;
                if (value(c, j, &p, &n)) wrong = "is damaged";
                else {
                    slot = slot_of_text(k, p, n);
                    memcpy(k->text + text, p, n);
                    k->ends[row] = text += n;
                }
            }
            if (slot != NULL && *slot) wrong = "was there before";
            if (wrong != NULL) {
                PyErr_Format(PyExc_ValueError, "the id of key %zu %s", row, wrong);
                return -1;
            }
            *slot = (uint32_t)(row + 1);
        }
    }
    return 0;
}

/* Keys(mode, cipher, keys, ids, tag_length, wrapping_cipher, wrapping_key) */
static PyObject *keys_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    const char *mode, *family, *wrapping = NULL;
    PyObject *list, *ids, *tag_from, *kek_from;
    struct bytes kek = { 0 };
    struct keys *k;
    haechi_any_key unwraps;
    const uint8_t *p;
    size_t n = 0, width = 0;
    int error = -1;

    (void)named;
    if (!PyArg_ParseTuple(args, "ssO!OOzO", &mode, &family, &PyList_Type, &list, &ids, &tag_from, &wrapping, &kek_from) ||
        (k = allocate(type)) == NULL)
        return NULL;
    if ((k->mode = find_mode(mode)) == NULL || count_rows(list, &k->n) || borrow(&kek, kek_from, wrapping == NULL)) goto end;
    for (Py_ssize_t i = 0; i < PyList_Size(list); i++) {
        const struct column *const c = (struct column *)PyList_GetItem(list, i);
        if (c->kind == WHOLE) {
            PyErr_SetString(PyExc_TypeError, "the keys are integers; they must be bytes");
            goto end;
        }
        if (!width && c->n && !is_valid(c, 0)) {
            PyErr_SetString(PyExc_ValueError, "key 0 is null");
            goto end;
        }
        if (!width && c->n && is_valid(c, 0) && !value(c, 0, &p, &width) && wrapping != NULL) width -= width < 8 ? width : 8;
    }
    if (k->n == 0 || k->n >= UINT32_MAX) {
        PyErr_Format(PyExc_ValueError, "there are %zu keys; there must be 1 to 4294967294", k->n);
        goto end;
    }
    if ((k->cipher = find_cipher(family, width)) == NULL) goto end;
    k->tag = k->cipher->block;
    if (tag_from != Py_None && read_size(&k->tag, tag_from, "tag_length")) goto end;
    if (check_tag(k->mode, k->cipher, k->tag)) goto end;
    k->raw = malloc(k->n * k->cipher->key);
    if (k->raw == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    if (wrapping != NULL) {
        const struct cipher *const c = find_cipher(wrapping, kek.n);
        if (c == NULL) goto end;
        error = c->block == 16 ? haechi_init(&unwraps.key, sizeof unwraps, c->inverse, kek.p, kek.n) : HAECHI_EUSE;
        if (error == HAECHI_EUSE) PyErr_SetString(PyExc_ValueError, "key wrap takes ciphers whose blocks have 16 bytes: LEA and ARIA");
        else if (error) fail(error);
        if (error) goto end;
    }
    error = copy_keys(k, list, wrapping == NULL ? NULL : &unwraps.key);
    haechi_wipe(&unwraps, sizeof unwraps);
    if (!error && ids != Py_None) {
        error = count_rows(ids, &n);
        if (!error && n != k->n) {
            PyErr_Format(PyExc_ValueError, "there are %zu keys and %zu ids", k->n, n);
            error = -1;
        }
        if (!error) error = copy_ids(k, ids);
    }
end:
    let_go(&kek);
    if (error) Py_CLEAR(k);
    return (PyObject *)k;
}

/* wrapped(cipher, wrapping_key): a column of all keys, each wrapped by KW. */
static PyObject *keys_wrapped(PyObject *self, PyObject *args)
{
    const struct keys *const k = (struct keys *)self;
    const char *family;
    PyObject *from;
    struct bytes kek = { 0 };
    struct column *made = NULL;
    const struct cipher *c;
    haechi_any_key wraps;
    int error = -1;

    if (!PyArg_ParseTuple(args, "sO", &family, &from) || borrow(&kek, from, 0)) return NULL;
    c = find_cipher(family, kek.n);
    if (c != NULL && c->block != 16) PyErr_SetString(PyExc_ValueError, "key wrap takes ciphers whose blocks have 16 bytes: LEA and ARIA");
    else if (c != NULL && (made = new_column(FIXED, k->n, k->cipher->key + 8u, 0)) != NULL) {
        error = haechi_init(&wraps.key, sizeof wraps, c->forward, kek.p, kek.n);
        for (size_t i = 0; i < k->n && !error; i++)
            error = haechi_kw_wrap(&wraps.key, made->data + i * made->width, k->raw + i * k->cipher->key, k->cipher->key);
        haechi_wipe(&wraps, sizeof wraps);
        if (error) fail(error);
    }
    let_go(&kek);
    if (error && made != NULL) Py_CLEAR(made);
    return (PyObject *)made;
}

static Py_ssize_t keys_length(PyObject *self)
{
    return (Py_ssize_t)((struct keys *)self)->n;
}

static PyObject *keys_name(PyObject *self, void *unused)
{
    const struct keys *const k = (struct keys *)self;
    (void)unused;
    return PyUnicode_FromFormat("%s-%s", k->cipher->name, mode_name(k->mode));
}

static PyObject *keys_tag(PyObject *self, void *unused)
{
    (void)unused;
    return PyLong_FromSize_t(((struct keys *)self)->tag);
}

/* ---- Rows. */

enum { IDS, NONCES, AADS, TEXTS, TAGS, COLUMNS };
static const char *const column_names[COLUMNS] = { "ids", "nonces", "aad", "texts", "tags" };

struct rows {
    PyObject_HEAD
    int opens;
    size_t n;
    struct keys *keys;
    struct column *in[COLUMNS];  /* aad may be NULL; so are the tags when sealing */
    struct column *out, *second; /* the texts, and the tags or the verdicts */
};

static void rows_end(PyObject *o)
{
    struct rows *const r = (struct rows *)o;
    Py_XDECREF((PyObject *)r->keys);
    for (int i = 0; i < COLUMNS; i++) Py_XDECREF((PyObject *)r->in[i]);
    Py_XDECREF((PyObject *)r->out);
    Py_XDECREF((PyObject *)r->second);
    end_object(o, sizeof *r);
}

static int check_columns(const struct rows *r)
{
    const struct column *const *const in = (const struct column *const *)r->in;

    for (int i = 0; i < COLUMNS; i++) {
        if (in[i] == NULL) continue;
        if (in[i]->n != r->n) {
            PyErr_Format(PyExc_ValueError, "%s has %zu rows and %s has %zu", column_names[i], in[i]->n, column_names[TEXTS], r->n);
            return -1;
        }
        if (i != IDS && in[i]->kind == WHOLE) {
            PyErr_Format(PyExc_TypeError, "%s holds integers; it must hold bytes", column_names[i]);
            return -1;
        }
    }
    const enum kind wanted = r->keys->by_id ? r->keys->kind : WHOLE;
    if ((in[IDS]->kind == WHOLE) != (wanted == WHOLE)) {
        PyErr_Format(PyExc_TypeError, "ids holds %s; the keys are named by %s", wanted == WHOLE ? "bytes" : "integers", wanted == WHOLE ? "integers" : "bytes");
        return -1;
    }
    /* Where all rows have the same length, a wrong one is a mistake of the caller, and not of a row. */
    if (in[NONCES]->kind == FIXED && check_nonce(r->keys->mode, in[NONCES]->width)) return -1;
    if (in[TEXTS]->kind == FIXED && in[NONCES]->kind == FIXED && check_text(r->keys->mode, in[NONCES]->width, in[TEXTS]->width)) return -1;
    if (in[TAGS] != NULL && in[TAGS]->kind == FIXED && in[TAGS]->width != r->keys->tag) {
        PyErr_Format(PyExc_ValueError, "the tag has %zu bytes; these keys have tag_length=%zu", in[TAGS]->width, r->keys->tag);
        return -1;
    }
    return 0;
}

static int any_null(const struct rows *r, size_t row)
{
    for (int i = 0; i < COLUMNS; i++)
        if (r->in[i] != NULL && !is_valid(r->in[i], row)) return 1;
    return 0;
}

/* Makes the columns that come out: their lengths, and where they are null. */
static int prepare(struct rows *r)
{
    const struct column *const texts = r->in[TEXTS];
    const enum kind kind = texts->kind == VIEW ? LARGE : texts->kind;
    const uint8_t *p;
    size_t n, size = 0;

    if (kind != FIXED)
        for (size_t i = 0; i < r->n; i++) {
            if (any_null(r, i)) continue;
            if (value(texts, i, &p, &n)) {
                PyErr_Format(PyExc_ValueError, "row %zu: the offsets of texts are damaged", i);
                return -1;
            }
            size += n;
        }
    r->out = new_column(kind, r->n, kind == FIXED ? texts->width : 0, size);
    r->second = r->opens ? new_column(WHOLE, r->n, 1, 0) : new_column(FIXED, r->n, r->keys->tag, 0);
    if (r->out == NULL || r->second == NULL) return -1;
    size = 0;
    for (size_t i = 0; i < r->n; i++) {
        const int null = any_null(r, i);
        if (null) {
            r->out->valid[i / 8] &= (uint8_t)~(1 << i % 8);
            r->second->valid[i / 8] &= (uint8_t)~(1 << i % 8);
        }
        if (kind == FIXED) continue;
        if (!null && !value(texts, i, &p, &n)) size += n;
        if (kind == SMALL) {
            const uint32_t end = (uint32_t)size;
            memcpy(r->out->offsets + 4 * (i + 1), &end, 4);
        } else {
            const uint64_t end = size;
            memcpy(r->out->offsets + 8 * (i + 1), &end, 8);
        }
    }
    return 0;
}

/* Rows(opens, keys, ids, nonces, aad, texts, tags) */
static PyObject *rows_make(PyTypeObject *type, PyObject *args, PyObject *named)
{
    PyObject *keys, *given[COLUMNS];
    struct rows *r;
    int opens;

    (void)named;
    if (!PyArg_ParseTuple(args, "pO!OOOOO", &opens, keys_type, &keys, &given[IDS], &given[NONCES], &given[AADS], &given[TEXTS], &given[TAGS]) ||
        (r = allocate(type)) == NULL)
        return NULL;
    r->opens = opens, r->keys = (struct keys *)Py_NewRef(keys);
    for (int i = 0; i < COLUMNS; i++) {
        const int optional = i == AADS || (i == TAGS && !opens);
        if (optional && given[i] == Py_None) continue;
        if (!PyObject_TypeCheck(given[i], (PyTypeObject *)column_type)) {
            PyErr_Format(PyExc_TypeError, "%s is no column", column_names[i]);
            goto fail;
        }
        r->in[i] = (struct column *)Py_NewRef(given[i]);
    }
    r->n = r->in[TEXTS]->n;
    if (!check_columns(r) && !prepare(r)) return (PyObject *)r;
fail:
    Py_DECREF((PyObject *)r);
    return NULL;
}

/* Makes a job of a row.  Returns an error, with which the row is done, or 0. */
static int job_of(const struct rows *r, size_t row, haechi_job *j)
{
    const uint8_t *nonce, *aad = NULL, *text, *tag = NULL, *out;
    size_t outlen;

    memset(j, 0, sizeof *j);
    if (value(r->in[TEXTS], row, &text, &j->len) || value(r->out, row, &out, &outlen)) return HAECHI_ELEN;
    if (outlen != j->len) return HAECHI_ELEN; /* Somebody has changed the offsets since the output was made. */
    if (value(r->in[NONCES], row, &nonce, &j->noncelen)) return HAECHI_ELEN;
    if (r->in[AADS] != NULL && value(r->in[AADS], row, &aad, &j->aadlen)) return HAECHI_ELEN;
    if (r->opens) {
        if (value(r->in[TAGS], row, &tag, &j->taglen) || j->taglen != r->keys->tag) return HAECHI_ELEN;
    } else {
        j->taglen = r->keys->tag;
        tag = r->second->data + row * r->second->width;
    }
    j->key = find(r->keys, r->in[IDS], row);
    if (j->key == NULL) return HAECHI_EKEY;
    j->nonce = j->noncelen ? nonce : NULL, j->aad = j->aadlen ? aad : NULL, j->in = text;
    j->out = (uint8_t *)(uintptr_t)out, j->tag = (uint8_t *)(uintptr_t)tag;
    return 0;
}

static void judge(struct rows *r, size_t row, int error)
{
    if (r->opens) r->second->data[row] = (uint8_t)error;
    if (error) r->out->valid[row / 8] &= (uint8_t)~(1 << row % 8);
}

/* Works on the rows from `from`, a multiple of 8, to `to`.  When sealing it stops at the first error, in *bad; when
 * opening only at one that no row may have. */
static int work(struct rows *r, haechi_job *jobs, size_t from, size_t to, size_t *bad)
{
    size_t places[BATCH], n = 0;

    for (size_t row = from; row < to || n; row++) {
        if (row < to && !any_null(r, row)) {
            const int error = job_of(r, row, &jobs[n]);
            if (!error) places[n++] = row;
            else if (r->opens) judge(r, row, error);
            else return *bad = row, error;
        }
        if (n == BATCH || (row + 1 >= to && n)) {
            (void)(r->opens ? haechi_open_jobs : haechi_seal_jobs)(r->keys->mode, r->keys->cipher->forward, jobs, sizeof *jobs, n);
            for (size_t i = 0; i < n; i++) {
                const int error = jobs[i].result;
                if (error && !(r->opens && (error == HAECHI_EAUTH || error == HAECHI_ELEN))) return *bad = places[i], error;
                judge(r, places[i], error);
            }
            n = 0;
        }
    }
    return 0;
}

/* run(from, to): ValueError for a row that cannot be sealed, or that is longer than the mode allows. */
static PyObject *rows_run(PyObject *self, PyObject *args)
{
    struct rows *const r = (struct rows *)self;
    haechi_job *const jobs = malloc(BATCH * sizeof *jobs);
    size_t bad = 0;
    Py_ssize_t from, to;
    int error = 0;

    if (jobs == NULL) return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "nn", &from, &to)) {
        free(jobs);
        return NULL;
    }
    if (from < 0 || from % 8 || to < from || (size_t)to > r->n) {
        free(jobs);
        PyErr_SetString(PyExc_IndexError, "there are no such rows");
        return NULL;
    }
    PyThreadState *const state = PyEval_SaveThread();
    error = work(r, jobs, (size_t)from, (size_t)to, &bad);
    PyEval_RestoreThread(state);
    free(jobs);
    if (!error) return Py_NewRef(Py_None);
    if (error == HAECHI_EKEY) PyErr_Format(PyExc_ValueError, "row %zu: there is no key of this id", bad);
    else if (error == HAECHI_ELEN || error == HAECHI_ELIMIT) {
        const uint8_t *p;
        size_t nonce = 0, text = 0;
        (void)value(r->in[NONCES], bad, &p, &nonce);
        (void)value(r->in[TEXTS], bad, &p, &text);
        if (!check_nonce(r->keys->mode, nonce) && !check_text(r->keys->mode, nonce, text)) PyErr_SetString(PyExc_ValueError, "the offsets are damaged");
        PyObject *type, *what, *trace;
        PyErr_Fetch(&type, &what, &trace);
        PyErr_Format(PyExc_ValueError, "row %zu: %S", bad, what);
        Py_XDECREF(type);
        Py_XDECREF(what);
        Py_XDECREF(trace);
    } else fail(error);
    return NULL;
}

static PyObject *rows_results(PyObject *self, PyObject *nothing)
{
    struct rows *const r = (struct rows *)self;
    (void)nothing;
    return PyTuple_Pack(2, (PyObject *)r->out, (PyObject *)r->second);
}

int add_rows(PyObject *module)
{
    static PyMethodDef keys_methods[] = { { "wrapped", keys_wrapped, METH_VARARGS, NULL }, { 0 } };
    static PyGetSetDef keys_members[] = { { "name", keys_name, NULL, "Like 'LEA-128-GCM'.", NULL },
                                          { "tag_length", keys_tag, NULL, "The bytes of a tag.", NULL },
                                          { 0 } };
    static PyType_Slot keys_slots[] = { { Py_tp_new, keys_make }, { Py_tp_dealloc, keys_end }, { Py_tp_methods, keys_methods },
                                        { Py_tp_getset, keys_members }, { Py_sq_length, keys_length }, { 0, NULL } };
    static PyType_Spec keys_spec = { "haechi._haechi.Keys", sizeof(struct keys), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, keys_slots };
    static PyMethodDef methods[] = { { "run", rows_run, METH_VARARGS, NULL }, { "results", rows_results, METH_NOARGS, NULL }, { 0 } };
    static PyType_Slot slots[] = { { Py_tp_new, rows_make }, { Py_tp_dealloc, rows_end }, { Py_tp_methods, methods }, { 0, NULL } };
    static PyType_Spec spec = { "haechi._haechi.Rows", sizeof(struct rows), 0, Py_TPFLAGS_DEFAULT, slots };
    return add_type(module, &keys_spec, &keys_type) || add_type(module, &spec, NULL) ? -1 : 0;
}

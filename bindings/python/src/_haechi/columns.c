/* columns.c - columns from and to other libraries: by the buffer protocol and by the Arrow C data interface.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "arrow.h"
#include "column.h"

PyObject *column_type;

struct memory {
    size_t refs;
    struct ArrowArray array; /* of another library, if it has a release */
    Py_buffer view;          /* of a Python object, if it has one */
    void *own[3];            /* of this module: validity, offsets, data */
};

static void drop(struct memory *m)
{
    if (m == NULL || __atomic_sub_fetch(&m->refs, 1, __ATOMIC_ACQ_REL)) return;
    if (m->array.release != NULL) m->array.release(&m->array);
    if (m->view.obj != NULL) PyBuffer_Release(&m->view);
    for (int i = 0; i < 3; i++) free(m->own[i]);
    free(m);
}

static struct column *bare(void)
{
    struct column *const c = allocate((PyTypeObject *)column_type);
    if (c == NULL) return NULL;
    c->memory = calloc(1, sizeof *c->memory);
    if (c->memory == NULL) {
        Py_DECREF((PyObject *)c);
        PyErr_NoMemory();
        return NULL;
    }
    c->memory->refs = 1;
    return c;
}

struct column *new_column(enum kind kind, size_t n, size_t width, size_t size)
{
    struct column *const c = bare();
    const size_t offset = kind == SMALL ? 4 : kind == LARGE ? 8 : 0;
    if (c == NULL) return NULL;
    c->kind = kind, c->n = n, c->width = width, c->stride = (ptrdiff_t)width, c->is_signed = kind == WHOLE;
    if (!offset) size = width && n > SIZE_MAX / width ? SIZE_MAX : n * width;
    c->memory->own[0] = c->valid = malloc(n / 8 + 1);
    c->memory->own[1] = c->offsets = offset ? calloc(n + 1, offset) : NULL;
    c->memory->own[2] = c->data = size == SIZE_MAX ? NULL : calloc(size + 1, 1); /* The address of no bytes is not NULL. */
    if (c->valid == NULL || c->data == NULL || (offset && c->offsets == NULL)) {
        Py_DECREF((PyObject *)c);
        PyErr_NoMemory();
        return NULL;
    }
    memset(c->valid, 0xff, n / 8 + 1);
    return c;
}

static void end(PyObject *o)
{
    drop(((struct column *)o)->memory);
    end_object(o, sizeof(struct column));
}

/* ---- From other libraries. */

/* Whether integers of this format are in the byte order of this machine. */
static int is_native(const char *format)
{
    const int little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    return little ? *format != '>' && *format != '!' : *format != '<';
}

/* from_buffer(object): a 2-dimensional array of bytes, a row a value; or a 1-dimensional one of integers, or of values
 * of fixed length (dtypes S and V of numpy).  The bytes of a value follow one another; the values may stand apart, as those
 * of a field of records do, and in any order. */
static PyObject *from_buffer(PyObject *self, PyObject *from)
{
    struct column *const c = bare();
    Py_buffer *const v = c == NULL ? NULL : &c->memory->view;
    const char *format;
    char last;

    (void)self;
    if (c == NULL) return NULL;
    if (PyObject_GetBuffer(from, v, PyBUF_FORMAT | PyBUF_STRIDES)) goto fail;
    format = v->format == NULL ? "B" : v->format;
    last = format[strlen(format) - 1];
    c->data = v->buf, c->n = v->ndim ? (size_t)v->shape[0] : 0;
    if (v->ndim == 2 && v->itemsize == 1 && strchr("bBc", last)) {
        c->kind = FIXED, c->width = (size_t)v->shape[1];
    } else if (v->ndim == 1 && strchr("sx", last)) {
        c->kind = FIXED, c->width = (size_t)v->itemsize;
    } else if (v->ndim == 1 && strchr("bBhHiIlLqQ", last) && is_native(format)) {
        c->kind = WHOLE, c->width = (size_t)v->itemsize, c->is_signed = strchr("bhilq", last) != NULL;
    } else {
        PyErr_Format(PyExc_TypeError,
                     "a column is an array of %d dimensions of '%s'; it must be a 2-dimensional array of bytes, or a "
                     "1-dimensional one of integers or of bytes of fixed length",
                     v->ndim, format);
        goto fail;
    }
    if (v->ndim == 2 && v->shape[1] > 1 && v->strides[1] != 1) {
        PyErr_SetString(PyExc_TypeError, "the bytes of a value do not follow one another in memory: copy the array first");
        goto fail;
    }
    c->stride = v->strides[0];
    return (PyObject *)c;
fail:
    Py_DECREF((PyObject *)c);
    return NULL;
}

/* constant(value, n): n rows of the same bytes. */
static PyObject *constant(PyObject *self, PyObject *args)
{
    PyObject *from;
    Py_ssize_t n;
    struct column *c;

    (void)self;
    if (!PyArg_ParseTuple(args, "On", &from, &n) || (c = bare()) == NULL) return NULL;
    if (PyObject_GetBuffer(from, &c->memory->view, PyBUF_SIMPLE)) {
        Py_DECREF((PyObject *)c);
        return NULL;
    }
    c->kind = FIXED, c->data = c->memory->view.buf, c->width = (size_t)c->memory->view.len, c->n = (size_t)n;
    return (PyObject *)c;
}

/* A column of an array, which it takes over. */
static struct column *from_arrow(const struct ArrowSchema *schema, struct ArrowArray *array)
{
    static const char integers[] = "cCsSiIlL";
    const char *const format = schema->format, *at;
    struct column *const c = bare();
    int views = 0;

    if (c == NULL) return NULL;
    c->memory->array = *array;
    array->release = NULL;
    array = &c->memory->array;
    if (schema->dictionary != NULL) {
        PyErr_SetString(PyExc_TypeError, "a column is encoded as a dictionary: cast it to its type of value first");
        goto fail;
    }
    if (!strncmp(format, "w:", 2)) c->kind = FIXED, c->width = (size_t)strtoull(format + 2, NULL, 10);
    else if (!strcmp(format, "z") || !strcmp(format, "u")) c->kind = SMALL;
    else if (!strcmp(format, "Z") || !strcmp(format, "U")) c->kind = LARGE;
    else if (!strcmp(format, "vz") || !strcmp(format, "vu")) c->kind = VIEW, views = 1;
    else if (strlen(format) == 1 && (at = strchr(integers, *format)) != NULL)
        c->kind = WHOLE, c->width = (size_t)1 << (at - integers) / 2, c->is_signed = (at - integers) % 2 == 0;
    else {
        PyErr_Format(PyExc_TypeError, "a column has the Arrow format '%s'; it must be binary, large_binary, fixed_size_binary, binary_view, text or an integer", format);
        goto fail;
    }
    c->stride = (ptrdiff_t)c->width, c->n = (size_t)array->length, c->first = (size_t)array->offset;
    if (array->null_count) c->valid = (uint8_t *)(uintptr_t)array->buffers[0];
    if (c->kind == FIXED || c->kind == WHOLE) {
        c->data = (uint8_t *)(uintptr_t)array->buffers[1];
    } else {
        c->offsets = (uint8_t *)(uintptr_t)array->buffers[1];
        if (views) c->more = array->buffers + 2;
        else c->data = (uint8_t *)(uintptr_t)array->buffers[2];
    }
    return c;
fail:
    Py_DECREF((PyObject *)c);
    return NULL;
}

static int append(PyObject *list, struct column *c)
{
    const int error = c == NULL ? -1 : PyList_Append(list, (PyObject *)c);
    Py_XDECREF((PyObject *)c);
    return error;
}

/* Whoever takes what a capsule holds sets its release to NULL, and what it holds may be freed then. */
static int fail_taken(void)
{
    PyErr_SetString(PyExc_ValueError, "__arrow_c_array__ or __arrow_c_stream__ returned what somebody has taken before: it must return new capsules at each call");
    return -1;
}

/* The chunks of a stream. */
static int read_stream(PyObject *list, struct ArrowArrayStream *stream)
{
    struct ArrowSchema schema;
    static const void *none[3];
    struct ArrowArray array;
    size_t count = 0;
    int error;

    schema.release = NULL;
    error = stream->get_schema(stream, &schema);
    for (; !error && (error = stream->get_next(stream, &array)) == 0; count++) {
        if (array.release == NULL) {
            if (count) break;
            array = (struct ArrowArray){ .n_buffers = 3, .buffers = none }; /* There always is a chunk. */
        }
        if (append(list, from_arrow(&schema, &array))) {
            if (array.release != NULL) array.release(&array);
            schema.release(&schema);
            return -1;
        }
        if (array.buffers == none) break;
    }
    if (error) {
        const char *const why = stream->get_last_error(stream);
        PyErr_Format(PyExc_RuntimeError, "a column cannot be read: %s", why == NULL ? "no reason is known" : why);
    }
    if (schema.release != NULL) schema.release(&schema);
    return error ? -1 : 0;
}

/* from_arrow(object): a list of columns, one for each chunk. */
static PyObject *columns_from_arrow(PyObject *self, PyObject *from)
{
    PyObject *const list = PyList_New(0), *given = NULL;
    int error = -1;

    (void)self;
    if (list == NULL) return NULL;
    if (PyObject_HasAttrString(from, "__arrow_c_array__")) {
        given = PyObject_CallMethod(from, "__arrow_c_array__", NULL);
        if (given != NULL && PyTuple_Check(given) && PyTuple_Size(given) == 2) {
            struct ArrowSchema *const schema = PyCapsule_GetPointer(PyTuple_GetItem(given, 0), "arrow_schema");
            struct ArrowArray *const array = PyCapsule_GetPointer(PyTuple_GetItem(given, 1), "arrow_array");
            if (schema != NULL && array != NULL)
                error = schema->release == NULL || array->release == NULL ? fail_taken() : append(list, from_arrow(schema, array));
        }
    } else {
        given = PyObject_CallMethod(from, "__arrow_c_stream__", NULL);
        struct ArrowArrayStream *const stream = given == NULL ? NULL : PyCapsule_GetPointer(given, "arrow_array_stream");
        if (stream != NULL) error = stream->release == NULL ? fail_taken() : read_stream(list, stream);
        if (stream != NULL && stream->release != NULL) stream->release(stream);
    }
    if (error && !PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "__arrow_c_array__ did not return two capsules");
    Py_XDECREF(given);
    if (!error) return list;
    Py_DECREF(list);
    return NULL;
}

/* ---- To other libraries. */

static const char *const codes[] = { [SMALL] = "z", [LARGE] = "Z", [WHOLE] = "c" };

static void release_schema(struct ArrowSchema *s)
{
    free(s->private_data);
    s->release = NULL;
}

static void release_array(struct ArrowArray *a)
{
    void **const kept = a->private_data;
    drop(kept[0]);
    free(kept);
    a->release = NULL;
}

static void end_schema(PyObject *capsule)
{
    struct ArrowSchema *const s = PyCapsule_GetPointer(capsule, "arrow_schema");
    if (s->release != NULL) s->release(s);
    free(s);
}

static void end_array(PyObject *capsule)
{
    struct ArrowArray *const a = PyCapsule_GetPointer(capsule, "arrow_array");
    if (a->release != NULL) a->release(a);
    free(a);
}

static PyObject *to_arrow(PyObject *self, PyObject *args)
{
    struct column *const c = (struct column *)self;
    struct ArrowSchema *const schema = calloc(1, sizeof *schema);
    struct ArrowArray *const array = calloc(1, sizeof *array);
    char *const format = malloc(32);
    const void **const kept = calloc(4, sizeof *kept); /* the memory, then the buffers */
    PyObject *capsules[2] = { NULL, NULL }, *pair;

    (void)args; /* A requested schema is a wish that need not be fulfilled. */
    if (schema == NULL || array == NULL || format == NULL || kept == NULL || c->memory->own[2] == NULL) {
        free(schema), free(array), free(format), free(kept);
        if (c->memory->own[2] != NULL) return PyErr_NoMemory();
        PyErr_SetString(PyExc_TypeError, "a column of another library stays there");
        return NULL;
    }
    if (c->kind == FIXED) (void)PyOS_snprintf(format, 32, "w:%lu", (unsigned long)c->width);
    else memcpy(format, codes[c->kind], 2);
    *schema = (struct ArrowSchema){ .format = format, .name = "", .flags = ARROW_NULLABLE, .release = release_schema, .private_data = format };
    kept[0] = c->memory, kept[1] = c->valid;
    kept[2] = c->offsets != NULL ? c->offsets : c->data;
    kept[3] = c->data;
    __atomic_add_fetch(&c->memory->refs, 1, __ATOMIC_RELAXED);
    *array = (struct ArrowArray){ .length = (int64_t)c->n, .null_count = -1, .offset = (int64_t)c->first, .n_buffers = c->offsets != NULL ? 3 : 2,
                                  .buffers = kept + 1, .release = release_array, .private_data = kept };
    capsules[0] = PyCapsule_New(schema, "arrow_schema", end_schema);
    capsules[1] = PyCapsule_New(array, "arrow_array", end_array);
    pair = capsules[0] != NULL && capsules[1] != NULL ? PyTuple_Pack(2, capsules[0], capsules[1]) : NULL;
    Py_XDECREF(capsules[0]);
    Py_XDECREF(capsules[1]);
    return pair;
}

/* The values of a column of fixed length, as one buffer. */
static int get_buffer(PyObject *self, Py_buffer *view, int flags)
{
    struct column *const c = (struct column *)self;
    if ((c->kind != FIXED && c->kind != WHOLE) || c->stride != (ptrdiff_t)c->width) {
        PyErr_SetString(PyExc_BufferError, "a column whose values do not follow one another with one length is no buffer");
        return -1;
    }
    return PyBuffer_FillInfo(view, self, c->data + c->first * c->width, (Py_ssize_t)(c->n * c->width), 0, flags);
}

static PyObject *slice(PyObject *self, PyObject *args)
{
    const struct column *const c = (struct column *)self;
    struct column *part;
    Py_ssize_t from, n;

    if (!PyArg_ParseTuple(args, "nn", &from, &n)) return NULL;
    if (from < 0 || n < 0 || (size_t)from > c->n || (size_t)n > c->n - (size_t)from) {
        PyErr_SetString(PyExc_IndexError, "the slice is not inside the column");
        return NULL;
    }
    part = allocate((PyTypeObject *)column_type);
    if (part == NULL) return NULL;
    memcpy((char *)part + sizeof(PyObject), (const char *)c + sizeof(PyObject), sizeof *c - sizeof(PyObject));
    part->first += (size_t)from, part->n = (size_t)n;
    __atomic_add_fetch(&part->memory->refs, 1, __ATOMIC_RELAXED);
    return (PyObject *)part;
}

static Py_ssize_t length(PyObject *self)
{
    return (Py_ssize_t)((struct column *)self)->n;
}

static PyObject *get_width(PyObject *self, void *unused)
{
    const struct column *const c = (struct column *)self;
    (void)unused;
    return c->kind == FIXED || c->kind == WHOLE ? PyLong_FromSize_t(c->width) : Py_NewRef(Py_None);
}

static PyMethodDef methods[] = {
    { "__arrow_c_array__", to_arrow, METH_VARARGS, "__arrow_c_array__($self, requested_schema=None, /)\n--\n\nThe column for other libraries, by the Arrow C data interface." },
    { "slice", slice, METH_VARARGS, "slice($self, start, length, /)\n--\n\nA part of the column, which is not copied." },
    { 0 }
};
static PyGetSetDef members[] = { { "width", get_width, NULL, "The bytes of a value, or None where these differ.", NULL }, { 0 } };
static PyMethodDef functions[] = { { "column_from_buffer", from_buffer, METH_O, NULL },
                                   { "columns_from_arrow", columns_from_arrow, METH_O, NULL },
                                   { "column_of", constant, METH_VARARGS, NULL },
                                   { 0 } };

int add_columns(PyObject *module)
{
    static PyType_Slot slots[] = { { Py_tp_dealloc, end }, { Py_tp_methods, methods }, { Py_tp_getset, members }, { Py_sq_length, length },
                                   { Py_bf_getbuffer, get_buffer }, { 0, NULL } };
    static PyType_Spec spec = { "haechi._haechi.Column", sizeof(struct column), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots };
    return add_type(module, &spec, &column_type) || PyModule_AddFunctions(module, functions) || add_rows(module) ? -1 : 0;
}

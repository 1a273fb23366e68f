/* column.h - a column of values, whoever holds it: numpy, pyarrow, polars, duckdb or this module.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_COLUMN_H
#define HAECHI_COLUMN_H

#include <string.h>

#include "door.h"

enum kind {
    FIXED, /* bytes of one length */
    SMALL, /* bytes of any length, by 32-bit offsets */
    LARGE, /* by 64-bit offsets */
    VIEW,  /* by views of 16 bytes: length, and the bytes or where they are */
    WHOLE  /* integers */
};

struct memory; /* what columns share; it is freed with the last of them */

struct column {
    PyObject_HEAD
    enum kind kind;
    char is_signed;        /* WHOLE */
    size_t n, width;       /* rows; bytes of a FIXED or WHOLE value */
    ptrdiff_t stride;      /* bytes from one such value to the next; 0: all rows have the same one */
    size_t first;          /* the place of the first row in the buffers */
    uint8_t *valid;        /* a bit for each row, the lowest first; NULL: no row is null */
    uint8_t *offsets;      /* of SMALL and LARGE; the views of VIEW */
    uint8_t *data;
    const void *const *more; /* the data buffers of VIEW */
    struct memory *memory;
};
extern PyObject *column_type;

/* A new column of this module, zeroed, with room for all rows to be null.  size: the bytes of all values of SMALL or
 * LARGE.  NULL with an error. */
struct column *new_column(enum kind kind, size_t n, size_t width, size_t size);

static inline uint64_t load_word(const uint8_t *p, size_t width)
{
    uint64_t v8;
    uint32_t v4;
    uint16_t v2;
    switch (width) {
    case 1: return *p;
    case 2: memcpy(&v2, p, 2); return v2;
    case 4: memcpy(&v4, p, 4); return v4;
    default: memcpy(&v8, p, 8); return v8;
    }
}

static inline int is_valid(const struct column *c, size_t row)
{
    const size_t at = c->first + row;
    return c->valid == NULL || (c->valid[at / 8] >> at % 8 & 1);
}

/* Finds the bytes of a row that is not null.  Returns -1 if the offsets are none. */
static inline int value(const struct column *c, size_t row, const uint8_t **p, size_t *n)
{
    const size_t at = c->first + row;
    switch (c->kind) {
    case SMALL:
    case LARGE: {
        const size_t w = c->kind == SMALL ? 4 : 8;
        const uint64_t from = load_word(c->offsets + at * w, w), to = load_word(c->offsets + (at + 1) * w, w);
        *p = c->data + from, *n = (size_t)(to - from);
        return to < from || to >> (8 * w - 1) ? -1 : 0;
    }
    case VIEW: {
        const uint8_t *const view = c->offsets + 16 * at;
        const uint64_t length = load_word(view, 4);
        *n = (size_t)length;
        *p = length <= 12 ? view + 4 : (const uint8_t *)c->more[load_word(view + 8, 4)] + load_word(view + 12, 4);
        return length >> 31 ? -1 : 0;
    }
    default: *p = c->data + (ptrdiff_t)at * c->stride, *n = c->width; return 0;
    }
}

/* The integer of a row that is not null; *fits is 0 if it does not fit in 63 bits and a sign. */
static inline int64_t whole(const struct column *c, size_t row, int *fits)
{
    const uint64_t v = load_word(c->data + (ptrdiff_t)(c->first + row) * c->stride, c->width);
    const unsigned unused = 64 - 8 * (unsigned)c->width;
    *fits = c->is_signed || !(v >> 63);
    return c->is_signed ? (int64_t)(v << unused) >> unused : (int64_t)v;
}

int add_rows(PyObject *module);

#endif

/* door.h - what the parts of the Python module share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_DOOR_H
#define HAECHI_DOOR_H

/* One module serves Python 3.11 and all later versions. */
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <haechi.h>

#include "ciphers.h"

/* Other Python threads run while a call works on this many bytes or more.  To release and take the lock again costs
 * about as much as the encryption of so many bytes. */
enum { WORTH = 2048 };

extern PyObject *invalid_tag; /* haechi.InvalidTag */

/* ---- Arguments. */

/* The names of a function's parameters, of which the first `least` must be given. */
struct signature {
    const char *function;
    int least, most;
    const char *names[8];
};

/* Stores arguments, given by place or by name, in out; those that are missing are NULL.  Returns -1 with a TypeError
 * if they do not fit. */
int take(const struct signature *s, PyObject *const *args, Py_ssize_t n, PyObject *names, PyObject **out);

/* A buffer of the caller.  It must be zeroed before, and let_go releases it in any case. */
struct bytes {
    uint8_t *p;
    size_t n;
    Py_buffer held;
};

/* Borrows a buffer for reading.  from may be NULL or None, which stand for no bytes, if `optional`.  Returns -1 with a
 * TypeError or BufferError. */
int borrow(struct bytes *b, PyObject *from, int optional);
int borrow_to_write(struct bytes *b, PyObject *from);
void let_go(struct bytes *b);

/* Whether two pieces of memory share a byte. */
int overlap(const void *a, size_t n, const void *b, size_t m);

/* The rules of output buffers: exactly n bytes, and no byte of an input, except that it may begin where the input
 * `same` begins.  Returns -1 with a ValueError. */
int check_output(const struct bytes *out, size_t n, const struct bytes *same, const struct bytes *others, int count);

/* Reads a length or count from a Python integer.  Returns -1 with an error. */
int read_size(size_t *n, PyObject *from, const char *what);

/* ---- Errors.  Each sets an exception and returns -1. */
int fail_length(const char *what, size_t is, const char *who, const char *takes);
int fail(int error); /* the library's error, where the arguments were checked before */

/* ---- Ciphers and modes. */

/* The cipher of this family ("LEA", "HIGHT", "ARIA") whose key has n bytes, or NULL with a ValueError. */
const struct cipher *find_cipher(const char *family, size_t n);

/* The mode of this name, or NULL with a ValueError. */
haechi_mode *find_mode(const char *name);
const char *mode_name(haechi_mode *m);

/* Whether the mode has nonces or tags of so many bytes.  Returns -1 with a ValueError if not. */
int check_nonce(haechi_mode *m, size_t n);
int check_tag(haechi_mode *m, const struct cipher *c, size_t n);

/* The longest message, in bytes, that the mode encrypts with a nonce of this length. */
uint64_t longest(haechi_mode *m, size_t noncelen);
int check_text(haechi_mode *m, size_t noncelen, size_t n);

/* ---- Objects. */
void *allocate(PyTypeObject *type);            /* zeroed */
void end_object(PyObject *o, size_t size);     /* wipes all that follows the head, and frees the object */
int add_type(PyObject *module, PyType_Spec *spec, PyObject **type); /* type may be NULL */

/* One thread at a time uses an object that has a position.  enter returns -1 with a RuntimeError if another one does. */
int enter(char *busy);
static inline void leave(char *busy)
{
    *busy = 0;
}

/* Lets other threads run if there are many bytes to work on. */
static inline PyThreadState *release_for(size_t n)
{
    return n >= WORTH ? PyEval_SaveThread() : NULL;
}
static inline void take_back(PyThreadState *state)
{
    if (state != NULL) PyEval_RestoreThread(state);
}

/* What takes a message in pieces.  check refuses a piece with an exception and -1; run crypts it while other threads may
 * run; fail sets the exception for run's error. */
struct in_pieces {
    int (*check)(PyObject *self, size_t n);
    int (*run)(PyObject *self, uint8_t *out, const uint8_t *in, size_t n);
    int (*fail)(int error);
};

/* Crypts one piece.  Returns new bytes, or their number if there is a buffer for them; NULL with an exception. */
PyObject *crypt_piece(const struct in_pieces *how, PyObject *self, char *busy, PyObject *from, PyObject *buffer);

/* Casts for tables of methods and slots. */
#define METHOD(f) ((PyCFunction)(void (*)(void))(f))
#define NAMED (METH_FASTCALL | METH_KEYWORDS)

/* ---- What the files add to the module. */
struct aead {
    PyObject_HEAD
    haechi_mode *mode;
    const struct cipher *cipher;
    size_t tag; /* bytes */
    haechi_any_aead key;
};
extern PyObject *aead_type;

int add_aead(PyObject *module);
int add_raw(PyObject *module);
int add_file(PyObject *module);
int add_columns(PyObject *module);

#endif

/* format.h - the encrypted file, as docs/file-format.md has it: memory to memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_FORMAT_H
#define HAECHI_FORMAT_H

#include "command.h"

#if !defined(HAECHI_CHUNK)
#define HAECHI_CHUNK 65536 /* another one for fuzzing */
#endif

enum {
    HEADER = 64,          /* bytes */
    SALT = 32,            /* from byte 16 on */
    CHUNK = HAECHI_CHUNK, /* bytes of plaintext in every chunk but the last */
    RUN = 16,             /* chunks under one key */
    TAG_MOST = 16
};

/* A file: constant once begun, threads may share it.  Holds secrets. */
struct file {
    const struct cipher *cipher;
    uint8_t header[HEADER];
    uint8_t tag; /* bytes of it behind every chunk */
    haechi_any_key key;
};

/* The key of a run; every thread has one.  Zeroed: none yet.  Holds secrets. */
struct run {
    uint64_t number; /* and 1 */
    haechi_any_aead key;
};

/* The header for a new file. */
int file_create(struct file *f, const struct cipher *c, const uint8_t *key, const uint8_t salt[SALT]);

/* What the header of a file says without a key: its cipher, or NULL and in *why a sentence's end. */
const struct cipher *file_recognise(const uint8_t header[HEADER], const char **why);

/* HAECHI_EAUTH: another key, or the header has changed. */
int file_open(struct file *f, const uint8_t header[HEADER], const uint8_t *key, size_t len);

/* Chunk number `chunk` in place, n bytes, f->tag of tag. */
int file_seal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
              uint8_t *tag);
int file_unseal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
                const uint8_t *tag);

#endif

/* format.h - the encrypted file that docs/file-format.md describes, from memory to memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_FORMAT_H
#define HAECHI_FORMAT_H

#include "command.h"

#if !defined(HAECHI_CHUNK)
#define HAECHI_CHUNK 65536 /* The fuzzer builds this with a smaller one. */
#endif

enum {
    KEY_FILE = 1,         /* version of a file whose key is the user's */
    PASSPHRASE = 2,       /* version of a file whose key is made of a passphrase */
    HEAD = 48,            /* bytes of the header that say how the file is encrypted */
    HEADER_LEAST = 64,    /* bytes of a header of version 1: head and check */
    HEADER_MOST = 80,     /* bytes of a header of version 2: head and commitment */
    SALT = 32,            /* bytes */
    STRETCHED = 64,       /* bytes that are made of a passphrase: key and commitment */
    CHUNK = HAECHI_CHUNK, /* bytes of plaintext in every chunk but the last */
    RUN = 16,             /* chunks under one key */
    TAG_MOST = 16
};

/* What Argon2id may cost. */
struct cost {
    uint32_t memory; /* KiB */
    uint8_t passes, lanes;
};

/* A file.  Once file_begin or file_open has succeeded it is constant, and threads may share it.  It holds secrets. */
struct file {
    const struct cipher *cipher;
    uint8_t version, tag; /* tag: bytes of it behind every chunk */
    struct cost cost;     /* of version 2 */
    uint8_t length;       /* bytes of the header */
    uint8_t header[HEADER_MOST];
    haechi_any_key key;
};

/* The key of a run; every thread has one.  Zeroed, it is the key of no run.  It holds secrets. */
struct run {
    uint64_t number; /* the run's number plus 1 */
    haechi_any_aead key;
};

/* ---- To write a file: its head, then its key. */

/* Writes the head of a new file, of version 2 where there is a cost. */
void file_head(struct file *f, const struct cipher *c, const struct cost *cost, const uint8_t salt[SALT]);

/* Completes the header.  key: the cipher's key, in version 2 the STRETCHED bytes that are made of the passphrase. */
int file_begin(struct file *f, const uint8_t *key);

/* ---- To read a file: its header, then its key. */

/* Takes in the head of a header; NULL, or why it is none: the end of a sentence that the file's name begins. */
const char *file_recognise(struct file *f, const uint8_t head[HEAD]);

/* header has f->length bytes, key as for file_begin.  HAECHI_EAUTH: it is another key, or the header was changed. */
int file_open(struct file *f, const uint8_t *header, const uint8_t *key);

/* ---- Chunk number `chunk`, of n bytes, in place; tag has f->tag bytes. */
int file_seal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
              uint8_t *tag);
int file_unseal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
                const uint8_t *tag);

#endif

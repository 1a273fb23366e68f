/* format.h - the encrypted file that docs/file-format.md describes, from memory to memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_FORMAT_H
#define HAECHI_FORMAT_H

#include "ciphers.h"

#if !defined(HAECHI_CHUNK)
#define HAECHI_CHUNK 65536 /* The fuzzer builds the file with smaller chunks. */
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
    SIDE_BY_SIDE = 32,    /* the most chunks in a call of file_seal_many or file_unseal_many */
    TAG_MOST = 16
};

/* The costs of Argon2id. */
struct cost {
    uint32_t memory; /* KiB */
    uint8_t passes, lanes;
};

/* A file.  After file_begin or file_open has succeeded it is constant, and threads may share it.  It holds secrets. */
struct file {
    const struct cipher *cipher;
    uint8_t version, tag; /* tag: bytes of the tag after every chunk */
    struct cost cost;     /* of version 2 */
    uint8_t length;       /* bytes of the header */
    uint8_t header[HEADER_MOST];
    haechi_any_key key;
};

/* The key of a run; every thread has one.  If it is zeroed, it is the key of no run.  It holds secrets. */
struct run {
    uint64_t number; /* the run's number plus 1 */
    haechi_any_aead key;
};

/* ---- To write a file: its head, then its key. */

/* Writes the head of a new file, of version 2 if there is a cost. */
void file_head(struct file *f, const struct cipher *c, const struct cost *cost, const uint8_t salt[SALT]);

/* Completes the header.  key is the cipher's key or, in version 2, the STRETCHED bytes that are made of the
 * passphrase. */
int file_begin(struct file *f, const uint8_t *key);

/* ---- To read a file: its header, then its key. */

/* Reads the head of a header.  Returns NULL, or why it is none, as the end of a sentence that begins with the file's
 * name. */
const char *file_recognise(struct file *f, const uint8_t head[HEAD]);

/* header has f->length bytes; key is that of file_begin.  HAECHI_EAUTH: the key is another one, or the header was
 * changed. */
int file_open(struct file *f, const uint8_t *header, const uint8_t *key);

/* ---- Chunk number `chunk`, of n bytes, in place; tag has f->tag bytes. */
int file_seal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
              uint8_t *tag);
int file_unseal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
                const uint8_t *tag);

/* ---- HIGHT: n chunks in place, 1 to SIDE_BY_SIDE, from number `chunk` on, none of which is the last.  The library
 * processes them side by side, because the chain of EAX allows no more than one block of each at a time.  When sealing,
 * chunks of CHUNK bytes stand one after another, and tags are f->tag bytes each, TAG_MOST apart.  When opening, each chunk
 * is followed by its tag; *good is the number of chunks before the first that does not verify. */
int file_seal_many(const struct file *f, uint64_t chunk, uint8_t *text, size_t n, uint8_t *tags);
int file_unseal_many(const struct file *f, uint64_t chunk, uint8_t *text, size_t n, size_t *good);

#endif

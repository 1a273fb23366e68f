/* format.c - the encrypted file (docs/file-format.md): header, keys, chunks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "format.h"

#include <string.h>

static const uint8_t magic[8] = { 0x89, 'H', 'A', 'E', 'C', 'H', 'I', '\n' };

enum { VERSION_AT = 8, CIPHER_AT = 9, ZEROS_AT = 10, SALT_AT = 16, CHECK_AT = 48, CHECK = 16, VERSION = 1 };

static void store_be(uint8_t *out, uint64_t v, int n)
{
    for (; n-- > 0; v >>= 8) out[n] = (uint8_t)v;
}

/* SP 800-108, counter mode with CMAC: K(i) = CMAC(i | label | 0 | context | bits). */
static int derive(const struct file *f, const char *label, const uint8_t *more, size_t morelen, uint8_t *out,
                  size_t len)
{
    const size_t block = f->cipher->block, bits = 8 * len;
    int error = HAECHI_OK;

    for (uint32_t i = 1; len != 0 && !error; i++) {
        const size_t n = len < block ? len : block;
        haechi_cmac s = { { 0 }, 0 };
        uint8_t number[4], length[4];
        store_be(number, i, 4);
        store_be(length, bits, 4);
        error |= haechi_cmac_update(&f->key.key, &s, number, 4);
        error |= haechi_cmac_update(&f->key.key, &s, label, strlen(label) + 1);
        error |= haechi_cmac_update(&f->key.key, &s, f->header, CHECK_AT);
        error |= haechi_cmac_update(&f->key.key, &s, more, morelen);
        error |= haechi_cmac_update(&f->key.key, &s, length, 4);
        error |= haechi_cmac_tag(&f->key.key, &s, out, n);
        out += n, len -= n;
    }
    return error;
}

static int begin(struct file *f, const struct cipher *c, const uint8_t *key, uint8_t check[CHECK])
{
    int error;
    f->cipher = c;
    f->tag = c->block;
    error = haechi_init(&f->key.key, sizeof f->key, c->forward, key, c->key);
    forget_stack();
    return error ? error : derive(f, "haechi check", NULL, 0, check, CHECK);
}

int file_create(struct file *f, const struct cipher *c, const uint8_t *key, const uint8_t salt[SALT])
{
    memset(f->header, 0, HEADER);
    memcpy(f->header, magic, sizeof magic);
    f->header[VERSION_AT] = VERSION;
    f->header[CIPHER_AT] = c->number;
    memcpy(f->header + SALT_AT, salt, SALT);
    return begin(f, c, key, f->header + CHECK_AT);
}

const struct cipher *file_recognise(const uint8_t header[HEADER], const char **why)
{
    static const uint8_t zeros[SALT_AT - ZEROS_AT];
    const struct cipher *c;

    *why = "not a file that haechi enc wrote";
    if (memcmp(header, magic, sizeof magic)) return NULL;
    *why = "of a version that this program does not know";
    if (header[VERSION_AT] != VERSION || memcmp(header + ZEROS_AT, zeros, sizeof zeros)) return NULL;
    c = cipher_numbered(header[CIPHER_AT]);
    *why = "of a cipher that this program does not know";
    return c;
}

int file_open(struct file *f, const uint8_t header[HEADER], const uint8_t *key, size_t len)
{
    const char *why;
    const struct cipher *c = file_recognise(header, &why);
    uint8_t check[CHECK];
    int error;

    if (c == NULL || len != c->key) return HAECHI_EKEY;
    memcpy(f->header, header, HEADER);
    error = begin(f, c, key, check);
    return error ? error : haechi_verify(check, header + CHECK_AT, CHECK);
}

/* The key for this chunk, and its nonce. */
static int turn(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t nonce[12])
{
    uint8_t number[8], key[32];
    int error = HAECHI_OK;

    if (r->number != chunk / RUN + 1) {
        store_be(number, chunk / RUN, 8);
        error = derive(f, "haechi chunks", number, sizeof number, key, f->cipher->key);
        if (!error)
            error = haechi_aead_init(&r->key.aead, sizeof r->key, file_mode(f->cipher), f->cipher->forward,
                                     key, f->cipher->key);
        haechi_wipe(key, sizeof key);
        forget_stack();
        r->number = error ? 0 : chunk / RUN + 1;
    }
    store_be(nonce, chunk, 11);
    nonce[11] = last != 0;
    return error;
}

int file_seal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
              uint8_t *tag)
{
    uint8_t nonce[12];
    const int error = turn(f, r, chunk, last, nonce);
    return error ? error : haechi_seal(&r->key.aead, nonce, 12, NULL, 0, text, text, n, tag, f->tag);
}

int file_unseal(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t *text, size_t n,
                const uint8_t *tag)
{
    uint8_t nonce[12];
    const int error = turn(f, r, chunk, last, nonce);
    return error ? error : haechi_open(&r->key.aead, nonce, 12, NULL, 0, text, text, n, tag, f->tag);
}

/* format.c - the encrypted file that docs/file-format.md describes: header, keys, chunks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "format.h"

#include <haechi_jobs.h>
#include <string.h>

static const uint8_t magic[8] = { 0x89, 'H', 'A', 'E', 'C', 'H', 'I', '\n' };

enum {
    VERSION_AT = 8,
    CIPHER_AT = 9,
    LANES_AT = 10,  /* the bytes from here to the salt are zero in version 1 */
    PASSES_AT = 11,
    MEMORY_AT = 12,
    SALT_AT = 16,
    KEY_BYTES = 32  /* bytes of a key that is made of a passphrase; the commitment follows */
};

static void store_be(uint8_t *out, uint64_t v, int n)
{
    for (; n-- > 0; v >>= 8) out[n] = (uint8_t)v;
}

/* The counter mode of SP 800-108 with CMAC: K(i) = CMAC(i | label | 0 | context | bits). */
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
        error |= haechi_cmac_update(&f->key.key, &s, f->header, HEAD);
        error |= haechi_cmac_update(&f->key.key, &s, more, morelen);
        error |= haechi_cmac_update(&f->key.key, &s, length, 4);
        error |= haechi_cmac_tag(&f->key.key, &s, out, n);
        out += n, len -= n;
    }
    return error;
}

void file_head(struct file *f, const struct cipher *c, const struct cost *cost, const uint8_t salt[SALT])
{
    memset(f, 0, sizeof *f);
    f->cipher = c;
    f->tag = c->block;
    f->version = cost == NULL ? KEY_FILE : PASSPHRASE;
    f->length = cost == NULL ? HEADER_LEAST : HEADER_MOST;
    memcpy(f->header, magic, sizeof magic);
    f->header[VERSION_AT] = f->version;
    f->header[CIPHER_AT] = c->number;
    if (cost != NULL) {
        f->cost = *cost;
        f->header[LANES_AT] = cost->lanes;
        f->header[PASSES_AT] = cost->passes;
        store_be(f->header + MEMORY_AT, cost->memory, 4);
    }
    memcpy(f->header + SALT_AT, salt, SALT);
}

const char *file_recognise(struct file *f, const uint8_t head[HEAD])
{
    static const uint8_t zeros[SALT_AT - LANES_AT];
    const int version = head[VERSION_AT];
    const struct cipher *const c = cipher_numbered(head[CIPHER_AT]);
    struct cost cost = { 0, head[PASSES_AT], head[LANES_AT] };

    for (int i = 0; i < 4; i++) cost.memory = cost.memory << 8 | head[MEMORY_AT + i];
    if (memcmp(head, magic, sizeof magic)) return "is not a file that haechi enc wrote.";
    if ((version != KEY_FILE && version != PASSPHRASE) ||
        (version == KEY_FILE && memcmp(head + LANES_AT, zeros, sizeof zeros)))
        return "is of a version that this program does not know.";
    if (c == NULL) return "is of a cipher that this program does not know.";
    if (version == PASSPHRASE && (!cost.passes || !cost.lanes || cost.memory < 8u * cost.lanes))
        return "has a header with parameters that Argon2id does not take.";
    file_head(f, c, version == PASSPHRASE ? &cost : NULL, head + SALT_AT);
    return NULL;
}

int file_begin(struct file *f, const uint8_t *key)
{
    const int error = haechi_init(&f->key.key, sizeof f->key, f->cipher->forward, key, f->cipher->key);
    if (error) return error;
    if (f->version == KEY_FILE) return derive(f, "haechi check", NULL, 0, f->header + HEAD, HEADER_LEAST - HEAD);
    memcpy(f->header + HEAD, key + KEY_BYTES, STRETCHED - KEY_BYTES);
    return HAECHI_OK;
}

int file_open(struct file *f, const uint8_t *header, const uint8_t *key)
{
    const int error = file_begin(f, key);
    return error ? error : haechi_verify(f->header, header, f->length);
}

/* The key of this chunk's run. */
static int run_key(const struct file *f, uint64_t chunk, uint8_t *key)
{
    uint8_t number[8];
    store_be(number, chunk / RUN, 8);
    return derive(f, "haechi chunks", number, sizeof number, key, f->cipher->key);
}

static void name(uint8_t nonce[12], uint64_t chunk, int last)
{
    store_be(nonce, chunk, 11);
    nonce[11] = last != 0;
}

/* Makes r the key of this chunk's run, and writes the nonce of the chunk. */
static int turn(const struct file *f, struct run *r, uint64_t chunk, int last, uint8_t nonce[12])
{
    uint8_t key[32];
    int error = HAECHI_OK;

    if (r->number != chunk / RUN + 1) {
        error = run_key(f, chunk, key);
        if (!error)
            error = haechi_aead_init(&r->key.aead, sizeof r->key, file_mode(f->cipher), f->cipher->forward,
                                     key, f->cipher->key);
        haechi_wipe(key, sizeof key);
        r->number = error ? 0 : chunk / RUN + 1;
    }
    name(nonce, chunk, last);
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

/* Seals n chunks, or opens them and counts those that verify. */
static int many(const struct file *f, uint64_t chunk, uint8_t *text, size_t n, uint8_t *tags, size_t *good)
{
    const size_t apart = CHUNK + (good == NULL ? 0u : f->tag);
    uint8_t keys[SIDE_BY_SIDE / RUN + 1][32], nonces[SIDE_BY_SIDE][12];
    haechi_job jobs[SIDE_BY_SIDE];
    int error = HAECHI_OK;

    memset(jobs, 0, sizeof jobs);
    for (size_t i = 0; i < n && !error; i++) {
        uint8_t *const key = keys[(chunk + i) / RUN - chunk / RUN];
        if (i == 0 || (chunk + i) % RUN == 0) error = run_key(f, chunk + i, key);
        name(nonces[i], chunk + i, 0);
        jobs[i].key = key;
        jobs[i].nonce = nonces[i], jobs[i].noncelen = sizeof nonces[i];
        jobs[i].in = jobs[i].out = text + i * apart, jobs[i].len = CHUNK;
        jobs[i].tag = good == NULL ? tags + i * TAG_MOST : text + i * apart + CHUNK, jobs[i].taglen = f->tag;
        jobs[i].result = HAECHI_EUSE; /* until the job is done */
    }
    if (!error)
        error = (good == NULL ? haechi_seal_jobs : haechi_open_jobs)(file_mode(f->cipher), f->cipher->forward, jobs,
                                                                     sizeof *jobs, n);
    if (good != NULL)
        for (*good = 0; *good < n && jobs[*good].result == HAECHI_OK; ++*good) continue;
    haechi_wipe(keys, sizeof keys);
    return error;
}

int file_seal_many(const struct file *f, uint64_t chunk, uint8_t *text, size_t n, uint8_t *tags)
{
    return many(f, chunk, text, n, tags, NULL);
}

int file_unseal_many(const struct file *f, uint64_t chunk, uint8_t *text, size_t n, size_t *good)
{
    return many(f, chunk, text, n, NULL, good);
}

/* crypt.c - haechi enc and haechi dec.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * All threads do the same.  A thread locks the input, reads the next few chunks, unlocks it, seals or opens the
 * chunks in place, waits until all chunks before them have been written, and writes its own.  One thread alone is a
 * plain loop; two threads overlap reading, encryption and writing.  A thread that fails reports the failure only when
 * it is its turn to write.  All chunks before the failure have been written then, and no later one will be.  HIGHT's
 * chunks are processed side by side, more of them at a time. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <haechi_random.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "passphrase.h"
#include "slower.h"

enum {
    AT_ONCE = 4, /* chunks, which fit into the second-level cache; SIDE_BY_SIDE with HIGHT */
    THREADS_MOST = 64
};

struct job {
    struct file *file;
    struct input *in;
    struct output *out;
    int decrypt;
    int chunks;   /* the number of chunks that a thread takes at once */
    size_t piece; /* bytes of a chunk in the input */
    pthread_mutex_t reading, writing;
    pthread_cond_t turn;
    uint8_t ahead; /* the byte after those that the last thread took */
    int has_ahead, ended;
    uint64_t read, written; /* how often chunks were taken and written */
};

struct worker {
    struct job *job;
    struct run *run;
    uint8_t *buffer; /* room for `chunks` pieces, 1 byte, and another piece */
    uint8_t *tags;
};

/* Reads the next chunks; *last says whether the input ends with them.  It reads one byte more to know that. */
static size_t take(struct job *j, uint8_t *buffer, int *last)
{
    const size_t most = (size_t)j->chunks * j->piece, ahead = (size_t)j->has_ahead;
    size_t n;

    if (ahead) buffer[0] = j->ahead;
    n = ahead + input_try(j->in, buffer + ahead, most + 1 - ahead);
    j->ended = *last = n <= most;
    j->has_ahead = !j->ended;
    if (n > most) j->ahead = buffer[--n];
    progress(j->in);
    return n;
}

/* What is wrong with the input, as the end of a sentence that begins with the input's name. */
static const char *const damaged = "is damaged or was changed, or something follows its end.";
static const char *const broken = "cannot be encrypted: this program is broken, run haechi self-test.";
static const char *const ends_early = "ends too early: its end is missing.";

/* Opens chunk number `chunk`, the n bytes at p.  Returns NULL, or what is wrong. */
static const char *open_chunk(struct worker *w, uint64_t chunk, int last, uint8_t *p, size_t n)
{
    const struct file *const f = w->job->file;
    uint8_t *const copy = w->buffer + (size_t)w->job->chunks * w->job->piece + 1;

    if (n < f->tag || (n == f->tag && chunk != 0)) return ends_early;
    n -= f->tag;
    if (last) memcpy(copy, p, n); /* file_unseal wipes what does not verify. */
    if (file_unseal(f, w->run, chunk, last, p, n, p + n) == HAECHI_OK) return NULL;
    return last && file_unseal(f, w->run, chunk, 0, copy, n, p + n) == HAECHI_OK ? ends_early : damaged;
}

/* Seals or opens n whole chunks of HIGHT, none of which is the last of the file. */
static const char *work_side_by_side(struct worker *w, uint64_t chunk, uint8_t *p, size_t n, uint8_t *tag, struct iovec *v,
                                     int *parts)
{
    const struct job *const j = w->job;
    size_t good = n;

    if (!j->decrypt && file_seal_many(j->file, chunk, p, n, tag) != HAECHI_OK) return broken;
    if (j->decrypt) (void)file_unseal_many(j->file, chunk, p, n, &good);
    for (size_t i = 0; i < good; i++, p += j->piece, tag += TAG_MOST) {
        v[*parts].iov_base = p, v[(*parts)++].iov_len = CHUNK;
        if (!j->decrypt) v[*parts].iov_base = tag, v[(*parts)++].iov_len = j->file->tag;
    }
    return good == n ? NULL : damaged;
}

/* Seals or opens the n bytes that were read.  v gets the output, in *parts pieces.  Returns NULL, or what is wrong
 * with the chunk after these pieces. */
static const char *work(struct worker *w, uint64_t chunk, int last, size_t n, struct iovec *v, int *parts)
{
    const struct job *const j = w->job;
    uint8_t *p = w->buffer, *tag = w->tags;
    const size_t whole = j->chunks == SIDE_BY_SIDE && n ? (n - (size_t)last) / j->piece : 0;

    if (whole) {
        const char *const wrong = work_side_by_side(w, chunk, p, whole, tag, v, parts);
        if (wrong != NULL) return wrong;
        p += whole * j->piece, n -= whole * j->piece, tag += whole * TAG_MOST, chunk += whole;
        if (!n) return NULL;
    }
    do {
        const size_t m = n < j->piece ? n : j->piece;
        const int ends = last && m == n;
        v[*parts].iov_base = p, v[*parts].iov_len = m;
        if (j->decrypt) {
            const char *const wrong = open_chunk(w, chunk, ends, p, m);
            if (wrong != NULL) return wrong;
            v[(*parts)++].iov_len = m - j->file->tag;
        } else {
            if (file_seal(j->file, w->run, chunk, ends, p, m, tag) != HAECHI_OK) return broken;
            ++*parts;
            v[*parts].iov_base = tag, v[(*parts)++].iov_len = j->file->tag;
            tag += TAG_MOST;
        }
        p += m, n -= m, chunk++;
    } while (n);
    return NULL;
}

/* Each thread holds this lock for reading while it uses secrets; the thread that ends the program takes it for
 * writing. */
static pthread_rwlock_t working = PTHREAD_RWLOCK_INITIALIZER;

static void stop_work(void)
{
    (void)pthread_rwlock_wrlock(&working);
}

static void *worker(void *argument)
{
    struct worker *const w = argument;
    struct job *const j = w->job;

    for (;;) {
        struct iovec v[2 * SIDE_BY_SIDE];
        const char *wrong = NULL;
        uint64_t batch;
        int last, parts = 0, failed;
        size_t n;

        (void)pthread_mutex_lock(&j->reading);
        if (j->ended) {
            (void)pthread_mutex_unlock(&j->reading);
            return NULL;
        }
        batch = j->read++;
        n = take(j, w->buffer, &last);
        failed = j->in->error;
        (void)pthread_mutex_unlock(&j->reading);

        (void)pthread_rwlock_rdlock(&working);
        if (!failed) wrong = work(w, batch * (uint64_t)j->chunks, last, n, v, &parts);
        (void)pthread_rwlock_unlock(&working);

        (void)pthread_mutex_lock(&j->writing);
        while (j->written != batch) (void)pthread_cond_wait(&j->turn, &j->writing);
        if (failed) output_die(j->out, SYSTEM, failed, "%s cannot be read", j->in->name);
        output_write(j->out, v, parts);
        if (wrong != NULL) /* This thread keeps the lock, so that no other one writes. */
            output_die(j->out, FORGED, 0, "%s %s", j->in->name, wrong);
        j->written++;
        (void)pthread_cond_broadcast(&j->turn);
        (void)pthread_mutex_unlock(&j->writing);
    }
}

static void crypt_all(struct file *f, struct input *in, struct output *out, int decrypt, unsigned threads)
{
    struct job j = { .file = f, .in = in, .out = out, .decrypt = decrypt };
    struct worker w[THREADS_MOST];
    pthread_t id[THREADS_MOST];
    unsigned started = 1;

    j.piece = CHUNK + (decrypt ? f->tag : 0u);
    j.chunks = f->cipher->block == 8 ? SIDE_BY_SIDE : AT_ONCE;
    if (!in->size) j.chunks = 1; /* A chunk from a pipe is processed as soon as it arrives. */
    if (in->size && in->size / ((uint64_t)j.chunks * j.piece) + 1 < threads)
        threads = (unsigned)(in->size / ((uint64_t)j.chunks * j.piece)) + 1;
    if (pthread_mutex_init(&j.reading, NULL) || pthread_mutex_init(&j.writing, NULL) ||
        pthread_cond_init(&j.turn, NULL))
        die(SYSTEM, 0, "The system gives no locks for threads.");
    for (unsigned i = 0; i < threads; i++) {
        w[i].job = &j;
        w[i].run = secret(sizeof *w[i].run);
        w[i].tags = secret((size_t)j.chunks * TAG_MOST);
        w[i].buffer = secret((size_t)(j.chunks + 1) * j.piece + 1);
    }
    if (threads > 1) stop_others = stop_work;
    while (started < threads && pthread_create(&id[started], NULL, worker, &w[started]) == 0) started++;
    (void)worker(&w[0]);
    while (started > 1) (void)pthread_join(id[--started], NULL);
    stop_others = NULL;
}

/* ---- The command line. */

struct choices {
    struct key_source key;
    int has_key, ask, replace;
    const char *cipher, *out_name, *in_name;
    uint32_t memory, max_memory; /* MiB */
    unsigned threads;
};

static void choose(struct choices *c, int argc, char **argv)
{
    enum { MEBIBYTES_MOST = (1 << 22) - 1 /* Argon2id counts at most 2^32 - 1 kibibytes. */ };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int option, keys = 0;

    memset(c, 0, sizeof *c);
    c->cipher = "lea";
    c->memory = 64;
    c->max_memory = 1024;
    c->threads = processors < 1 ? 1 : processors > 8 ? 8 : (unsigned)processors;
    while ((option = next_option(argc, argv)) != -1) switch (option) {
        case 'k': c->key.name = optarg, keys++; break;
        case OPTION_KEY_FD: c->key.fd = (int)read_number(optarg, "--key-fd", 0, 1 << 20), keys++; break;
        case OPTION_RAW_KEY: c->key.raw = 1; break;
        case 'p': c->ask = 1; break;
        case OPTION_MEMORY: c->memory = (uint32_t)read_number(optarg, "--memory", 8, MEBIBYTES_MOST); break;
        case OPTION_MAX_MEMORY:
            c->max_memory = (uint32_t)read_number(optarg, "--max-memory", 1, MEBIBYTES_MOST);
            break;
        case 'c': c->cipher = optarg; break;
        case 'o': c->out_name = optarg; break;
        case 'f': c->replace = 1; break;
        case 'q': quiet = 1; break;
        case 't': c->threads = (unsigned)read_number(optarg, "--threads", 1, THREADS_MOST); break;
        default: break;
        }
    if (argc - optind > 1) die(USAGE, 0, "Only one file can be worked on at a time.");
    c->in_name = argv[optind]; /* NULL at the end */
    c->has_key = keys;
    if (keys + c->ask > 1) die(USAGE, 0, "Only one key or passphrase can be used.");
    if (keys && (c->key.name == NULL ? c->key.fd == STDIN_FILENO : !strcmp(c->key.name, "-")) &&
        (c->in_name == NULL || !strcmp(c->in_name, "-")))
        die(USAGE, 0, "Standard input cannot be both the key and what to work on.");
}

static void ask_for_key(const struct file *f, int twice, uint8_t key[STRETCHED])
{
    char *const text = secret(PASSPHRASE_ROOM);
    const size_t n = passphrase_ask(text, twice);
    passphrase_stretch(text, n, f->header, &f->cost, key);
    haechi_wipe(text, PASSPHRASE_ROOM);
}

int command_enc(int argc, char **argv)
{
    struct choices c;
    struct input in;
    struct output out;
    struct file *const f = secret(sizeof *f);
    uint8_t *const key = secret(STRETCHED), salt[SALT];
    const struct cipher *cipher;
    int error;

    choose(&c, argc, argv);
    if (!c.has_key && !c.ask)
        die(USAGE, 0, "A key or a passphrase is needed: -k FILE, --key-fd=N or -p.");
    cipher = c.ask ? cipher_strongest(c.cipher) : cipher_named(c.cipher, read_key(key, KEY_MOST, &c.key));
    if (cipher->block == 8 && !quiet)
        warn("HIGHT is slow: LEA and ARIA encrypt files %d times as fast.  Use HIGHT only where you must.",
             HIGHT_FILES_ARE_SLOWER);
    input_open(&in, c.in_name);
    output_open(&out, c.out_name, c.replace, in.mode);
    if (out.terminal) die(USAGE, 0, "%s is a terminal: use -o FILE or a pipe.", out.name);
    if (haechi_random(salt, SALT)) die_of_entropy();
    if (c.ask) {
        const struct cost cost = { c.memory * 1024, 3, 4 };
        file_head(f, cipher, &cost, salt);
        ask_for_key(f, 1, key);
    } else {
        file_head(f, cipher, NULL, salt);
    }
    error = file_begin(f, key);
    if (error) die(SYSTEM, 0, "%s failed with error %d.", cipher->name, error);
    output_bytes(&out, f->header, f->length);
    crypt_all(f, &in, &out, 0, c.threads);
    output_done(&out);
    return DONE;
}

int command_dec(int argc, char **argv)
{
    struct choices c;
    struct input in;
    struct output out;
    struct file *const f = secret(sizeof *f);
    uint8_t *const key = secret(STRETCHED), header[HEADER_MOST];
    const char *why;
    size_t len = 0;
    int error;

    choose(&c, argc, argv);
    if (c.has_key) len = read_key(key, KEY_MOST, &c.key);
    input_open(&in, c.in_name);
    if (input_read(&in, header, HEADER_LEAST) != HEADER_LEAST)
        die(UNKNOWN, 0, "%s is too short for a file that haechi enc wrote.", in.name);
    why = file_recognise(f, header);
    if (why != NULL) die(UNKNOWN, 0, "%s %s", in.name, why);
    if (input_read(&in, header + HEADER_LEAST, f->length - (size_t)HEADER_LEAST) + HEADER_LEAST != f->length)
        die(UNKNOWN, 0, "%s is too short for a file that haechi enc wrote.", in.name);
    output_open(&out, c.out_name, c.replace, in.mode);
    if (f->version == PASSPHRASE) {
        if (c.has_key) die(USAGE, 0, "%s was encrypted with a passphrase, not with a key.", in.name);
        if (f->cost.memory > (uint64_t)c.max_memory * 1024)
            die(USAGE, 0, "%s wants %lu MiB of memory for its passphrase: --max-memory=%lu allows that.", in.name,
                (f->cost.memory + 1023ul) / 1024, (f->cost.memory + 1023ul) / 1024);
        ask_for_key(f, 0, key);
        error = file_open(f, header, key);
        if (error)
            die(FORGED, 0, "%s has another passphrase, or its first %d bytes are damaged.", in.name, f->length);
    } else {
        if (!c.has_key)
            die(USAGE, 0, "%s was encrypted with a key, which is needed: -k FILE or --key-fd=N.", in.name);
        if (len != f->cipher->key)
            die(FORGED, 0, "%s wants a key of %d bytes, for %s; this one has %zu.", in.name, f->cipher->key,
                f->cipher->name, len);
        error = file_open(f, header, key);
        if (error) die(FORGED, 0, "%s has another key, or its first %d bytes are damaged.", in.name, f->length);
    }
    crypt_all(f, &in, &out, 1, c.threads);
    output_done(&out);
    return DONE;
}

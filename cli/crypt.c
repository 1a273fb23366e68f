/* crypt.c - haechi enc and haechi dec.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Every thread does the same: takes the lock of the input and reads the next few chunks, lets go, seals or
 * opens them in place, waits until what came before has been written, and writes.  So one thread alone is a
 * plain loop, and two overlap reading, ciphering and writing.  Whatever fails is dealt with by the thread
 * whose turn it is to write: all that came before has been written, nothing behind it will be. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <getopt.h>
#include <haechi_random.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "format.h"

enum { AT_ONCE = 4 /* chunks: in and out of the second cache */, THREADS_MOST = 64 };

struct job {
    struct file *file;
    struct input *in;
    struct output *out;
    int decrypt;
    int chunks;   /* at once */
    size_t piece; /* bytes of a chunk in the input */
    pthread_mutex_t reading, writing;
    pthread_cond_t turn;
    uint8_t ahead; /* the byte behind what was read */
    int has_ahead, ended;
    uint64_t read, written; /* batches */
};

struct worker {
    struct job *job;
    struct run *run;
    uint8_t *buffer; /* `chunks` pieces, 1 byte, and room for another piece */
    uint8_t *tags;
};

/* The next chunks; *last: with them the input ends.  Reads one byte too many to know that. */
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

/* Why the input is not what was sealed. */
static const char *const damaged = "damaged or changed, or something follows its end";
static const char *const broken = "this program is broken: run haechi self-test";
static const char *const ends_early = "ends too early: its end is missing";

/* Opens chunk number `chunk`, which n bytes at p are; NULL, or why not. */
static const char *open_chunk(struct worker *w, uint64_t chunk, int last, uint8_t *p, size_t n)
{
    const struct file *const f = w->job->file;
    uint8_t *const copy = w->buffer + (size_t)w->job->chunks * w->job->piece + 1;

    if (n < f->tag || (n == f->tag && chunk != 0)) return ends_early;
    n -= f->tag;
    if (last) memcpy(copy, p, n); /* what does not verify is wiped */
    if (file_unseal(f, w->run, chunk, last, p, n, p + n) == HAECHI_OK) return NULL;
    return last && file_unseal(f, w->run, chunk, 0, copy, n, p + n) == HAECHI_OK ? ends_early : damaged;
}

/* Seals or opens the n bytes that were read; *v gets what is to be written, in *parts pieces.  NULL, or what
 * is wrong behind those. */
static const char *work(struct worker *w, uint64_t chunk, int last, size_t n, struct iovec *v, int *parts)
{
    const struct job *const j = w->job;
    uint8_t *p = w->buffer, *tag = w->tags;

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

/* Held while secrets are in use; whoever ends the program takes it for itself. */
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
        struct iovec v[2 * AT_ONCE];
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
        if (failed) output_die(j->out, SYSTEM, failed, "%s", j->in->name);
        output_write(j->out, v, parts);
        if (wrong != NULL)
            output_die(j->out, FORGED, 0, "%s: %s", j->in->name, wrong); /* and keeps the lock */
        j->written++;
        (void)pthread_cond_broadcast(&j->turn);
        (void)pthread_mutex_unlock(&j->writing);
    }
}

static void run(struct file *f, struct input *in, struct output *out, int decrypt, unsigned threads)
{
    struct job j = { .file = f, .in = in, .out = out, .decrypt = decrypt };
    struct worker w[THREADS_MOST];
    pthread_t id[THREADS_MOST];
    unsigned started = 1;

    j.piece = CHUNK + (decrypt ? f->tag : 0u);
    j.chunks = in->size ? AT_ONCE : 1; /* from a pipe what is there goes on at once */
    if (in->size && in->size / ((uint64_t)j.chunks * j.piece) + 1 < threads)
        threads = (unsigned)(in->size / ((uint64_t)j.chunks * j.piece)) + 1;
    if (pthread_mutex_init(&j.reading, NULL) || pthread_mutex_init(&j.writing, NULL) ||
        pthread_cond_init(&j.turn, NULL))
        die(SYSTEM, 0, "threads");
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
    const char *cipher, *key_name, *out_name, *in_name;
    int key_fd, replace;
    unsigned threads;
};

static void choose(struct choices *c, int argc, char **argv, int decrypt)
{
    static const struct option options[] = {
        { "cipher", required_argument, NULL, 'c' },  { "key", required_argument, NULL, 'k' },
        { "key-fd", required_argument, NULL, 'D' },  { "output", required_argument, NULL, 'o' },
        { "force", no_argument, NULL, 'f' },         { "quiet", no_argument, NULL, 'q' },
        { "threads", required_argument, NULL, 't' }, { NULL, 0, NULL, 0 }
    };
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int option;

    memset(c, 0, sizeof *c);
    c->cipher = "lea";
    c->key_fd = -1;
    c->threads = processors < 1 ? 1 : processors > 8 ? 8 : (unsigned)processors;
    while ((option = getopt_long(argc, argv, decrypt ? "k:o:fqt:" : "c:k:o:fqt:", options, NULL)) != -1)
        switch (option) {
        case 'c': c->cipher = optarg; break;
        case 'k': c->key_name = optarg; break;
        case 'D': c->key_fd = (int)read_number(optarg, "--key-fd", 0, 1 << 20); break;
        case 'o': c->out_name = optarg; break;
        case 'f': c->replace = 1; break;
        case 'q': quiet = 1; break;
        case 't': c->threads = (unsigned)read_number(optarg, "--threads", 1, THREADS_MOST); break;
        default: exit(USAGE);
        }
    if (argc - optind > 1) die(USAGE, 0, "one file at a time");
    c->in_name = argv[optind]; /* NULL at the end */
    if ((c->key_name == NULL) == (c->key_fd < 0)) die(USAGE, 0, "a key is needed: -k FILE or --key-fd N");
    if ((c->key_fd == STDIN_FILENO || (c->key_name != NULL && !strcmp(c->key_name, "-"))) &&
        (c->in_name == NULL || !strcmp(c->in_name, "-")))
        die(USAGE, 0, "standard input cannot be both the key and what to work on");
}

int command_enc(int argc, char **argv)
{
    struct choices c;
    struct input in;
    struct output out;
    struct file *const f = secret(sizeof *f);
    uint8_t *const key = secret(KEY_MOST), salt[SALT];
    const struct cipher *cipher;
    int error;

    choose(&c, argc, argv, 0);
    cipher = cipher_named(c.cipher, read_key(key, c.key_name, c.key_fd));
    if (haechi_random(salt, SALT)) die(SYSTEM, 0, "the system gives no random bytes");
    error = file_create(f, cipher, key, salt);
    if (error) die(SYSTEM, 0, "%s: error %d", cipher->name, error);
    input_open(&in, c.in_name);
    output_open(&out, c.out_name, c.replace);
    if (out.terminal) die(USAGE, 0, "%s is a terminal: give -o FILE or a pipe", out.name);
    output_bytes(&out, f->header, HEADER);
    run(f, &in, &out, 0, c.threads);
    output_done(&out);
    return DONE;
}

int command_dec(int argc, char **argv)
{
    struct choices c;
    struct input in;
    struct output out;
    struct file *const f = secret(sizeof *f);
    uint8_t *const key = secret(KEY_MOST), header[HEADER];
    const struct cipher *cipher;
    const char *why;
    size_t len;
    int error;

    choose(&c, argc, argv, 1);
    len = read_key(key, c.key_name, c.key_fd);
    input_open(&in, c.in_name);
    if (input_read(&in, header, HEADER) != HEADER)
        die(UNKNOWN, 0, "%s: too short for a file that haechi enc wrote", in.name);
    cipher = file_recognise(header, &why);
    if (cipher == NULL) die(UNKNOWN, 0, "%s: %s", in.name, why);
    if (len != cipher->key)
        die(FORGED, 0, "%s: wants a key of %u bytes, for %s; this one has %zu", in.name, cipher->key,
            cipher->name, len);
    error = file_open(f, header, key, len);
    if (error) die(FORGED, 0, "%s: another key made it, or its first bytes are damaged", in.name);
    output_open(&out, c.out_name, c.replace);
    run(f, &in, &out, 1, c.threads);
    output_done(&out);
    return DONE;
}

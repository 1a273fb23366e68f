/* fuzz_reader.c - fuzzes the reader of haechi dec, all of cli/crypt.c, with files in memory.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The files have chunks of HAECHI_CHUNK = 32 bytes.  The first byte of the input says what the rest is:
 *   even  a file
 *   odd   how to make a file and how to change it: cipher, length, then edits of four bytes each
 * The program checks that the output is the plaintext, or whole chunks from its beginning and then an error; and that
 * all of the plaintext comes without an error only if the file was not changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../cli/crypt.c"

enum { PLAIN_MOST = 40 * CHUNK, MOST = HEADER_MOST + 64 * (CHUNK + TAG_MOST) };

static jmp_buf end;
static uint8_t source[MOST], original[MOST], plain[PLAIN_MOST], sink[MOST];
static size_t source_len, source_at, sunk;

/* ---- Replacements for the other files of cli/. */
int quiet;
static void *kept[64];
static int keeping;

void *secret(size_t size)
{
    if (keeping == 64) abort();
    return kept[keeping++] =
               calloc(1, size); /* of exactly this size, so that the sanitizer sees an access beyond it */
}

void die(int code, int errno_value, const char *format, ...)
{
    (void)errno_value, (void)format;
    longjmp(end, code + 1);
}

void output_die(struct output *out, int code, int errno_value, const char *format, ...)
{
    (void)out, (void)errno_value, (void)format;
    longjmp(end, code + 1);
}

size_t input_try(struct input *in, void *p, size_t n)
{
    if (n > source_len - source_at) n = source_len - source_at;
    memcpy(p, source + source_at, n);
    source_at += n;
    in->got += n;
    return n;
}

size_t input_read(struct input *in, void *p, size_t n)
{
    return input_try(in, p, n);
}

void output_write(struct output *out, struct iovec *v, int n)
{
    (void)out;
    for (; n; n--, v++) {
        if (v->iov_len > sizeof sink - sunk) abort();
        if (v->iov_len) memcpy(sink + sunk, v->iov_base, v->iov_len);
        sunk += v->iov_len;
    }
}

void output_bytes(struct output *out, const void *p, size_t n)
{
    struct iovec v = { (void *)(uintptr_t)p, n };
    output_write(out, &v, 1);
}

void progress(const struct input *in)
{
    (void)in;
}
void warn(const char *format, ...)
{
    (void)format;
}
void progress_end(void) {}
void forget_stack(void) {}
int next_option(int argc, char **argv)
{
    (void)argc, (void)argv, abort();
}
void die_of_memory(void)
{
    abort();
}
void die_of_entropy(void)
{
    abort();
}
size_t read_key(uint8_t *to, size_t most, const struct key_source *from)
{
    (void)to, (void)most, (void)from, abort();
}
size_t passphrase_ask(char *text, int twice)
{
    (void)text, (void)twice, abort();
}
void passphrase_stretch(const char *text, size_t n, const uint8_t head[HEAD], const struct cost *cost,
                        uint8_t out[STRETCHED])
{
    (void)text, (void)n, (void)head, (void)cost, (void)out, abort();
}
void (*stop_others)(void);
void input_open(struct input *in, const char *name)
{
    (void)in, (void)name, abort();
}
void output_open(struct output *out, const char *name, int replace, mode_t mode)
{
    (void)out, (void)name, (void)replace, (void)mode, abort();
}
void output_done(struct output *out)
{
    (void)out, abort();
}

/* ---- The test. */

static uint8_t key[STRETCHED] = { 7, 1, 1 };

/* Returns 0, or 1 and how the program ended. */
static int guarded(struct file *f, int decrypt, int sized)
{
    static struct input in;
    static struct output out;
    const int how = setjmp(end);

    if (how) return how;
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    in.name = out.name = "memory";
    in.size = sized ? source_len : 0;
    sunk = 0;
    if (decrypt) {
        uint8_t header[HEADER_MOST];
        if (input_read(&in, header, HEADER_LEAST) != HEADER_LEAST || file_recognise(f, header) != NULL ||
            input_read(&in, header + HEADER_LEAST, f->length - (size_t)HEADER_LEAST) + HEADER_LEAST != f->length)
            return UNKNOWN + 1;
        if (file_open(f, header, key) != HAECHI_OK) return FORGED + 1;
    } else {
        output_bytes(&out, f->header, f->length);
    }
    crypt_all(f, &in, &out, decrypt, 1);
    return 0;
}

static void forget(void)
{
    while (keeping) free(kept[--keeping]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct file f;
    size_t len, original_len;
    int how, sized;

    if (size < 3) return 0;
    source_at = 0;
    sized = data[0] >> 1 & 1;
    if (!(data[0] & 1)) {
        source_len = size - 1 < sizeof source ? size - 1 : sizeof source;
        memcpy(source, data + 1, source_len);
        key[0] = 8; /* a key from which the comparisons below reveal nothing */
        how = guarded(&f, 1, sized);
        key[0] = 7;
        forget();
        if (how == 0) abort(); /* the fuzzer cannot have forged this */
        return 0;
    }

    /* A file that this program makes. */
    {
        const struct cipher *const c = &ciphers[data[1] % CIPHERS];
        const struct cost cost = { 64, 3, 4 };
        uint8_t salt[SALT];
        memset(salt, data[1], SALT);
        len = (size_t)data[2] * 5;
        if (len > PLAIN_MOST) len = PLAIN_MOST;
        for (size_t i = 0; i < len; i++) plain[i] = (uint8_t)(i / CHUNK + i);
        file_head(&f, c, data[1] & 0x80 ? &cost : NULL, salt);
        if (file_begin(&f, key)) abort();
        memcpy(source, plain, len);
        source_len = len;
        if (guarded(&f, 0, sized)) abort();
        forget();
        original_len = source_len = sunk;
        memcpy(original, sink, sunk);
        memcpy(source, sink, sunk);
        data += 3, size -= 3;
        for (; size >= 4; data += 4, size -= 4) {
            const size_t piece = (size_t)CHUNK + c->block, chunks = (source_len - f.length + piece - 1) / piece;
            const size_t at = source_len ? (size_t)(data[1] << 8 | data[2]) % source_len : 0;
            const size_t from = f.length + piece * (data[1] % (chunks + !chunks)),
                         to = f.length + piece * (data[2] % (chunks + !chunks));
            if (source_len < f.length) break;
            switch (data[0] % 6) {
            case 0:
                if (source_len) source[at] ^= data[3];
                break;
            case 1: source_len = at; break;
            case 2: source_len = from < source_len ? from : source_len; break; /* between two chunks */
            case 3:
                if (from + piece <= source_len && to + piece <= source_len)
                    memmove(source + to, source + from, piece);
                break;
            case 4:
                if (source_len + data[3] > sizeof source) break;
                memset(source + source_len, data[1], data[3]);
                source_len += data[3];
                break;
            default: /* removes a chunk */
                if (from + piece > source_len) break;
                memmove(source + from, source + from + piece, source_len - from - piece);
                source_len -= piece;
            }
        }
    }
    source_at = 0;
    how = guarded(&f, 1, sized);
    forget();
    if (how - 1 == SYSTEM || how - 1 == USAGE) abort();
    if (sunk > len || memcmp(sink, plain, sunk)) abort();
    if ((how == 0) != (source_len == original_len && !memcmp(source, original, source_len))) abort();
    if (how == 0 && sunk != len) abort();
    if (how && sunk % CHUNK && sunk != 0) abort();
    return 0;
}

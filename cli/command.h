/* command.h - what the parts of the haechi command share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_COMMAND_H
#define HAECHI_COMMAND_H

#include <haechi.h>
#include <sys/uio.h>

/* ---- How it ends; haechi.1 says the same. */
enum {
    DONE = 0,
    FORGED = 1, /* not authentic: damaged, cut short, another key; a self-test that failed */
    USAGE = 2,  /* asked wrongly, or for something that is refused */
    SYSTEM = 3, /* could not open, read, write, get memory or entropy */
    UNKNOWN = 4 /* not a file that haechi enc wrote, or of a version to come */
};

/* Says "haechi: ..." and, where errno_value is not 0, what the system says; leaves with code.  Whatever was
 * to become a file is gone, and secrets are wiped. */
void die(int code, int errno_value, const char *format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 3, 4)));

/* Says it and goes on. */
void warn(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Zeroed memory, kept out of swap and core files where the system lets us, and wiped at the end. */
void *secret(size_t size);

/* Overwrites what deeper calls left on the stack: some kernels leave parts of a key there. */
void forget_stack(void);

/* Where other threads use secrets: what makes them stop, before those are wiped.  NULL: there are none. */
extern void (*stop_others)(void);

/* What main does first: no core files, no death by SIGPIPE, and an end that cleans up. */
void prepare(void);

/* ---- Ciphers by name. */
struct cipher {
    const char *name;
    uint8_t number; /* in a file's header */
    uint8_t key, block;
    haechi_cipher *forward, *inverse;
};
extern const struct cipher ciphers[];
enum { CIPHERS = 7 };

/* Whether a cipher goes by this name, case and hyphens aside; lea and aria are three each. */
int cipher_matches(const struct cipher *c, const char *name);

/* That with a key of so many bytes.  Dies where there is none. */
const struct cipher *cipher_named(const char *name, size_t key);
const struct cipher *cipher_numbered(uint8_t number); /* or NULL */

/* What authenticates files and is measured: GCM, for HIGHT EAX. */
haechi_mode *file_mode(const struct cipher *c);
const char *file_mode_name(const struct cipher *c);

/* ---- Keys and other small things: hexadecimal or as they are. */
enum { KEY_MOST = 64 };

/* A key from a file, or from a descriptor where name is NULL; returns its length. */
size_t read_key(uint8_t *key, const char *name, int fd);

/* Hexadecimal digits; returns bytes, dies if they are more than most or no digits. */
size_t read_hex(uint8_t *out, size_t most, const char *text, const char *what);

/* The number that text is, from least to most. */
uint64_t read_number(const char *text, const char *what, uint64_t least, uint64_t most);

/* ---- Input and output. */
struct input {
    int fd;
    const char *name;
    uint64_t size; /* 0: unknown */
    uint64_t got;
    int error; /* errno of input_try */
};
void input_open(struct input *in, const char *name); /* NULL or "-": standard input */

/* n bytes, fewer only at the end. */
size_t input_read(struct input *in, void *p, size_t n);

/* Likewise, but an error is an end, and stands in in->error. */
size_t input_try(struct input *in, void *p, size_t n);

/* All of it, in memory that the caller need not free; dies if it is longer than most. */
uint8_t *input_all(struct input *in, size_t most, size_t *n);

struct output {
    int fd;
    const char *name;
    char *target;    /* the file to be; NULL: bytes go where they cannot be taken back */
    char *temporary; /* its name until then; NULL: it has none */
    int replace, terminal;
    uint64_t written;
    char hex; /* write digits */
};

/* NULL or "-": standard output.  A file appears only at output_done, whole, and replaces another only if
 * told. */
void output_open(struct output *out, const char *name, int replace);

/* Refuses what is not text on a terminal. */
void output_write(struct output *out, struct iovec *v, int n);
void output_bytes(struct output *out, const void *p, size_t n);
void output_done(struct output *out);

/* As die, and says what became of the output. */
void output_die(struct output *out, int code, int errno_value, const char *format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 4, 5)));

/* How far it is, on a terminal and not more than some times a second. */
void progress(const struct input *in);
void progress_end(void);
extern int quiet;

/* ---- The commands. */
int command_enc(int argc, char **argv);
int command_dec(int argc, char **argv);
int command_keygen(int argc, char **argv);
int command_raw(int argc, char **argv);
int command_rand(int argc, char **argv);
int command_speed(int argc, char **argv);
int command_self_test(int argc, char **argv);
int command_ciphers(int argc, char **argv);

#endif

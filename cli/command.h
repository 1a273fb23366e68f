/* command.h - what the parts of the haechi command share.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_COMMAND_H
#define HAECHI_COMMAND_H

#include <sys/stat.h>
#include <sys/uio.h>

#include "ciphers.h"

/* ---- Exit codes; haechi.1 has the same. */
enum {
    DONE = 0,
    FORGED = 1, /* The input is not authentic: it was damaged or cut short, or has another key.  A self-test failed. */
    USAGE = 2,  /* The command line is wrong, or asks for something that is refused. */
    SYSTEM = 3, /* The system could not open, read or write a file, or gave no memory or entropy. */
    UNKNOWN = 4 /* The input is not a file that haechi enc wrote, or is of a version to come. */
};

/* ---- The command line (usage.c), which alone has the texts of the options. */

/* Returns the letter of the next option of the running command, as getopt does, with its argument in optarg; or -1 if
 * there is no other.  Prints the help of --help itself, and ends the program with a message if an option is wrong. */
int next_option(int argc, char **argv);

enum { OPTION_KEY_FD = 256, OPTION_RAW_KEY, OPTION_MEMORY, OPTION_MAX_MEMORY }; /* options without letters */

/* ---- The end, messages and secrets (end.c). */

/* Prints "haechi: ..." and, if errno_value is not 0, the system's text for it.  Then it removes unfinished files,
 * wipes secrets and ends the program with this code. */
void die(int code, int errno_value, const char *format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 3, 4)));
void die_of_memory(void) __attribute__((__noreturn__));
void die_of_entropy(void) __attribute__((__noreturn__));

/* Prints "haechi: ..." and returns. */
void warn(const char *format, ...) __attribute__((__format__(__printf__, 1, 2)));

/* Zeroed memory that is wiped at the end, and kept out of swap and core files where the system allows it. */
void *secret(size_t size);

/* Overwrites what deeper calls left on the stack: libargon2 leaves the key there. */
void forget_stack(void);

/* A file that the end removes, or NULL. */
extern char *volatile unfinished;

/* Makes typed text visible again if somebody has hidden it; or NULL.  A signal handler may call it. */
extern void (*restore_terminal)(void);

/* Stops the other threads, so that secrets that they use can be wiped; NULL: there are none. */
extern void (*stop_others)(void);

/* Signals that end the program wait from hold_signals to release_signals. */
void hold_signals(void);
void release_signals(void);

/* main calls this first.  The program then leaves no core files, ignores SIGPIPE, and cleans up when it ends. */
void prepare(void);

/* ---- Ciphers that a user has named (names.c). */

/* Returns the cipher of this name with a key of so many bytes; ends the program if there is none. */
const struct cipher *cipher_named(const char *name, size_t key);

/* Returns the cipher of this name that has the longest key; ends the program if there is none. */
const struct cipher *cipher_strongest(const char *name);

/* ---- Hexadecimal digits and numbers (names.c). */

/* Writes the bytes of hexadecimal digits to out and returns their number.  Ends the program if they are more than
 * most, or if the text is no digits. */
size_t read_hex(uint8_t *out, size_t most, const char *text, const char *what);

/* Returns the number in the text, from least to most; ends the program if it is no such number. */
uint64_t read_number(const char *text, const char *what, uint64_t least, uint64_t most);

/* ---- Keys (key.c). */
enum {
    KEY_MOST = 32,      /* bytes of a key */
    XTS_KEY_MOST = 64,  /* bytes of the two keys of XTS */
    KEY_TEXT = 512      /* more bytes than a key file can have */
};

struct key_source {
    const char *name; /* the name of a file; "-": standard input; NULL: the descriptor fd */
    int fd;
    int raw; /* The file holds the key's bytes, not hexadecimal digits. */
};

/* Reads a key of at most `most` bytes, KEY_MOST or XTS_KEY_MOST; returns its length. */
size_t read_key(uint8_t *key, size_t most, const struct key_source *from);

/* Whether the last key came from this file. */
int is_key_file(const struct stat *s);

/* Writes the text of a key file for the n bytes at key; returns its length. */
size_t key_text(char text[KEY_TEXT], const uint8_t *key, size_t n);

/* ---- Input (input.c). */
struct input {
    int fd;
    const char *name;
    mode_t mode;   /* the permissions of the file, for the output; 0666 if it is no file */
    uint64_t size; /* 0: unknown */
    uint64_t got;
    int error; /* errno of input_try */
};
void input_open(struct input *in, const char *name); /* NULL or "-": standard input */

/* Reads n bytes; fewer only at the end of the input. */
size_t input_read(struct input *in, void *p, size_t n);

/* Does the same, but takes an error for the end and stores it in in->error. */
size_t input_try(struct input *in, void *p, size_t n);

/* Reads all of the input into memory that the caller frees; ends the program if it is longer than most. */
uint8_t *input_all(struct input *in, size_t most, size_t *n);

/* Shows how far the input has been read, on a terminal alone, and at most four times a second. */
void progress(const struct input *in);
void progress_end(void);
extern int quiet;

double now(void); /* seconds since some point of time */

/* ---- Output (output.c). */
struct output {
    int fd;
    const char *name;
    char *target;    /* the name that the file will have; NULL: bytes go where they cannot be taken back */
    char *temporary; /* the file's name until then; NULL: it has no name */
    mode_t mode;     /* the permissions that it will have */
    int replace, terminal;
    uint64_t written;
    char hex; /* Write hexadecimal digits. */
};

/* name: NULL or "-" is standard output.  A file gets its name only in output_done, when it is complete, and replaces
 * another file only with `replace`.  A new file gets the permissions `mode` less the umask; a file that is replaced
 * keeps its own. */
void output_open(struct output *out, const char *name, int replace, mode_t mode);

/* Both refuse to write anything but text to a terminal. */
void output_write(struct output *out, struct iovec *v, int n);
void output_bytes(struct output *out, const void *p, size_t n);
void output_done(struct output *out);

/* Does what die does, and says what became of the output (end.c). */
void output_die(struct output *out, int code, int errno_value, const char *format, ...)
    __attribute__((__noreturn__, __format__(__printf__, 4, 5)));

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

/* usage.c - the commands and their options: what getopt reads and what --help prints.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The manual page and the completions of the shells repeat these texts; the tests compare them word for word. */
#define _POSIX_C_SOURCE 200809L
#include "usage.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define KEY                                                                                                  \
    { 'k', "key", "FILE", "Read the key from FILE, as haechi keygen writes it; - is standard input." },      \
        { OPTION_KEY_FD, "key-fd", "N", "Read the key from the open file descriptor N." },                   \
        { OPTION_RAW_KEY, "raw-key", NULL, "The key is stored as bytes, not as hexadecimal digits." }
#define FORCE { 'f', "force", NULL, "Replace OUT if it exists." }
#define OUTPUT { 'o', "output", "OUT", "Write to the file OUT, not to standard output." }, FORCE
#define THREADS                                                                                              \
    { 't', "threads", "N", "Use N threads; the default is one for each processor, at most 8." }
#define QUIET { 'q', "quiet", NULL, "Show no progress and give no advice." }
#define HEX { 'x', "hex", NULL, "Write hexadecimal digits, not bytes." }
#define END { 0, NULL, NULL, NULL }

static const struct option_text enc[] = {
    KEY,
    { 'p', "passphrase", NULL, "Ask for a passphrase on the terminal; the file then needs no key." },
    { OPTION_MEMORY, "memory", "MIB", "Make each guess of the passphrase take MIB mebibytes; the default is 64." },
    { 'c', "cipher", "CIPHER", "Use a cipher that haechi ciphers lists; the default is lea." },
    OUTPUT,
    THREADS,
    QUIET,
    END
};
static const struct option_text dec[] = {
    KEY,
    { 'p', "passphrase", NULL, "Ask for the passphrase on the terminal, as is done without this option." },
    { OPTION_MAX_MEMORY, "max-memory", "MIB",
      "Allow a passphrase to take MIB mebibytes of memory; the default is 1024." },
    OUTPUT,
    THREADS,
    QUIET,
    END
};
static const struct option_text keygen[] = {
    { 'b', "bits", "BITS", "Make a key of 128, 192 or 256 bits; the default is 256." }, END
};
static const struct option_text raw[] = {
    { 'd', "decrypt", NULL, "Decrypt; the default is to encrypt." },
    KEY,
    { 'K', "key-hex", "HEX", "Use the key HEX; other users may see it for a moment." },
    { 'i', "iv", "HEX", "Use HEX as the IV, first counter block, nonce or XTS sector number." },
    { 'I', "iv-file", "FILE", "Read the IV from FILE, as bytes." },
    { 'a', "aad", "HEX", "Authenticate HEX as additional data, with GCM, CCM and EAX." },
    { 'A', "aad-file", "FILE", "Read the additional data from FILE, as bytes." },
    { 't', "tag", "N", "Make or expect a tag of N bytes; the default is one block." },
    { 's', "sector", "N", "Divide the input of XTS into sectors of N bytes." },
    { 'p', "pad", NULL, "Fill the last block of ECB and CBC by PKCS #7 padding." },
    HEX,
    OUTPUT,
    QUIET,
    END
};
static const struct option_text rand_options[] = { HEX, OUTPUT, END };
static const struct option_text speed[] = {
    { 't', "time", "MS", "Measure each kernel for MS milliseconds; the default is 200." }, END
};
static const struct option_text none[] = { END };

const struct command commands[] = {
    { "enc", command_enc, enc, "{-k FILE | -p} [-c CIPHER] [-o OUT] [-f] [-q] [-t N] [IN]",
      "Encrypt and authenticate a file or a pipe." },
    { "dec", command_dec, dec, "[-k FILE] [-o OUT] [-f] [-q] [-t N] [IN]",
      "Decrypt what haechi enc wrote, and refuse it if it was changed." },
    { "keygen", command_keygen, keygen, "[-b BITS] FILE", "Write a new random key into a new file." },
    { "raw", command_raw, raw, "CIPHER-MODE [-d] {-k FILE | -K HEX} [-i HEX] [OPTION...] [IN]",
      "Apply one mode of one cipher to bytes, as other libraries do." },
    { "rand", command_rand, rand_options, "[-x] [-o OUT] [-f] N", "Write N random bytes." },
    { "speed", command_speed, speed, "[-t MS] [CIPHER...]", "Measure every kernel that this machine can run." },
    { "self-test", command_self_test, none, "", "Check known answers of every kernel, of all modes and of the random generators." },
    { "ciphers", command_ciphers, none, "", "List the ciphers and their modes." },
    { NULL, NULL, NULL, NULL, NULL }
};

static const struct command *running;

/* Prints text after so many spaces, in lines of at most 80 columns. */
static void print_wrapped(FILE *to, int indent, const char *text)
{
    int column = 0;

    while (*text) {
        const int n = (int)strcspn(text, " ");
        if (column && column + 1 + n > 80) (void)fputc('\n', to), column = 0;
        if (column) (void)fputc(' ', to), column++;
        else column = fprintf(to, "%*s", indent, "");
        column += fprintf(to, "%.*s", n, text);
        text += n + (text[n] == ' ');
    }
    (void)fputc('\n', to);
}

static void print_synopsis(FILE *to, const struct command *c)
{
    (void)fprintf(to, "haechi %s%s%s\n", c->name, *c->arguments ? " " : "", c->arguments);
}

void print_usage(FILE *to)
{
    (void)fputs("haechi encrypts with LEA, HIGHT and ARIA, the Korean standard block ciphers.\n\n", to);
    for (const struct command *c = commands; c->name != NULL; c++) {
        (void)fputs("  ", to);
        print_synopsis(to, c);
        print_wrapped(to, 8, c->what);
    }
    (void)fputs("\nhaechi COMMAND --help lists the options of a command; man haechi says all.\n", to);
}

static void print_help(const struct command *c)
{
    (void)fputs("Usage: ", stdout);
    print_synopsis(stdout, c);
    print_wrapped(stdout, 0, c->what);
    (void)fputc('\n', stdout);
    for (const struct option_text *o = c->options; o->name != NULL; o++) {
        if (o->letter < 256) (void)printf("  -%c, --%s", o->letter, o->name);
        else (void)printf("  --%s", o->name);
        (void)printf("%s%s\n", o->argument == NULL ? "" : "=", o->argument == NULL ? "" : o->argument);
        print_wrapped(stdout, 8, o->what);
    }
    (void)puts("  -h, --help");
    print_wrapped(stdout, 8, "Print this text.");
}

int run(const struct command *c, int argc, char **argv)
{
    running = c;
    return c->run(argc, argv);
}

int next_option(int argc, char **argv)
{
    struct option options[32];
    char letters[64], *letter = letters;
    size_t n = 0;
    int found;

    for (const struct option_text *o = running->options; o->name != NULL; o++) {
        options[n++] = (struct option){ o->name, o->argument == NULL ? no_argument : required_argument, NULL,
                                        o->letter };
        if (o->letter >= 256) continue;
        *letter++ = (char)o->letter;
        if (o->argument != NULL) *letter++ = ':';
    }
    options[n++] = (struct option){ "help", no_argument, NULL, 'h' };
    options[n] = (struct option){ NULL, 0, NULL, 0 };
    *letter++ = 'h', *letter = 0;

    found = getopt_long(argc, argv, letters, options, NULL);
    if (found == '?') exit(USAGE); /* getopt has said why. */
    if (found == 'h') {
        print_help(running);
        exit(fflush(stdout) ? SYSTEM : DONE);
    }
    return found;
}

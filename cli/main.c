/* main.c - the haechi command: which of its commands.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <haechi_random.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *arguments, *what;
} commands[] = {
    { "enc", command_enc, "-k KEYFILE [-c CIPHER] [-o OUT] [-f] [IN]",
      "encrypt and authenticate a file or a pipe" },
    { "dec", command_dec, "-k KEYFILE [-o OUT] [-f] [IN]", "the way back" },
    { "keygen", command_keygen, "[-b BITS] FILE", "make a key: 128, 192 or 256 bits" },
    { "raw", command_raw, "CIPHER-MODE [-d] -K HEX|-k FILE [-i HEX] [-o OUT] [IN]",
      "one mode of one cipher, as other libraries have it" },
    { "rand", command_rand, "[-x] N", "N random bytes" },
    { "speed", command_speed, "[CIPHER...]", "every kernel that this machine can run" },
    { "self-test", command_self_test, "", "known answers" },
    { "ciphers", command_ciphers, "", "ciphers and modes" },
};

static void usage(FILE *to)
{
    (void)fputs("haechi: LEA, HIGHT and ARIA, the Korean standard block ciphers\n\n", to);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        (void)fprintf(to, "  haechi %-9s %s\n  %16s   %s\n", commands[i].name, commands[i].arguments, "",
                      commands[i].what);
    (void)fputs("\n'man haechi' says all of it.\n", to);
}

int main(int argc, char **argv)
{
    /* Nothing opens as standard input, output or error unless it is meant to be that. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            return SYSTEM;
    prepare();

    if (argc < 2) {
        usage(stderr);
        return USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        usage(stdout);
        return fflush(stdout) ? SYSTEM : DONE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        (void)puts("haechi " HAECHI_VERSION);
        return fflush(stdout) ? SYSTEM : DONE;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (!strcmp(argv[1], commands[i].name)) {
            argv[1] = argv[0]; /* getopt begins its messages with it */
            return commands[i].run(argc - 1, argv + 1);
        }
    die(USAGE, 0, "there is no command %s: see haechi --help", argv[1]);
}

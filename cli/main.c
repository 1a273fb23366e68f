/* main.c - the haechi command: finds the subcommand and runs it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "usage.h"

int main(int argc, char **argv)
{
    static char name[] = "haechi"; /* getopt's messages begin with it */

    /* No file that is opened later must become standard input, output or error. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF && open("/dev/null", fd ? O_RDONLY : O_WRONLY) != fd)
            return SYSTEM;
    prepare();

    if (argc < 2) {
        print_usage(stderr);
        return USAGE;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_usage(stdout);
        return fflush(stdout) ? SYSTEM : DONE;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        (void)puts("haechi " HAECHI_VERSION);
        return fflush(stdout) ? SYSTEM : DONE;
    }
    for (const struct command *c = commands; c->name != NULL; c++)
        if (!strcmp(argv[1], c->name)) {
            argv[1] = name;
            return run(c, argc - 1, argv + 1);
        }
    die(USAGE, 0, "There is no command %s: see haechi --help.", argv[1]);
}

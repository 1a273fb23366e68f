/* usage.h - the commands and their options.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_USAGE_H
#define HAECHI_USAGE_H

#include <stdio.h>

#include "command.h"

struct option_text {
    int letter; /* or, from 256 on, a number of an option that has only a name */
    const char *name, *argument, *what; /* argument: NULL if it takes none */
};

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const struct option_text *options; /* to one without a name */
    const char *arguments, *what;
};

extern const struct command commands[]; /* to one without a name */

/* Prints all commands. */
void print_usage(FILE *to);

/* Runs a command; argv[0] is what getopt's messages begin with. */
int run(const struct command *c, int argc, char **argv);

#endif

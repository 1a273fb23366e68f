/* usage.h - the commands and their options.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_USAGE_H
#define HAECHI_USAGE_H

#include <stdio.h>

#include "command.h"

struct option_text {
    int letter; /* or a number from 256 on, of an option without a letter */
    const char *name, *argument, *what; /* argument: NULL if the option takes none */
};

struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const struct option_text *options; /* up to one without a name */
    const char *arguments, *what;
};

extern const struct command commands[]; /* up to one without a name */

/* Prints all commands. */
void print_usage(FILE *to);

/* Runs a command; getopt's messages begin with argv[0]. */
int run(const struct command *c, int argc, char **argv);

#endif

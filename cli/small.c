/* small.c - haechi keygen, rand and ciphers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <haechi_random.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

int command_keygen(int argc, char **argv)
{
    uint8_t *const key = secret(KEY_MOST);
    char *const text = secret(KEY_TEXT);
    struct output out;
    struct stat s;
    size_t n = 32;
    const char *name;

    while (next_option(argc, argv) != -1) {
        n = (size_t)read_number(optarg, "--bits", 128, 256) / 8;
        if (strcmp(optarg, "128") && strcmp(optarg, "192") && strcmp(optarg, "256"))
            die(USAGE, 0, "--bits takes 128 (for all ciphers), 192 or 256 (for LEA and ARIA).");
    }
    if (argc - optind != 1) die(USAGE, 0, "The name of one new file is needed, or - for standard output.");
    name = argv[optind];
    if (strcmp(name, "-") && lstat(name, &s) == 0)
        die(USAGE, 0, "%s exists already, and keygen replaces no file: without its key a file is lost.", name);
    if (haechi_random(key, n)) die_of_entropy();
    output_open(&out, name, 0, 0600);
    output_bytes(&out, text, key_text(text, key, n));
    output_done(&out);
    return DONE;
}

int command_rand(int argc, char **argv)
{
    enum { PIECE = 65536 };
    uint8_t *const buffer = secret(PIECE);
    const char *name = NULL;
    struct output out;
    int option, hex = 0, replace = 0;
    uint64_t left;

    while ((option = next_option(argc, argv)) != -1) switch (option) {
        case 'x': hex = 1; break;
        case 'o': name = optarg; break;
        case 'f': replace = 1; break;
        default: break;
        }
    if (argc - optind != 1) die(USAGE, 0, "The number of bytes is needed.");
    left = read_number(argv[optind], "rand", 0, UINT64_MAX);
    output_open(&out, name, replace, 0666);
    out.hex = (char)hex;
    if (out.terminal && !hex) die(USAGE, 0, "%s is a terminal: -x writes hexadecimal digits.", out.name);
    while (left) {
        const size_t n = left < PIECE ? (size_t)left : PIECE;
        if (haechi_random(buffer, n)) die_of_entropy();
        output_bytes(&out, buffer, n);
        left -= n;
    }
    output_done(&out);
    return DONE;
}

int command_ciphers(int argc, char **argv)
{
    (void)next_option(argc, argv);
    if (argc > optind) die(USAGE, 0, "ciphers takes no arguments.");
    (void)puts("cipher     key  block  files   haechi raw");
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        (void)printf("%-9s %4d  %5d  %-6s  %s\n", c->name, 8 * c->key, 8 * c->block, file_mode_name(c),
                     c->block == 16 ? "ecb cbc ctr ofb cfb cfb64 cfb8 cfb1 xts cmac gcm ccm eax"
                                    : "ecb cbc ctr ofb cfb cfb8 cfb1 cmac eax");
    if (fflush(stdout)) die(SYSTEM, errno, "standard output cannot be written");
    return DONE;
}

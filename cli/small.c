/* small.c - haechi keygen, rand and ciphers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <haechi_random.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"

int command_keygen(int argc, char **argv)
{
    static const struct option options[] = { { "bits", required_argument, NULL, 'b' }, { NULL, 0, NULL, 0 } };
    uint8_t *const key = secret(32);
    char *const text = secret(65);
    size_t n = 32, done = 0;
    const char *name;
    int option, fd;

    while ((option = getopt_long(argc, argv, "b:", options, NULL)) != -1) {
        if (option != 'b') return USAGE;
        n = (size_t)read_number(optarg, "--bits", 128, 256) / 8;
        if (strcmp(optarg, "128") && strcmp(optarg, "192") && strcmp(optarg, "256"))
            die(USAGE, 0, "--bits: 128 (all ciphers), 192 or 256 (LEA, ARIA)");
    }
    if (argc - optind != 1) die(USAGE, 0, "the name of one new file is needed");
    name = argv[optind];
    if (haechi_random(key, n)) die(SYSTEM, 0, "the system gives no random bytes");
    for (size_t i = 0; i < n; i++) {
        static const char digits[] = "0123456789abcdef";
        text[2 * i] = digits[key[i] >> 4];
        text[2 * i + 1] = digits[key[i] & 15];
    }
    text[2 * n] = '\n';

    fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0 && errno == EEXIST)
        die(USAGE, 0, "%s is there already: a key that is gone takes its files along", name);
    if (fd < 0) die(SYSTEM, errno, "%s", name);
    while (done < 2 * n + 1) {
        const ssize_t m = write(fd, text + done, 2 * n + 1 - done);
        if (m < 0 && errno == EINTR) continue;
        if (m < 0) break;
        done += (size_t)m;
    }
    if (done < 2 * n + 1 || fsync(fd) || close(fd)) {
        const int why = errno;
        (void)unlink(name);
        die(SYSTEM, why, "%s", name);
    }
    return DONE;
}

int command_rand(int argc, char **argv)
{
    enum { PIECE = 65536 };
    static const struct option options[] = { { "hex", no_argument, NULL, 'x' },
                                             { "output", required_argument, NULL, 'o' },
                                             { "force", no_argument, NULL, 'f' },
                                             { NULL, 0, NULL, 0 } };
    uint8_t *const buffer = secret(PIECE);
    const char *name = NULL;
    struct output out;
    int option, hex = 0, replace = 0;
    uint64_t left;

    while ((option = getopt_long(argc, argv, "xo:f", options, NULL)) != -1) switch (option) {
        case 'x': hex = 1; break;
        case 'o': name = optarg; break;
        case 'f': replace = 1; break;
        default: return USAGE;
        }
    if (argc - optind != 1) die(USAGE, 0, "how many bytes?");
    left = read_number(argv[optind], "rand", 0, UINT64_MAX);
    output_open(&out, name, replace);
    out.hex = (char)hex;
    if (out.terminal && !hex) die(USAGE, 0, "%s is a terminal: -x writes hexadecimal digits", out.name);
    while (left) {
        const size_t n = left < PIECE ? (size_t)left : PIECE;
        if (haechi_random(buffer, n)) output_die(&out, SYSTEM, 0, "the system gives no random bytes");
        output_bytes(&out, buffer, n);
        left -= n;
    }
    output_done(&out);
    return DONE;
}

int command_ciphers(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) die(USAGE, 0, "ciphers takes nothing");
    (void)puts("cipher     key  block  files   haechi raw");
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        (void)printf("%-9s %4d  %5d  %-6s  %s\n", c->name, 8 * c->key, 8 * c->block, file_mode_name(c),
                     c->block == 16 ? "ecb cbc ctr ofb cfb cfb64 cfb8 cfb1 xts cmac gcm ccm eax"
                                    : "ecb cbc ctr ofb cfb cfb8 cfb1 cmac eax");
    if (fflush(stdout)) die(SYSTEM, errno, "standard output");
    return DONE;
}

/* names.c - ciphers, hexadecimal digits and numbers that a user has typed.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

static void die_of_name(const char *name) __attribute__((__noreturn__));
static void die_of_name(const char *name)
{
    die(USAGE, 0, "There is no cipher %s: see haechi ciphers.", name);
}

const struct cipher *cipher_named(const char *name, size_t key)
{
    int known = 0;

    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++) {
        if (!cipher_matches(c, name)) continue;
        known = 1;
        if (key == c->key) return c;
    }
    if (!known) die_of_name(name);
    die(USAGE, 0, "%s does not take a key of %zu bytes.", name, key);
}

const struct cipher *cipher_strongest(const char *name)
{
    const struct cipher *best = NULL;

    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        if (cipher_matches(c, name) && (best == NULL || c->key > best->key)) best = c;
    if (best == NULL) die_of_name(name);
    return best;
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

size_t read_hex(uint8_t *out, size_t most, const char *text, const char *what)
{
    size_t n = 0;

    for (; *text; text += 2, n++) {
        const int high = digit(text[0]), low = high < 0 ? -1 : digit(text[1]);
        if (low < 0) die(USAGE, 0, "%s takes pairs of hexadecimal digits.", what);
        if (n == most) die(USAGE, 0, "%s takes at most %zu bytes.", what, most);
        out[n] = (uint8_t)(high << 4 | low);
    }
    return n;
}

uint64_t read_number(const char *text, const char *what, uint64_t least, uint64_t most)
{
    char *end;
    unsigned long long v;

    errno = 0;
    v = strtoull(text, &end, 10);
    if (errno || !isdigit((unsigned char)*text) || *end || v < least || v > most)
        die(USAGE, 0, "%s takes a number from %llu to %llu, not %s.", what, (unsigned long long)least,
            (unsigned long long)most, text);
    return v;
}

/* names.c - ciphers by name, hexadecimal digits and numbers from text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

/* Files hold these numbers: never change one. */
const struct cipher ciphers[CIPHERS] = {
    { "LEA-128", 1, 16, 16, &haechi_lea128, &haechi_lea128_inv },
    { "LEA-192", 2, 24, 16, &haechi_lea192, &haechi_lea192_inv },
    { "LEA-256", 3, 32, 16, &haechi_lea256, &haechi_lea256_inv },
    { "ARIA-128", 4, 16, 16, &haechi_aria128, &haechi_aria128_inv },
    { "ARIA-192", 5, 24, 16, &haechi_aria192, &haechi_aria192_inv },
    { "ARIA-256", 6, 32, 16, &haechi_aria256, &haechi_aria256_inv },
    { "HIGHT", 7, 16, 8, &haechi_hight, &haechi_hight_inv },
};

/* Whether a begins with b, without regard to case and hyphens; *all: whether a is b. */
static int same(const char *a, const char *b, int *all)
{
    for (;; a++, b++) {
        while (*a == '-') a++;
        while (*b == '-') b++;
        *all = *a == *b;
        if (*b == 0) return 1;
        if (tolower((unsigned char)*a) != tolower((unsigned char)*b)) return 0;
    }
}

int cipher_matches(const struct cipher *c, const char *name)
{
    int all;
    return same(c->name, name, &all) &&
           (all || strlen(name) == strcspn(c->name, "-")); /* lea is a name; le and lea1 are none */
}

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

const struct cipher *cipher_numbered(uint8_t number)
{
    for (const struct cipher *c = ciphers; c < ciphers + CIPHERS; c++)
        if (c->number == number) return c;
    return NULL;
}

haechi_mode *file_mode(const struct cipher *c)
{
    return c->block == 16 ? &haechi_gcm : &haechi_eax;
}

const char *file_mode_name(const struct cipher *c)
{
    return c->block == 16 ? "GCM" : "EAX";
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

/* ciphers.c - the ciphers of the command and of its files, by name and by number.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ciphers.h"

#include <ctype.h>
#include <string.h>

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

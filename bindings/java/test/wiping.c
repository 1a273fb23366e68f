/* wiping.c - ends the process with code 99 when memory is freed that holds the key which the environment names.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * LD_PRELOAD puts this before libc's free.  A context of the provider is the only memory of its size that a test allocates
 * with a key in it, and is recognised by that size. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t key[16];
static int known;

static void read_key(void)
{
    const char *const text = getenv("HAECHI_WIPED_KEY");

    known = -1;
    if (text == NULL || strlen(text) != 32) return;
    for (int i = 0; i < 16; i++) {
        const char digits[] = { text[2 * i], text[2 * i + 1], 0 };
        key[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    known = 1;
}

void free(void *p)
{
    static void (*real)(void *);

    if (real == NULL) real = (void (*)(void *))(intptr_t)dlsym(RTLD_NEXT, "free");
    if (known == 0) read_key();
    if (p != NULL && known == 1 && memmem(p, malloc_usable_size(p), key, sizeof key) != NULL) {
        static const char said[] = "a key was freed\n";
        if (write(2, said, sizeof said - 1) < 0) _exit(98);
        _exit(99);
    }
    real(p);
}

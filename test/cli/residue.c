/* residue.c - is loaded into the haechi command; when the command ends, it searches all writable memory for a key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * RESIDUE is the key XORed with 0x55, in hexadecimal digits, so that the search does not find RESIDUE itself.  The
 * search is for the bytes of the key, and for the first 16 digits of it.  If it finds them, it calls _exit(99). */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Whether the n bytes at p, XORed with 0x55, occur in the memory from..to, except at p itself. */
static int holds(const unsigned char *from, const unsigned char *to, const unsigned char *p, size_t n)
{
    for (; from + n <= to; from++) {
        size_t i = 0;
        while (i < n && (from[i] ^ 0x55) == p[i]) i++;
        if (i == n) return 1;
    }
    return 0;
}

__attribute__((destructor)) static void look(void)
{
    static unsigned char bytes[64], digits[16];
    static char line[512];
    static unsigned char window[1 << 20];
    const char *const text = getenv("RESIDUE");
    size_t n = 0;
    FILE *maps;
    int memory;

    if (text == NULL) return;
    for (; text[2 * n] && n < sizeof bytes; n++) {
        unsigned v;
        sscanf(text + 2 * n, "%2x", &v);
        bytes[n] = (unsigned char)v;
    }
    for (int i = 0; i < 16; i++) { /* the digits of the key, XORed as well */
        const unsigned v = (bytes[i / 2] ^ 0x55) >> (i % 2 ? 0 : 4) & 15;
        digits[i] = (unsigned char)("0123456789abcdef"[v] ^ 0x55);
    }
    memory = open("/proc/self/mem", O_RDONLY); /* through this file, because other threads may unmap memory */
    maps = fopen("/proc/self/maps", "r");
    while (fgets(line, sizeof line, maps)) {
        unsigned long from, to;
        char may[5];
        if (sscanf(line, "%lx-%lx %4s", &from, &to, may) != 3 || may[0] != 'r' || may[1] != 'w' ||
            strstr(line, "[v"))
            continue;
        for (; from < to; from += sizeof window - sizeof bytes) { /* windows overlap */
            const ssize_t got =
                pread(memory, window, to - from < sizeof window ? to - from : sizeof window, (off_t)from);
            if (got <= 0) break;
            if (holds(window, window + got, bytes, n) || holds(window, window + got, digits, 16)) {
                fprintf(stderr, "the key is in %s", line);
                _exit(99);
            }
        }
    }
    fclose(maps);
}

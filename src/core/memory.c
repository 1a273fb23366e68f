/* memory.c - memset and memcpy, for programs without a C library: compilers call them for initial values and copies.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Only builds with -DHAECHI_MEMORY have them.  Both are weak, so that a program's own take their place. */
#include <stddef.h>

#if defined(HAECHI_MEMORY)

/* The pointers are to volatile, or compilers would turn these loops into calls of the functions that they are in. */
__attribute__((__weak__)) void *memset(void *to, int byte, size_t n)
{
    volatile unsigned char *p = to;
    while (n--) *p++ = (unsigned char)byte;
    return to;
}

__attribute__((__weak__)) void *memcpy(void *to, const void *from, size_t n)
{
    volatile unsigned char *p = to;
    const unsigned char *q = from;
    while (n--) *p++ = *q++;
    return to;
}

#endif

/* scrub.c - overwrites the stack below the caller, where compilers have left copies of secrets (hosts).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bytes.h"
#include "kernel.h"

#if !HAECHI_MICRO

/* Each function has a frame of its own that begins where the caller's ends.  The sizes are those that the test of the
 * stack finds, rounded up. */
#define SCRUB(size)                                                                                          \
    static HAECHI_NOINLINE void scrub_##size(void)                                                           \
    {                                                                                                        \
        uint8_t below[size];                                                                                 \
        __builtin_memset(below, 0, sizeof below);                                                            \
        __asm__ volatile("" : : "r"(below) : "memory"); /* the zeros are read, as far as a compiler can tell */ \
    }
SCRUB(512)
SCRUB(1024)
SCRUB(4096)
SCRUB(8192)

void haechi_scrub(void)
{
    scrub_1024();
}

void haechi_scrub_kernel(const struct haechi_kernel *kernel)
{
    const uint16_t stack = kernel->stack;

    if (stack == 0 || stack > 4096) scrub_8192();
    else if (stack > 1024) scrub_4096();
    else if (stack > 512) scrub_1024();
    else scrub_512();
}

#endif

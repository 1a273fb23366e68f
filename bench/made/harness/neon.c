/* neon.c - calls one kernel once, on Linux for Arm under emulation; the bench traces this program, and tests run it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * neon bulk|ctr|slices <blocks> runs a slot of KERNEL (a macro: the descriptor's name without haechi_), or HIGHT's
 * transposition alone.  The first counter block is all zeros.  The call is in `measured` or `measured_ctr`, which the
 * compiler must not inline.  Key and input come from standard input, and the output goes to standard output, as raw
 * bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/core/kernel.h"
#include "../../../src/core/neon.h"
#if defined(BENCH_HIGHT)
#include "../../../src/hight/neon/hight_neon_slices.h"

/* The transposition and its inverse, alone. */
NEON_TARGET static void slices(const uint8_t *from, uint8_t *to, size_t n)
{
    V x[8];
    for (; n >= 16; n -= 16, from += 128, to += 128) {
        read_batch(x, from);
        write_batch(to, x, NULL);
    }
}
#endif

#define PASTE(a, b) a##b
#define NAMED(kernel) PASTE(haechi_, kernel)
#define MOST 65536

extern const struct haechi_kernel NAMED(KERNEL);

static const struct haechi_kernel *const kernel = &NAMED(KERNEL);
static uint8_t key[32], rk[1024] __attribute__((__aligned__(64)));
static uint8_t counter[16];
static uint8_t in[MOST] __attribute__((__aligned__(64))), out[MOST] __attribute__((__aligned__(64)));

__attribute__((__noinline__)) void measured(int alone, size_t n)
{
#if defined(BENCH_HIGHT)
    if (alone) {
        slices(in, out, n);
        return;
    }
#endif
    (void)alone;
    kernel->bulk(rk, out, in, n);
}

__attribute__((__noinline__)) void measured_ctr(size_t n) { kernel->ctr(rk, counter, out, in, n); }

int main(int argc, char **argv)
{
    const size_t n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0, size = n * kernel->block;

    if (argc != 3 || size > MOST) return 2;
    if (fread(key, 1, kernel->key, stdin) != kernel->key || fread(in, 1, size, stdin) != size) return 2;
    kernel->expand(rk, key);
    if (!strcmp(argv[1], "ctr")) measured_ctr(n);
    else measured(!strcmp(argv[1], "slices"), n);
    fwrite(out, 1, size, stdout);
    return 0;
}

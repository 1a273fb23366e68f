/* blocks.c - many blocks by whatever slots a kernel has.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bytes.h"
#include "kernel.h"

void haechi_blocks(const haechi_key *k, void *out, const void *in, size_t n)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    const void *rk = haechi_round_keys(k);
    const size_t block = HAECHI_READ(kernel->block);
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    const int odd = haechi_odd(kernel, (uintptr_t)o | (uintptr_t)i);

    if (HAECHI_READ(kernel->bulk) != NULL && !odd) {
        HAECHI_READ(kernel->bulk)(rk, out, in, n);
        return;
    }
    for (; n; n--, o += block, i += block) {
        if (odd) {
            uint16_t even[8];
            haechi_copy((uint8_t *)even, i, block);
            HAECHI_READ(kernel->crypt)(rk, even);
            haechi_copy(o, (const uint8_t *)even, block);
        } else {
            if (o != i) haechi_copy(o, i, block);
            HAECHI_READ(kernel->crypt)(rk, o);
        }
    }
}

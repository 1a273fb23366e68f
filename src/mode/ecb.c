/* ecb.c - electronic codebook (SP 800-38A, 6.1): every block is processed by itself.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "mode.h"

int haechi_ecb(const haechi_key *k, void *out, const void *in, size_t len)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    const uint8_t direction = kernel == NULL ? 0 : HAECHI_READ(kernel->flags); /* both directions are allowed */
    int error = haechi_usable(k, direction, out, in, len);

    if (!error && HAECHI_REST(len, haechi_block_size(k))) error = HAECHI_ELEN;
    if (error) return haechi_refuse(out, len, error);

    haechi_blocks(k, out, in, HAECHI_WHOLE(len, haechi_block_size(k)));
    return HAECHI_OK;
}

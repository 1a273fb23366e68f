/* ecb.c - electronic codebook: every block on its own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/kernel.h"

int haechi_ecb(const haechi_key *k, void *out, const void *in, size_t len)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    int error = HAECHI_EUSE;

    if (len != 0 && (out == NULL || in == NULL)) goto fail;
    error = HAECHI_EKEY;
    if (kernel == NULL) goto fail;
    error = HAECHI_ELEN;
    if (len % HAECHI_READ(kernel->block)) goto fail;

    haechi_blocks(k, out, in, len / HAECHI_READ(kernel->block));
    return HAECHI_OK;

fail:
    if (out != NULL) haechi_wipe(out, len);
    return error;
}

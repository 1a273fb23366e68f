/* drbg_packed.c - calls haechi_drbg_init with arguments in memory, because it has more than a simulator can pass.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../src/haechi.h"

int haechi_drbg_packed(const uintptr_t *w);
int haechi_drbg_packed(const uintptr_t *w)
{
    return haechi_drbg_init((haechi_drbg *)w[0], (haechi_drbg_kind *)w[1], (unsigned)w[2], (const void *)w[3], w[4],
                            (const void *)w[5], w[6], (const void *)w[7], w[8]);
}

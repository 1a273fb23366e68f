/* kernels.c - the kernels of this build, by name.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kernels.h"

#include <aria/kernels.h>
#include <haechi_cpu.h>
#include <hight/kernels.h>
#include <lea/kernels.h>
#include <string.h>

#define TEXT_OF(kernel) #kernel
#define DECLARE(kernel, suffix) HAECHI_RUNG_DECLARE(kernel, suffix) HAECHI_RUNG_DECLARE(kernel, suffix##_inv)
#define ENTRY(kernel, suffix)                                                                                \
    { TEXT_OF(kernel), HAECHI_RUNG_ADDRESS(kernel, suffix) HAECHI_RUNG_ADDRESS(kernel, suffix##_inv) },
#define LADDER(cipher, RUNGS, suffix)                                                                        \
    RUNGS(DECLARE, suffix)                                                                                   \
    static const struct kernel cipher[] = { RUNGS(ENTRY, suffix) { NULL, NULL, NULL } };

LADDER(lea128, HAECHI_LEA_LADDER, _128)
LADDER(lea192, HAECHI_LEA_LADDER, _192)
LADDER(lea256, HAECHI_LEA_LADDER, _256)
LADDER(aria128, HAECHI_ARIA_LADDER, _128)
LADDER(aria192, HAECHI_ARIA_LADDER, _192)
LADDER(aria256, HAECHI_ARIA_LADDER, _256)
LADDER(hight, HAECHI_HIGHT_LADDER, )

const struct kernel *kernels_of(const struct cipher *c)
{
    static const struct kernel *const ladders[CIPHERS] = { lea128,  lea192,  lea256, aria128,
                                                           aria192, aria256, hight };
    static struct kernel usable[64];
    struct kernel *to = usable;

    for (const struct kernel *k = ladders[c - ciphers]; k->name != NULL; k++)
        if (!(k->forward->needs & ~haechi_features())) *to++ = *k;
    to->name = NULL;
    return usable;
}

void kernel_init(haechi_any_key *k, const struct haechi_kernel *kernel, const uint8_t *key)
{
    memset(k, 0, sizeof *k);
    k->key.impl = kernel;
    kernel->expand(&k->key + 1, key);
}

/* kernels.h - the kernels of this build by name, out of the library's own ladders.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_COMMAND_KERNELS_H
#define HAECHI_COMMAND_KERNELS_H

#include <core/kernel.h>

#include "command.h"

struct kernel {
    const char *name; /* NULL: that was the last */
    const struct haechi_kernel *forward, *inverse;
};

/* Those of a cipher that this machine can run, best first. */
const struct kernel *kernels_of(const struct cipher *c);

/* As haechi_init does it, with this kernel. */
void kernel_init(haechi_any_key *k, const struct haechi_kernel *kernel, const uint8_t *key);

#endif

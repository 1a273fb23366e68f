/* kernels.h - the kernels of this build, by name, from the library's own ladders.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_COMMAND_KERNELS_H
#define HAECHI_COMMAND_KERNELS_H

#include <core/kernel.h>

#include "command.h"

struct kernel {
    const char *name; /* NULL after the last one */
    const struct haechi_kernel *forward, *inverse;
};

/* The kernels of a cipher that this machine can run, in the order of the ladder.  The next call overwrites them. */
const struct kernel *kernels_of(const struct cipher *c);

/* Does what haechi_init does, with this kernel. */
void kernel_init(haechi_any_key *k, const struct haechi_kernel *kernel, const uint8_t *key);

#endif

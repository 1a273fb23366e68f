/* about.c - what a program can ask about the library and about a key.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "kernel.h"

const char *haechi_version(void)
{
    return HAECHI_VERSION;
}

#if !HAECHI_MICRO
const char *haechi_kernel_name(const haechi_key *k)
{
    return haechi_kernel_of(k) == NULL ? NULL : haechi_kernel_of(k)->name;
}
#endif

/* features.c - prints, as a number of haechi_cpu.h, the CPU features by which kernels are selected.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "haechi_cpu.h"

int main(void)
{
    return printf("%u\n", (unsigned)haechi_features()) < 0;
}

/* features.c - prints the CPU features that kernels are chosen by, haechi_cpu.h, as a number.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdio.h>

#include "haechi_cpu.h"

int main(void)
{
    return printf("%u\n", (unsigned)haechi_features()) < 0;
}

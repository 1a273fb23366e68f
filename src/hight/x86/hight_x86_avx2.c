/* hight_x86_avx2.c - HIGHT, 64 blocks at a time, for AVX2.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 256
#define MOST 2
#define KEEP(j) 1
#define TARGET __attribute__((__target__("avx2")))
#include "hight_x86.h"

HIGHT(hight_x86_avx2, HAECHI_AVX2);

#else
typedef int hight_x86_avx2_is_not_for_this_machine;
#endif

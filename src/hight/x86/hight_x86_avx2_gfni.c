/* hight_x86_avx2_gfni.c - HIGHT, 96 blocks at a time, for AVX2 with GFNI.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 256
#define MOST 3
#define KEEP(j) 1
#define GFNI
#define TARGET __attribute__((__target__("avx2,gfni")))
#include "hight_x86.h"

HIGHT(hight_x86_avx2_gfni, HAECHI_AVX2 | HAECHI_GFNI);

#else
typedef int hight_x86_avx2_gfni_is_not_for_this_machine;
#endif

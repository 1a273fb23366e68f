/* hight_x86_avx512_gfni.c - HIGHT, 256 blocks at a time, for AVX-512 with GFNI.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 512
#define MOST 4
#define KEEP(j) (N > 3 && (j) % 4 == 1)
#define GFNI
#define TARGET __attribute__((__target__("avx512f,avx512bw,avx512vl,avx512dq,gfni")))
#include "hight_x86.h"

HIGHT(hight_x86_avx512_gfni, HAECHI_AVX512 | HAECHI_GFNI);

#else
typedef int hight_x86_avx512_gfni_is_not_for_this_machine;
#endif

/* aria_x86_avx512_gfni.c - ARIA, 64 blocks at a time, for AVX-512 with GFNI.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 512
#define TARGET __attribute__((__target__("avx512f,avx512bw,avx512vl,avx512dq,gfni")))
#include "aria_x86_gfni.h"
#define ROWS_VECTORS 4 /* up to here rows are faster than a batch */
#include "aria_x86_slots.h"

ARIA(aria_x86_avx512_gfni, HAECHI_AVX512 | HAECHI_GFNI);

#else
typedef int aria_x86_avx512_gfni_is_not_for_this_machine;
#endif

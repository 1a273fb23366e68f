/* aria_x86_avx2_gfni.c - ARIA, 32 blocks at a time, for AVX2 with GFNI.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 256
#define TARGET __attribute__((__target__("avx2,gfni")))
#include "aria_x86_gfni.h"
#define ROWS_VECTORS 6 /* up to here rows are faster than a batch */
#include "aria_x86_slots.h"

ARIA(aria_x86_avx2_gfni, HAECHI_AVX2 | HAECHI_GFNI);

#else
typedef int aria_x86_avx2_gfni_is_not_for_this_machine;
#endif

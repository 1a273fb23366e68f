/* lea_x86_avx2.c - LEA, 24 blocks at a time, for AVX2.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 256
#define MOST 3
#define TARGET __attribute__((__target__("avx2")))
#include "lea_x86.h"

LEA(lea_x86_avx2, HAECHI_AVX2);

#else
typedef int lea_x86_avx2_is_not_for_this_machine;
#endif

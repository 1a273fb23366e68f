/* lea_x86_avx512.c - LEA, 80 blocks at a time, for AVX-512.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 512
#define MOST 5
#define TARGET __attribute__((__target__("avx512f,avx512bw,avx512vl,avx512dq")))
#include "lea_x86.h"

LEA(lea_x86_avx512, HAECHI_AVX512);

#else
typedef int lea_x86_avx512_is_not_for_this_machine;
#endif

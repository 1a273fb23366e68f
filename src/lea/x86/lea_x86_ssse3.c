/* lea_x86_ssse3.c - LEA, 12 blocks at a time, for SSSE3.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 128
#define MOST 3
#define TARGET __attribute__((__target__("ssse3")))
#include "lea_x86.h"

LEA(lea_x86_ssse3, HAECHI_SSSE3);

#else
typedef int lea_x86_ssse3_is_not_for_this_machine;
#endif

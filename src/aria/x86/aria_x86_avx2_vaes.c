/* aria_x86_avx2_vaes.c - ARIA, 32 blocks at a time, for AVX2 with the AES instructions on its registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 256
#define TARGET __attribute__((__target__("avx2,vaes,aes")))
#include "aria_x86_aes.h"
#define ROWS_VECTORS 5 /* up to here rows are faster than a batch */
#include "aria_x86_slots.h"

ARIA(aria_x86_avx2_vaes, HAECHI_AVX2 | HAECHI_VAES);

#else
typedef int aria_x86_avx2_vaes_is_not_for_this_machine;
#endif

/* aria_x86_aesni.c - ARIA, 16 blocks at a time, for SSSE3 with the AES instructions.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../core/x86_64.h"

#if defined(HAECHI_X86_64)

#define WIDTH 128
#define TARGET __attribute__((__target__("ssse3,aes")))
#include "aria_x86_aes.h"
#define ROWS_VECTORS 6 /* up to here rows are faster than a batch */
#include "aria_x86_slots.h"

ARIA(aria_x86_aesni, HAECHI_SSSE3 | HAECHI_AESNI);

#else
typedef int aria_x86_aesni_is_not_for_this_machine;
#endif

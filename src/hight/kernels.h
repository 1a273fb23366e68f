/* kernels.h - the ladder of HIGHT's kernels: those that this build has, best first.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Suffixes: none and _inv.  -DHAECHI_HIGHT_KERNEL=hight_avr_ram selects a kernel by name. */
#include "../core/neon.h"
#include "../core/riscv.h"
#include "../core/x86_64.h"

#if defined(HAECHI_HIGHT_KERNEL)
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(HAECHI_HIGHT_KERNEL, suffix)
#elif defined(__AVR_HAVE_MOVW__) /* kernels with tables in RAM must be named */
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_avr_flash, suffix)
#elif defined(__MSP430__)
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_msp430_flash, suffix)
#elif defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_armv7m, suffix)
#elif defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_armv6m, suffix)
#elif defined(HAECHI_RV32)
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_rv32, suffix)
#elif defined(HAECHI_X86_64)
#define HAECHI_HIGHT_LADDER(RUNG, suffix)                                                                    \
    RUNG(hight_x86_avx512_gfni, suffix) RUNG(hight_x86_avx2_gfni, suffix) RUNG(hight_x86_avx2, suffix)       \
    RUNG(hight_x86_ssse3, suffix) RUNG(hight_c, suffix)
#elif HAECHI_HAS_NEON && defined(__aarch64__)
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_neon_table, suffix) RUNG(hight_c, suffix)
#elif HAECHI_HAS_NEON
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_neon_pmull, suffix) RUNG(hight_c, suffix)
#else
#define HAECHI_HIGHT_LADDER(RUNG, suffix) RUNG(hight_c, suffix)
#endif

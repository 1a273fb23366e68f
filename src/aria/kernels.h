/* kernels.h - the ladder of ARIA's kernels: those that this build has, best first.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Suffixes: _128 _192 _256 and _128_inv _192_inv _256_inv.  -DHAECHI_ARIA_KERNEL=aria_c_table selects a kernel by
 * name.
 *
 * Kernels with tables are only for machines where no cache can reveal what was looked up (docs/kernels.md).  Cortex-M3
 * gets its tables in RAM, because parts cache flash.  The compiler does not tell Cortex-M4 from Cortex-M7, which may
 * cache RAM, nor Cortex-M33 from other cores of its architecture, nor one RISC-V core from another: these get a kernel
 * without tables. */
#include "../core/neon.h"
#include "../core/x86_64.h"

#if defined(HAECHI_ARIA_KERNEL)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(HAECHI_ARIA_KERNEL, suffix)
#elif defined(__AVR_HAVE_MOVW__) && defined(__AVR_HAVE_LPMX__)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_avr_flash, suffix)
#elif defined(__MSP430__)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_msp430, suffix)
#elif defined(__ARM_ARCH_7M__) && defined(__thumb2__)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_armv7m_ram, suffix)
#elif defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_armv7m_bitsliced, suffix)
#elif defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_armv6m, suffix)
#elif defined(__AVR__)
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_c_table, suffix)
#elif defined(HAECHI_X86_64)
#define HAECHI_ARIA_LADDER(RUNG, suffix)                                                                     \
    RUNG(aria_x86_avx512_gfni, suffix) RUNG(aria_x86_avx2_gfni, suffix) RUNG(aria_x86_avx2_vaes, suffix)     \
    RUNG(aria_x86_aesni, suffix) RUNG(aria_c, suffix)
#elif HAECHI_HAS_NEON_AES
#define HAECHI_ARIA_LADDER(RUNG, suffix)                                                                     \
    RUNG(aria_neon_aes, suffix) RUNG(aria_neon_tower, suffix) RUNG(aria_c, suffix)
#elif HAECHI_HAS_NEON
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_neon_tower, suffix) RUNG(aria_c, suffix)
#else
#define HAECHI_ARIA_LADDER(RUNG, suffix) RUNG(aria_c, suffix)
#endif

/* kernels.h - the ladder of LEA's kernels: those that this build has, best first.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Suffixes: _128 _192 _256 and _128_inv _192_inv _256_inv.  -DHAECHI_LEA_KERNEL=lea_c selects a kernel by name. */
#include "../core/neon.h"
#include "../core/riscv.h"
#include "../core/x86_64.h"

#if defined(HAECHI_LEA_KERNEL)
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(HAECHI_LEA_KERNEL, suffix)
#elif defined(__AVR_HAVE_MUL__) && defined(__AVR_HAVE_MOVW__) /* lea_avr is 2 % faster, in CTR 17 %, and has six times the code */
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_avr_compact, suffix)
#elif defined(__MSP430__) /* lea_msp430 is 2 % faster and has seven times the code */
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_msp430_compact, suffix)
#elif defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_armv7m, suffix)
#elif defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_armv6m, suffix)
#elif defined(HAECHI_RV32)
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_rv32, suffix)
#elif defined(HAECHI_X86_64)
#define HAECHI_LEA_LADDER(RUNG, suffix)                                                                      \
    RUNG(lea_x86_avx512, suffix) RUNG(lea_x86_avx2, suffix) RUNG(lea_x86_ssse3, suffix) RUNG(lea_c, suffix)
#elif HAECHI_HAS_NEON
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_neon, suffix) RUNG(lea_c, suffix)
#else
#define HAECHI_LEA_LADDER(RUNG, suffix) RUNG(lea_c, suffix)
#endif

/* haechi_cpu.h - which instructions of the CPU the library uses.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * haechi_init takes the best kernel that the CPU can run, and GCM the best GHASH.  A program may hold the library back:
 * to compare kernels, to run the same code on all machines of a kind, or to avoid an instruction.
 *
 *     haechi_features_limit(HAECHI_SSSE3 | HAECHI_AVX2);   // neither AVX-512 nor AES-NI from here on
 *
 * On microcontrollers this header declares nothing, because a build has one kernel for each cipher there. */
#ifndef HAECHI_CPU_H
#define HAECHI_CPU_H

#include "haechi.h"

#if !HAECHI_MICRO

#ifdef __cplusplus
extern "C" {
#endif

/* x86-64.  HAECHI_AVX2 and HAECHI_AVX512 also say that the operating system saves the registers.  HAECHI_AVX512 stands
 * for the extensions F, BW, VL and DQ together. */
#define HAECHI_SSSE3 0x0001
#define HAECHI_AESNI 0x0002
#define HAECHI_PCLMUL 0x0004
#define HAECHI_AVX2 0x0008
#define HAECHI_VAES 0x0010
#define HAECHI_VPCLMUL 0x0020
#define HAECHI_GFNI 0x0040
#define HAECHI_AVX512 0x0080
#define HAECHI_AVX512VBMI 0x0100

/* Arm.  HAECHI_NEON is for ARMv7-A, as AArch64 always has NEON.  HAECHI_ARM_AES stands for the AES instructions of
 * AArch64. */
#define HAECHI_NEON 0x0200
#define HAECHI_ARM_AES 0x0400

/* Returns the features that the CPU has and the limit allows, as a sum of the constants above. */
HAECHI_API uint32_t haechi_features(void);

/* From now on the library acts as if the CPU had no features but those in allowed.  A later call replaces the limit, and
 * a limit of UINT32_MAX lifts it.  Keys that exist already keep their kernels.  Threads may call it at any time. */
HAECHI_API void haechi_features_limit(uint32_t allowed);

#ifdef __cplusplus
}
#endif
#endif
#endif

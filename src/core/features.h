/* features.h - what the CPU can do, one bit each.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_FEATURES_H
#define HAECHI_FEATURES_H

#include <stdint.h>

/* x86.  AVX2 and AVX512 say also that the operating system saves the registers; AVX512 is F, BW, VL, DQ. */
#define HAECHI_SSSE3 0x0001
#define HAECHI_AESNI 0x0002
#define HAECHI_PCLMUL 0x0004
#define HAECHI_AVX2 0x0008
#define HAECHI_VAES 0x0010
#define HAECHI_VPCLMUL 0x0020
#define HAECHI_GFNI 0x0040
#define HAECHI_AVX512 0x0080
#define HAECHI_AVX512VBMI 0x0100

/* Arm: the vectors, which AArch64 always has; the AES instructions of AArch64. */
#define HAECHI_NEON 0x0200
#define HAECHI_ARM_AES 0x0400

/* The features of this CPU that haechi_init goes by; asked of the CPU once. */
uint16_t haechi_features(void);

/* For tests and benchmarks: from now on only those in allowed, as if the CPU were lesser. */
void haechi_features_limit(uint16_t allowed);

#endif

/* neon.h - what every kernel in NEON begins with: one text for ARMv7 and AArch64.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * gcc needs no flag: NEON_TARGET and NEON_AES_TARGET are attributes of functions.  clang has the intrinsics only
 * where its flags allow the instructions; without them the kernels are left out.  A build for small machines has none. */
#ifndef HAECHI_NEON_H
#define HAECHI_NEON_H

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !HAECHI_MICRO
#if defined(__aarch64__)
#define HAECHI_HAS_NEON 1
#define NEON_TARGET
#define NEON_NEEDS 0 /* AArch64 always has NEON */
#if defined(__ARM_FEATURE_AES)
#define HAECHI_HAS_NEON_AES 1
#define NEON_AES_TARGET
#elif !defined(__clang__)
#define HAECHI_HAS_NEON_AES 1
#define NEON_AES_TARGET __attribute__((__target__("+crypto"))) /* gcc 12 knows its AES by this name alone */
#endif
#elif defined(__arm__) && __ARM_ARCH >= 7 && __ARM_ARCH_PROFILE == 'A' && !defined(__SOFTFP__) &&            \
    (!defined(__clang__) || defined(__ARM_NEON))
#define HAECHI_HAS_NEON 1
#if defined(__clang__)
#define NEON_TARGET
#else
#define NEON_TARGET __attribute__((__target__("fpu=neon")))
#endif
#define NEON_NEEDS HAECHI_NEON
#endif
#endif

#endif

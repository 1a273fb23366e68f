/* features.c - what the CPU can do (hosts; a microcontroller's kernels need nothing).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_cpu.h"

#if !HAECHI_MICRO

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>

/* Intel SDM, volume 2, CPUID; volume 1, 13.3: XCR0 bits 1 and 2 stand for the SSE and AVX state, 5 to 7 for AVX-512. */
static uint32_t detect(void)
{
    unsigned a, b, c, d, xcr0 = 0, f = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
    if (c & bit_SSSE3) f |= HAECHI_SSSE3;
    if (c & bit_AES) f |= HAECHI_AESNI;
    if (c & bit_PCLMUL) f |= HAECHI_PCLMUL;
    if (c & bit_OSXSAVE) __asm__ volatile("xgetbv" : "=a"(xcr0), "=d"(d) : "c"(0));
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d)) return f;
    if (c & bit_GFNI) f |= HAECHI_GFNI;
    if ((xcr0 & 0x06) == 0x06 && (b & bit_AVX2)) {
        const unsigned avx512 = bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL;
        f |= HAECHI_AVX2;
        if (c & bit_VAES) f |= HAECHI_VAES;
        if (c & bit_VPCLMULQDQ) f |= HAECHI_VPCLMUL;
        if ((xcr0 & 0xe0) == 0xe0 && (b & avx512) == avx512) {
            f |= HAECHI_AVX512;
            if (c & bit_AVX512VBMI) f |= HAECHI_AVX512VBMI;
        }
    }
    return f;
}
#elif defined(__arm__) || defined(__aarch64__)
#if defined(__linux__) && __STDC_HOSTED__
#include <sys/auxv.h>

/* Linux, Documentation/arch/arm64/elf_hwcaps.rst and arch/arm/include/uapi/asm/hwcap.h. */
#define HWCAP_NEON_ARM (1ul << 12)
#define HWCAP_AES_AARCH64 (1ul << 3)
#define CPU_HAS(bit) ((getauxval(AT_HWCAP) & (bit)) != 0)
#else
#define CPU_HAS(bit) 0 /* then the compiler's flags alone decide */
#endif

static uint32_t detect(void)
{
    unsigned f = 0;
#if defined(__ARM_NEON)
    f |= HAECHI_NEON;
#elif defined(__arm__)
    if (CPU_HAS(HWCAP_NEON_ARM)) f |= HAECHI_NEON;
#endif
#if defined(__ARM_FEATURE_AES)
    f |= HAECHI_ARM_AES;
#elif defined(__aarch64__)
    if (CPU_HAS(HWCAP_AES_AARCH64)) f |= HAECHI_ARM_AES;
#endif
    return f;
}
#else
#define NO_FEATURES
#endif

/* This is the library's only cache.  A second thread that finds it empty computes the same word. */
uint32_t haechi_known_features;

#if defined(NO_FEATURES)
uint32_t haechi_features(void)
{
    return 0;
}

void haechi_features_limit(uint32_t allowed)
{
    (void)allowed;
}
#else
#define KNOWN 0x80000000u
uint32_t haechi_features(void)
{
    uint32_t word = __atomic_load_n(&haechi_known_features, __ATOMIC_RELAXED);
    if (word == 0) {
        word = KNOWN | detect();
        __atomic_store_n(&haechi_known_features, word, __ATOMIC_RELAXED);
    }
    return word & ~KNOWN;
}

void haechi_features_limit(uint32_t allowed)
{
    __atomic_store_n(&haechi_known_features, KNOWN | (detect() & allowed), __ATOMIC_RELAXED);
}
#endif

#endif

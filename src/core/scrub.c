/* scrub.c - overwrites the stack below the caller, where compilers have left copies of secrets (hosts).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_cpu.h"
#include "bytes.h"
#include "kernel.h"

#if !HAECHI_MICRO

typedef uint64_t words __attribute__((__vector_size__(16)));

/* Each function has a frame of its own that begins where the caller's ends.  The sizes are those that the test of the
 * stack finds, rounded up.  The compiler does not know that `zero` is 0, because for a known 0 it would take an
 * instruction or a call that needs longer for so few bytes. */
#define SCRUB(size)                                                                                          \
    static HAECHI_NOINLINE void scrub_##size(void)                                                           \
    {                                                                                                        \
        words below[size / sizeof(words)];                                                                   \
        uint64_t zero = 0;                                                                                   \
        __asm__("" : "+r"(zero));                                                                            \
        _Pragma("GCC unroll 8") for (size_t i = 0; i < size / sizeof(words); i++) below[i] = (words){ zero, zero }; \
        __asm__ volatile("" : : "r"(below) : "memory"); /* the zeros are read, as far as a compiler can tell */ \
    }
SCRUB(512)
SCRUB(1024)
SCRUB(2048)
SCRUB(3072)
SCRUB(4096)
SCRUB(8192)

/* With AVX2, twice as many bytes at a time.  Compilers would align a frame that holds such vectors, so that it began
 * below the caller's. */
#if defined(__x86_64__)
#define SCRUB_AVX2(size)                                                                                     \
    static HAECHI_NOINLINE void scrub_##size##_avx2(void)                                                    \
    {                                                                                                        \
        words below[size / sizeof(words)];                                                                   \
        words *at = below;                                                                                   \
        __asm__ volatile("vpxor %%xmm0, %%xmm0, %%xmm0\n"                                                    \
                         "1:\tvmovdqu %%ymm0, (%0)\n\tvmovdqu %%ymm0, 32(%0)\n\t"                            \
                         "vmovdqu %%ymm0, 64(%0)\n\tvmovdqu %%ymm0, 96(%0)\n\t"                             \
                         "add $128, %0\n\tcmp %1, %0\n\tjne 1b\n\tvzeroupper"                               \
                         : "+r"(at) : "r"(below + size / sizeof(words)) : "xmm0", "cc", "memory");           \
    }
SCRUB_AVX2(3072)
SCRUB_AVX2(4096)
SCRUB_AVX2(6144)
#endif

void haechi_scrub_below(void)
{
    scrub_1024();
}

#if defined(__x86_64__)
__attribute__((__naked__)) void haechi_scrub_word(void)
{
    __asm__("movq $0, -8(%rsp)\n\tret");
}
#endif

void haechi_scrub_kernel(const struct haechi_kernel *kernel, size_t n)
{
    const uint16_t stack = n <= kernel->few ? kernel->few_stack : kernel->stack;

#if defined(__x86_64__)
    if (stack > 2048 && stack <= 6144 && kernel->needs & (HAECHI_AVX2 | HAECHI_AVX512)) {
        if (stack > 4096) scrub_6144_avx2();
        else if (stack > 3072) scrub_4096_avx2();
        else scrub_3072_avx2();
        return;
    }
#endif
    if (stack == 0 || stack > 4096) scrub_8192();
    else if (stack > 3072) scrub_4096();
    else if (stack > 2048) scrub_3072();
    else if (stack > 1024) scrub_2048();
    else if (stack > 512) scrub_1024();
    else scrub_512();
}

void haechi_scrub_lanes(void)
{
    scrub_4096();
}

#endif

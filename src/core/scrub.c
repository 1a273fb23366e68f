/* scrub.c - overwrites the stack below the caller, where compilers have left copies of secrets (hosts).
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_cpu.h"
#include "bytes.h"
#include "kernel.h"

#if !HAECHI_MICRO

/* scrub(size) overwrites as many bytes below the frame of its caller; size is a multiple of 128. */
#if defined(__x86_64__)

/* The functions are in assembly, because a compiler would leave a word below the return address as it was, where another
 * function may have saved a register that held a secret.  The first store fills the gap between the return address and
 * the first aligned address.  All others are aligned, and go downwards, so that they touch one page after another. */
#if defined(_WIN64)
#define SIZE "%rcx" /* the register of the first argument */
#else
#define SIZE "%rdi"
#endif
#define SCRUB(name, zero, store, step, end)                                                                  \
    __attribute__((__naked__)) static void name(__attribute__((__unused__)) size_t size)                     \
    {                                                                                                        \
        __asm__("movq %rsp, %r8\n\tmovq %rsp, %rax\n\tandq $-" #step ", %rax\n\t"                            \
                "movq %rax, %rsp\n\tsubq " SIZE ", %rsp\n\t" zero "\n\t" store ", -" #step "(%r8)\n"         \
                "1:\tsubq $4*" #step ", %rax\n\t" store ", 3*" #step "(%rax)\n\t" store ", 2*" #step "(%rax)\n\t" \
                store ", " #step "(%rax)\n\t" store ", (%rax)\n\t"                                           \
                "cmpq %rsp, %rax\n\tjne 1b\n\t" end "movq %r8, %rsp\n\tret");                                \
    }
SCRUB(scrub_sse2, "pxor %xmm0, %xmm0", "movdqu %xmm0", 16, "")
SCRUB(scrub_avx2, "vpxor %xmm0, %xmm0, %xmm0", "vmovdqu %ymm0", 32, "vzeroupper\n\t")

static HAECHI_INLINE void scrub(size_t size)
{
    if (__atomic_load_n(&haechi_known_features, __ATOMIC_RELAXED) & HAECHI_AVX2) scrub_avx2(size);
    else scrub_sse2(size);
}

#else

typedef uint64_t words __attribute__((__vector_size__(16)));

/* The compiler does not know that `zero` is 0, because for a known 0 it would take an instruction or a call that needs
 * longer for so few bytes. */
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
SCRUB(4096)
SCRUB(8192)

static HAECHI_INLINE void scrub(size_t size)
{
    if (size > 4096) scrub_8192();
    else if (size > 2048) scrub_4096();
    else if (size > 1024) scrub_2048();
    else if (size > 512) scrub_1024();
    else scrub_512();
}

#endif

/* The sizes are those that the test of the stack finds, rounded up. */
void haechi_scrub(void)
{
    scrub(1024);
}

void haechi_scrub_kernel(const struct haechi_kernel *kernel, size_t n)
{
    const size_t stack = n <= kernel->few ? kernel->few_stack : kernel->stack;
    scrub(stack == 0 ? 8192 : stack);
}

void haechi_scrub_lanes(void)
{
    scrub(4096);
}

#endif

/* harness.c - the program that every simulated microcontroller runs.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * It does nothing itself.  Start-up code copies the initialised data, and main refers to the library so that it is
 * linked.  The bench calls functions by name and lets them return to haechi_bench_idle.  -DBENCH_HIGHT (or BENCH_LEA,
 * BENCH_ARIA) says for which cipher this build holds a kernel. */
#include "../../../src/haechi.h"

/* main reads all of these, so that the linker drops none. */
static haechi_cipher *const ciphers[] = {
#if defined(BENCH_LEA)
    &haechi_lea128,     &haechi_lea192,     &haechi_lea256,
    &haechi_lea128_inv, &haechi_lea192_inv, &haechi_lea256_inv,
#elif defined(BENCH_HIGHT)
    &haechi_hight,      &haechi_hight_inv,
#elif defined(BENCH_ARIA)
    &haechi_aria128,     &haechi_aria192,     &haechi_aria256,
    &haechi_aria128_inv, &haechi_aria192_inv, &haechi_aria256_inv,
#else
#error "no cipher chosen"
#endif
};

#define KEEP(p) __asm__ volatile("" : : "r"(p))

__attribute__((__noreturn__, __noinline__)) void haechi_bench_idle(void);
void haechi_bench_idle(void)
{
    for (;;) __asm__ volatile("");
}

int main(void)
{
    for (unsigned i = 0; i < sizeof ciphers / sizeof *ciphers; i++) KEEP(ciphers[i]);
    KEEP(haechi_init);
    KEEP(haechi_ecb);
    KEEP(haechi_ctr);
    KEEP(haechi_wipe);
    haechi_bench_idle();
}

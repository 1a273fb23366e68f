/* modes.c - calls public functions by number, for the bench: some have more arguments than a simulator can pass.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/haechi_legacy.h"
#include "../../../src/haechi_stream.h"

/* Calls nothing: the bench subtracts its cycles, which are those of calling by number. */
static int haechi_nothing(void)
{
    return 0;
}

/* bench/measured/modes.py reads the names here.  A function's number is its position. */
static void (*const functions[])(void) = {
#define FUNCTION(name) (void (*)(void)) haechi_##name
    FUNCTION(nothing),      FUNCTION(init),         FUNCTION(ecb),           FUNCTION(ctr),
    FUNCTION(ofb),
    FUNCTION(cbc_encrypt),  FUNCTION(cbc_decrypt),  FUNCTION(cfb_encrypt),   FUNCTION(cfb_decrypt),
    FUNCTION(cfb8_encrypt), FUNCTION(cfb8_decrypt), FUNCTION(cfb64_encrypt), FUNCTION(cfb64_decrypt),
    FUNCTION(cfb1_encrypt), FUNCTION(cfb1_decrypt), FUNCTION(xts_init),      FUNCTION(xts_encrypt),
    FUNCTION(xts_decrypt),  FUNCTION(cmac_update),  FUNCTION(cmac_tag),      FUNCTION(aead_init),
    FUNCTION(seal),         FUNCTION(open),         FUNCTION(cmac_derive),   FUNCTION(cmac_message),
};

/* The modes for haechi_aead_init. */
haechi_mode *const haechi_bench_aeads[] = { &haechi_gcm, &haechi_ccm, &haechi_eax };

/* Calls the function of this number with ten words.  A function with fewer arguments ignores the last ones, which all
 * calling conventions here allow. */
int haechi_bench_apply(size_t number, const uintptr_t *w);
int haechi_bench_apply(size_t number, const uintptr_t *w)
{
    typedef int function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t);
    return ((function *)functions[number])(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
}

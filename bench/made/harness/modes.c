/* modes.c - calls the public functions by number, for the bench: more arguments than a simulator can place.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../../../src/haechi_legacy.h"
#include "../../../src/haechi_stream.h"

/* What the bench's way of calling costs by itself. */
static int haechi_nothing(void)
{
    return 0;
}

/* bench/measured/modes.py reads the names here; their order is their numbers. */
static void (*const functions[])(void) = {
#define FUNCTION(name) (void (*)(void)) haechi_##name
    FUNCTION(nothing),      FUNCTION(init),         FUNCTION(ecb),           FUNCTION(ctr),
    FUNCTION(ofb),
    FUNCTION(cbc_encrypt),  FUNCTION(cbc_decrypt),  FUNCTION(cfb_encrypt),   FUNCTION(cfb_decrypt),
    FUNCTION(cfb8_encrypt), FUNCTION(cfb8_decrypt), FUNCTION(cfb64_encrypt), FUNCTION(cfb64_decrypt),
    FUNCTION(cfb1_encrypt), FUNCTION(cfb1_decrypt), FUNCTION(xts_init),      FUNCTION(xts_encrypt),
    FUNCTION(xts_decrypt),  FUNCTION(cmac_update),  FUNCTION(cmac_tag),      FUNCTION(aead_init),
    FUNCTION(seal),         FUNCTION(open),
};

/* The modes that haechi_aead_init takes. */
haechi_mode *const haechi_bench_aeads[] = { &haechi_gcm, &haechi_ccm, &haechi_eax };

/* Calls the function of this number with ten words.  One that takes fewer finds them where it looks: no calling
 * convention here minds. */
int haechi_bench_apply(size_t number, const uintptr_t *w);
int haechi_bench_apply(size_t number, const uintptr_t *w)
{
    typedef int function(uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t);
    return ((function *)functions[number])(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9]);
}

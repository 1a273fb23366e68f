/* planted_ctr.c - counter modes for the tests, each with one planted fault.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Apart from the fault they call the slot that BROKEN names. */
#include "../../src/core/kernel.h"

extern const struct haechi_kernel BROKEN;

static void right(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n)
{
    HAECHI_READ(BROKEN.ctr)(rk, ctr, out, in, n);
}

#define PLANT(name) void planted_##name(const void *rk, uint8_t *ctr, void *out, const void *in, size_t n)
PLANT(nothing);
PLANT(stale_nonce);
PLANT(stale_key);
PLANT(no_wrap);
PLANT(large);
PLANT(short);

PLANT(nothing)
{
    right(rk, ctr, out, in, n);
}

/* Fault: the first call's nonce is used in all later ones, as if its cache were. */
PLANT(stale_nonce)
{
    static uint8_t kept, nonce[4];
    for (uint8_t i = 0; i < sizeof nonce; i++) {
        if (kept) ctr[i] = nonce[i];
        nonce[i] = ctr[i];
    }
    kept = 1;
    right(rk, ctr, out, in, n);
}

/* Fault: the first call's round keys are used in all later ones. */
PLANT(stale_key)
{
    static uint8_t kept, keys[136];
    for (uint8_t i = 0; i < sizeof keys; i++)
        if (!kept) keys[i] = ((const uint8_t *)rk)[i];
    kept = 1;
    right(keys, ctr, out, in, n);
}

/* Fault: the last byte does not carry. */
PLANT(no_wrap)
{
    const uint8_t before = ctr[6];
    right(rk, ctr, out, in, n);
    ctr[6] = before;
}

/* Fault: 128 bytes more of stack. */
PLANT(large)
{
    volatile uint8_t cache[128];
    for (uint8_t i = 0; i < sizeof cache; i++) cache[i] = 0;
    right(rk, ctr, out, in, n);
}

/* Fault: blocks are counted in 8 bits. */
PLANT(short)
{
    right(rk, ctr, out, in, (uint8_t)n);
}

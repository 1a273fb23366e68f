/* planted_ctr.c - counter modes for the bench's tests, each with a fault of its own.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * They do what the slot does that BROKEN names, but for the fault. */
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

PLANT(nothing)
{
    right(rk, ctr, out, in, n);
}

/* What is constant stays from the first call. */
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

/* So do the round keys. */
PLANT(stale_key)
{
    static uint8_t kept, keys[136];
    for (uint8_t i = 0; i < sizeof keys; i++)
        if (!kept) keys[i] = ((const uint8_t *)rk)[i];
    kept = 1;
    right(keys, ctr, out, in, n);
}

/* The last byte does not carry. */
PLANT(no_wrap)
{
    const uint8_t before = ctr[6];
    right(rk, ctr, out, in, n);
    ctr[6] = before;
}

/* A cache of 128 bytes more. */
PLANT(large)
{
    volatile uint8_t cache[128];
    for (uint8_t i = 0; i < sizeof cache; i++) cache[i] = 0;
    right(rk, ctr, out, in, n);
}

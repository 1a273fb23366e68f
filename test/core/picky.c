/* picky.c - a cipher with a ladder of two kernels for test_core.py: the first needs SSSE3, the second even addresses.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "haechi_cpu.h"
#include "core/kernel.h"

int picky_odd_addresses; /* how often the second kernel got an odd address */

static void even(const void *p)
{
    if ((uintptr_t)p % 2) picky_odd_addresses++;
}

static void expand(void *rk, const void *key)
{
    even(rk), even(key);
    for (int i = 0; i < 16; i++) ((uint8_t *)rk)[i] = ((const uint8_t *)key)[i];
}

static void crypt(const void *rk, void *buf)
{
    even(rk), even(buf);
    for (int i = 0; i < 8; i++) ((uint8_t *)buf)[i] ^= ((const uint8_t *)rk)[i] ^ ((const uint8_t *)rk)[i + 8];
}

static void bulk(const void *rk, void *out, const void *in, size_t n)
{
    even(out), even(in);
    for (size_t i = 0; i < 8 * n; i++)
        ((uint8_t *)out)[i] =
            ((const uint8_t *)in)[i] ^ ((const uint8_t *)rk)[i % 8] ^ ((const uint8_t *)rk)[i % 8 + 8];
}

static void ctr(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)
{
    even(counter), even(out), even(in);
    for (uint8_t *o = (uint8_t *)out, *i = (uint8_t *)in; n; n--, o += 8, i += 8) {
        for (int j = 0; j < 8; j++)
            o[j] = i[j] ^ counter[j] ^ ((const uint8_t *)rk)[j] ^ ((const uint8_t *)rk)[j + 8];
        for (int j = 7; j >= 0 && ++counter[j] == 0; j--) {}
    }
}

static void complement(const void *rk, void *buf)
{
    (void)rk;
    for (int i = 0; i < 8; i++) ((uint8_t *)buf)[i] = (uint8_t)~((uint8_t *)buf)[i];
}

HAECHI_KERNEL(picky_upper) = {
    .rk = 16, .needs = HAECHI_SSSE3, .block = 8, .key = 16, .expand = expand, .crypt = complement
};
HAECHI_KERNEL(picky_lower) = {
    .rk = 16, .block = 8, .key = 16, .flags = HAECHI_ALIGN,
    .expand = expand, .crypt = crypt, .bulk = bulk, .ctr = ctr
};
HAECHI_KERNEL(picky_single) = {
    .rk = 16, .block = 8, .key = 16, .flags = HAECHI_ALIGN, .expand = expand, .crypt = crypt
};

#define LADDER(RUNG, suffix) RUNG(picky_upper, suffix) RUNG(picky_lower, suffix)
#define SINGLE(RUNG, suffix) RUNG(picky_single, suffix)
extern haechi_cipher haechi_picky, haechi_picky_one;
HAECHI_CIPHER(picky, LADDER, );
HAECHI_CIPHER(picky_one, SINGLE, );

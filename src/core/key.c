/* key.c - expanding a key with the best kernel, and forgetting it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_cpu.h"
#include "bytes.h"
#include "kernel.h"

#if HAECHI_MICRO
static /* the ladder has one kernel, and compilers need no call for it */
#endif
const struct haechi_kernel *haechi_best(haechi_cipher *c)
{
    const struct haechi_kernel *const *rung = HAECHI_READ(c->ladder);
#if !HAECHI_MICRO
    while (*rung != NULL && ((*rung)->needs & ~haechi_features())) rung++;
#endif
    return HAECHI_READ(*rung);
}

int haechi_expand(haechi_key *k, size_t size, haechi_cipher *c, const void *key, size_t len)
{
    const struct haechi_kernel *kernel;
    int error = HAECHI_EKEY;

    if (c == NULL || key == NULL) goto fail;
    kernel = haechi_best(c);
#if !HAECHI_MICRO
    error = HAECHI_ECPU;
    if (kernel == NULL) goto fail;
    error = HAECHI_EKEY;
#endif
    if (len != HAECHI_READ(kernel->key)) goto fail;
    error = HAECHI_EROOM;
    if (k == NULL || size < sizeof *k || size - sizeof *k < HAECHI_READ(kernel->rk)) goto fail;

    k->impl = kernel;
    if (haechi_unaligned(kernel, (uintptr_t)key)) {
        uint32_t aligned[8];
        haechi_copy((uint8_t *)aligned, (const uint8_t *)key, len);
        HAECHI_READ(kernel->expand)(k + 1, aligned);
        haechi_wipe(aligned, sizeof aligned);
    } else {
        HAECHI_READ(kernel->expand)(k + 1, key);
    }
    return HAECHI_OK;

fail: /* an impl of zero bytes is NULL: every call answers HAECHI_EKEY */
    haechi_wipe(k, size);
    return error;
}

#if !HAECHI_MICRO
int haechi_init(haechi_key *k, size_t size, haechi_cipher *c, const void *key, size_t len)
{
    const int error = haechi_expand(k, size, c, key, len);
    haechi_scrub();
    return error;
}
#endif

void haechi_wipe(void *p, size_t len)
{
    uint8_t *b = (uint8_t *)p;
    if (p == NULL) return;
    for (size_t i = 0; i < len; i++) b[i] = 0;
    __asm__ volatile("" : : "r"(p) : "memory"); /* the zeroes are read, as far as a compiler can tell */
}

int haechi_verify(const void *a, const void *b, size_t len)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    uint8_t differs = 0;
    if (len == 0 || a == NULL || b == NULL) return HAECHI_EAUTH;
    for (; len; len--) {
        differs = (uint8_t)(differs | (*x++ ^ *y++));
        __asm__ volatile("" : "+r"(differs)); /* no compiler may stop at the first difference */
    }
    return differs ? HAECHI_EAUTH : HAECHI_OK;
}

/* blocks.c - blocks by whatever slots a kernel has, and the checks that every mode makes first.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "bytes.h"
#include "kernel.h"

#if HAECHI_MICRO
void haechi_copy_few(uint8_t *out, const uint8_t *in, uint8_t n)
{
    for (; n; n--) *out++ = *in++;
}

void haechi_xor_few(uint8_t *x, const uint8_t *y, uint8_t n)
{
    for (; n; n--) *x++ ^= *y++;
}
#endif

/* At an address that the kernel does not take.  A function of its own, so that haechi_block needs no stack. */
static HAECHI_NOINLINE void unaligned_block(const haechi_key *k, uint8_t *buf)
{
    const struct haechi_kernel *kernel = (const struct haechi_kernel *)k->impl;
    uint32_t aligned[4];

    haechi_copy((uint8_t *)aligned, buf, kernel->block);
    kernel->crypt(haechi_round_keys(k), aligned);
    haechi_copy(buf, (const uint8_t *)aligned, kernel->block);
    aligned[0] = aligned[1] = aligned[2] = aligned[3] = 0;
    __asm__ volatile("" : : "r"(aligned) : "memory"); /* the zeroes are read, as far as a compiler can tell */
}

void haechi_block(const haechi_key *k, void *buf)
{
    const struct haechi_kernel *kernel = (const struct haechi_kernel *)k->impl;

    if (haechi_unaligned(kernel, (uintptr_t)buf)) unaligned_block(k, (uint8_t *)buf);
    else HAECHI_READ(kernel->crypt)(haechi_round_keys(k), buf);
}

void haechi_blocks(const haechi_key *k, void *out, const void *in, size_t n)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);
    const size_t block = HAECHI_READ(kernel->block);
    void (*const bulk)(const void *, void *, const void *, size_t) = HAECHI_READ(kernel->bulk);
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;

    if (!HAECHI_MICRO && n == 1) { /* To overwrite what bulk leaves on the stack takes longer than a block. */
        if (o != i) haechi_copy(o, i, block);
        haechi_block(k, o);
        haechi_scrub();
        return;
    }
    if (bulk != NULL && !haechi_unaligned(kernel, (uintptr_t)o | (uintptr_t)i)) {
        bulk(haechi_round_keys(k), out, in, n);
        haechi_scrub_kernel(kernel, n);
        return;
    }
    for (; n; n--, o += block, i += block) {
        if (o != i) haechi_copy(o, i, block);
        haechi_block(k, o);
    }
}

#if !HAECHI_MICRO
enum { AT_ONCE = 8192 }; /* bytes, so that the cost of a call does not matter */

/* With a kernel that has no xex. */
static HAECHI_NOINLINE void xex_by_blocks(const haechi_key *k, uint8_t *out, const uint8_t *in, const uint8_t *before,
                                          const uint8_t *after, size_t n)
{
    const size_t block = haechi_block_size(k), most = n * block < AT_ONCE ? n : AT_ONCE / block;
    uint8_t x[AT_ONCE];

    for (size_t m; n;) {
        m = n < most ? n : most;
        n -= m;
        if (before != NULL) haechi_xor(x, in + n * block, before + n * block, m * block);
        haechi_blocks(k, x, before != NULL ? x : in + n * block, m);
        haechi_xor(out + n * block, after + n * block, x, m * block);
    }
    haechi_wipe(x, most * block);
}

void haechi_xex(const haechi_key *k, void *out, const void *in, const void *before, const void *after, size_t n)
{
    const struct haechi_kernel *const kernel = haechi_kernel_of(k);

    if (n == 0) return;
    if (kernel->xex == NULL || n == 1) { /* as in haechi_blocks */
        xex_by_blocks(k, (uint8_t *)out, (const uint8_t *)in, (const uint8_t *)before, (const uint8_t *)after, n);
        return;
    }
    kernel->xex(haechi_round_keys(k), out, in, before, after, n);
    haechi_scrub_kernel(kernel, n);
}
#endif

int haechi_usable(const haechi_key *k, uint8_t flags, const void *out, const void *in, size_t len)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(k);

    if (len != 0 && (out == NULL || in == NULL)) return HAECHI_EUSE;
    if (kernel == NULL) return HAECHI_EKEY;
    if ((HAECHI_READ(kernel->flags) ^ flags) & HAECHI_INVERSE) return HAECHI_EUSE;
    return HAECHI_OK;
}

int haechi_refuse(void *out, size_t len, int error)
{
    haechi_wipe(out, len);
    return error;
}

int haechi_admit(const haechi_key *k, uint8_t used, uint8_t spare, const void *buffer, size_t len)
{
    const struct haechi_kernel *kernel;

    if (len != 0 && buffer == NULL) return HAECHI_EUSE;
    if (k == NULL) return HAECHI_EKEY;
    kernel = (const struct haechi_kernel *)k->impl;
    if (kernel == NULL) return HAECHI_EKEY;
    if (HAECHI_READ(kernel->flags) & HAECHI_INVERSE) return HAECHI_EUSE;
    return used > (uint8_t)(HAECHI_READ(kernel->block) - spare) ? HAECHI_EUSE : HAECHI_OK;
}

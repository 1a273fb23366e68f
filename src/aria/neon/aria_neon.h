/* aria_neon.h - the descriptors of ARIA's kernels in NEON.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel defines bulk_12, bulk_14 and bulk_16, one for each number of rounds, ctr_12, ctr_14 and ctr_16, and then its
 * descriptors by ARIA_NEON(name, the CPU features that it needs).  The inverse cipher is the same code with other round
 * keys.  The code of aria_c expands keys and encrypts single blocks. */
#ifndef HAECHI_ARIA_NEON_H
#define HAECHI_ARIA_NEON_H

#include "../../core/kernel.h"

#define ARIA(kernel, features, suffix, bits, rounds, direction, counter)                                    \
    extern const struct haechi_kernel haechi_aria_c##suffix;                                                 \
    static void expand##suffix(void *rk, const void *key)                                                    \
    {                                                                                                        \
        haechi_aria_c##suffix.expand(rk, key);                                                               \
    }                                                                                                        \
    static void crypt##suffix(const void *rk, void *buf)                                                     \
    {                                                                                                        \
        haechi_aria_c##suffix.crypt(rk, buf);                                                                \
    }                                                                                                        \
    HAECHI_KERNEL(kernel##suffix) = {                                                                        \
        .name = #kernel, .rk = 16 * (rounds + 1), .needs = features, .block = 16, .key = bits / 8,           \
        .flags = direction,                                                                                  \
        .expand = expand##suffix, .crypt = crypt##suffix, .bulk = bulk_##rounds, .ctr = counter              \
    };

#define ARIA_NEON(kernel, features)                                                                          \
    ARIA(kernel, features, _128, 128, 12, 0, ctr_12)                                                         \
    ARIA(kernel, features, _192, 192, 14, 0, ctr_14)                                                         \
    ARIA(kernel, features, _256, 256, 16, 0, ctr_16)                                                         \
    ARIA(kernel, features, _128_inv, 128, 12, HAECHI_INVERSE, NULL)                                          \
    ARIA(kernel, features, _192_inv, 192, 14, HAECHI_INVERSE, NULL)                                          \
    ARIA(kernel, features, _256_inv, 256, 16, HAECHI_INVERSE, NULL)

#endif

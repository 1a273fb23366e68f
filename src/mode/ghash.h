/* ghash.h - GHASH (SP 800-38D, 6.4), in constant time.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_GHASH_H
#define HAECHI_GHASH_H

#include <stddef.h>
#include <stdint.h>

/* What derived holds for the hash key h, which it brings: h itself on microcontrollers.  Elsewhere 32 powers, the
 * 32nd first, as two words of 64 bits each, low one first: h is turned round to where bit i stands for x^i, and
 * multiplied by x, which is what a product of two such words wants (POLYVAL: RFC 8452, appendix A). */
#define HAECHI_POWERS 32
void haechi_ghash_init(void *derived);

/* y = (y ^ block) * h for each of n blocks. */
void haechi_ghash(const void *derived, uint8_t *y, const uint8_t *in, size_t n);

/* The kinds of it; powers as above.  _init gets h in the last place and fills the others. */
#define HAECHI_GHASH_KIND(name)                                                                              \
    void haechi_ghash_##name##_init(uint64_t *powers);                                                       \
    void haechi_ghash_##name(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n);
HAECHI_GHASH_KIND(c)
HAECHI_GHASH_KIND(clmul)
HAECHI_GHASH_KIND(vpclmul)
HAECHI_GHASH_KIND(pmull)

#endif

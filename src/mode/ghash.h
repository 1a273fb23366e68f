/* ghash.h - GHASH (SP 800-38D, 6.4), in constant time.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_GHASH_H
#define HAECHI_GHASH_H

#include <stddef.h>
#include <stdint.h>

/* What derived holds for the hash key h; at first it holds h.  On microcontrollers this is h itself.  Elsewhere it is
 * the 32nd power of h and so on down to h, or, in that place, as many of the last powers as the implementation uses.
 * Each is two words of 64 bits, the low one first.  Their bits are reversed, so that bit i stands for x^i, and they are
 * multiplied by x, as the product of two reversed words requires (POLYVAL: RFC 8452, appendix A). */
#define HAECHI_POWERS 32

/* Computes `most` powers, 1 to HAECHI_POWERS, or more: calls of haechi_ghash may then have that many blocks.  With
 * HAECHI_POWERS they may have any number. */
void haechi_ghash_init(void *derived, int most);

/* y = (y ^ block) * h for each of n blocks. */
void haechi_ghash(const void *derived, uint8_t *y, const uint8_t *in, size_t n);

/* The implementations; powers is as above.  _init receives h in the last place and
 * fills in the others. */
#define HAECHI_GHASH_KIND(name)                                                                              \
    void haechi_ghash_##name##_init(uint64_t *powers, int most);                                             \
    void haechi_ghash_##name(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n);
HAECHI_GHASH_KIND(c)
HAECHI_GHASH_KIND(clmul)
HAECHI_GHASH_KIND(vpclmul)
HAECHI_GHASH_KIND(pmull)

#endif

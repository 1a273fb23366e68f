/* x86_lanes.h - the counters of lanes, for kernels that encrypt under many keys side by side.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * See struct haechi_lanes in kernel.h.  A kernel includes core/x86.h and this file. */
#ifndef HAECHI_X86_LANES_H
#define HAECHI_X86_LANES_H

enum { WORDS = sizeof(V) / 8 }; /* counters of 64 bits in a vector */

/* With their bytes reversed, as a block holds them. */
INLINE V numbers_reversed(V x)
{
    return V_(shuffle_epi8)(x, EVERY(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)));
}

/* The counter blocks of so many lanes, in the order of memory; and counts on, without a branch on a carry. */
INLINE void count_lanes(V *x, uint64_t *high, uint64_t *low, int lanes)
{
    const V one = EVERY(_mm_set1_epi64x(1));
    for (int i = 0; i < lanes / WORDS; i++) {
        const V l = LOAD(low + WORDS * i), next = V_(add_epi64)(l, one), small = numbers_reversed(l);
#if BLOCK_BYTES == 8
        (void)high;
        x[i] = small;
#else
        const V h = LOAD(high + WORDS * i), great = numbers_reversed(h);
        const V carry = V_(srli_epi64)(ANDNOT(next, l), 63); /* the highest bit was set, and is no more */
        const V even = V_(unpacklo_epi64)(great, small), odd = V_(unpackhi_epi64)(great, small);
        STORE(high + WORDS * i, V_(add_epi64)(h, carry));
#if WIDTH == 512
        x[2 * i] = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), odd);
        x[2 * i + 1] = _mm512_permutex2var_epi64(even, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), odd);
#elif WIDTH == 256
        x[2 * i] = _mm256_permute2x128_si256(even, odd, 0x20);
        x[2 * i + 1] = _mm256_permute2x128_si256(even, odd, 0x31);
#else
        x[2 * i] = even;
        x[2 * i + 1] = odd;
#endif
#endif
        STORE(low + WORDS * i, next);
    }
}

#endif

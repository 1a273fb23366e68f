/* x86_lanes.h - counters and texts of lanes, for kernels that encrypt under many keys side by side.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * See struct haechi_lanes in kernel.h.  A kernel includes core/x86.h, defines KEYS_WIDE and AHEAD, the values of `width` and
 * `ahead`, and includes this file. */
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

/* 16 bytes at `at` in each of the keys, of which one comes every `step` places, or 8 bytes and zeros.  They are inserted
 * one by one, because a vector that is loaded from bytes just copied waits until these are in the cache. */
INLINE V pieces_of_keys(const void *const *keys, int step, size_t at, size_t n)
{
#define FROM_KEY(i) ((const __m128i *)(const void *)((const uint8_t *)keys[(i) * step] + at))
#define PIECE(i) (n == 8 ? _mm_loadl_epi64(FROM_KEY(i)) : _mm_loadu_si128(FROM_KEY(i)))
#if WIDTH == 512
    const V one = _mm512_inserti32x4(_mm512_castsi128_si512(PIECE(0)), PIECE(1), 1);
    return _mm512_inserti32x4(_mm512_inserti32x4(one, PIECE(2), 2), PIECE(3), 3);
#elif WIDTH == 256
    return _mm256_inserti128_si256(_mm256_castsi128_si256(PIECE(0)), PIECE(1), 1);
#else
    (void)step;
    return PIECE(0);
#endif
}

/* The slot `add`. */
#if WIDTH < 256
#define ADD_LANES NULL
#else
#define ADD_LANES add_lanes

INLINE __m256i with_text(__m256i x, const uint8_t *in)
{
    return _mm256_xor_si256(x, _mm256_loadu_si256((const __m256i *)in));
}

TARGET static void add_lanes(const void *blocks, const struct haechi_text *text, size_t at, size_t n)
{
    const uint8_t *from = (const uint8_t *)blocks;
#if BLOCK_BYTES == 16 /* two blocks of a lane are a vector of 256 bits */
#define BLOCK_OF_LANE(i) _mm_loadu_si128((const __m128i *)(from + (i) * BLOCK_BYTES * KEYS_WIDE))
    for (; n; n--, from += BLOCK_BYTES, text++)
        for (size_t i = 0; i < AHEAD; i += 2) {
            const size_t place = at + BLOCK_BYTES * i;
            const __m256i x = _mm256_inserti128_si256(_mm256_castsi128_si256(BLOCK_OF_LANE(i)), BLOCK_OF_LANE(i + 1), 1);
            _mm256_storeu_si256((__m256i *)(text->out + place), with_text(x, text->in + place));
        }
#else /* four are: the blocks of four lanes are transposed */
#define BLOCKS_OF_LANES(i) _mm256_loadu_si256((const __m256i *)(from + (i) * BLOCK_BYTES * KEYS_WIDE))
#define ADD_LANE(i, a, b, half)                                                                              \
    _mm256_storeu_si256((__m256i *)(text[i].out + at),                                                       \
                        with_text(_mm256_permute2x128_si256(a, b, half), text[i].in + at));
    _Static_assert(AHEAD == 4, "four blocks of a lane are all of them");
    for (; n; n -= 4, from += 4 * BLOCK_BYTES, text += 4) {
        const __m256i b0 = BLOCKS_OF_LANES(0), b1 = BLOCKS_OF_LANES(1);
        const __m256i b2 = BLOCKS_OF_LANES(2), b3 = BLOCKS_OF_LANES(3);
        const __m256i even01 = _mm256_unpacklo_epi64(b0, b1), even23 = _mm256_unpacklo_epi64(b2, b3);
        const __m256i odd01 = _mm256_unpackhi_epi64(b0, b1), odd23 = _mm256_unpackhi_epi64(b2, b3);
        ADD_LANE(0, even01, even23, 0x20)
        ADD_LANE(1, odd01, odd23, 0x20)
        ADD_LANE(2, even01, even23, 0x31)
        ADD_LANE(3, odd01, odd23, 0x31)
    }
#endif
}
#endif

#endif

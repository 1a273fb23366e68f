/* ghash_x86.c - GHASH by carry-less multiplication, with one block a register (128 bits) or four (512 bits).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * As many blocks as there are powers of h are multiplied by their own powers; the sum of the products is reduced once:
 * y' = (y + b1) h^n + b2 h^(n-1) + ... + bn h.  Fewer blocks at the end take the last powers.  With 128 bits there are
 * 8 powers: more would speed up no message by much, but a key that serves one short message would take longer. */
#include "../core/x86_64.h"
#include "../haechi.h"

#if defined(HAECHI_X86_64)
#include <immintrin.h>

#include "ghash.h"

#define CLMUL __attribute__((__target__("ssse3,pclmul")))
#define INLINE static inline __attribute__((__always_inline__))

/* A sum of products in three parts: a0*b0, a1*b0 + a0*b1 and a1*b1. */
struct sum {
    __m128i low, middle, high;
};

CLMUL INLINE __m128i turned(__m128i block)
{
    return _mm_shuffle_epi8(block, _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

CLMUL INLINE void add_product(struct sum *s, __m128i a, __m128i b)
{
    s->low = _mm_xor_si128(s->low, _mm_clmulepi64_si128(a, b, 0x00));
    s->middle = _mm_xor_si128(s->middle, _mm_clmulepi64_si128(a, b, 0x10));
    s->middle = _mm_xor_si128(s->middle, _mm_clmulepi64_si128(a, b, 0x01));
    s->high = _mm_xor_si128(s->high, _mm_clmulepi64_si128(a, b, 0x11));
}

/* Divides the sum by x^128.  It does twice: the low word times x^63 + x^62 + x^57 is added to the words above, and
 * the low word becomes 0. */
CLMUL INLINE __m128i reduced(struct sum s)
{
    const __m128i polynomial = _mm_set_epi64x(0, (long long)0xc200000000000000);
    __m128i low = _mm_xor_si128(s.low, _mm_slli_si128(s.middle, 8));
    const __m128i high = _mm_xor_si128(s.high, _mm_srli_si128(s.middle, 8));

    for (int i = 0; i < 2; i++)
        low = _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, polynomial, 0x00));
    return _mm_xor_si128(high, low);
}

/* The last `most` powers.  Even ones are squares, in which the middle vanishes.  Most of the products need not wait for
 * each other. */
CLMUL INLINE void fill(uint64_t *powers, int most)
{
    __m128i *const end = (__m128i *)(powers + 2 * HAECHI_POWERS);
    const __m128i h = _mm_loadu_si128(end - 1), zero = _mm_setzero_si128();

    for (int n = 2; n <= most; n += 2) {
        const __m128i root = _mm_loadu_si128(end - n / 2);
        const __m128i low = _mm_clmulepi64_si128(root, root, 0x00), high = _mm_clmulepi64_si128(root, root, 0x11);
        const struct sum square = { low, zero, high };
        const __m128i even = reduced(square);
        struct sum next = { zero, zero, zero };
        _mm_storeu_si128(end - n, even);
        if (n >= most) break;
        add_product(&next, even, h);
        _mm_storeu_si128(end - n - 1, reduced(next));
    }
}

#define FEW_POWERS 8
CLMUL void haechi_ghash_clmul_init(uint64_t *powers, int most)
{
    fill(powers, most < FEW_POWERS ? most : FEW_POWERS);
}

/* y is added to the first block.  The product of that block is computed last, so that the other products need not
 * wait for y. */
CLMUL void haechi_ghash_clmul(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n)
{
    __m128i a = turned(_mm_loadu_si128((const __m128i *)y));

    while (n) {
        const size_t m = n < FEW_POWERS ? n : FEW_POWERS;
        const uint64_t *const power = powers + 2 * (HAECHI_POWERS - m);
        struct sum s = { _mm_setzero_si128(), _mm_setzero_si128(), _mm_setzero_si128() };
        for (size_t i = 1; i < m; i++)
            add_product(&s, turned(_mm_loadu_si128((const __m128i *)in + i)),
                        _mm_loadu_si128((const __m128i *)(power + 2 * i)));
        a = _mm_xor_si128(a, turned(_mm_loadu_si128((const __m128i *)in)));
        add_product(&s, a, _mm_loadu_si128((const __m128i *)power));
        a = reduced(s);
        in += 16 * m;
        n -= m;
    }
    _mm_storeu_si128((__m128i *)y, turned(a));
}

/* ---- AVX-512: the same with four blocks a register.  A product takes two cycles at any width (Zen 4, Zen 5), so
 * that Karatsuba's three products are faster than four. */

#define VPCLMUL __attribute__((__target__("avx512f,avx512bw,avx512vl,avx512dq,vpclmulqdq,pclmul,ssse3")))
#define GROUPS (HAECHI_POWERS / 4)

/* A sum of products in Karatsuba's three parts: a0*b0, (a0 + a1)*(b0 + b1) and a1*b1. */
struct sum4 {
    __m512i low, middle, high;
};

VPCLMUL INLINE __m512i turned4(__m512i blocks)
{
    const __m128i order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(order));
}

/* Replaces both words of every lane by their sum. */
VPCLMUL INLINE __m512i halves(__m512i a)
{
    return _mm512_xor_si512(a, _mm512_shuffle_epi32(a, 0x4e));
}

VPCLMUL INLINE void add_products(struct sum4 *s, __m512i a, __m512i b, __m512i b_halves)
{
    s->low = _mm512_xor_si512(s->low, _mm512_clmulepi64_epi128(a, b, 0x00));
    s->middle = _mm512_xor_si512(s->middle, _mm512_clmulepi64_epi128(halves(a), b_halves, 0x00));
    s->high = _mm512_xor_si512(s->high, _mm512_clmulepi64_epi128(a, b, 0x11));
}

VPCLMUL INLINE __m128i folded(__m512i x)
{
    const __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(x), _mm512_extracti64x4_epi64(x, 1));
    return _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

VPCLMUL INLINE __m128i reduced4(struct sum4 s)
{
    const __m512i middle = _mm512_ternarylogic_epi64(s.middle, s.low, s.high, 0x96);
    const struct sum folds = { folded(s.low), folded(middle), folded(s.high) };
    return reduced(folds);
}

VPCLMUL void haechi_ghash_vpclmul_init(uint64_t *powers, int most)
{
    fill(powers, most);
}

VPCLMUL void haechi_ghash_vpclmul(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n)
{
    const struct sum4 none = { _mm512_setzero_si512(), _mm512_setzero_si512(), _mm512_setzero_si512() };
    __m128i a = turned(_mm_loadu_si128((const __m128i *)y));

    if (n < 4) { /* registers of 128 bits are faster here */
        haechi_ghash_clmul(powers, y, in, n);
        return;
    }
    if (n >= HAECHI_POWERS) {
        __m512i h[GROUPS], h_halves[GROUPS];
#pragma GCC unroll 8 /* otherwise gcc -O2 keeps the arrays in memory */
        for (int i = 0; i < GROUPS; i++) {
            h[i] = _mm512_loadu_si512(powers + 8 * i);
            h_halves[i] = halves(h[i]);
        }
        for (; n >= HAECHI_POWERS; n -= HAECHI_POWERS, in += 16 * HAECHI_POWERS) {
            struct sum4 s = none;
            __m512i first = turned4(_mm512_loadu_si512(in));
#pragma GCC unroll 8
            for (int i = 1; i < GROUPS; i++)
                add_products(&s, turned4(_mm512_loadu_si512(in + 64 * i)), h[i], h_halves[i]);
            first = _mm512_xor_si512(first, _mm512_zextsi128_si512(a));
            add_products(&s, first, h[0], h_halves[0]);
            a = reduced4(s);
        }
    }
    if (n) { /* fewer blocks take the last powers; lanes beyond the end are zero */
        const uint64_t *const power = powers + 2 * (HAECHI_POWERS - n);
        __m512i first = _mm512_zextsi128_si512(a);
        struct sum4 s = none;
        for (size_t i = 0; i < n; i += 4) {
            const __mmask8 there = n - i >= 4 ? 0xff : (__mmask8)((1u << 2 * (n - i)) - 1);
            const __m512i h = _mm512_maskz_loadu_epi64(there, power + 2 * i);
            const __m512i blocks = turned4(_mm512_maskz_loadu_epi64(there, in + 16 * i));
            add_products(&s, _mm512_xor_si512(blocks, first), h, halves(h));
            first = _mm512_setzero_si512();
        }
        a = reduced4(s);
    }
    _mm_storeu_si128((__m128i *)y, turned(a));
}

#endif

/* aria_x86.h - ARIA for x86-64 in vectors of any width: what a kernel begins with.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One text for all widths.  A kernel says WIDTH (of a vector, in bits) and TARGET (the attribute with its
 * instructions) and includes this file, then the S-boxes, aria_x86_gfni.h or aria_x86_aes.h, then
 * aria_x86_slots.h, which holds the rest and defines the descriptors.
 *
 * A vector V is 1, 2 or 4 lanes of 16 bytes (BLOCKS).  Blocks stand in vectors in one of two layouts:
 *
 *     rows    a lane is a block, as it is in memory; 1 ... 4 vectors at a time
 *     sliced  16 vectors x[0] ... x[15] are 16 * BLOCKS blocks: x[i] holds byte i of them all,
 *
 *                       lane 0             lane 1                 of x[i], with BLOCKS = 4
 *             byte     0  1  2 ... 15     0  1  2 ... 15  ...
 *             block    0  4  8 ... 60     1  5  9 ... 61
 *
 *             which is what transposing 16 x 16 bytes in every lane makes of 16 vectors read in a row. */
#ifndef HAECHI_ARIA_X86_H
#define HAECHI_ARIA_X86_H

#include <immintrin.h>

#include "../../core/bytes.h"
#include "../../core/features.h"
#include "../../core/kernel.h"

#define INLINE static inline __attribute__((__always_inline__)) TARGET

#if WIDTH == 512
#define V __m512i
#define V_(operation) _mm512_##operation
#define BLOCKS 4
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define AND(a, b) _mm512_and_si512(a, b)
#define ANDNOT(a, b) _mm512_andnot_si512(a, b) /* ~a & b */
#define XOR_AND(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x78) /* a ^ (b & c) */
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define EVERY(block) _mm512_broadcast_i32x4(block) /* in every lane */
#define LOWEST(v) _mm512_castsi512_si128(v)        /* lane 0 */
#define MASK(n) ((__mmask8)((1u << 2 * (n)) - 1))
#define LOAD_SOME(p, n) _mm512_maskz_loadu_epi64(MASK(n), p) /* n blocks, 0 < n < BLOCKS */
#define STORE_SOME(p, v, n) _mm512_mask_storeu_epi64(p, MASK(n), v)
#define BYTES(n) ((__mmask64)((UINT64_C(1) << (n)) - 1))      /* bytes */
#define MOVED_IN(v, before) _mm512_alignr_epi64(v, before, 6) /* a lane up; the last lane of before */
#elif WIDTH == 256
#define V __m256i
#define V_(operation) _mm256_##operation
#define BLOCKS 2
#define XOR(a, b) _mm256_xor_si256(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define ANDNOT(a, b) _mm256_andnot_si256(a, b)
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define EVERY(block) _mm256_broadcastsi128_si256(block)
#define LOWEST(v) _mm256_castsi256_si128(v)
#define LOAD_SOME(p, n) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define STORE_SOME(p, v, n) _mm_storeu_si128((__m128i *)(p), LOWEST(v))
#define MOVED_IN(v, before) _mm256_permute2x128_si256(before, v, 0x21)
#else
#define V __m128i
#define V_(operation) _mm_##operation
#define BLOCKS 1
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define ANDNOT(a, b) _mm_andnot_si128(a, b)
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define EVERY(block) (block)
#define LOWEST(v) (v)
#define LOAD_SOME(p, n) LOAD(p) /* there is none */
#define STORE_SOME(p, v, n) STORE(p, v)
#define MOVED_IN(v, before) (before)
#endif
#if WIDTH != 512
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define XOR_AND(a, b, c) XOR(a, AND(b, c))
#endif

/* The lower half of every lane to the upper half; bytes ff where a >= b, else 0. */
#define UP_8_BYTES(a) V_(unpacklo_epi64)(EVERY(_mm_setzero_si128()), a)
#define NOT_LESS(a, b) V_(sub_epi8)(V_(min_epu8)(V_(subs_epu8)(b, a), ONE), ONE)
#define ONE EVERY(_mm_set1_epi8(1))

/* Unrolled by hand: compilers would keep the arrays of a loop in memory. */
#define ALL4(M) M(0) M(1) M(2) M(3)
#define ALL8(M) ALL4(M) M(4) M(5) M(6) M(7)
#define ALL16(M) ALL8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

/* 16 bytes of memory, in every lane. */
#define BLOCK(p) _mm_loadu_si128((const __m128i *)(p))
#define CONSTANT(p) EVERY(BLOCK(p))

/* The diffusion layer A (RFC 5794, 2.4.3) for rows: byte i is the sum of seven, at most two of which stand in
 * one column, the bytes that one S-box made.  Eight shuffles then: TERM_cA and TERM_cB name the bytes of
 * column c in the sums 0 ... 15.  X says how an index is written. */
#define NO 128 /* the shuffle makes 0 of it */
#define TERM_0A(X) X(4, 8, 4, 0, 0, 4, 0, 8, 0, 0, 8, 4, 12, 0, 0, 4)
#define TERM_0B(X) X(8, 12, 12, NO, 8, NO, 12, 12, 4, 12, NO, 12, NO, 8, 4, 8)
#define TERM_1A(X) X(9, 5, 1, 5, 5, 1, 9, 1, 1, 1, 5, 9, 1, 13, 5, 1)
#define TERM_1B(X) X(13, 9, NO, 13, NO, 9, 13, 13, 13, 5, 13, NO, 9, NO, 9, 5)
#define TERM_2A(X) X(6, 2, 6, 10, 2, 10, 2, 6, 10, 6, 2, 2, 2, 6, 14, 2)
#define TERM_2B(X) X(14, NO, 10, 14, 14, 14, 10, NO, NO, 14, 6, 14, 6, 10, NO, 10)
#define TERM_3A(X) X(3, 7, 11, 7, 11, 3, 7, 3, 7, 11, 3, 3, 7, 3, 3, 15)
#define TERM_3B(X) X(NO, 15, 15, 11, 15, 15, NO, 11, 15, NO, 15, 7, 11, 7, 11, NO)

#define AS_IT_IS(...) { __VA_ARGS__ }

static const uint8_t TERMS[8][16] = {
    TERM_0A(AS_IT_IS), TERM_0B(AS_IT_IS), TERM_1A(AS_IT_IS), TERM_1B(AS_IT_IS),
    TERM_2A(AS_IT_IS), TERM_2B(AS_IT_IS), TERM_3A(AS_IT_IS), TERM_3B(AS_IT_IS)
};

/* key + A: two terms each from a, b, c, d, the columns behind the four S-boxes.  c and d are known last. */
INLINE V shuffled(V key, V a, V b, const uint8_t (*of_ab)[16], V c, V d, const uint8_t (*of_cd)[16])
{
#define SHUFFLE(x, table) V_(shuffle_epi8)(x, CONSTANT(table))
    const V early = XOR3(XOR(SHUFFLE(a, of_ab[0]), SHUFFLE(a, of_ab[1])),
                         XOR(SHUFFLE(b, of_ab[2]), SHUFFLE(b, of_ab[3])), key);
    return XOR3(early, XOR(SHUFFLE(c, of_cd[0]), SHUFFLE(c, of_cd[1])),
                XOR(SHUFFLE(d, of_cd[2]), SHUFFLE(d, of_cd[3])));
}

#endif

/* x86.h - what every vector kernel for x86-64 begins with: one text for all widths.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A kernel defines WIDTH (of a vector, in bits), TARGET (the attribute with its instructions) and BLOCK_BYTES, and
 * includes this file.  A vector V has 1, 2 or 4 lanes of 16 bytes; V_(operation) is the intrinsic of its width. */
#ifndef HAECHI_X86_H
#define HAECHI_X86_H

/* Without optimization gcc turns every intrinsic into copies through memory: a kernel would have megabytes, and with
 * sanitizers it would take many minutes to compile. */
#if !defined(__OPTIMIZE__) && !defined(__clang__)
#pragma GCC optimize 1
#endif

#include <immintrin.h>

#include "../haechi_cpu.h"
#include "bytes.h"
#include "kernel.h"

/* A function of which all callers share one copy. */
#define SHARED TARGET static __attribute__((__noinline__))
#define INLINE static inline __attribute__((__always_inline__)) TARGET

#if WIDTH == 512
#define V __m512i
#define V_(operation) _mm512_##operation
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define XOR_AND(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x78) /* a ^ (b & c) */
#define AND(a, b) _mm512_and_si512(a, b)
#define ANDNOT(a, b) _mm512_andnot_si512(a, b) /* ~a & b */
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define EVERY(lane) _mm512_broadcast_i32x4(lane) /* in every lane */
#define LOWEST(v) _mm512_castsi512_si128(v)      /* lane 0 */
#define MASK(n) ((__mmask8)((1u << BLOCK_BYTES / 8 * (n)) - 1))
#define LOAD_SOME(p, n) _mm512_maskz_loadu_epi64(MASK(n), p) /* n blocks; the rest is undefined */
#define STORE_SOME(p, v, n) _mm512_mask_storeu_epi64(p, MASK(n), v)
#define MOVED_IN(v, before) _mm512_alignr_epi64(v, before, 8 - BLOCK_BYTES / 8) /* shifts in before by a block */
#elif WIDTH == 256
#define V __m256i
#define V_(operation) _mm256_##operation
#define XOR(a, b) _mm256_xor_si256(a, b)
#define AND(a, b) _mm256_and_si256(a, b)
#define ANDNOT(a, b) _mm256_andnot_si256(a, b)
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i *)(p), v)
#define EVERY(lane) _mm256_broadcastsi128_si256(lane)
#define LOWEST(v) _mm256_castsi256_si128(v)
#define LANE_MOVED_IN(v, before) _mm256_permute2x128_si256(before, v, 0x21)
#if BLOCK_BYTES == 16
#define LOAD_SOME(p, n) _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(p)))
#define STORE_SOME(p, v, n) _mm_storeu_si128((__m128i *)(p), LOWEST(v))
#define MOVED_IN(v, before) LANE_MOVED_IN(v, before)
#else
#define MASK(n) _mm256_cmpgt_epi64(_mm256_set1_epi64x((long long)(n)), _mm256_setr_epi64x(0, 1, 2, 3))
#define LOAD_SOME(p, n) _mm256_maskload_epi64((const long long *)(const void *)(p), MASK(n))
#define MOVED_IN(v, before) _mm256_alignr_epi8(v, LANE_MOVED_IN(v, before), 8)
#endif
#else
#define V __m128i
#define V_(operation) _mm_##operation
#define XOR(a, b) _mm_xor_si128(a, b)
#define AND(a, b) _mm_and_si128(a, b)
#define ANDNOT(a, b) _mm_andnot_si128(a, b)
#define LOAD(p) _mm_loadu_si128((const __m128i *)(p))
#define STORE(p, v) _mm_storeu_si128((__m128i *)(p), v)
#define EVERY(lane) (lane)
#define LOWEST(v) (v)
#if BLOCK_BYTES == 16
#define LOAD_SOME(p, n) LOAD(p) /* SSE has no masked load */
#define STORE_SOME(p, v, n) STORE(p, v)
#define MOVED_IN(v, before) (before)
#else
#define LOAD_SOME(p, n) _mm_loadl_epi64((const __m128i *)(p))
#define MOVED_IN(v, before) _mm_alignr_epi8(v, before, 8)
#endif
#endif
#if WIDTH != 512
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define XOR_AND(a, b, c) XOR(a, AND(b, c))
#endif

#define BYTE(b) V_(set1_epi8)((char)(b))
#define NOT_LESS(a, b) V_(sub_epi8)(V_(min_epu8)(V_(subs_epu8)(b, a), BYTE(1)), BYTE(1)) /* bytes ff where a >= b */

/* Makes the compiler have v in a register at this point.  Compilers would otherwise mix the steps, run out of
 * registers, and keep in memory what the next steps wait for.  They would also XOR keys before they make vectors of
 * them, which takes longer. */
#define NOW(v) __asm__("" : "+v"(v))

/* These loops are unrolled by hand, because compilers would keep x in memory in a loop. */
#define ALL4(M) M(0) M(1) M(2) M(3)
#define ALL8(M) ALL4(M) M(4) M(5) M(6) M(7)
#define ALL16(M) ALL8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

/* Writes n bytes of x, XORed to the bytes at in unless in is NULL.  If they end inside a block, left receives all of
 * that block. */
INLINE void put_bytes(uint8_t *out, const V *x, const uint8_t *in, size_t n, uint8_t *left)
{
    for (; n >= sizeof(V); n -= sizeof(V), x++, out += sizeof(V)) {
        STORE(out, in == NULL ? *x : XOR(*x, LOAD(in)));
        if (in != NULL) in += sizeof(V);
    }
    if (n % BLOCK_BYTES) haechi_copy(left, (const uint8_t *)x + n / BLOCK_BYTES * BLOCK_BYTES, BLOCK_BYTES);
#if WIDTH == 512
    if (n == 0) return;
    const __mmask64 some = (UINT64_C(1) << n) - 1;
    _mm512_mask_storeu_epi8(out, some, in == NULL ? *x : XOR(*x, _mm512_maskz_loadu_epi8(some, in)));
#else
    if (in == NULL) haechi_copy(out, (const uint8_t *)x, n);
    else haechi_xor(out, (const uint8_t *)x, in, n);
#endif
}

/* Reads n bytes, which are whole blocks, and fills up so many vectors with zeros. */
INLINE void get_blocks(V *x, int vectors, const uint8_t *in, size_t n)
{
    for (int i = 0; i < vectors; i++, in += sizeof(V), n = n > sizeof(V) ? n - sizeof(V) : 0)
        x[i] = n >= sizeof(V) ? LOAD(in) : n ? LOAD_SOME(in, n / BLOCK_BYTES) : BYTE(0);
}

#endif

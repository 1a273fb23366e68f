/* immintrin.h - replaces the compiler's own header: SIMDe (libsimde-dev) computes AVX2, AVX-512, GFNI and VAES with
 * SSSE3.  Kernels can thereby run although this CPU, or valgrind, does not know their instructions.  This header adds
 * what SIMDe 0.7.4 lacks, and what it computes by branches and look-ups that valgrind would report as leaks.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Compile with -mssse3, because SIMDe would otherwise shuffle bytes by look-ups, and with -D'__target__(x)=', because
 * the kernels' attributes would let the compiler use the instructions themselves. */
#ifndef HAECHI_TEST_SIMDE_H
#define HAECHI_TEST_SIMDE_H

#include <tmmintrin.h>
#define __always_inline__ __noinline__ /* with inlining gcc takes half a minute for a kernel, without it one second */

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/clmul.h>
#include <simde/x86/gfni.h>

#include <string.h>

/* Kernels use __asm__("" : "+v"(x)) to name a mask and to keep compilers from moving x.  Here it does nothing. */
#define __mmask8 simde__mmask8 /* newer editions of SIMDe have types of these names, of another kind */
#define __mmask64 simde__mmask64
#define __asm__(...)

/* ---- What SIMDe lacks. */

/* In the kernels' masks the lowest bits are ones, so that a masked access is one to the first n bytes or words. */
static inline void haechi_mask_storeu(void *p, uint64_t mask, size_t size, simde__m512i v)
{
    memcpy(p, &v, size * (size_t)__builtin_popcountll(mask));
}

static inline simde__m512i haechi_maskz_loadu(uint64_t mask, size_t size, const void *p)
{
    simde__m512i v = simde_mm512_setzero_si512();
    memcpy(&v, p, size * (size_t)__builtin_popcountll(mask));
    return v;
}
#undef _mm512_mask_storeu_epi64
#undef _mm512_mask_storeu_epi8
#undef _mm512_maskz_loadu_epi64
#undef _mm512_maskz_loadu_epi8
#define _mm512_mask_storeu_epi64(p, mask, v) haechi_mask_storeu(p, mask, 8, v)
#define _mm512_mask_storeu_epi8(p, mask, v) haechi_mask_storeu(p, mask, 1, v)
#define _mm512_maskz_loadu_epi64(mask, p) haechi_maskz_loadu(mask, 8, p)
#define _mm512_maskz_loadu_epi8(mask, p) haechi_maskz_loadu(mask, 1, p)

#ifndef _mm512_alignr_epi64
static inline simde__m512i haechi_alignr_epi64(simde__m512i high, simde__m512i low, size_t n)
{
    simde__m512i both[2] = { low, high }, v;
    memcpy(&v, (char *)both + 8 * n, 64);
    return v;
}
#define _mm512_alignr_epi64(high, low, n) haechi_alignr_epi64(high, low, n)
#endif

#ifndef _mm512_srai_epi32
static inline simde__m512i haechi_srai_epi32(simde__m512i v, int n)
{
    uint32_t w[16];
    memcpy(w, &v, 64);
    for (int i = 0; i < 16; i++) w[i] = w[i] >> n | ~(~UINT32_C(0) >> n) * (w[i] >> 31);
    memcpy(&v, w, 64);
    return v;
}
#define _mm512_srai_epi32(v, n) haechi_srai_epi32(v, n)
#endif

/* ---- What SIMDe computes by look-ups: GFNI and the last rounds of AES.  These work on lanes of 16 bytes, in functions
 * of their own, which compile faster than inlined code. */

#define HAECHI_APART static __attribute__((__noinline__))
typedef uint8_t haechi_bytes __attribute__((__vector_size__(16)));

/* Modulo x^8 + x^4 + x^3 + x + 1. */
HAECHI_APART haechi_bytes haechi_times(haechi_bytes a, haechi_bytes b)
{
    haechi_bytes sum = { 0 };
    for (int i = 0; i < 8; i++) {
        sum ^= a & -(b >> i & 1);
        a = a << 1 ^ (0x1b & -(a >> 7));
    }
    return sum;
}

/* x^254, the inverse of x. */
static inline haechi_bytes haechi_inverse(haechi_bytes x)
{
    haechi_bytes power = x;
    for (int i = 0; i < 6; i++) power = haechi_times(haechi_times(power, power), x);
    return haechi_times(power, power);
}

/* Bit i of a byte is the parity of x and byte 7 - i of the matrix in the same half of the lane, XOR bit i of b. */
HAECHI_APART void haechi_affine(uint8_t *out, const uint8_t *in, const uint8_t *matrix, int bytes, int invert, int b)
{
    for (; bytes; bytes -= 16, in += 16, out += 16, matrix += 16) {
        haechi_bytes x, y = { 0 };
        memcpy(&x, in, 16);
        if (invert) x = haechi_inverse(x);
        for (int i = 0; i < 8; i++) {
            haechi_bytes row;
            memset(&row, matrix[7 - i], 8);
            memset((char *)&row + 8, matrix[15 - i], 8);
            row &= x;
            row ^= row >> 4, row ^= row >> 2, row ^= row >> 1;
            y |= (row & 1) << i;
        }
        y ^= (uint8_t)b;
        memcpy(out, &y, 16);
    }
}

#define HAECHI_AFFINE(name, V, invert)                                                                       \
    static inline V haechi_##name(V x, V matrix, int b)                                                      \
    {                                                                                                        \
        haechi_affine((uint8_t *)&x, (const uint8_t *)&x, (const uint8_t *)&matrix, sizeof x, invert, b);    \
        return x;                                                                                            \
    }
HAECHI_AFFINE(affine_128, simde__m128i, 0)
HAECHI_AFFINE(affine_256, simde__m256i, 0)
HAECHI_AFFINE(affine_512, simde__m512i, 0)
HAECHI_AFFINE(affineinv_128, simde__m128i, 1)
HAECHI_AFFINE(affineinv_256, simde__m256i, 1)
HAECHI_AFFINE(affineinv_512, simde__m512i, 1)
#undef _mm_gf2p8affine_epi64_epi8
#undef _mm256_gf2p8affine_epi64_epi8
#undef _mm512_gf2p8affine_epi64_epi8
#undef _mm_gf2p8affineinv_epi64_epi8
#undef _mm256_gf2p8affineinv_epi64_epi8
#undef _mm512_gf2p8affineinv_epi64_epi8
#define _mm_gf2p8affine_epi64_epi8 haechi_affine_128
#define _mm256_gf2p8affine_epi64_epi8 haechi_affine_256
#define _mm512_gf2p8affine_epi64_epi8 haechi_affine_512
#define _mm_gf2p8affineinv_epi64_epi8 haechi_affineinv_128
#define _mm256_gf2p8affineinv_epi64_epi8 haechi_affineinv_256
#define _mm512_gf2p8affineinv_epi64_epi8 haechi_affineinv_512

static inline haechi_bytes haechi_turn(haechi_bytes x, int n)
{
    return x << n | x >> (8 - n);
}

/* ShiftRows moves byte r of column c from, or to, column c + r. */
HAECHI_APART void haechi_aes_last(uint8_t *out, const uint8_t *in, const uint8_t *key, int bytes, int decrypt)
{
    for (; bytes; bytes -= 16, in += 16, out += 16, key += 16) {
        uint8_t moved[16];
        haechi_bytes x, k;
        for (int i = 0; i < 16; i++) moved[i] = in[decrypt ? (i + 16 - 4 * (i % 4)) % 16 : (i + 4 * (i % 4)) % 16];
        memcpy(&x, moved, 16);
        memcpy(&k, key, 16);
        if (decrypt) {
            x = haechi_inverse(haechi_turn(x, 1) ^ haechi_turn(x, 3) ^ haechi_turn(x, 6) ^ 0x05);
        } else {
            x = haechi_inverse(x);
            x ^= haechi_turn(x, 1) ^ haechi_turn(x, 2) ^ haechi_turn(x, 3) ^ haechi_turn(x, 4) ^ 0x63;
        }
        x ^= k;
        memcpy(out, &x, 16);
    }
}

#define HAECHI_AES(name, V, decrypt)                                                                         \
    static inline V name(V x, V key)                                                                         \
    {                                                                                                        \
        haechi_aes_last((uint8_t *)&x, (const uint8_t *)&x, (const uint8_t *)&key, sizeof x, decrypt);       \
        return x;                                                                                            \
    }
HAECHI_AES(_mm_aesenclast_si128, simde__m128i, 0)
HAECHI_AES(_mm_aesdeclast_si128, simde__m128i, 1)
HAECHI_AES(_mm256_aesenclast_epi128, simde__m256i, 0)
HAECHI_AES(_mm256_aesdeclast_epi128, simde__m256i, 1)

#endif

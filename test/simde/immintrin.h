/* immintrin.h - stands before the compiler's own: x86 vector instructions as plain C, by SIMDe (libsimde-dev), and
 * here those that SIMDe 0.7.4 lacks, or makes with branches.  So kernels run that this CPU, or valgrind, knows no instructions of.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * To be compiled with -D'__target__(x)=' as well: the attributes would let the compiler use the instructions. */
#ifndef HAECHI_TEST_SIMDE_H
#define HAECHI_TEST_SIMDE_H

#define SIMDE_NO_NATIVE
#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>
#include <simde/x86/clmul.h>
#include <simde/x86/gfni.h>

#include <string.h>

/* Kernels name a mask, and say __asm__("" : "+v"(x)) to keep compilers from moving x: nothing to do here. */
typedef simde__mmask8 __mmask8;
#define __asm__(...)

#ifndef _mm512_mask_storeu_epi64
static inline void haechi_mask_storeu_epi64(void *p, simde__mmask8 mask, simde__m512i v)
{
    uint64_t q[8];
    memcpy(q, &v, 64);
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1) memcpy((char *)p + 8 * i, &q[i], 8);
}
#define _mm512_mask_storeu_epi64(p, mask, v) haechi_mask_storeu_epi64(p, mask, v)
#endif

#ifndef _mm512_maskz_loadu_epi64
static inline simde__m512i haechi_maskz_loadu_epi64(simde__mmask8 mask, const void *p)
{
    simde__m512i v;
    uint64_t q[8] = { 0 };
    for (int i = 0; i < 8; i++)
        if (mask >> i & 1) memcpy(&q[i], (const char *)p + 8 * i, 8);
    memcpy(&v, q, 64);
    return v;
}
#define _mm512_maskz_loadu_epi64(mask, p) haechi_maskz_loadu_epi64(mask, p)
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

/* SIMDe asks each byte whether it is negative: a branch. */
static inline uint64_t haechi_movepi8_mask(simde__m512i v)
{
    uint8_t b[64];
    uint64_t mask = 0;
    memcpy(b, &v, 64);
    for (int i = 0; i < 64; i++) mask |= (uint64_t)(b[i] >> 7) << i;
    return mask;
}
#undef _mm512_movepi8_mask
#define _mm512_movepi8_mask(v) haechi_movepi8_mask(v)

static inline simde__m512i haechi_movm_epi8(uint64_t mask)
{
    simde__m512i v;
    uint8_t b[64];
    for (int i = 0; i < 64; i++) b[i] = (uint8_t)(0 - (mask >> i & 1));
    memcpy(&v, b, 64);
    return v;
}
#undef _mm512_movm_epi8
#define _mm512_movm_epi8(mask) haechi_movm_epi8(mask)

/* The last rounds of AES, without tables: valgrind would take a look-up for a leak.  Arithmetic modulo
 * x^8 + x^4 + x^3 + x + 1; the inverse is the 254th power; then the affine map. */
static inline uint8_t haechi_aes_times(uint8_t a, uint8_t b)
{
    unsigned sum = 0, x = a;
    for (int i = 0; i < 8; i++) {
        sum ^= x & (0u - (b >> i & 1));
        x = x << 1 ^ (0x11bu & (0u - (x >> 7 & 1)));
    }
    return (uint8_t)sum;
}

static inline uint8_t haechi_aes_inverse(uint8_t x)
{
    uint8_t power = x;
    for (int i = 0; i < 6; i++) power = haechi_aes_times(haechi_aes_times(power, power), x);
    return haechi_aes_times(power, power);
}

static inline uint8_t haechi_aes_turn(uint8_t x, int n)
{
    return (uint8_t)(x << n | x >> (8 - n));
}

static inline uint8_t haechi_aes_sbox(uint8_t x)
{
    const uint8_t y = haechi_aes_inverse(x);
    return (uint8_t)(y ^ haechi_aes_turn(y, 1) ^ haechi_aes_turn(y, 2) ^ haechi_aes_turn(y, 3) ^ haechi_aes_turn(y, 4) ^
                     0x63);
}

static inline uint8_t haechi_aes_unsbox(uint8_t x)
{
    return haechi_aes_inverse((uint8_t)(haechi_aes_turn(x, 1) ^ haechi_aes_turn(x, 3) ^ haechi_aes_turn(x, 6) ^ 0x05));
}

/* One lane after the other: ShiftRows moves byte r of column c from, or to, column c + r. */
static inline void haechi_aes_last(uint8_t *x, const uint8_t *key, int bytes, int decrypt)
{
    for (; bytes; bytes -= 16, x += 16, key += 16) {
        uint8_t y[16];
        for (int i = 0; i < 16; i++) {
            const int from = decrypt ? (i + 16 - 4 * (i % 4)) % 16 : (i + 4 * (i % 4)) % 16;
            y[i] = (uint8_t)((decrypt ? haechi_aes_unsbox(x[from]) : haechi_aes_sbox(x[from])) ^ key[i]);
        }
        memcpy(x, y, 16);
    }
}

#define HAECHI_AES(name, V, bytes, decrypt)                                                                  \
    static inline V name(V x, V key)                                                                         \
    {                                                                                                        \
        uint8_t b[bytes], k[bytes];                                                                          \
        memcpy(b, &x, bytes);                                                                                \
        memcpy(k, &key, bytes);                                                                              \
        haechi_aes_last(b, k, bytes, decrypt);                                                               \
        memcpy(&x, b, bytes);                                                                                \
        return x;                                                                                            \
    }
HAECHI_AES(_mm_aesenclast_si128, simde__m128i, 16, 0)
HAECHI_AES(_mm_aesdeclast_si128, simde__m128i, 16, 1)
HAECHI_AES(_mm256_aesenclast_epi128, simde__m256i, 32, 0)
HAECHI_AES(_mm256_aesdeclast_epi128, simde__m256i, 32, 1)

#endif

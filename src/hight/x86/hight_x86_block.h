/* hight_x86_block.h - HIGHT for x86-64, one block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where each block waits for the one before, latency counts.  Vectors shorten it: F0 and F1 are two look-ups of half
 * bytes in registers and a XOR, which take three cycles.  The vector Pj holds bytes Xj and Xj+4, which a round treats
 * alike, in its first two words of 16 bits.  The upper halves of these words stay zero, and the other words mean nothing.
 *
 * A round moves each byte on by one.  Here the names P0 to P3 move, and the words change places where X3 becomes X4 and
 * X7 becomes X0.  Round keys are hight_c's. */
#ifndef HAECHI_HIGHT_X86_BLOCK_H
#define HAECHI_HIGHT_X86_BLOCK_H

#include "../../core/x86.h"

enum { SK0 = 4, WK4 = 132 }; /* where round keys are: hight_c.c */

/* ---- F0 and F1 are linear: the images of the low half of a byte and of its high half, added. */

#define ROL(x, n) ((x) << (n) | (x) >> (8 - (n)))
#define BYTE_OF(x) (char)(uint8_t)(x)
#define F0_OF(x) BYTE_OF(ROL(x, 1) ^ ROL(x, 2) ^ ROL(x, 7))
#define F1_OF(x) BYTE_OF(ROL(x, 3) ^ ROL(x, 4) ^ ROL(x, 6))
#define IMAGES(F, unit)                                                                                      \
    _mm_setr_epi8(F(0 * unit), F(1 * unit), F(2 * unit), F(3 * unit), F(4 * unit), F(5 * unit), F(6 * unit),   \
                  F(7 * unit), F(8 * unit), F(9 * unit), F(10 * unit), F(11 * unit), F(12 * unit),           \
                  F(13 * unit), F(14 * unit), F(15 * unit))

INLINE __m128i sum_of_halves(__m128i x, __m128i low, __m128i high)
{
    return _mm_xor_si128(_mm_shuffle_epi8(low, _mm_and_si128(x, _mm_set1_epi16(15))),
                         _mm_shuffle_epi8(high, _mm_srli_epi16(x, 4)));
}
#define WORDS_F0(x) sum_of_halves(x, IMAGES(F0_OF, 1), IMAGES(F0_OF, 16))
#define WORDS_F1(x) sum_of_halves(x, IMAGES(F1_OF, 1), IMAGES(F1_OF, 16))

/* ---- Bytes of round keys and of the block. */

/* Four bytes of round keys.  The even ones are for words of P0 and P1, the odd ones for words of P2 and P3. */
INLINE __m128i keys(const uint8_t *k)
{
    return _mm_cvtsi32_si128((int32_t)haechi_load_le32(k));
}

INLINE __m128i even(__m128i four)
{
    return _mm_and_si128(four, _mm_set1_epi16(0xff));
}

INLINE __m128i odd(__m128i four)
{
    return _mm_srli_epi16(four, 8);
}

INLINE __m128i exchanged(__m128i words)
{
    return _mm_shufflelo_epi16(words, _MM_SHUFFLE(3, 2, 0, 1));
}

/* The words of P0, P1, P2 and P3, one after the other. */
INLINE __m128i words(const void *block)
{
    return _mm_shuffle_epi8(_mm_loadl_epi64((const __m128i *)block),
                            _mm_setr_epi8(0, -1, 4, -1, 1, -1, 5, -1, 2, -1, 6, -1, 3, -1, 7, -1));
}

INLINE void store(void *block, __m128i P0, __m128i P1, __m128i P2, __m128i P3)
{
    const __m128i low = _mm_or_si128(P0, _mm_slli_epi16(P1, 8)), high = _mm_or_si128(P2, _mm_slli_epi16(P3, 8));
    _mm_storel_epi64((__m128i *)block, _mm_unpacklo_epi16(low, high));
}

/* ---- The rounds. */

#define ENCRYPT_ROUND(P3, P2, P1, P0)                                                                        \
    four = keys(SK);                                                                                         \
    SK += 4;                                                                                                 \
    P1 = _mm_add_epi8(P1, _mm_xor_si128(WORDS_F1(P0), even(four)));                                                \
    P3 = exchanged(_mm_xor_si128(P3, _mm_add_epi8(WORDS_F0(P2), odd(four))));

TARGET static void enc_block(const void *rk, void *buf)
{
    const uint8_t *const k = (const uint8_t *)rk, *SK = k + SK0;
    const __m128i all = words(buf);
    __m128i P0 = all, P1 = _mm_srli_si128(all, 4), P2 = _mm_srli_si128(all, 8), P3 = _mm_srli_si128(all, 12);
    __m128i four = keys(k);

    P0 = _mm_add_epi8(P0, even(four));
    P2 = _mm_xor_si128(P2, odd(four));
    for (int i = 0; i < 8; i++) {
        ENCRYPT_ROUND(P3, P2, P1, P0)
        ENCRYPT_ROUND(P2, P1, P0, P3)
        ENCRYPT_ROUND(P1, P0, P3, P2)
        ENCRYPT_ROUND(P0, P3, P2, P1)
    }
    /* the last round does not move the bytes */
    four = keys(k + WK4);
    store(buf, _mm_add_epi8(P1, even(four)), P2, _mm_xor_si128(P3, odd(four)), exchanged(P0));
}

#define DECRYPT_ROUND(P3, P2, P1, P0)                                                                        \
    SK -= 4;                                                                                                 \
    four = keys(SK);                                                                                         \
    P2 = _mm_sub_epi8(P2, _mm_xor_si128(WORDS_F1(P1), even(four)));                                                \
    P0 = _mm_xor_si128(exchanged(P0), _mm_add_epi8(WORDS_F0(P3), odd(four)));

TARGET static void dec_block(const void *rk, void *buf)
{
    const uint8_t *const k = (const uint8_t *)rk, *SK = k + WK4;
    const __m128i all = words(buf);
    __m128i P0 = _mm_srli_si128(all, 12), P1 = all, P2 = _mm_srli_si128(all, 4), P3 = _mm_srli_si128(all, 8);
    __m128i four = keys(k + WK4);

    P0 = exchanged(P0);
    P1 = _mm_sub_epi8(P1, even(four));
    P3 = _mm_xor_si128(P3, odd(four));
    for (int i = 0; i < 8; i++) {
        DECRYPT_ROUND(P3, P2, P1, P0)
        DECRYPT_ROUND(P0, P3, P2, P1)
        DECRYPT_ROUND(P1, P0, P3, P2)
        DECRYPT_ROUND(P2, P1, P0, P3)
    }
    four = keys(k);
    store(buf, _mm_sub_epi8(P0, even(four)), P1, _mm_xor_si128(P2, odd(four)), P3);
}

#endif

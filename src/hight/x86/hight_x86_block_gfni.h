/* hight_x86_block_gfni.h - HIGHT for x86-64 with GFNI, one block.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where each block waits for the one before, latency counts.  F0 and F1 are one instruction each.  The vector Pj holds
 * bytes Xj and Xj+4, which a round treats alike, in the lower halves of its words 1 and 2.  Whatever else is in the vector
 * means nothing.
 *
 * A round moves each byte on by one.  Here the names P0 to P3 move.  Where X3 becomes X4 and X7 becomes X0, the bytes of
 * a pair change places: a vector is `straight` with Xj in word 2, and `crossed` with Xj in word 1.  A pair whose turn it
 * is to be crossed or made straight is not the one that the round has just computed, but the one that meets it in
 * the next round, so that nothing waits for the exchange.  Round keys are hight_c's. */
#ifndef HAECHI_HIGHT_X86_BLOCK_GFNI_H
#define HAECHI_HIGHT_X86_BLOCK_GFNI_H

enum { SK0 = 4, WK4 = 132 }; /* where round keys are: hight_c.c */

INLINE __m128i pair_F0(__m128i x)
{
    return _mm_gf2p8affine_epi64_epi8(x, _mm_set1_epi64x((long long)F0_MATRIX), 0);
}

INLINE __m128i pair_F1(__m128i x)
{
    return _mm_gf2p8affine_epi64_epi8(x, _mm_set1_epi64x((long long)F1_MATRIX), 0);
}

/* ---- Bytes of round keys and of the block. */

/* k[0] for Xj and k[2] for Xj+4.  A load alone brings them to their places: four bytes repeated, or eight bytes. */
INLINE __m128i straight_keys(const uint8_t *k)
{
    return _mm_set1_epi32((int32_t)haechi_load_le32(k));
}

INLINE __m128i crossed_keys(const uint8_t *k)
{
    return _mm_loadl_epi64((const __m128i *)(k - 2));
}

/* From keys of a pair those of the next one. */
INLINE __m128i odd_keys(__m128i keys)
{
    return _mm_srli_epi16(keys, 8);
}

INLINE __m128i exchanged(__m128i pair)
{
    return _mm_shufflelo_epi16(pair, _MM_SHUFFLE(3, 1, 2, 0));
}

#define PAIR(block, j) /* Xj and Xj+4, straight */                                                           \
    _mm_shuffle_epi8(block, _mm_setr_epi8(-1, -1, j + 4, -1, j, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1))

INLINE void store(void *block, __m128i P0, __m128i P1, __m128i P2, __m128i P3)
{
    const __m128i lower = _mm_set1_epi16(0xff);
    const __m128i P01 = _mm_or_si128(_mm_and_si128(P0, lower), _mm_slli_epi16(P1, 8));
    const __m128i P23 = _mm_or_si128(_mm_and_si128(P2, lower), _mm_slli_epi16(P3, 8));
    _mm_storel_epi64((__m128i *)block, _mm_shuffle_epi32(_mm_unpacklo_epi16(P01, P23), _MM_SHUFFLE(3, 3, 1, 2)));
}

/* ---- The rounds.
 *
 * F1 is linear, and P0 = P3 ^ sum, where P3 is that of the round before and sum is F0(P2) + key of that round.  So
 * F1(P0) = F1(P3) ^ F1(sum), in which F1(P3) is there long before sum is.  Nothing waits for P0 itself. */

#define ENCRYPT_ROUND(P3, P2, P1, P0, keys0, keys1)                                                          \
    known = _mm_xor_si128(pair_F1(P0), keys0(SK));                                                           \
    NOW(known);                                                                                              \
    P1 = _mm_add_epi8(P1, _mm_xor_si128(known, pair_F1(sum)));                                               \
    P0 = _mm_xor_si128(P0, sum);                                                                             \
    sum = _mm_add_epi8(pair_F0(P2), keys1(SK + 1));                                                          \
    SK += 4;

TARGET static void enc_block(const void *rk, void *buf)
{
    const uint8_t *const k = (const uint8_t *)rk, *SK = k + SK0;
    const __m128i block = _mm_loadl_epi64((const __m128i *)buf);
    __m128i keys = straight_keys(k);
    __m128i P0 = _mm_add_epi8(PAIR(block, 0), keys), P1 = PAIR(block, 1);
    __m128i P2 = _mm_xor_si128(PAIR(block, 2), odd_keys(keys)), P3 = PAIR(block, 3);
    __m128i sum = _mm_setzero_si128(), known;

    for (int i = 0; i < 8; i++) {
        ENCRYPT_ROUND(P3, P2, P1, P0, straight_keys, straight_keys)
        P0 = exchanged(P0);
        ENCRYPT_ROUND(P2, P1, P0, P3, crossed_keys, straight_keys)
        P1 = exchanged(P1);
        ENCRYPT_ROUND(P1, P0, P3, P2, crossed_keys, crossed_keys)
        P2 = exchanged(P2);
        ENCRYPT_ROUND(P0, P3, P2, P1, straight_keys, crossed_keys)
        P3 = exchanged(P3);
    }
    /* the last round does not move the bytes */
    keys = straight_keys(k + WK4);
    store(buf, _mm_add_epi8(P1, keys), P2, _mm_xor_si128(P3, odd_keys(keys)), exchanged(_mm_xor_si128(P0, sum)));
}

#define DECRYPT_ROUND(P3, P2, P1, P0)                                                                        \
    SK -= 4;                                                                                                 \
    P2 = _mm_sub_epi8(P2, _mm_xor_si128(pair_F1(P1), straight_keys(SK)));                                    \
    P0 = _mm_xor_si128(exchanged(P0), _mm_add_epi8(pair_F0(P3), straight_keys(SK + 1)));

TARGET static void dec_block(const void *rk, void *buf)
{
    const uint8_t *const k = (const uint8_t *)rk, *SK = k + WK4;
    const __m128i block = _mm_loadl_epi64((const __m128i *)buf);
    __m128i keys = straight_keys(k + WK4);
    __m128i P0 = exchanged(PAIR(block, 3)), P1 = _mm_sub_epi8(PAIR(block, 0), keys);
    __m128i P2 = PAIR(block, 1), P3 = _mm_xor_si128(PAIR(block, 2), odd_keys(keys));

    for (int i = 0; i < 8; i++) {
        DECRYPT_ROUND(P3, P2, P1, P0)
        DECRYPT_ROUND(P0, P3, P2, P1)
        DECRYPT_ROUND(P1, P0, P3, P2)
        DECRYPT_ROUND(P2, P1, P0, P3)
    }
    keys = straight_keys(k);
    store(buf, _mm_sub_epi8(P0, keys), P1, _mm_xor_si128(P2, odd_keys(keys)), P3);
}

#endif

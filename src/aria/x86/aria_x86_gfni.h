/* aria_x86_gfni.h - the S-boxes of ARIA by GFNI, which inverts in the field of ARIA and applies an affine map.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_ARIA_X86_GFNI_H
#define HAECHI_ARIA_X86_GFNI_H

#include "aria_x86.h"

/* RFC 5794, 2.4.2: SB1(x) = M1 x^-1 + 63 and SB2(x) = M2 x^-1 + e2, whose x^247 is a linear map of x^-1.  SB3
 * and SB4 are their inverses (N1 x + 05)^-1 and (N2 x + 2c)^-1.  Row i of a matrix is byte 7 - i. */
#define M1 UINT64_C(0xf1e3c78f1f3e7cf8)
#define M2 UINT64_C(0xeafcb7c3c273c66f)
#define N1 UINT64_C(0xa44992254a942952)
#define N2 UINT64_C(0x186450c737d6bdc9)
#define ID UINT64_C(0x0102040810204080)

/* The matrices of bytes 0 to 7 and of bytes 8 to 15 of a lane. */
#define MATRIX(low, high) EVERY(_mm_set_epi64x((long long)high, (long long)low))
#define AFFINE(x, m, constant) V_(gf2p8affine_epi64_epi8)(x, m, constant)
#define INVERSE_AFFINE(x, m, constant) V_(gf2p8affineinv_epi64_epi8)(x, m, constant)

/* ---- Sliced. */

INLINE V SB1(V x) { return INVERSE_AFFINE(x, MATRIX(M1, M1), 0x63); }
INLINE V SB2(V x) { return INVERSE_AFFINE(x, MATRIX(M2, M2), 0xe2); }
INLINE V SB3(V x) { return INVERSE_AFFINE(AFFINE(x, MATRIX(N1, N1), 0x05), MATRIX(ID, ID), 0); }
INLINE V SB4(V x) { return INVERSE_AFFINE(AFFINE(x, MATRIX(N2, N2), 0x2c), MATRIX(ID, ID), 0); }

/* The bytes of a vector where `layers` layers of S-boxes would have moved them: these do not move them. */
#define FOLLOW_SB(x, layers) (x)
#define STRAY(rounds) 0

/* ---- Rows.  A matrix serves eight bytes.  So the halves of a lane hold the columns 0 2 and 1 3,
 *
 *         place  0  1  2  3    4  5  6  7    8  9 10 11   12 13 14 15
 *         byte   0  4  8 12    2  6 10 14    1  5  9 13    3  7 11 15
 *
 * and one instruction gives SB1 and SB2 of all bytes, s, and two give SB3 and SB4, t.  The shuffles take each column
 * from s or from t.  The constants of the S-boxes are added to the round keys. */
#define PLACE(i) ((i) & NO) | ((i) % 2 * 8 + (i) / 2 % 2 * 4 + (i) / 4 % 4)
#define IN_PLACE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                             \
    { PLACE(a), PLACE(e), PLACE(i), PLACE(m), PLACE(c), PLACE(g), PLACE(k), PLACE(o),                        \
      PLACE(b), PLACE(f), PLACE(j), PLACE(n), PLACE(d), PLACE(h), PLACE(l), PLACE(p) }
#define OUT_OF_PLACE(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                         \
    { PLACE(a), PLACE(b), PLACE(c), PLACE(d), PLACE(e), PLACE(f), PLACE(g), PLACE(h),                        \
      PLACE(i), PLACE(j), PLACE(k), PLACE(l), PLACE(m), PLACE(n), PLACE(o), PLACE(p) }

static const uint8_t TO_PLACE[16] = { 0, 4, 8, 12, 2, 6, 10, 14, 1, 5, 9, 13, 3, 7, 11, 15 };
static const uint8_t FROM_PLACE[16] = OUT_OF_PLACE(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
static const uint8_t COLUMNS_01[16] = OUT_OF_PLACE(0, 1, NO, NO, 4, 5, NO, NO, 8, 9, NO, NO, 12, 13, NO, NO);
static const uint8_t COLUMNS_23[16] =
    OUT_OF_PLACE(NO, NO, 2, 3, NO, NO, 6, 7, NO, NO, 10, 11, NO, NO, 14, 15);
static const uint8_t TERMS_01[4][16] = {
    TERM_0A(IN_PLACE), TERM_0B(IN_PLACE), TERM_1A(IN_PLACE), TERM_1B(IN_PLACE)
};
static const uint8_t TERMS_23[4][16] = {
    TERM_2A(IN_PLACE), TERM_2B(IN_PLACE), TERM_3A(IN_PLACE), TERM_3B(IN_PLACE)
};

/* The constants that the S-boxes leave out, as bytes of a block: LATE is added after SL1 and SL2, EARLY before them. */
#define LATE_1 0x63, 0xe2, 0, 0, 0x63, 0xe2, 0, 0, 0x63, 0xe2, 0, 0, 0x63, 0xe2, 0, 0
#define LATE_2 0, 0, 0x63, 0xe2, 0, 0, 0x63, 0xe2, 0, 0, 0x63, 0xe2, 0, 0, 0x63, 0xe2
/* A(LATE_1) and A(LATE_2). */
#define A_LATE_1 0, 0, 0xe2, 0x63, 0xe2, 0x63, 0, 0, 0, 0, 0x63, 0xe2, 0x63, 0xe2, 0, 0
#define A_LATE_2 0xe2, 0x63, 0, 0, 0, 0, 0xe2, 0x63, 0x63, 0xe2, 0, 0, 0, 0, 0x63, 0xe2

static const uint8_t EARLY[2][16] = { { LATE_2 }, { LATE_1 } };
static const uint8_t LATE[2][16] = { { A_LATE_1 }, { A_LATE_2 } };
static const uint8_t LAST[16] = { LATE_2 };

INLINE V row_in(V x) { return V_(shuffle_epi8)(x, CONSTANT(TO_PLACE)); }

/* Round key i of 0 to rounds - 1, with the constants that the layers before and after it leave out. */
INLINE V row_key(const uint8_t *rk, int i)
{
    const int odd = i % 2;
    const __m128i k = _mm_xor_si128(BLOCK(rk + 16 * i), BLOCK(EARLY[odd]));
    return row_in(EVERY(i == 0 ? k : _mm_xor_si128(k, BLOCK(LATE[1 - odd]))));
}

INLINE V S_forward(V x)
{
    return INVERSE_AFFINE(x, MATRIX(M1, M2), 0);
}

INLINE V S_backward(V x)
{
    return INVERSE_AFFINE(AFFINE(x, MATRIX(N1, N2), 0), MATRIX(ID, ID), 0);
}

/* key + A(SL1(x)), key + A(SL2(x)), in place and without the constants. */
INLINE V row_round(V x, int odd, V key)
{
    const V s = S_forward(x), t = S_backward(x);
    return shuffled(key, s, s, odd ? TERMS_23 : TERMS_01, t, t, odd ? TERMS_01 : TERMS_23);
}

/* SL2 and the last round key, with the bytes in the order of memory again. */
INLINE V row_last(V x, const uint8_t *k)
{
    const V s = V_(shuffle_epi8)(S_forward(x), CONSTANT(COLUMNS_23));
    const V t = V_(shuffle_epi8)(S_backward(x), CONSTANT(COLUMNS_01));
    return XOR3(s, XOR(CONSTANT(k), CONSTANT(LAST)), t);
}

/* A(SL1(x)) and A(SL2(x)) of blocks in the order of memory: FO and FE without the key. */
INLINE V F(V x, int odd)
{
    const V y = row_round(row_in(XOR(x, CONSTANT(EARLY[odd]))), odd, row_in(CONSTANT(LATE[odd])));
    return V_(shuffle_epi8)(y, CONSTANT(FROM_PLACE));
}

#endif

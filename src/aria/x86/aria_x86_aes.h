/* aria_x86_aes.h - ARIA's S-boxes by the AES instructions.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_ARIA_X86_AES_H
#define HAECHI_ARIA_X86_AES_H

#include "aria_x86.h"

/* SB1 is the S-box of AES and SB3 its inverse.  With the affine map L, SB2(x) = L(SB1(x)) and SB4(x) =
 * SB3(L^-1(x)).  The last round of AES is ShiftRows and the S-box; that of the inverse cipher is InvShiftRows and the
 * inverse S-box. */
#if WIDTH == 128
#define AES_SHIFTED(x) _mm_aesenclast_si128(x, _mm_setzero_si128())
#define AES_INVERSE_SHIFTED(x) _mm_aesdeclast_si128(x, _mm_setzero_si128())
#else
#define AES_SHIFTED(x) V_(aesenclast_epi128)(x, EVERY(_mm_setzero_si128()))
#define AES_INVERSE_SHIFTED(x) V_(aesdeclast_epi128)(x, EVERY(_mm_setzero_si128()))
#endif

/* L and its inverse, for the low nibble, with the constant, and for the high nibble. */
static const uint8_t L[2][16] = {
    { 0x88, 0x0d, 0x37, 0xb2, 0x00, 0x85, 0xbf, 0x3a, 0xa8, 0x2d, 0x17, 0x92, 0x20, 0xa5, 0x9f, 0x1a },
    { 0x00, 0x3e, 0xd4, 0xea, 0x84, 0xba, 0x50, 0x6e, 0xcd, 0xf3, 0x19, 0x27, 0x49, 0x77, 0x9d, 0xa3 }
};
static const uint8_t L_INVERSE[2][16] = {
    { 0x04, 0x45, 0xee, 0xaf, 0x17, 0x56, 0xfd, 0xbc, 0x53, 0x12, 0xb9, 0xf8, 0x40, 0x01, 0xaa, 0xeb },
    { 0x00, 0xb6, 0x08, 0xbe, 0xd6, 0x60, 0xde, 0x68, 0x53, 0xe5, 0x5b, 0xed, 0x85, 0x33, 0x8d, 0x3b }
};

INLINE V by_nibbles(V x, const uint8_t (*map)[16])
{
    const V nibble = EVERY(_mm_set1_epi8(0x0f));
    return XOR(V_(shuffle_epi8)(CONSTANT(map[0]), AND(x, nibble)),
               V_(shuffle_epi8)(CONSTANT(map[1]), AND(V_(srli_epi16)(x, 4), nibble)));
}

/* ---- Sliced.  ShiftRows moves the blocks in a lane, which does no harm if it moves those of all 16 vectors alike:
 * before InvShiftRows a vector is shifted twice, by exchanging bytes i and i ^ 8 for odd i.  Four shifts are the
 * identity; after 14 rounds two are left. */
static const uint8_t SHIFTED_TIMES[4][16] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11 },
    { 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7 },
    { 0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3 }
};

/* The bytes of a vector where `layers` layers of S-boxes would have moved them. */
#define FOLLOW_SB(x, layers) V_(shuffle_epi8)(x, CONSTANT(SHIFTED_TIMES[(layers) % 4]))

INLINE V SB1(V x) { return AES_SHIFTED(x); }
INLINE V SB2(V x) { return by_nibbles(AES_SHIFTED(x), L); }
INLINE V SB3(V x) { return AES_INVERSE_SHIFTED(FOLLOW_SB(x, 2)); }
INLINE V SB4(V x) { return SB3(by_nibbles(x, L_INVERSE)); }

/* How far an odd block is misplaced after all rounds. */
#define STRAY(rounds) ((size_t)(rounds) % 4 * 4)

/* ---- Rows.  The shuffles of the diffusion layer undo ShiftRows, which takes byte i to SHIFTED(i). */
#define SHIFTED(i) ((i) & NO) | ((i) % 4 + ((i) / 4 + 16 - (i) % 4) % 4 * 4)
#define INVERSE_SHIFTED(i) ((i) & NO) | ((i) % 4 + ((i) / 4 + (i) % 4) % 4 * 4)
#define EACH(AT, a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)                                             \
    { AT(a), AT(b), AT(c), AT(d), AT(e), AT(f), AT(g), AT(h),                                                \
      AT(i), AT(j), AT(k), AT(l), AT(m), AT(n), AT(o), AT(p) }
#define WHERE_SHIFTED(...) EACH(SHIFTED, __VA_ARGS__)
#define WHERE_INVERSE_SHIFTED(...) EACH(INVERSE_SHIFTED, __VA_ARGS__)

static const uint8_t FORWARD[8][16] = {
    TERM_0A(WHERE_SHIFTED), TERM_0B(WHERE_SHIFTED), TERM_1A(WHERE_SHIFTED), TERM_1B(WHERE_SHIFTED),
    TERM_2A(WHERE_SHIFTED), TERM_2B(WHERE_SHIFTED), TERM_3A(WHERE_SHIFTED), TERM_3B(WHERE_SHIFTED)
};
static const uint8_t BACKWARD[8][16] = {
    TERM_0A(WHERE_INVERSE_SHIFTED), TERM_0B(WHERE_INVERSE_SHIFTED), TERM_1A(WHERE_INVERSE_SHIFTED),
    TERM_1B(WHERE_INVERSE_SHIFTED), TERM_2A(WHERE_INVERSE_SHIFTED), TERM_2B(WHERE_INVERSE_SHIFTED),
    TERM_3A(WHERE_INVERSE_SHIFTED), TERM_3B(WHERE_INVERSE_SHIFTED)
};
/* SL2: the columns of SB3, SB4, SB1, SB2. */
static const uint8_t LAST[4][16] = {
    WHERE_INVERSE_SHIFTED(0, NO, NO, NO, 4, NO, NO, NO, 8, NO, NO, NO, 12, NO, NO, NO),
    WHERE_INVERSE_SHIFTED(NO, 1, NO, NO, NO, 5, NO, NO, NO, 9, NO, NO, NO, 13, NO, NO),
    WHERE_SHIFTED(NO, NO, 2, NO, NO, NO, 6, NO, NO, NO, 10, NO, NO, NO, 14, NO),
    WHERE_SHIFTED(NO, NO, NO, 3, NO, NO, NO, 7, NO, NO, NO, 11, NO, NO, NO, 15)
};

INLINE V row_in(V x) { return x; }
INLINE V row_key(const uint8_t *rk, int i) { return CONSTANT(rk + 16 * i); }

/* key + A(SL1(x)), key + A(SL2(x)). */
INLINE V row_round(V x, int odd, V key)
{
    const V sb1 = AES_SHIFTED(x), sb2 = by_nibbles(sb1, L);
    const V sb3 = AES_INVERSE_SHIFTED(x), sb4 = AES_INVERSE_SHIFTED(by_nibbles(x, L_INVERSE));
    return shuffled(key, sb1, sb2, FORWARD + (odd ? 4 : 0), sb3, sb4, BACKWARD + (odd ? 0 : 4));
}

/* SL2 and the last round key. */
INLINE V row_last(V x, const uint8_t *k)
{
    const V sb1 = AES_SHIFTED(x), sb2 = by_nibbles(sb1, L);
    const V sb3 = AES_INVERSE_SHIFTED(x), sb4 = AES_INVERSE_SHIFTED(by_nibbles(x, L_INVERSE));
    return XOR3(XOR(SHUFFLE(sb3, LAST[0]), SHUFFLE(sb4, LAST[1])),
                XOR(SHUFFLE(sb1, LAST[2]), SHUFFLE(sb2, LAST[3])), CONSTANT(k));
}

/* A(SL1(x)), A(SL2(x)): FO and FE without the key. */
INLINE V F(V x, int odd)
{
    return row_round(x, odd, EVERY(_mm_setzero_si128()));
}

#endif

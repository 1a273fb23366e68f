/* aria_x86.h - ARIA for x86-64 in vectors of any width: what a kernel begins with.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * This one text serves all widths.  A kernel defines WIDTH (of a vector, in bits) and TARGET (the attribute that
 * allows its instructions).  It includes this file, then the S-boxes, aria_x86_gfni.h or aria_x86_aes.h, and then
 * aria_x86_slots.h, which holds the rest and defines the descriptors.
 *
 * A vector V is 1, 2 or 4 lanes of 16 bytes (BLOCKS).  Blocks lie in vectors in one of two layouts:
 *
 *     rows    a lane is a block, as it is in memory; 1 ... 4 vectors at a time
 *     sliced  16 vectors x[0] to x[15] are 16 * BLOCKS blocks: x[i] holds byte i of all of them,
 *
 *                       lane 0             lane 1                 of x[i], with BLOCKS = 4
 *             byte     0  1  2 ... 15     0  1  2 ... 15  ...
 *             block    0  4  8 ... 60     1  5  9 ... 61
 *
 *             which is the result of transposing 16 x 16 bytes in every lane of 16 successive vectors. */
#ifndef HAECHI_ARIA_X86_H
#define HAECHI_ARIA_X86_H

#define BLOCK_BYTES 16
#include "../../core/x86.h"

#define BLOCKS (WIDTH / 128)

/* The lower half of every lane to the upper half. */
#define UP_8_BYTES(a) V_(unpacklo_epi64)(EVERY(_mm_setzero_si128()), a)

/* 16 bytes of memory, in every lane. */
#define BLOCK(p) _mm_loadu_si128((const __m128i *)(p))
#define CONSTANT(p) EVERY(BLOCK(p))

/* The diffusion layer A (RFC 5794, 2.4.3) for rows.  Byte i is the sum of seven bytes, of which at most two are in one
 * column, the bytes that one S-box made.  So eight shuffles suffice: TERM_cA and TERM_cB name the bytes of column c in
 * the sums 0 to 15.  X is a macro that says how an index is written. */
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

/* key + A: two terms from each of a, b, c and d, the columns after the four S-boxes.  c and d are available last. */
INLINE V shuffled(V key, V a, V b, const uint8_t (*of_ab)[16], V c, V d, const uint8_t (*of_cd)[16])
{
#define SHUFFLE(x, table) V_(shuffle_epi8)(x, CONSTANT(table))
    const V early = XOR3(XOR(SHUFFLE(a, of_ab[0]), SHUFFLE(a, of_ab[1])),
                         XOR(SHUFFLE(b, of_ab[2]), SHUFFLE(b, of_ab[3])), key);
    return XOR3(early, XOR(SHUFFLE(c, of_cd[0]), SHUFFLE(c, of_cd[1])),
                XOR(SHUFFLE(d, of_cd[2]), SHUFFLE(d, of_cd[3])));
}

#endif

/* hight_neon_slices.h - 16 blocks of HIGHT from memory to eight registers and back.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     X[i], a register of 16 bytes, holds byte i of every block
 *
 *            byte  0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15
 *            block 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 */
#ifndef HAECHI_HIGHT_NEON_SLICES_H
#define HAECHI_HIGHT_NEON_SLICES_H

#include <arm_neon.h>

#define INLINE static inline __attribute__((__always_inline__)) NEON_TARGET
typedef uint8x16_t V;

/* A load by fours leaves bytes i and i + 4 of eight blocks in alternating places. */
INLINE void read_batch(V *x, const uint8_t *in)
{
    const uint8x16x4_t a = vld4q_u8(in), b = vld4q_u8(in + 64);
#define READ(i)                                                                                              \
    {                                                                                                        \
        const uint8x16x2_t t = vuzpq_u8(a.val[i], b.val[i]);                                                 \
        x[i] = t.val[0], x[i + 4] = t.val[1];                                                                \
    }
    READ(0) READ(1) READ(2) READ(3)
#undef READ
}

/* Adds the batch at text to x, which is in the form in which a store by fours takes it, unless text is NULL. */
INLINE void write_batch(uint8_t *out, const V *x, const uint8_t *text)
{
    uint8x16x4_t a, b;
#define WRITE(i)                                                                                             \
    {                                                                                                        \
        const uint8x16x2_t t = vzipq_u8(x[i], x[i + 4]);                                                     \
        a.val[i] = t.val[0], b.val[i] = t.val[1];                                                            \
    }
    WRITE(0) WRITE(1) WRITE(2) WRITE(3)
#undef WRITE
    if (text != NULL) {
        const uint8x16x4_t c = vld4q_u8(text), d = vld4q_u8(text + 64);
#define ADD_TEXT(i) a.val[i] = veorq_u8(a.val[i], c.val[i]), b.val[i] = veorq_u8(b.val[i], d.val[i]);
        ADD_TEXT(0) ADD_TEXT(1) ADD_TEXT(2) ADD_TEXT(3)
#undef ADD_TEXT
    }
    vst4q_u8(out, a);
    vst4q_u8(out + 64, b);
}

#endif

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

INLINE void write_batch(uint8_t *out, const V *x)
{
    uint8x16x4_t a, b;
#define WRITE(i)                                                                                             \
    {                                                                                                        \
        const uint8x16x2_t t = vzipq_u8(x[i], x[i + 4]);                                                     \
        a.val[i] = t.val[0], b.val[i] = t.val[1];                                                            \
    }
    WRITE(0) WRITE(1) WRITE(2) WRITE(3)
#undef WRITE
    vst4q_u8(out, a);
    vst4q_u8(out + 64, b);
}

#endif

/* lea_neon_rounds.h - four rounds of LEA for ARMv7, in assembly: 8 blocks in 16 registers, which compilers spill.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     a0 ... a3  words of blocks 0 ... 3     k0 ... k3  round key words, in every lane
 *     b0 ... b3  words of blocks 4 ... 7     t u v w    while a word is computed
 *     k          the round keys still to come
 *
 * The compiler chooses the registers.  %q[x] is x, %e[x] and %f[x] are its lower and upper half. */
#ifndef HAECHI_LEA_NEON_ROUNDS_H
#define HAECHI_LEA_NEON_ROUNDS_H

#pragma GCC diagnostic ignored "-Woverlength-strings"

#define OP(name, a, b, c) name " %q[" #a "], %q[" #b "], %q[" #c "]\n\t"
#define SHIFT(name, a, b, n) name " %q[" #a "], %q[" #b "], #" #n "\n\t"
#define NEXT_KEY(rk) "vld1.32 {%e[" #rk "][], %f[" #rk "][]}, [%[k]]!\n\t"

/* x = ((y ^ ky) + (x ^ kx)) <<< left of both groups: BEGIN up to the sum, END the rest.  Cortex-A9 issues in
 * order and every result takes three cycles, so the end of one word is woven into the beginning of the next. */
#define BEGIN(t, u, x, kx, y, ky)                                                                            \
    OP("veor", t, a##y, ky) OP("veor", u, b##y, ky)                                                          \
    OP("veor", a##x, a##x, kx) OP("veor", b##x, b##x, kx)
#define END_BEGIN(t, u, x, left, right, next_t, next_u, next_x, kx, y, ky)                                   \
    OP("vadd.i32", t, t, a##x) OP("vadd.i32", u, u, b##x)                                                    \
    OP("veor", next_t, a##y, ky) OP("veor", next_u, b##y, ky)                                                \
    SHIFT("vshl.i32", a##x, t, left) SHIFT("vshl.i32", b##x, u, left)                                        \
    OP("veor", a##next_x, a##next_x, kx) OP("veor", b##next_x, b##next_x, kx)                                \
    SHIFT("vsri.32", a##x, t, right) SHIFT("vsri.32", b##x, u, right)
#define END(t, u, x, left, right)                                                                            \
    OP("vadd.i32", t, t, a##x) OP("vadd.i32", u, u, b##x)                                                    \
    SHIFT("vshl.i32", a##x, t, left) SHIFT("vshl.i32", b##x, u, left)                                        \
    SHIFT("vsri.32", a##x, t, right) SHIFT("vsri.32", b##x, u, right)

/* x = ((x <<< left) - (y ^ ky)) ^ kx, of both groups. */
#define DECRYPT_WORD(x, kx, y, ky, left, right)                                                              \
    SHIFT("vshl.i32", v, a##x, left) SHIFT("vshl.i32", w, b##x, left)                                        \
    OP("veor", t, a##y, ky) OP("veor", u, b##y, ky)                                                          \
    SHIFT("vsri.32", v, a##x, right) SHIFT("vsri.32", w, b##x, right)                                        \
    OP("vsub.i32", v, v, t) OP("vsub.i32", w, w, u)                                                          \
    OP("veor", a##x, v, kx) OP("veor", b##x, w, kx)

/* Round keys of four words, RK0 RK1 RK2 RK4, and of six. */
/* A round, its first word being begun, and the beginning of the next; or nothing after it.  Round keys of four
 * words, RK0 RK1 RK2 RK4, and of six. */
#define LOAD_4 NEXT_KEY(k0) NEXT_KEY(k1) NEXT_KEY(k2) NEXT_KEY(k3)
#define FIRST_TWO_4(t, u, v, w, x0, x1, x2, x3)                                                              \
    END_BEGIN(t, u, x3, 29, 3, v, w, x2, k1, x1, k2)                                                         \
    END_BEGIN(v, w, x2, 27, 5, t, u, x1, k1, x0, k0)
#define ENCRYPT_BEGIN_4(x2, x3) LOAD_4 BEGIN(t, u, x3, k1, x2, k3)
#define ENCRYPT_ROUND_4(t, u, v, w, x0, x1, x2, x3)                                                          \
    FIRST_TWO_4(t, u, v, w, x0, x1, x2, x3) LOAD_4                                                           \
    END_BEGIN(t, u, x1, 9, 23, v, w, x0, k1, x3, k3)
#define ENCRYPT_LAST_4(t, u, v, w, x0, x1, x2, x3)                                                           \
    FIRST_TWO_4(t, u, v, w, x0, x1, x2, x3) END(t, u, x1, 9, 23)

#define LOAD_RK4_RK5 "add %[k], %[k], #16\n\t" NEXT_KEY(k0) NEXT_KEY(k1)
#define LOAD_RK2_RK3 "sub %[k], %[k], #16\n\t" NEXT_KEY(k2) NEXT_KEY(k3)
#define LOAD_RK0_RK1 "sub %[k], %[k], #16\n\t" NEXT_KEY(k0) NEXT_KEY(k1) "add %[k], %[k], #16\n\t"
#define FIRST_TWO_6(t, u, v, w, x0, x1, x2, x3)                                                              \
    LOAD_RK2_RK3 END_BEGIN(t, u, x3, 29, 3, v, w, x2, k3, x1, k2)                                            \
    LOAD_RK0_RK1 END_BEGIN(v, w, x2, 27, 5, t, u, x1, k1, x0, k0)
#define ENCRYPT_BEGIN_6(x2, x3) LOAD_RK4_RK5 BEGIN(t, u, x3, k1, x2, k0)
#define ENCRYPT_ROUND_6(t, u, v, w, x0, x1, x2, x3)                                                          \
    FIRST_TWO_6(t, u, v, w, x0, x1, x2, x3) LOAD_RK4_RK5                                                     \
    END_BEGIN(t, u, x1, 9, 23, v, w, x0, k1, x3, k0)
#define ENCRYPT_LAST_6(t, u, v, w, x0, x1, x2, x3)                                                           \
    FIRST_TWO_6(t, u, v, w, x0, x1, x2, x3) END(t, u, x1, 9, 23)

#define DECRYPT_ROUND_4(x0, x1, x2, x3)                                                                      \
    NEXT_KEY(k0) NEXT_KEY(k1) NEXT_KEY(k2) NEXT_KEY(k3)                                                      \
    DECRYPT_WORD(x1, k1, x0, k0, 23, 9)                                                                      \
    DECRYPT_WORD(x2, k1, x1, k2, 5, 27)                                                                      \
    DECRYPT_WORD(x3, k1, x2, k3, 3, 29)

#define DECRYPT_ROUND_6(x0, x1, x2, x3)                                                                      \
    NEXT_KEY(k0) NEXT_KEY(k1) NEXT_KEY(k2) NEXT_KEY(k3)                                                      \
    DECRYPT_WORD(x1, k1, x0, k0, 23, 9)                                                                      \
    NEXT_KEY(k0) NEXT_KEY(k1)                                                                                \
    DECRYPT_WORD(x2, k3, x1, k2, 5, 27)                                                                      \
    DECRYPT_WORD(x3, k1, x2, k0, 3, 29)

#define ENCRYPT_FOUR(W)                                                                                      \
    ENCRYPT_BEGIN_##W(2, 3)                                                                                  \
    ENCRYPT_ROUND_##W(t, u, v, w, 0, 1, 2, 3) ENCRYPT_ROUND_##W(v, w, t, u, 1, 2, 3, 0)                      \
    ENCRYPT_ROUND_##W(t, u, v, w, 2, 3, 0, 1) ENCRYPT_LAST_##W(v, w, t, u, 3, 0, 1, 2)
#define DECRYPT_FOUR(W)                                                                                      \
    DECRYPT_ROUND_##W(3, 0, 1, 2) DECRYPT_ROUND_##W(2, 3, 0, 1)                                              \
    DECRYPT_ROUND_##W(1, 2, 3, 0) DECRYPT_ROUND_##W(0, 1, 2, 3)

#define FOUR_ROUNDS(TEXT)                                                                                    \
    __asm__(TEXT                                                                                             \
            : [a0] "+w"(a0), [a1] "+w"(a1), [a2] "+w"(a2), [a3] "+w"(a3),                                    \
              [b0] "+w"(b0), [b1] "+w"(b1), [b2] "+w"(b2), [b3] "+w"(b3),                                    \
              [k0] "=&w"(k0), [k1] "=&w"(k1), [k2] "=&w"(k2), [k3] "=&w"(k3),                                \
              [t] "=&w"(t), [u] "=&w"(u), [v] "=&w"(v), [w] "=&w"(w), [k] "+r"(k)                            \
            : "m"(*(const uint32_t(*)[4 * W])k));

#define ALL_ROUNDS(FOUR)                                                                   \
    V a0 = x[0][0], a1 = x[0][1], a2 = x[0][2], a3 = x[0][3];                                                \
    V b0 = x[1][0], b1 = x[1][1], b2 = x[1][2], b3 = x[1][3];                                                \
    V k0, k1, k2, k3, t, u, v, w;                                                                            \
    for (int r = 0; r < rounds; r += 4) {                                                                    \
        if (W == 4) FOUR_ROUNDS(FOUR(4))                                                               \
        else FOUR_ROUNDS(FOUR(6))                                                                      \
    }                                                                                                        \
    x[0][0] = a0, x[0][1] = a1, x[0][2] = a2, x[0][3] = a3;                                                  \
    x[1][0] = b0, x[1][1] = b1, x[1][2] = b2, x[1][3] = b3;

INLINE void encrypt_rounds(const uint32_t *k, int rounds, int W, V (*x)[4])
{
    ALL_ROUNDS(ENCRYPT_FOUR)
}

INLINE void decrypt_rounds(const uint32_t *k, int rounds, int W, V (*x)[4])
{
    ALL_ROUNDS(DECRYPT_FOUR)
}

#endif

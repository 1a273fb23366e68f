/* lea_neon_rounds.h - LEA for ARMv7 in assembly: 8 blocks in all 16 registers, which compilers would spill.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     a0 ... a3  words of blocks 0 ... 3      ky kx    round key words, in every lane
 *     b0 ... b3  words of blocks 4 ... 7      t u v w  while a word is computed
 *     k          the round keys still to come
 *     ry rx      words of them, in the other register file
 *
 * The compiler chooses the registers, except those of the blocks.  %q[x] is x, and %e[x] and %f[x] are its lower and
 * upper half.
 *
 * Cortex-A9 issues vector instructions in order, one a cycle, and every result takes three cycles.  So the computations
 * of two words alternate, and a round key is copied to all lanes as soon as its register is free.  Its word is loaded
 * before, by an instruction that issues beside the vector instructions. */
#ifndef HAECHI_LEA_NEON_ROUNDS_H
#define HAECHI_LEA_NEON_ROUNDS_H

#pragma GCC diagnostic ignored "-Woverlength-strings"

#define OP(name, a, b, c) name " %q[" #a "], %q[" #b "], %q[" #c "]\n\t"
#define SHIFT(name, a, b, n) name " %q[" #a "], %q[" #b "], #" #n "\n\t"
#define FETCH(r, i) "ldr %[" #r "], [%[k], #4 * " #i "]\n\t"
#define SPREAD(key, r) "vdup.32 %q[" #key "], %[" #r "]\n\t"
#define GO(words) "add %[k], %[k], #4 * " #words "\n\t"

/* KEYS(of a word): how ky and kx of the word are loaded and copied to all lanes.  E1, E2 and E3 are the words of a
 * round of encryption in their order, D1, D2 and D3 those of decryption.  Where the round keys are the four words RK0,
 * RK1, RK2 and RK4, kx stays the same for a round: RK1 = RK3 = RK5. */
#define KEYS(those) FETCH_##those, SPREAD(ky, ry), SPREAD_##those
#define NONE , ,
#define FETCH_E1_4 FETCH(ry, 3) FETCH(rx, 1) /* RK4 RK5 */
#define FETCH_E2_4 FETCH(ry, 2)              /* RK2 RK3 */
#define FETCH_E3_4 FETCH(ry, 0) GO(4)        /* RK0 RK1 */
#define FETCH_E1_6 FETCH(ry, 4) FETCH(rx, 5)
#define FETCH_E2_6 FETCH(ry, 2) FETCH(rx, 3)
#define FETCH_E3_6 FETCH(ry, 0) FETCH(rx, 1) GO(6)
#define FETCH_D1_4 FETCH(ry, 0) FETCH(rx, 1)
#define FETCH_D2_4 FETCH(ry, 2)
#define FETCH_D3_4 FETCH(ry, 3) GO(4)
#define FETCH_D1_6 FETCH(ry, 0) FETCH(rx, 1)
#define FETCH_D2_6 FETCH(ry, 2) FETCH(rx, 3)
#define FETCH_D3_6 FETCH(ry, 4) FETCH(rx, 5) GO(6)
#define SPREAD_E1_4 SPREAD(kx, rx)
#define SPREAD_E2_4
#define SPREAD_E3_4
#define SPREAD_E1_6 SPREAD(kx, rx)
#define SPREAD_E2_6 SPREAD(kx, rx)
#define SPREAD_E3_6 SPREAD(kx, rx)
#define SPREAD_D1_4 SPREAD(kx, rx)
#define SPREAD_D2_4
#define SPREAD_D3_4
#define SPREAD_D1_6 SPREAD(kx, rx)
#define SPREAD_D2_6 SPREAD(kx, rx)
#define SPREAD_D3_6 SPREAD(kx, rx)

/* ---- Encryption: x = ((y ^ ky) + (x ^ kx)) <<< left, of both groups.
 *
 * BEGIN computes up to the sum and END the rest, beside which it loads the keys of the next word. */
#define BEGIN(...) BEGIN_(__VA_ARGS__)
#define BEGIN_(t, u, x, y, fetch, spread_ky, spread_kx)                                                      \
    fetch OP("veor", t, a##y, ky) OP("veor", u, b##y, ky) spread_ky                                          \
    OP("veor", a##x, a##x, kx) OP("veor", b##x, b##x, kx) spread_kx
#define END_BEGIN(...) END_BEGIN_(__VA_ARGS__)
#define END_BEGIN_(t, u, x, left, right, next_t, next_u, next_x, y, fetch, spread_ky, spread_kx)             \
    fetch OP("vadd.i32", t, t, a##x) OP("vadd.i32", u, u, b##x)                                              \
    OP("veor", next_t, a##y, ky) OP("veor", next_u, b##y, ky) spread_ky                                      \
    SHIFT("vshl.i32", a##x, t, left) SHIFT("vshl.i32", b##x, u, left)                                        \
    OP("veor", a##next_x, a##next_x, kx) OP("veor", b##next_x, b##next_x, kx) spread_kx                      \
    SHIFT("vsri.32", a##x, t, right) SHIFT("vsri.32", b##x, u, right)
#define END(t, u, x, left, right)                                                                            \
    OP("vadd.i32", t, t, a##x) OP("vadd.i32", u, u, b##x)                                                    \
    SHIFT("vshl.i32", a##x, t, left) SHIFT("vshl.i32", b##x, u, left)                                        \
    SHIFT("vsri.32", a##x, t, right) SHIFT("vsri.32", b##x, u, right)

/* A round whose first word has begun, and the beginning of the next round, unless this is the last. */
#define ENCRYPT_BEGIN(W, x2, x3)                                                                             \
    FETCH_E1_##W SPREAD(ky, ry) SPREAD(kx, rx) BEGIN(t, u, x3, x2, KEYS(E2_##W))
#define ENCRYPT_ROUND(W, t, u, v, w, x0, x1, x2, x3)                                                         \
    END_BEGIN(t, u, x3, 29, 3, v, w, x2, x1, KEYS(E3_##W))                                                   \
    END_BEGIN(v, w, x2, 27, 5, t, u, x1, x0, KEYS(E1_##W))                                                   \
    END_BEGIN(t, u, x1, 9, 23, v, w, x0, x3, KEYS(E2_##W))
#define ENCRYPT_LAST(W, t, u, v, w, x0, x1, x2, x3)                                                          \
    END_BEGIN(t, u, x3, 29, 3, v, w, x2, x1, KEYS(E3_##W))                                                   \
    END_BEGIN(v, w, x2, 27, 5, t, u, x1, x0, NONE)                                                           \
    END(t, u, x1, 9, 23)

#define ENCRYPT_FOUR(W)                                                                                      \
    ENCRYPT_BEGIN(W, 2, 3)                                                                                   \
    ENCRYPT_ROUND(W, t, u, v, w, 0, 1, 2, 3) ENCRYPT_ROUND(W, v, w, t, u, 1, 2, 3, 0)                        \
    ENCRYPT_ROUND(W, t, u, v, w, 2, 3, 0, 1) ENCRYPT_LAST(W, v, w, t, u, 3, 0, 1, 2)

/* ---- Decryption: x = ((x <<< left) - (y ^ ky)) ^ kx, of both groups. */

#define DECRYPT_WORD(...) DECRYPT_WORD_(__VA_ARGS__)
#define DECRYPT_WORD_(x, y, left, right, fetch, spread_ky, spread_kx)                                        \
    fetch SHIFT("vshl.i32", v, a##x, left) SHIFT("vshl.i32", w, b##x, left)                                  \
    OP("veor", t, a##y, ky) OP("veor", u, b##y, ky)                                                          \
    SHIFT("vsri.32", v, a##x, right) SHIFT("vsri.32", w, b##x, right)                                        \
    OP("vsub.i32", v, v, t) OP("vsub.i32", w, w, u) spread_ky                                                \
    OP("veor", a##x, v, kx) OP("veor", b##x, w, kx) spread_kx

#define DECRYPT_ROUND(W, x0, x1, x2, x3, ...)                                                                \
    DECRYPT_WORD(x1, x0, 23, 9, KEYS(D2_##W))                                                                \
    DECRYPT_WORD(x2, x1, 5, 27, KEYS(D3_##W))                                                                \
    DECRYPT_WORD(x3, x2, 3, 29, __VA_ARGS__)

#define DECRYPT_FOUR(W)                                                                                      \
    FETCH_D1_##W SPREAD(ky, ry) SPREAD(kx, rx)                                                               \
    DECRYPT_ROUND(W, 3, 0, 1, 2, KEYS(D1_##W)) DECRYPT_ROUND(W, 2, 3, 0, 1, KEYS(D1_##W))                    \
    DECRYPT_ROUND(W, 1, 2, 3, 0, KEYS(D1_##W)) DECRYPT_ROUND(W, 0, 1, 2, 3, NONE)

/* ---- A batch.  A load by fours needs four registers in a row. */

#define IN_FOURS(name, x, half, at)                                                                          \
    name " {%" #half "[" #x "0], %" #half "[" #x "1], %" #half "[" #x "2], %" #half "[" #x "3]}, [%[" #at "]]!\n\t"
#define ALL_IN_FOURS(name, at)                                                                               \
    IN_FOURS(name, a, e, at) IN_FOURS(name, a, f, at) IN_FOURS(name, b, e, at) IN_FOURS(name, b, f, at)

#define BLOCKS(constraint)                                                                                   \
    [a0] constraint(a0), [a1] constraint(a1), [a2] constraint(a2), [a3] constraint(a3),                      \
    [b0] constraint(b0), [b1] constraint(b1), [b2] constraint(b2), [b3] constraint(b3)

#define FOUR_ROUNDS(TEXT)                                                                                    \
    __asm__(TEXT                                                                                             \
            : BLOCKS("+w"), [ky] "=&w"(ky), [kx] "=&w"(kx), [t] "=&w"(t), [u] "=&w"(u), [v] "=&w"(v),        \
              [w] "=&w"(w), [k] "+r"(k), [ry] "=&r"(ry), [rx] "=&r"(rx)                                      \
            : "m"(*(const uint32_t(*)[4 * W])k));

#define REGISTERS                                                                                            \
    register V a0 __asm__("q8"), a1 __asm__("q9"), a2 __asm__("q10"), a3 __asm__("q11");                     \
    register V b0 __asm__("q12"), b1 __asm__("q13"), b2 __asm__("q14"), b3 __asm__("q15");                   \
    V ky, kx, t, u, v, w;                                                                                    \
    uint32_t ry, rx;

#define READ                                                                                                 \
    __asm__(ALL_IN_FOURS("vld4.32", in)                                                                      \
            : BLOCKS("=w"), [in] "+r"(in) : "m"(*(const uint8_t(*)[16 * BATCH])in));

#define ROUNDS_BY(FOUR)                                                                                      \
    for (int r = 0; r < rounds; r += 4) {                                                                    \
        if (W == 4) FOUR_ROUNDS(FOUR(4))                                                                     \
        else FOUR_ROUNDS(FOUR(6))                                                                            \
    }

#define WRITE                                                                                                \
    __asm__(ALL_IN_FOURS("vst4.32", out)                                                                     \
            : "=m"(*(uint8_t(*)[16 * BATCH])out), [out] "+r"(out) : BLOCKS("w"));

INLINE void encrypt_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in)
{
    REGISTERS READ ROUNDS_BY(ENCRYPT_FOUR) WRITE
}

INLINE void decrypt_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in)
{
    REGISTERS READ ROUNDS_BY(DECRYPT_FOUR) WRITE
}

INLINE void ctr_batch(const uint32_t *k, int rounds, int W, uint8_t *out, const uint8_t *in, const struct counter *c)
{
    V x[2][4];
    REGISTERS
    count(x, c);
    a0 = x[0][0], a1 = x[0][1], a2 = x[0][2], a3 = x[0][3];
    b0 = x[1][0], b1 = x[1][1], b2 = x[1][2], b3 = x[1][3];
    ROUNDS_BY(ENCRYPT_FOUR)
#define ADD_TEXT(y, at)                                                                                      \
    {                                                                                                        \
        const uint32x4x4_t text = vld4q_u32((const uint32_t *)(const void *)(in + (at)));                    \
        y##0 = veorq_u32(y##0, text.val[0]), y##1 = veorq_u32(y##1, text.val[1]);                            \
        y##2 = veorq_u32(y##2, text.val[2]), y##3 = veorq_u32(y##3, text.val[3]);                            \
    }
    if (in != NULL) { ADD_TEXT(a, 0) ADD_TEXT(b, 64) }
    WRITE
}

#endif

/* aria_neon_aes.c - ARIA for AArch64 with the AES instructions, 16 blocks at a time, byte-sliced (RFC 5794).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     x[i], a register of 16 bytes, holds byte i of 16 blocks
 *
 * One S-box therefore serves a whole register, and the diffusion layer consists of XORs of registers.
 *
 * AESE adds a key and applies the S-box of AES and ShiftRows.  AESD adds a key and applies the inverses of both.  SB1
 * and SB3 are these S-boxes.  With the affine map L, SB2(x) = L(SB1(x)) and SB4(x) = SB3(L^-1(x)), where L^-1 of the
 * key is computed beforehand.  ShiftRows moves the blocks in a register, which does no harm if it moves the blocks in
 * all registers alike: after AESD a register is shifted twice more, by exchanging lanes i and i ^ 8 for odd i.  Four
 * shifts are the identity, so after 14 rounds two are left, and odd blocks are written 8 blocks further on.
 *
 * The round keys are those of aria_c, whose code also expands keys and encrypts single blocks. */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON_AES
#include <arm_neon.h>

#include "../../core/bytes.h"
#include "../../haechi_cpu.h"
#include "../../core/kernel.h"
#include "aria_neon.h"

#define INLINE static inline __attribute__((__always_inline__)) NEON_AES_TARGET
typedef uint8x16_t V;

enum { BATCH = 16, WORTH = 1, MOST_ROUNDS = 16 };

#include "../../core/neon_ctr.h"

#define XOR(a, b) veorq_u8(a, b)
#define LOAD(p) vld1q_u8(p)

/* The loops are unrolled by hand, because compilers would keep their arrays in memory. */
#define ALL8(M) M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7)
#define ALL16(M) ALL8(M) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15)

/* L and the linear part of its inverse, for the low nibble and for the high one; and L^-1(0). */
static const uint8_t L[2][16] = {
    { 0x88, 0x0d, 0x37, 0xb2, 0x00, 0x85, 0xbf, 0x3a, 0xa8, 0x2d, 0x17, 0x92, 0x20, 0xa5, 0x9f, 0x1a },
    { 0x00, 0x3e, 0xd4, 0xea, 0x84, 0xba, 0x50, 0x6e, 0xcd, 0xf3, 0x19, 0x27, 0x49, 0x77, 0x9d, 0xa3 }
};
static const uint8_t L_INVERSE[2][16] = {
    { 0x00, 0x41, 0xea, 0xab, 0x13, 0x52, 0xf9, 0xb8, 0x57, 0x16, 0xbd, 0xfc, 0x44, 0x05, 0xae, 0xef },
    { 0x00, 0xb6, 0x08, 0xbe, 0xd6, 0x60, 0xde, 0x68, 0x53, 0xe5, 0x5b, 0xed, 0x85, 0x33, 0x8d, 0x3b }
};
#define L_INVERSE_OF_0 0x04
static const uint8_t SHIFT_TWICE[16] = { 0, 9, 2, 11, 4, 13, 6, 15, 8, 1, 10, 3, 12, 5, 14, 7 };

INLINE V by_nibbles(V x, const uint8_t (*map)[16])
{
    return XOR(vqtbl1q_u8(LOAD(map[0]), vandq_u8(x, vdupq_n_u8(15))), vqtbl1q_u8(LOAD(map[1]), vshrq_n_u8(x, 4)));
}

INLINE V SB1(V x, V key) { return vaeseq_u8(x, key); }
INLINE V SB2(V x, V key) { return by_nibbles(vaeseq_u8(x, key), L); }
INLINE V SB3(V x, V key) { return vqtbl1q_u8(vaesdq_u8(x, key), LOAD(SHIFT_TWICE)); }
INLINE V SB4(V x, V key) { return vqtbl1q_u8(vaesdq_u8(by_nibbles(x, L_INVERSE), key), LOAD(SHIFT_TWICE)); }

/* The diffusion layer in place, by 49 XORs.  It leaves byte i in x[TURNED_i].  The matrix of the layer is symmetric, so
 * the XORs in reverse order with exchanged operands compute it too, and bring the bytes back to their places. */
enum {
    TURNED_0 = 8, TURNED_1 = 9, TURNED_2 = 12, TURNED_3 = 13, TURNED_4 = 14, TURNED_5 = 15, TURNED_6 = 10,
    TURNED_7 = 11, TURNED_8 = 7, TURNED_9 = 6, TURNED_10 = 3, TURNED_11 = 2, TURNED_12 = 1, TURNED_13 = 0,
    TURNED_14 = 5, TURNED_15 = 4
};
#define ADD(i, j) x[i] = XOR(x[i], x[j]);

INLINE void A(V *x)
{
    ADD(7, 12) ADD(0, 11) ADD(11, 6) ADD(15, 2) ADD(12, 1) ADD(2, 9) ADD(1, 7) ADD(8, 5) ADD(5, 14)
    ADD(6, 0) ADD(6, 13) ADD(0, 15) ADD(9, 15) ADD(9, 4) ADD(4, 7) ADD(7, 6) ADD(13, 5) ADD(13, 12)
    ADD(1, 10) ADD(10, 2) ADD(10, 11) ADD(11, 3) ADD(2, 14) ADD(2, 4) ADD(4, 8) ADD(14, 8) ADD(12, 9)
    ADD(8, 6) ADD(5, 9) ADD(2, 3) ADD(3, 0) ADD(11, 14) ADD(14, 0) ADD(15, 1) ADD(1, 10) ADD(9, 4) ADD(5, 3)
    ADD(0, 15) ADD(6, 13) ADD(3, 8) ADD(11, 13) ADD(8, 5) ADD(4, 15) ADD(12, 10) ADD(13, 0) ADD(15, 2)
    ADD(10, 7) ADD(7, 12) ADD(0, 11)
}

INLINE void A_back(V *x)
{
    ADD(11, 0) ADD(12, 7) ADD(7, 10) ADD(2, 15) ADD(0, 13) ADD(10, 12) ADD(15, 4) ADD(5, 8) ADD(13, 11)
    ADD(8, 3) ADD(13, 6) ADD(15, 0) ADD(3, 5) ADD(4, 9) ADD(10, 1) ADD(1, 15) ADD(0, 14) ADD(14, 11)
    ADD(0, 3) ADD(3, 2) ADD(9, 5) ADD(6, 8) ADD(9, 12) ADD(8, 14) ADD(8, 4) ADD(4, 2) ADD(14, 2) ADD(3, 11)
    ADD(11, 10) ADD(2, 10) ADD(10, 1) ADD(12, 13) ADD(5, 13) ADD(6, 7) ADD(7, 4) ADD(4, 9) ADD(15, 9)
    ADD(15, 0) ADD(13, 6) ADD(0, 6) ADD(14, 5) ADD(5, 8) ADD(7, 1) ADD(9, 2) ADD(1, 12) ADD(2, 15)
    ADD(6, 11) ADD(11, 0) ADD(12, 7)
}

/* The substitution layers with the round key before them.  SL1 takes byte i from x[i], SL2 takes it from x[TURNED_i].
 * */
#define KEY(i) LOAD(keys + 16 * (i))
INLINE void SL1(V *x, const uint8_t *keys)
{
#define ROW(a, b, c, d)                                                                                      \
    x[a] = SB1(x[a], KEY(a)), x[b] = SB2(x[b], KEY(b)), x[c] = SB3(x[c], KEY(c)), x[d] = SB4(x[d], KEY(d));
    ROW(0, 1, 2, 3) ROW(4, 5, 6, 7) ROW(8, 9, 10, 11) ROW(12, 13, 14, 15)
#undef ROW
}

INLINE void SL2(V *x, const uint8_t *keys)
{
#define ROW(a, b, c, d)                                                                                      \
    x[TURNED_##a] = SB1(x[TURNED_##a], KEY(a)), x[TURNED_##b] = SB2(x[TURNED_##b], KEY(b));                  \
    x[TURNED_##c] = SB3(x[TURNED_##c], KEY(c)), x[TURNED_##d] = SB4(x[TURNED_##d], KEY(d));
    ROW(2, 3, 0, 1) ROW(6, 7, 4, 5) ROW(10, 11, 8, 9) ROW(14, 15, 12, 13)
#undef ROW
}

/* Transposes 16 x 16 bytes in four such steps.  The address of a byte is four bits of the number of its register and
 * four of its lane.  Zipping registers i and i + 8 rotates these eight bits by one; four rotations exchange the
 * halves. */
INLINE void transposition_step(V *x)
{
    V y[16];
#define ZIP(i) y[2 * i] = vzip1q_u8(x[i], x[i + 8]), y[2 * i + 1] = vzip2q_u8(x[i], x[i + 8]);
#define BACK(i) x[i] = y[i];
    ALL8(ZIP)
    ALL16(BACK)
#undef ZIP
#undef BACK
}

INLINE void transpose(V *x)
{
    transposition_step(x);
    transposition_step(x);
    transposition_step(x);
    transposition_step(x);
}

/* Copies each byte of round keys 0 to rounds - 1 to all lanes; of L^-1 of the byte where SB4 follows. */
INLINE void spread_keys(uint8_t *keys, const uint8_t *rk, int rounds)
{
    for (int i = 0; i < rounds; i++, keys += 256) {
        const V k = LOAD(rk + 16 * i), mapped = XOR(by_nibbles(k, L_INVERSE), vdupq_n_u8(L_INVERSE_OF_0));
        const V sb4 = vreinterpretq_u8_u32(vdupq_n_u32(i % 2 ? UINT32_C(0x0000ff00) : UINT32_C(0xff000000)));
        const V ready = vbslq_u8(sb4, mapped, k);
#define SPREAD(j) vst1q_u8(keys + 16 * j, vdupq_laneq_u8(ready, j));
        ALL16(SPREAD)
#undef SPREAD
    }
}

/* Writes x, a batch that is transposed, to out; XORed to text unless text is NULL. */
INLINE void crypt_batch(const uint8_t *rk, int rounds, const uint8_t *keys, V *x, uint8_t *out, const uint8_t *text)
{
    const size_t stray = (size_t)rounds % 4 * 4;
    V y[16], k;
    for (int i = 0;; i += 2, keys += 512) {
        SL1(x, keys);
        A(x);
        SL2(x, keys + 256);
        if (i == rounds - 2) break;
        A_back(x);
    }
#define HOME(i) y[i] = x[TURNED_##i];
    ALL16(HOME)
#undef HOME
    transpose(y);
    k = LOAD(rk + 16 * rounds);
#define AT(i) (16 * ((i) % 2 ? (i) ^ stray : (i)))
#define OUT(i) vst1q_u8(out + AT(i), XOR(y[i], k));
#define OUT_SUM(i) vst1q_u8(out + AT(i), XOR(XOR(y[i], k), LOAD(text + AT(i))));
    if (text == NULL) { ALL16(OUT) }
    else { ALL16(OUT_SUM) }
#undef OUT
#undef OUT_SUM
#undef AT
}

INLINE void ecb_batch(const uint8_t *rk, int rounds, const uint8_t *keys, uint8_t *out, const uint8_t *in)
{
    V x[16];
#define IN(i) x[i] = LOAD(in + 16 * i);
    ALL16(IN)
#undef IN
    transpose(x);
    crypt_batch(rk, rounds, keys, x, out, NULL);
}

/* A batch of counters, transposed.  The sum of the last byte and the number of its block is smaller than that number if it
 * carries. */
INLINE void count(V *x, const struct counter *c)
{
    static const uint8_t INDEX[16] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
    const struct counter after = after_carry(*c, 256);
    const V number = LOAD(INDEX), sum = vaddq_u8(vdupq_n_u8((uint8_t)c->low), number), carry = vcltq_u8(sum, number);
#define BYTE(c, i) vdupq_n_u8((uint8_t)((i < 8 ? (c).high : (c).low) >> (56 - 8 * (i % 8))))
#define COUNT(i) x[i] = vbslq_u8(carry, BYTE(after, i), BYTE(*c, i));
    ALL16(COUNT)
    x[15] = sum;
#undef COUNT
#undef BYTE
}

/* One function for each number of rounds.  Blocks that are fewer than a batch are processed as a batch with idle
 * lanes, because aria_c takes as long for one block as this function for 16. */
INLINE void crypt_bulk(const uint8_t *rk, int rounds, uint8_t *out, const uint8_t *in, size_t n)
{
    uint8_t keys[256 * MOST_ROUNDS], rest[16 * BATCH];
    if (n == 0) return;
    spread_keys(keys, rk, rounds);
    for (size_t m; n; n -= m, in += 16 * m, out += 16 * m) {
        const uint8_t *from = in;
        uint8_t *to = out;
        m = n < BATCH ? n : BATCH;
        if (m < BATCH) {
            for (size_t i = 0; i < BATCH; i++) vst1q_u8(rest + 16 * i, i < m ? LOAD(in + 16 * i) : vdupq_n_u8(0));
            from = to = rest;
        }
        ecb_batch(rk, rounds, keys, to, from);
        if (m < BATCH)
            for (size_t i = 0; i < m; i++) vst1q_u8(out + 16 * i, LOAD(rest + 16 * i));
    }
}

#define BULK(rounds)                                                                                         \
    NEON_AES_TARGET static void bulk_##rounds(const void *rk, void *out, const void *in, size_t n)           \
    {                                                                                                        \
        crypt_bulk((const uint8_t *)rk, rounds, (uint8_t *)out, (const uint8_t *)in, n);                     \
    }
BULK(12)
BULK(14)
BULK(16)

struct keys {
    const uint8_t *rk;
    uint8_t spread[256 * MOST_ROUNDS];
};

#define CTR(rounds, bits)                                                                                    \
    INLINE void ctr_batch_##rounds(const void *keys, uint8_t *out, const uint8_t *in, const struct counter *c) \
    {                                                                                                        \
        const struct keys *const k = (const struct keys *)keys;                                              \
        V x[16];                                                                                             \
        count(x, c);                                                                                         \
        crypt_batch(k->rk, rounds, k->spread, x, out, in);                                                   \
    }                                                                                                        \
    extern const struct haechi_kernel haechi_aria_c_##bits;                                                  \
    NEON_AES_TARGET static void ctr_##rounds(const void *rk, uint8_t *counter, void *out, const void *in, size_t n) \
    {                                                                                                        \
        struct keys keys;                                                                                    \
        keys.rk = (const uint8_t *)rk;                                                                       \
        if (n) spread_keys(keys.spread, keys.rk, rounds);                                                    \
        ctr_in_batches(ctr_batch_##rounds, &keys, haechi_aria_c_##bits.crypt, rk, 16, counter, (uint8_t *)out, \
                       (const uint8_t *)in, n);                                                              \
    }
CTR(12, 128)
CTR(14, 192)
CTR(16, 256)

ARIA_NEON(aria_neon_aes, HAECHI_ARM_AES)

#else
typedef int aria_neon_aes_is_not_for_this_machine;
#endif

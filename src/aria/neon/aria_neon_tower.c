/* aria_neon_tower.c - ARIA for ARMv7 NEON and for AArch64 without the AES instructions (RFC 5794).  It
 * encrypts 16 blocks at a time, byte-sliced, and its S-boxes look up nibbles in registers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     s + 16i   byte i of 16 blocks, in memory, because ARMv7 has only 16 registers
 *
 * The whole state is in another representation of GF(256): an element is k + i s over GF(16) with s^2 = a s + a.
 * There an inversion takes six look-ups of nibbles (Hamburg, CHES 2009, for AES; test/spec/tower.py derives the
 * formulas and tables for ARIA).  SB1 and SB2 are linear maps after the inversion, which its last two look-ups
 * include.  SB3 and SB4 are linear maps before it.
 *
 * The code of aria_c expands keys and encrypts single blocks. */
#include "../../core/neon.h"

#if HAECHI_HAS_NEON
#include <arm_neon.h>

#include "../../core/bytes.h"
#include "../../haechi_cpu.h"
#include "../../core/kernel.h"
#include "aria_neon.h"
#include "aria_neon_tower.h"

#define INLINE static inline __attribute__((__always_inline__)) NEON_TARGET
typedef uint64_t u64;
typedef uint8x16_t V;
#define WORD u64
#include "../c/aria_c_circuits.h"
#include "../c/aria_c_keys.h"

/* From WORTH blocks on, a batch with idle lanes is faster than aria_c. */
enum { BATCH = 16, WORTH = 3, MOST_ROUNDS = 16 };

#include "../../core/neon_ctr.h"

/* Looks up n in 16 bytes, with 0 as the result if n is 16 or more.  ARMv7's instruction takes a pair of registers of
 * eight bytes, to which compilers would copy the table. */
INLINE V look_up(V table, V n)
{
#if defined(__arm__)
    V y;
    __asm__("vtbl.8 %e0, {%e1, %f1}, %e2\n\tvtbl.8 %f0, {%e1, %f1}, %f2" : "=&w"(y) : "w"(table), "w"(n));
    return y;
#else
    return vqtbl1q_u8(table, n);
#endif
}

INLINE V low(V x) { return vandq_u8(x, vdupq_n_u8(15)); }
INLINE V high(V x) { return vshrq_n_u8(x, 4); }

/* Applies a linear map. */
INLINE V mapped(V x, const uint8_t (*map)[16])
{
    return veorq_u8(look_up(vld1q_u8(map[0]), low(x)), look_up(vld1q_u8(map[1]), high(x)));
}

/* Applies `after` to the inverses of p and q, side by side, so that one is computed while the other waits for
 * results.  ARMv7 has it in assembly, because compilers spill. */
#if defined(__arm__)
#define LOOK_UP(y, table, n)                                                                                 \
    "vtbl.8 %e[" #y "], {%e[" #table "], %f[" #table "]}, %e[" #n "]\n\t"                                    \
    "vtbl.8 %f[" #y "], {%e[" #table "], %f[" #table "]}, %f[" #n "]\n\t"
#define ADD(y, x) "veor %q[" #y "], %q[" #y "], %q[" #x "]\n\t"
#define BOTH(M) M(p) M(q)
#define NIBBLES(x)                                                                                           \
    "vshr.u8 %q[i" #x "], %q[" #x "], #4\n\t" /* i */                                                        \
    "vand %q[" #x "], %q[" #x "], %q[nibble]\n\t" /* k */
#define A_OVER_K(x) LOOK_UP(a##x, a_over, x)
#define SUM(x) ADD(x, i##x) /* j = i + k */
#define OVER_I(x) LOOK_UP(t##x, inverse, i##x)
#define OVER_J(x) LOOK_UP(u##x, inverse, x)
#define ADD_A(x) ADD(t##x, a##x) ADD(u##x, a##x)
#define OVER_BOTH(x) LOOK_UP(t##x, inverse, t##x) LOOK_UP(u##x, inverse, u##x)
#define ADD_BOTH(x) ADD(t##x, x) ADD(u##x, i##x) /* io, jo */
#define OUT(x) LOOK_UP(x, after_io, t##x) LOOK_UP(u##x, after_jo, u##x)
#define ADD_OUT(x) ADD(x, u##x)
INLINE void invert(V *p, V *q, const uint8_t (*after)[16])
{
    V ip, iq, ap, aq, tp, tq, up, uq;
    __asm__(BOTH(NIBBLES) BOTH(A_OVER_K) BOTH(SUM) BOTH(OVER_I) BOTH(OVER_J) BOTH(ADD_A) BOTH(OVER_BOTH)
            BOTH(ADD_BOTH) BOTH(OUT) BOTH(ADD_OUT)
            : [p] "+w"(*p), [q] "+w"(*q), [ip] "=&w"(ip), [iq] "=&w"(iq), [ap] "=&w"(ap), [aq] "=&w"(aq),
              [tp] "=&w"(tp), [tq] "=&w"(tq), [up] "=&w"(up), [uq] "=&w"(uq)
            : [inverse] "w"(vld1q_u8(INVERT[0])), [a_over] "w"(vld1q_u8(INVERT[1])),
              [after_io] "w"(vld1q_u8(after[0])), [after_jo] "w"(vld1q_u8(after[1])), [nibble] "w"(vdupq_n_u8(15)));
}
#else
INLINE void invert(V *p, V *q, const uint8_t (*after)[16])
{
    V *const both[2] = { p, q };
    for (int n = 0; n < 2; n++) {
        const V inverse = vld1q_u8(INVERT[0]), i = high(*both[n]), k = low(*both[n]), j = veorq_u8(i, k);
        const V a = look_up(vld1q_u8(INVERT[1]), k);
        const V io = veorq_u8(look_up(inverse, veorq_u8(look_up(inverse, i), a)), j);
        const V jo = veorq_u8(look_up(inverse, veorq_u8(look_up(inverse, j), a)), i);
        *both[n] = veorq_u8(look_up(vld1q_u8(after[0]), io), look_up(vld1q_u8(after[1]), jo));
    }
}
#endif

/* The S-boxes of one column, rows 0 ... 3, with the round key. */
INLINE void column(uint8_t *s, const uint8_t *keys, const uint8_t (*before)[16], const uint8_t (*after)[16])
{
    for (int row = 0; row < 4; row += 2, s += 128, keys += 128) {
        V p = veorq_u8(vld1q_u8(s), vld1q_u8(keys)), q = veorq_u8(vld1q_u8(s + 64), vld1q_u8(keys + 64));
        if (before != NULL) p = mapped(p, before), q = mapped(q, before);
        invert(&p, &q, after);
        vst1q_u8(s, p);
        vst1q_u8(s + 64, q);
    }
}

/* SL1 if odd is 0, SL2 if it is 1. */
INLINE void SL(uint8_t *s, const uint8_t *keys, int odd)
{
    const int c = odd ? 32 : 0;
    column(s + c, keys + c, NULL, AFTER_SB1);
    column(s + c + 16, keys + c + 16, NULL, AFTER_SB2);
    column(s + 32 - c, keys + 32 - c, BEFORE_SB3, AFTER_SB34);
    column(s + 48 - c, keys + 48 - c, BEFORE_SB4, AFTER_SB34);
}

/* The diffusion layer. */
INLINE void A(uint8_t *s)
{
    V y[16];
#define LOAD(i) y[i] = vld1q_u8(s + 16 * (i));
#define XOR(i, j) y[i] = veorq_u8(y[i], y[j]);
#define STORE(i, j) vst1q_u8(s + 16 * (i), y[j]);
    ALL16(LOAD)
    DIFFUSION(XOR)
    FROM(STORE)
#undef LOAD
#undef XOR
#undef STORE
}

/* Transposes 16 x 16 bytes in four steps.  Each step exchanges one bit of the number of a register, 3, 2, 1 or 0,
 * with the same bit of the number of a byte.  Bit 3 takes no instruction: halves are read and written accordingly. */
#if defined(__arm__)
#define TURN(bits, a, b) __asm__("vtrn." #bits " %q0, %q1" : "+w"(a), "+w"(b));
#else
#define TURN(bits, a, b) TURN_##bits(a, b)
#define TURN_BY(from, to, lanes, a, b)                                                                       \
    {                                                                                                        \
        const V t = to(vtrn1q_##lanes(from(a), from(b)));                                                    \
        b = to(vtrn2q_##lanes(from(a), from(b)));                                                            \
        a = t;                                                                                               \
    }
#define TURN_8(a, b) TURN_BY(, , u8, a, b)
#define TURN_16(a, b) TURN_BY(vreinterpretq_u16_u8, vreinterpretq_u8_u16, u16, a, b)
#define TURN_32(a, b) TURN_BY(vreinterpretq_u32_u8, vreinterpretq_u8_u32, u32, a, b)
#endif
#define TURN_2(i) TURN(32, x[i], x[i + 4])
#define TURN_1(i) TURN(16, x[i], x[i + 2])
#define TURN_0(i) TURN(8, x[i], x[i + 1])
#define TURN_ALL                                                                                             \
    TURN_2(0) TURN_2(1) TURN_2(2) TURN_2(3) TURN_2(8) TURN_2(9) TURN_2(10) TURN_2(11)                        \
    TURN_1(0) TURN_1(1) TURN_1(4) TURN_1(5) TURN_1(8) TURN_1(9) TURN_1(12) TURN_1(13)                        \
    TURN_0(0) TURN_0(2) TURN_0(4) TURN_0(6) TURN_0(8) TURN_0(10) TURN_0(12) TURN_0(14)

INLINE V halves(const uint8_t *a, const uint8_t *b)
{
#if defined(__arm__)
    V x; /* gcc makes an exchange of registers of vcombine */
    __asm__("vld1.8 %e0, [%1]\n\tvld1.8 %f0, [%2]" : "=&w"(x) : "r"(a), "r"(b), "m"(*(const uint8_t(*)[8])a),
              "m"(*(const uint8_t(*)[8])b));
    return x;
#else
    return vcombine_u8(vld1_u8(a), vld1_u8(b));
#endif
}

INLINE void transpose(uint8_t *out, const uint8_t *in)
{
    V x[16];
#define READ(i)                                                                                              \
    x[i] = halves(in + 16 * (i), in + 16 * (i) + 128), x[i + 8] = halves(in + 16 * (i) + 8, in + 16 * (i) + 136);
#define WRITE(i) vst1q_u8(out + 16 * (i), x[i]);
    ALL8(READ)
    TURN_ALL
    ALL16(WRITE)
#undef READ
#undef WRITE
}

/* Copies each byte of T of round keys 0 ... rounds - 1, with the constants of the S-boxes, to all lanes. */
INLINE void spread_keys(uint8_t *keys, const uint8_t *rk, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        u64 k[2];
        uint8_t bytes[16];
        round_key(k, rk, i, rounds);
        vst1q_u8(bytes, mapped(vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(k[0]), vcreate_u64(k[1]))), TO_TOWER));
        for (int j = 0; j < 16; j++, keys += 16) vst1q_u8(keys, vdupq_n_u8(bytes[j]));
    }
}

NEON_TARGET static __attribute__((__noinline__)) void crypt_batch(const uint8_t *rk, const uint8_t *keys, int rounds,
                                                                  uint8_t *out, const uint8_t *in)
{
    uint8_t s[16 * BATCH];
    u64 last[2];
    V k;

    transpose(s, in);
    for (int i = 0; i < 16; i++) vst1q_u8(s + 16 * i, mapped(vld1q_u8(s + 16 * i), TO_TOWER));
    for (int i = 0;; i += 2, keys += 512) {
        SL(s, keys, 0);
        A(s);
        SL(s, keys + 256, 1);
        if (i == rounds - 2) break;
        A(s);
    }
    transpose(out, s);
    round_key(last, rk, rounds, rounds);
    k = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(last[0]), vcreate_u64(last[1])));
    for (int i = 0; i < 16; i++)
        vst1q_u8(out + 16 * i, veorq_u8(mapped(vld1q_u8(out + 16 * i), FROM_TOWER), k));
}

NEON_TARGET static void crypt_bulk(const uint8_t *rk, int rounds, const struct haechi_kernel *few, uint8_t *out,
                                   const uint8_t *in, size_t n)
{
    if (n >= WORTH) {
        uint8_t keys[256 * MOST_ROUNDS], rest[16 * BATCH];
        spread_keys(keys, rk, rounds);
        for (; n >= BATCH; n -= BATCH, out += 16 * BATCH, in += 16 * BATCH) crypt_batch(rk, keys, rounds, out, in);
        if (n >= WORTH) {
            for (size_t i = 0; i < BATCH; i++) vst1q_u8(rest + 16 * i, i < n ? vld1q_u8(in + 16 * i) : vdupq_n_u8(0));
            crypt_batch(rk, keys, rounds, rest, rest);
            for (size_t i = 0; i < n; i++) vst1q_u8(out + 16 * i, vld1q_u8(rest + 16 * i));
            n = 0;
        }
    }
    if (n) few->bulk(rk, out, in, n);
}

#define BULK(rounds, bits)                                                                                   \
    extern const struct haechi_kernel haechi_aria_c_##bits;                                                  \
    NEON_TARGET static void bulk_##rounds(const void *rk, void *out, const void *in, size_t n)               \
    {                                                                                                        \
        crypt_bulk((const uint8_t *)rk, rounds, &haechi_aria_c_##bits, (uint8_t *)out, (const uint8_t *)in,  \
                   n);                                                                                       \
    }
BULK(12, 128)
BULK(14, 192)
BULK(16, 256)

struct keys {
    const uint8_t *rk;
    int rounds;
    uint8_t spread[256 * MOST_ROUNDS];
};

INLINE void ctr_batch(const void *keys, uint8_t *out, const uint8_t *in, const struct counter *c)
{
    const struct keys *const k = (const struct keys *)keys;
    struct counter next = *c;
    uint8_t x[16 * BATCH];

    for (int i = 0; i < 16 * BATCH; i += 16, move_on(&next, 1)) {
        haechi_store_be64(x + i, next.high);
        haechi_store_be64(x + i + 8, next.low);
    }
    crypt_batch(k->rk, k->spread, k->rounds, x, x);
    for (int i = 0; i < 16 * BATCH; i += 16) {
        const V stream = vld1q_u8(x + i);
        vst1q_u8(out + i, in == NULL ? stream : veorq_u8(stream, vld1q_u8(in + i)));
    }
}

#define CTR(its_rounds, bits)                                                                                \
    NEON_TARGET static void ctr_##its_rounds(const void *rk, uint8_t *counter, void *out, const void *in, size_t n) \
    {                                                                                                        \
        struct keys keys;                                                                                    \
        keys.rk = (const uint8_t *)rk, keys.rounds = its_rounds;                                             \
        if (n >= WORTH) spread_keys(keys.spread, keys.rk, its_rounds);                                       \
        ctr_in_batches(ctr_batch, &keys, haechi_aria_c_##bits.crypt, rk, 16, counter, (uint8_t *)out,        \
                       (const uint8_t *)in, n);                                                              \
    }
CTR(12, 128)
CTR(14, 192)
CTR(16, 256)

ARIA_NEON(aria_neon_tower, NEON_NEEDS)

#else
typedef int aria_neon_tower_is_not_for_this_machine;
#endif

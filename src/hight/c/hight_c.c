/* hight_c.c - HIGHT in portable C (TTAS.KO-12.0040, ISO/IEC 18033-3).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The code adds, rotates and XORs bytes.  It has no tables and takes constant time.  A single block is processed byte
 * by byte.  Many blocks are processed eight at a time: lane i of the 64-bit word X[j] is byte j of block i (SWAR).
 *
 * A round moves each byte on by one, and X[7] to X[0].  In this code the bytes stay and the arguments rotate; after
 * eight rounds they have their first order again.  Round keys in both directions: WK0..3, SK0..127, WK4..7. */
#include "../../core/bytes.h"
#include "../../core/kernel.h"
#include "hight_c.h"

#define INLINE static inline __attribute__((__always_inline__))

enum { WK0 = 0, SK0 = 4, WK4 = 132, ROUND_KEYS = 136 };

/* ---- Eight bytes in a 64-bit word, each in a lane of its own. */

#if !HAECHI_MICRO
#define LANES(byte) HAECHI_FILL((uint64_t)(byte), 8, 64)

/* Adds lane by lane: the carries out of bit 7 of each lane are suppressed. */
INLINE uint64_t add(uint64_t a, uint64_t b)
{
    return ((a & LANES(0x7f)) + (b & LANES(0x7f))) ^ ((a ^ b) & LANES(0x80));
}
#endif

/* ---- The key schedule. */

#if !HAECHI_MICRO
const uint64_t haechi_hight_c_delta[16] = {
    0x4103060d1b366d5a, 0x2c5933664c183060, 0x1c3972654a152b56, 0x376f5e3c7973674e,
    0x502142050b162d5b, 0x7d7a756a552a5428, 0x2952254b172f5f3e, 0x766c583162450a14,
    0x7c787163470e1d3b, 0x6143070f1f3f7f7e, 0x1e3d7b776e5c3870, 0x264d1a346953274f,
    0x0102040912244913, 0x4811224408102040, 0x685123460c193264, 0x5a356b572e5d3a74
};
#endif

/* WK0..3 = MK12..15 and WK4..7 = MK0..3.  SK[16i + j] = MK[(j - i) mod 8] + delta[16i + j], and SK[16i + 8 + j] is
 * computed in the same way from MK[8..15].  delta is the state of a 7-bit LFSR, x^7 + x^3 + 1, from 0x5a on. */
void haechi_hight_c_eks(void *rk, const void *key)
{
    uint8_t *k = (uint8_t *)rk;
    const uint8_t *MK = (const uint8_t *)key;

    haechi_copy(k + WK0, MK + 12, 4);
    haechi_copy(k + WK4, MK, 4);
    k += SK0;
#if HAECHI_MICRO
    uint8_t delta = 0x5a;
    for (uint8_t i = 0; i < 8; i++) {
        for (uint8_t j = 0; j < 16; j++) {
            *k++ = (uint8_t)(MK[(j & 8) | ((j - i) & 7)] + delta);
            delta = (uint8_t)(delta >> 1 | ((delta ^ delta >> 3) & 1) << 6);
        }
    }
#else
    uint64_t low = haechi_load_le64(MK), high = haechi_load_le64(MK + 8);
    for (int i = 0; i < 8; i++, k += 16) {
        haechi_store_le64(k, add(low, haechi_hight_c_delta[2 * i]));
        haechi_store_le64(k + 8, add(high, haechi_hight_c_delta[2 * i + 1]));
        low = low << 8 | low >> 56;
        high = high << 8 | high >> 56;
    }
#endif
}

/* ---- One block. */

INLINE uint8_t rol8(uint8_t x, int n)
{
    return (uint8_t)(x << n | x >> (8 - n));
}

INLINE uint8_t F0(uint8_t x)
{
    return rol8(x, 1) ^ rol8(x, 2) ^ rol8(x, 7);
}

INLINE uint8_t F1(uint8_t x)
{
    return rol8(x, 3) ^ rol8(x, 4) ^ rol8(x, 6);
}

void haechi_hight_c_enc(const void *rk, void *buf)
{
    const uint8_t *k = (const uint8_t *)rk, *SK = k + SK0;
    uint8_t X[8];

    haechi_copy(X, (const uint8_t *)buf, 8);
    X[0] = (uint8_t)(X[0] + k[WK0]);
    X[2] ^= k[WK0 + 1];
    X[4] = (uint8_t)(X[4] + k[WK0 + 2]);
    X[6] ^= k[WK0 + 3];
    for (uint8_t i = 0; i < 32; i++, SK += 4) {
        const uint8_t X6 = X[6], X7 = X[7];
        X[7] = X6;
        X[6] = (uint8_t)(X[5] + (F1(X[4]) ^ SK[2]));
        X[5] = X[4];
        X[4] = X[3] ^ (uint8_t)(F0(X[2]) + SK[1]);
        X[3] = X[2];
        X[2] = (uint8_t)(X[1] + (F1(X[0]) ^ SK[0]));
        X[1] = X[0];
        X[0] = X7 ^ (uint8_t)(F0(X6) + SK[3]);
    }
    /* the last round does not move the bytes */
    const uint8_t X0 = X[0];
    X[0] = (uint8_t)(X[1] + k[WK4]);
    X[1] = X[2];
    X[2] = X[3] ^ k[WK4 + 1];
    X[3] = X[4];
    X[4] = (uint8_t)(X[5] + k[WK4 + 2]);
    X[5] = X[6];
    X[6] = X[7] ^ k[WK4 + 3];
    X[7] = X0;
    haechi_copy((uint8_t *)buf, X, 8);
}

void haechi_hight_c_dec(const void *rk, void *buf)
{
    const uint8_t *k = (const uint8_t *)rk, *SK = k + WK4;
    uint8_t X[8];

    haechi_copy(X, (const uint8_t *)buf, 8);
    const uint8_t X7 = X[7];
    X[7] = X[6] ^ k[WK4 + 3];
    X[6] = X[5];
    X[5] = (uint8_t)(X[4] - k[WK4 + 2]);
    X[4] = X[3];
    X[3] = X[2] ^ k[WK4 + 1];
    X[2] = X[1];
    X[1] = (uint8_t)(X[0] - k[WK4]);
    X[0] = X7;
    for (uint8_t i = 0; i < 32; i++) {
        const uint8_t X0 = X[0];
        SK -= 4;
        X[0] = X[1];
        X[1] = (uint8_t)(X[2] - (F1(X[0]) ^ SK[0]));
        X[2] = X[3];
        X[3] = X[4] ^ (uint8_t)(F0(X[2]) + SK[1]);
        X[4] = X[5];
        X[5] = (uint8_t)(X[6] - (F1(X[4]) ^ SK[2]));
        X[6] = X[7];
        X[7] = X0 ^ (uint8_t)(F0(X[6]) + SK[3]);
    }
    X[0] = (uint8_t)(X[0] - k[WK0]);
    X[2] ^= k[WK0 + 1];
    X[4] = (uint8_t)(X[4] - k[WK0 + 2]);
    X[6] ^= k[WK0 + 3];
    haechi_copy((uint8_t *)buf, X, 8);
}

/* ---- Eight blocks, eight bytes in a word. */

#if HAECHI_MICRO
#define enc_bulk NULL
#define dec_bulk NULL
#else

INLINE uint64_t sub(uint64_t a, uint64_t b)
{
    return ((a | LANES(0x80)) - (b & LANES(0x7f))) ^ ((a ^ ~b) & LANES(0x80));
}

INLINE uint64_t rol(uint64_t x, int n)
{
    const uint64_t low = LANES((1u << n) - 1u); /* where bits of the same lane arrive, not bits of its neighbour */
    return (x << n & ~low) | (x >> (8 - n) & low);
}

/* F0 = x<<<1 ^ x<<<2 ^ x<<<7 and F1 = x<<<3 ^ x<<<4 ^ x<<<6, computed from y = x ^ x<<<1. */
INLINE uint64_t F0x8(uint64_t x)
{
    return rol(x ^ rol(x, 1), 1) ^ rol(x, 7);
}

INLINE uint64_t F1x8(uint64_t x)
{
    return rol(x ^ rol(x, 1), 3) ^ rol(x, 6);
}

#define SK(i) LANES(SK[i])

/* x7 ... x0 are the names that the bytes have before the round. */
#define ENCRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    x1 = add(x1, F1x8(x0) ^ SK(0));                                                                          \
    x3 ^= add(F0x8(x2), SK(1));                                                                              \
    x5 = add(x5, F1x8(x4) ^ SK(2));                                                                          \
    x7 ^= add(F0x8(x6), SK(3));                                                                              \
    SK += 4;

#define DECRYPT_ROUND(x7, x6, x5, x4, x3, x2, x1, x0)                                                        \
    SK -= 4;                                                                                                 \
    x1 = sub(x1, F1x8(x0) ^ SK(0));                                                                          \
    x3 ^= add(F0x8(x2), SK(1));                                                                              \
    x5 = sub(x5, F1x8(x4) ^ SK(2));                                                                          \
    x7 ^= add(F0x8(x6), SK(3));

/* Transposes 8 x 8 bytes: exchanges halves of blocks 4 apart, then quarters, then bytes.  It is its own inverse. */
INLINE void transpose(uint64_t *x)
{
#define SWAP(a, b, n, mask)                                                                                  \
    {                                                                                                        \
        const uint64_t t = (x[a] >> n ^ x[b]) & mask;                                                        \
        x[b] ^= t;                                                                                           \
        x[a] ^= t << n;                                                                                      \
    }
    SWAP(0, 4, 32, UINT64_C(0x00000000ffffffff))
    SWAP(1, 5, 32, UINT64_C(0x00000000ffffffff))
    SWAP(2, 6, 32, UINT64_C(0x00000000ffffffff))
    SWAP(3, 7, 32, UINT64_C(0x00000000ffffffff))
    SWAP(0, 2, 16, UINT64_C(0x0000ffff0000ffff))
    SWAP(1, 3, 16, UINT64_C(0x0000ffff0000ffff))
    SWAP(4, 6, 16, UINT64_C(0x0000ffff0000ffff))
    SWAP(5, 7, 16, UINT64_C(0x0000ffff0000ffff))
    SWAP(0, 1, 8, UINT64_C(0x00ff00ff00ff00ff))
    SWAP(2, 3, 8, UINT64_C(0x00ff00ff00ff00ff))
    SWAP(4, 5, 8, UINT64_C(0x00ff00ff00ff00ff))
    SWAP(6, 7, 8, UINT64_C(0x00ff00ff00ff00ff))
#undef SWAP
}

static void encrypt8(const uint8_t *k, uint64_t *x)
{
    const uint8_t *SK = k + SK0;
    uint64_t X0, X1, X2, X3, X4, X5, X6, X7;
    transpose(x);
    X0 = add(x[0], LANES(k[WK0])), X1 = x[1];
    X2 = x[2] ^ LANES(k[WK0 + 1]), X3 = x[3];
    X4 = add(x[4], LANES(k[WK0 + 2])), X5 = x[5];
    X6 = x[6] ^ LANES(k[WK0 + 3]), X7 = x[7];
    for (int i = 0; i < 4; i++) { HIGHT_ENCRYPT_8(ENCRYPT_ROUND) }
    /* the last round does not move the bytes */
    x[0] = add(X1, LANES(k[WK4])), x[1] = X2;
    x[2] = X3 ^ LANES(k[WK4 + 1]), x[3] = X4;
    x[4] = add(X5, LANES(k[WK4 + 2])), x[5] = X6;
    x[6] = X7 ^ LANES(k[WK4 + 3]), x[7] = X0;
    transpose(x);
}

static void decrypt8(const uint8_t *k, uint64_t *x)
{
    const uint8_t *SK = k + WK4;
    uint64_t X0, X1, X2, X3, X4, X5, X6, X7;
    transpose(x);
    X1 = sub(x[0], LANES(k[WK4])), X2 = x[1];
    X3 = x[2] ^ LANES(k[WK4 + 1]), X4 = x[3];
    X5 = sub(x[4], LANES(k[WK4 + 2])), X6 = x[5];
    X7 = x[6] ^ LANES(k[WK4 + 3]), X0 = x[7];
    for (int i = 0; i < 4; i++) { HIGHT_DECRYPT_8(DECRYPT_ROUND) }
    x[0] = sub(X0, LANES(k[WK0])), x[1] = X1;
    x[2] = X2 ^ LANES(k[WK0 + 1]), x[3] = X3;
    x[4] = sub(X4, LANES(k[WK0 + 2])), x[5] = X5;
    x[6] = X6 ^ LANES(k[WK0 + 3]), x[7] = X7;
    transpose(x);
}

/* One or two blocks are faster one by one; from three on, a batch with idle lanes is faster. */
INLINE void crypt_bulk(void (*crypt)(const void *, void *), void (*crypt8)(const uint8_t *, uint64_t *),
                       const void *rk, void *out, const void *in, size_t n)
{
    const uint8_t *i = (const uint8_t *)in;
    uint8_t *o = (uint8_t *)out;
    while (n) {
        const size_t m = n < 3 ? 1 : n < 8 ? n : 8;
        if (m == 1) {
            if (o != i) haechi_copy(o, i, 8);
            crypt(rk, o);
        } else {
            uint64_t x[8] = { 0 };
            for (size_t j = 0; j < m; j++) x[j] = haechi_load_le64(i + 8 * j);
            crypt8((const uint8_t *)rk, x);
            for (size_t j = 0; j < m; j++) haechi_store_le64(o + 8 * j, x[j]);
        }
        n -= m;
        i += 8 * m;
        o += 8 * m;
    }
}

static void enc_bulk(const void *rk, void *out, const void *in, size_t n)
{
    crypt_bulk(haechi_hight_c_enc, encrypt8, rk, out, in, n);
}

static void dec_bulk(const void *rk, void *out, const void *in, size_t n)
{
    crypt_bulk(haechi_hight_c_dec, decrypt8, rk, out, in, n);
}
#endif

HAECHI_KERNEL(hight_c) = {
    HAECHI_NAMED("hight_c", 512)
    .rk = ROUND_KEYS, .block = 8, .key = 16, .expand = haechi_hight_c_eks, .crypt = haechi_hight_c_enc, .bulk = enc_bulk
};
HAECHI_KERNEL(hight_c_inv) = {
    HAECHI_NAMED("hight_c", 512)
    .rk = ROUND_KEYS, .block = 8, .key = 16, .flags = HAECHI_INVERSE,
    .expand = haechi_hight_c_eks, .crypt = haechi_hight_c_dec, .bulk = dec_bulk
};

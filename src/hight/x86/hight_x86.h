/* hight_x86.h - HIGHT for x86-64 in vectors of any width.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * This one text serves all widths.  A kernel defines WIDTH (of a vector, in bits), TARGET (the attribute that allows
 * its instructions), MOST (the groups in a batch, 2 to 4), KEEP (below), and GFNI if F0 and F1 are to be single
 * instructions. It then includes this file and names its descriptors.
 *
 * A vector V is 1, 2 or 4 lanes of 16 bytes, which are two blocks each in memory.  Eight vectors are a group of 16, 32
 * or 64 blocks.  The rounds run on x[0] to x[7], where x[j] holds byte j of all blocks:
 *
 *               lane 0              lane 1              lane 2              lane 3
 *     place    0  1  2  3 ... 15   0  1  2  3 ... 15   0  1  2  3 ... 15   0  1  2  3 ... 15
 *     block    0  1  8  9 ... 57   2  3 10 11 ... 59   4  5 12 13 ... 61   6  7 14 15 ... 63     of 512 bits
 *
 * core/x86_batch.h explains why several groups run side by side. */
#ifndef HAECHI_HIGHT_X86_H
#define HAECHI_HIGHT_X86_H

#define BLOCK_BYTES 8
#include "../../core/x86.h"
#include "../c/hight_c.h"

#define ADD(a, b) V_(add_epi8)(a, b)
#define SUB(a, b) V_(sub_epi8)(a, b)

enum { BLOCKS = WIDTH / 64, GROUP = 8 * BLOCKS }; /* blocks in a vector and in a group */

/* DO for each of N groups.  N is constant where this is inlined.  It is unrolled by hand, because compilers keep the x
 * of a loop in memory. */
#define GROUPS(DO, ...)                                                                                      \
    DO((x), (kept), __VA_ARGS__)                                                                             \
    if (N > 1) { DO((x + 8), (kept + 8), __VA_ARGS__) }                                                      \
    if (N > 2) { DO((x + 16), (kept + 16), __VA_ARGS__) }                                                    \
    if (N > 3) { DO((x + 24), (kept + 24), __VA_ARGS__) }

/* ---- Round keys, of which memory holds KEY_BYTES copies of each byte: a load alone can broadcast four bytes, but
 * not one. */

#if WIDTH == 128
#define KEY_BYTES 16
#define KEY(keys, i) LOAD((keys) + 16 * (i))
#else
#define KEY_BYTES 4
typedef int copies __attribute__((__may_alias__));
#define KEY(keys, i) V_(set1_epi32)(((const copies *)(const void *)(keys))[i])
#endif
enum { ROUND_KEYS = 136, COPIED = 144 }; /* in bytes; rounded up to a multiple of 16 */

static const uint8_t COPIES[16][KEY_BYTES] = {
#if KEY_BYTES == 4
#define COPY(i) { i, i, i, i },
#else
#define COPY(i) { i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i },
#endif
    ALL16(COPY)
#undef COPY
};

INLINE void spread_keys(uint8_t *keys, const uint8_t *rk)
{
    for (size_t i = 0; i < COPIED; i += 16) {
        const __m128i *const from = (const __m128i *)(rk + i);
        const V k = EVERY(i + 16 <= ROUND_KEYS ? _mm_loadu_si128(from) : _mm_loadl_epi64(from));
        for (size_t j = 0; j < sizeof COPIES; j += sizeof(V), keys += sizeof(V))
            STORE(keys, V_(shuffle_epi8)(k, LOAD((const uint8_t *)COPIES + j)));
    }
    __asm__("" : : "r"(keys) : "memory"); /* else compilers take the copies from rk, byte by byte */
}

/* ---- F0 and F1, which are linear. */

#if defined(GFNI)
/* As matrices: byte 7 - i names the bits of x whose sum is bit i of the result.  So 0xc2 says that bit 0 of
 * F0(x) = x<<<1 ^ x<<<2 ^ x<<<7 is the sum of bits 7, 6 and 1. */
#define MATRIX(rows) V_(set1_epi64_of)(rows)
#define _mm512_set1_epi64_of(rows) _mm512_set1_epi64((long long)(rows))
#define _mm256_set1_epi64_of(rows) _mm256_set1_epi64x((long long)(rows))
#define F0_MATRIX UINT64_C(0xc2850b162c58b061)
#define F1_MATRIX UINT64_C(0x3468d0a143860d1a)
#define F0(x) V_(gf2p8affine_epi64_epi8)(x, MATRIX(F0_MATRIX), 0)
#define F1(x) V_(gf2p8affine_epi64_epi8)(x, MATRIX(F1_MATRIX), 0)
#define F1_XOR(x, key) XOR(F1(x), key)
#else
/* As sums of the images of the two halves of a byte, which are looked up. */
#define TABLE(...) EVERY(_mm_setr_epi8(__VA_ARGS__))
#define F0_LOW                                                                                               \
    TABLE(0x00, -0x7a, 0x0d, -0x75, 0x1a, -0x64, 0x17, -0x6f, 0x34, -0x4e, 0x39, -0x41, 0x2e, -0x58, 0x23, -0x5b)
#define F0_HIGH                                                                                              \
    TABLE(0x00, 0x68, -0x30, -0x48, -0x5f, -0x37, 0x71, 0x19, 0x43, 0x2b, -0x6d, -0x05, -0x1e, -0x76, 0x32, 0x5a)
#define F1_LOW                                                                                               \
    TABLE(0x00, 0x58, -0x50, -0x18, 0x61, 0x39, -0x2f, -0x77, -0x3e, -0x66, 0x72, 0x2a, -0x5d, -0x05, 0x13, 0x4b)
#define F1_HIGH                                                                                              \
    TABLE(0x00, -0x7b, 0x0b, -0x72, 0x16, -0x6d, 0x1d, -0x68, 0x2c, -0x57, 0x27, -0x5e, 0x3a, -0x41, 0x31, -0x4c)
#define LOW(x) AND(x, BYTE(0x0f))
#define HIGH(x) LOW(V_(srli_epi16)(x, 4))
#define F0(x) XOR(V_(shuffle_epi8)(F0_LOW, LOW(x)), V_(shuffle_epi8)(F0_HIGH, HIGH(x)))
#define F1(x) XOR(V_(shuffle_epi8)(F1_LOW, LOW(x)), V_(shuffle_epi8)(F1_HIGH, HIGH(x)))
#define F1_XOR(x, key) XOR(V_(shuffle_epi8)(XOR(F1_LOW, key), LOW(x)), V_(shuffle_epi8)(F1_HIGH, HIGH(x)))
#endif

/* ---- The rounds, in the words of hight_c.c.
 *
 * A byte that a round changes is read by F in the next round, and changed again in the round after that.  Between
 * these two uses it can wait in memory, where registers are too few: the round that makes it also stores it (it is
 * kept), and the round that changes it reads the old value from memory.  KEEP(j) says whether Xj is kept when a round
 * has made it. */

#define AT_ROUND(j) (((j) - i) & 7) /* the place of the byte that round i of eight calls Xj */
#define OLD(x, kept, j) (KEEP((j - 2) & 7) ? kept[AT_ROUND(j)] : x[AT_ROUND(j)]) /* two rounds ago it was Xj-2 */
#define CHANGE(x, kept, j, value)                                                                            \
    x[AT_ROUND(j)] = value;                                                                                  \
    NOW(x[AT_ROUND(j)]);                                                                                     \
    if (KEEP(j)) kept[AT_ROUND(j)] = x[AT_ROUND(j)];

#define ADD_F1(x, kept, j) CHANGE(x, kept, j, ADD(OLD(x, kept, j), F1_XOR(x[AT_ROUND(j - 1)], key)))
#define SUB_F1(x, kept, j) CHANGE(x, kept, j, SUB(OLD(x, kept, j), F1_XOR(x[AT_ROUND(j - 1)], key)))
#define XOR_F0(x, kept, j) CHANGE(x, kept, j, XOR(OLD(x, kept, j), ADD(F0(x[AT_ROUND(j - 1)]), key)))

INLINE void encrypt_round(int N, const uint8_t *SK, int i, V *x, volatile V *kept)
{
    V key;
    (void)kept;
    key = KEY(SK, 0);
    GROUPS(ADD_F1, 1)
    key = KEY(SK, 1);
    GROUPS(XOR_F0, 3)
    key = KEY(SK, 2);
    GROUPS(ADD_F1, 5)
    key = KEY(SK, 3);
    GROUPS(XOR_F0, 7)
}

INLINE void decrypt_round(int N, const uint8_t *SK, int i, V *x, volatile V *kept)
{
    V key;
    (void)kept;
    key = KEY(SK, 0);
    GROUPS(SUB_F1, 1)
    key = KEY(SK, 1);
    GROUPS(XOR_F0, 3)
    key = KEY(SK, 2);
    GROUPS(SUB_F1, 5)
    key = KEY(SK, 3);
    GROUPS(XOR_F0, 7)
}

/* Eight rounds of N groups, after which every byte has its first name again. */
INLINE void eight_rounds(int N, int inverse, const uint8_t *SK, V *x, volatile V *kept)
{
#define ENCRYPT(r) encrypt_round(N, SK + 4 * r * KEY_BYTES, r, x, kept);
#define DECRYPT(r) decrypt_round(N, SK - (4 * r + 4) * KEY_BYTES, 7 - r, x, kept);
    if (inverse) {
        ALL8(DECRYPT)
    } else {
        ALL8(ENCRYPT)
    }
}

/* Stores all bytes before the first round, where bytes are kept. */
#define KEEP_ALL(x, kept, unused)                                                                            \
    if (KEEP(1)) {                                                                                           \
        kept[0] = x[0], kept[1] = x[1], kept[2] = x[2], kept[3] = x[3];                                      \
        kept[4] = x[4], kept[5] = x[5], kept[6] = x[6], kept[7] = x[7];                                      \
    }

/* Whitening before the rounds; and after them, where LAST undoes the move of the bytes in the last round.  K(x, i) is
 * round key i of the group x. */
#define WHITEN(x, kept, K)                                                                                   \
    x[0] = ADD(x[0], K(x, 0)), x[2] = XOR(x[2], K(x, 1));                                                    \
    x[4] = ADD(x[4], K(x, 2)), x[6] = XOR(x[6], K(x, 3));
#define LAST(x, kept, K)                                                                                     \
    X0 = x[0];                                                                                               \
    x[0] = ADD(x[1], K(x, 132)), x[1] = x[2], x[2] = XOR(x[3], K(x, 133)), x[3] = x[4];                      \
    x[4] = ADD(x[5], K(x, 134)), x[5] = x[6], x[6] = XOR(x[7], K(x, 135)), x[7] = X0;
#define ONE_KEY(x, i) KEY(k, i)

/* Whitening and 32 rounds. */
INLINE void encrypt(int N, const uint8_t *k, V *x)
{
    volatile V kept[8 * MOST];
    V X0;
    (void)kept;
    GROUPS(WHITEN, ONE_KEY)
    GROUPS(KEEP_ALL, 0)
    for (int i = 0; i < 4; i++) eight_rounds(N, 0, k + (4 + 32 * i) * KEY_BYTES, x, kept);
    GROUPS(LAST, ONE_KEY)
}

INLINE void decrypt(int N, const uint8_t *k, V *x)
{
    volatile V kept[8 * MOST];
    V X7;
    (void)kept;
#define LAST_BACK(x, kept, unused)                                                                           \
    X7 = x[7];                                                                                               \
    x[7] = XOR(x[6], KEY(k, 135)), x[6] = x[5], x[5] = SUB(x[4], KEY(k, 134)), x[4] = x[3];                \
    x[3] = XOR(x[2], KEY(k, 133)), x[2] = x[1], x[1] = SUB(x[0], KEY(k, 132)), x[0] = X7;
#define WHITEN_BACK(x, kept, unused)                                                                         \
    x[0] = SUB(x[0], KEY(k, 0)), x[2] = XOR(x[2], KEY(k, 1));                                              \
    x[4] = SUB(x[4], KEY(k, 2)), x[6] = XOR(x[6], KEY(k, 3));
    GROUPS(LAST_BACK, 0)
    GROUPS(KEEP_ALL, 0)
    for (int i = 4; i > 0; i--) eight_rounds(N, 1, k + (4 + 32 * i) * KEY_BYTES, x, kept);
    GROUPS(WHITEN_BACK, 0)
}

/* ---- From blocks to bytes and back.  In a lane, a byte of a group in memory has an address of seven bits: the number
 * abc of the vector, the number h of the block in it, and the number jkl of the byte in the block.  Unpacking vectors
 * i and i + 4 to 2i and 2i + 1 rotates these bits by one.  So doing it four times takes blocks to bytes, and three
 * times takes bytes to blocks:
 *
 *     vector place     vector place                             vector place          vector place
 *     a b c  h j k l   b c h  j k l a   ...  (four times)  ...  j k l  a b c h   ...  a b c  h j k l  */

INLINE void turn(V *x)
{
#define UNPACK(i) y[2 * i] = V_(unpacklo_epi8)(x[i], x[i + 4]), y[2 * i + 1] = V_(unpackhi_epi8)(x[i], x[i + 4]);
#define MOVE(i) x[i] = y[i];
    V y[8];
    UNPACK(0) UNPACK(1) UNPACK(2) UNPACK(3)
    ALL8(MOVE)
}

INLINE void to_bytes(V *x)
{
    turn(x), turn(x), turn(x), turn(x);
}

INLINE void to_blocks(V *x)
{
    turn(x), turn(x), turn(x);
}

/* ---- Counters, which are made in the order of the rounds and need no transposition. */

/* For each place of a vector, the number of its block in the group. */
static const uint8_t INDEX[2 * GROUP / 16][16] = {
#define LANE(i)                                                                                              \
    { i, i + 1, BLOCKS + i, BLOCKS + i + 1, 2 * BLOCKS + i, 2 * BLOCKS + i + 1, 3 * BLOCKS + i,              \
      3 * BLOCKS + i + 1, 4 * BLOCKS + i, 4 * BLOCKS + i + 1, 5 * BLOCKS + i, 5 * BLOCKS + i + 1,            \
      6 * BLOCKS + i, 6 * BLOCKS + i + 1, 7 * BLOCKS + i, 7 * BLOCKS + i + 1 },
    LANE(0)
#if WIDTH > 128
    LANE(2)
#endif
#if WIDTH > 256
    LANE(4) LANE(6)
#endif
};

#define COUNTER uint64_t

INLINE COUNTER counter_from(const uint8_t *block)
{
    return haechi_load_be64(block);
}

INLINE void counter_to(uint8_t *block, const COUNTER *c)
{
    haechi_store_be64(block, *c);
}

INLINE void move_on(COUNTER *c, size_t n)
{
    *c += n;
}

/* The bytes of N groups of counters from c on.  Byte 7 changes from block to block, and by one carry all others do: to
 * `after`, which differs from the bytes before the carry by `more`.  There is no branch on the carry, as a mode may
 * count on from a secret. */
INLINE void count(int N, V *x, const COUNTER *c)
{
    uint8_t after[8], more[8];
    V number = LOAD(INDEX), unchanged[MOST], byte, difference;
    V *const kept = unchanged; /* GROUPS names it */
    const uint64_t next = *c;
    haechi_store_be64(after, next + 256);
    haechi_store_be64(more, next ^ (next + 256));
    __asm__("" : : "r"(after), "r"(more) : "memory"); /* else compilers take the bytes out of c */
    const V start = BYTE(after[7]);
#define COUNT_LAST(x, kept, unused)                                                                          \
    x[7] = ADD(start, number);                                                                               \
    unchanged[(x - first) / 8] = NOT_LESS(x[7], number);                                                     \
    number = ADD(number, BYTE(GROUP));
#define COUNT(x, kept, j) x[j] = XOR_AND(byte, unchanged[(x - first) / 8], difference);
#define COUNT_BYTE(j)                                                                                        \
    byte = BYTE(after[j]), difference = BYTE(more[j]);                                                       \
    GROUPS(COUNT, j)
    V *const first = x;
    (void)kept;
    GROUPS(COUNT_LAST, 0)
    COUNT_BYTE(0) COUNT_BYTE(1) COUNT_BYTE(2) COUNT_BYTE(3) COUNT_BYTE(4) COUNT_BYTE(5) COUNT_BYTE(6)
}

/* ---- Messages. */

/* For each vector of `groups` groups, the last one first. */
#define VECTORS(groups, DO)                                                                                  \
    if ((groups) > 3) { DO(31) DO(30) DO(29) DO(28) DO(27) DO(26) DO(25) DO(24) }                            \
    if ((groups) > 2) { DO(23) DO(22) DO(21) DO(20) DO(19) DO(18) DO(17) DO(16) }                            \
    if ((groups) > 1) { DO(15) DO(14) DO(13) DO(12) DO(11) DO(10) DO(9) DO(8) }                              \
    if ((groups) > 0) { DO(7) DO(6) DO(5) DO(4) DO(3) DO(2) DO(1) DO(0) }

#define GROUP_VECTORS 8
#define MAX_GROUPS 4
#define KEYS const uint8_t *k
#define KEY_NAMES k
#define TO_BYTES(x, kept, unused) to_bytes(x);
#define TO_BLOCKS(x, kept, unused) to_blocks(x);
#define TO_ROUNDS { V *const kept = x; (void)kept; GROUPS(TO_BYTES, 0) }
#define FROM_ROUNDS { V *const kept = x; (void)kept; GROUPS(TO_BLOCKS, 0) }
#define ENCRYPT_GROUPS encrypt(N, k, x);
#define DECRYPT_GROUPS decrypt(N, k, x);
#define BATCH(N) ENCRYPT_BATCH(enc_x##N, N, 0) DECRYPT_BATCH(dec_x##N, N, 0)
#define ENCRYPT_BATCH_OF(N) enc_x##N
#define DECRYPT_BATCH_OF(N) dec_x##N
#include "../../core/x86_batch.h"

#define ROUND_KEYS_OF const void *rk
#define ROUND_KEY_NAMES rk

INLINE void encrypt_all(int W, const void *rk, COUNTER *c, uint8_t *out, const uint8_t *in, size_t n, uint8_t *left)
{
    V keys[COPIED * KEY_BYTES / sizeof(V)];
    spread_keys((uint8_t *)keys, (const uint8_t *)rk);
    encrypt_batches(W, (const uint8_t *)keys, c, out, in, n, left);
}

INLINE void decrypt_all(int W, const void *rk, V *chain, uint8_t *out, const uint8_t *in, size_t n)
{
    V keys[COPIED * KEY_BYTES / sizeof(V)];
    spread_keys((uint8_t *)keys, (const uint8_t *)rk);
    decrypt_batches(W, (const uint8_t *)keys, chain, out, in, n);
}

INLINE void xex_all(int W, int inverse, const void *rk, const struct others *others, uint8_t *out, const uint8_t *in,
                    size_t n)
{
    V keys[COPIED * KEY_BYTES / sizeof(V)];
    spread_keys((uint8_t *)keys, (const uint8_t *)rk);
    xex_batches(W, inverse, (const uint8_t *)keys, others, out, in, n);
}

INLINE V chain_from(const uint8_t *iv)
{
    return EVERY(_mm_set1_epi64x((long long)haechi_load_le64(iv)));
}

#include "../../core/x86_messages.h"

/* ---- Many keys.  A lane is the place of a block in two groups, and it has round keys of its own: memory holds a vector
 * for each group, of all lanes in it, for each round key. */

#define LANE_GROUPS (WIDTH == 512 ? 1 : 2)
#define LANE_FEW 8
#define LANE_BLOCKS (WIDTH == 512 ? 48 : 32)
enum { KEYS_WIDE = LANE_GROUPS * GROUP, AHEAD = HAECHI_LANES_BLOCKS / BLOCK_BYTES / KEYS_WIDE };
enum { AT_ONCE = WIDTH == 512 ? 2 : 1 }; /* blocks of a lane that are encrypted at once; 32 registers have room for two */

#include "../../core/x86_lanes.h"

/* The first and the last eight bytes of each key of a group. */
INLINE void bytes_of_keys(V *low, V *high, const void *const *keys)
{
#define GET_BYTES(i)                                                                                         \
    {                                                                                                        \
        const V even = pieces_of_keys(keys + BLOCKS * i, 2, 0, 16);                                          \
        const V odd = pieces_of_keys(keys + BLOCKS * i + 1, 2, 0, 16);                                       \
        low[i] = V_(unpacklo_epi64)(even, odd), high[i] = V_(unpackhi_epi64)(even, odd);                     \
    }
    ALL8(GET_BYTES)
    to_bytes(low);
    to_bytes(high);
}

/* The key schedule of hight_c in every lane of a group. */
INLINE void expand_group(V *rk, const void *const *keys)
{
    V low[8], high[8];
    bytes_of_keys(low, high, keys);
#define WHITENING(i) rk[LANE_GROUPS * i] = high[4 + i], rk[LANE_GROUPS * (132 + i)] = low[i];
    ALL4(WHITENING)
    rk += 4 * LANE_GROUPS;
    for (int i = 0; i < 8; i++, rk += 16 * LANE_GROUPS) {
        const uint8_t *const delta = (const uint8_t *)(haechi_hight_c_delta + 2 * i);
        V last;
#define SUBKEYS(j)                                                                                           \
    rk[LANE_GROUPS * j] = ADD(low[j], BYTE(delta[j]));                                                       \
    rk[LANE_GROUPS * (8 + j)] = ADD(high[j], BYTE(delta[8 + j]));
        ALL8(SUBKEYS)
#define NEXT_BYTE(x, j) x[7 - j] = x[6 - j];
#define TURN_BYTES(x)                                                                                        \
    last = x[7];                                                                                             \
    NEXT_BYTE(x, 0) NEXT_BYTE(x, 1) NEXT_BYTE(x, 2) NEXT_BYTE(x, 3)                                          \
    NEXT_BYTE(x, 4) NEXT_BYTE(x, 5) NEXT_BYTE(x, 6)                                                          \
    x[0] = last;
        TURN_BYTES(low)
        TURN_BYTES(high)
    }
}

TARGET static void expand_lanes(void *rk, void *scratch, const void *const *keys)
{
    (void)scratch;
    for (int g = 0; g < LANE_GROUPS; g++) expand_group((V *)rk + g, keys + GROUP * g);
}

/* The same steps as in encrypt, with a key for each group. */
#define LANE_KEY(y, i) k[LANE_GROUPS * (i) + (int)((y) - x) / 8 % LANE_GROUPS]
#define LANE_ADD_F1(y, kept, j, i_key)                                                                       \
    CHANGE(y, kept, j, ADD(OLD(y, kept, j), XOR(F1(y[AT_ROUND(j - 1)]), LANE_KEY(y, i_key))))
#define LANE_XOR_F0(y, kept, j, i_key)                                                                       \
    CHANGE(y, kept, j, XOR(OLD(y, kept, j), ADD(F0(y[AT_ROUND(j - 1)]), LANE_KEY(y, i_key))))

INLINE void lane_round(int N, const V *k, int i, V *x, volatile V *kept)
{
    (void)kept;
    GROUPS(LANE_ADD_F1, 1, 0)
    GROUPS(LANE_XOR_F0, 3, 1)
    GROUPS(LANE_ADD_F1, 5, 2)
    GROUPS(LANE_XOR_F0, 7, 3)
}

/* N groups: every LANE_GROUPS of them are a block for each lane. */
INLINE void encrypt_lanes(int N, const V *k, V *blocks, V *x)
{
    V X0;
    volatile V kept[8 * LANE_GROUPS * AT_ONCE];
    (void)kept;
    GROUPS(TO_BYTES, 0)
    GROUPS(WHITEN, LANE_KEY)
    GROUPS(KEEP_ALL, 0)
    for (int i = 0; i < 4; i++) {
#define LANE_ROUND(r) lane_round(N, k + LANE_GROUPS * (4 + 32 * i + 4 * r), r, x, kept);
        ALL8(LANE_ROUND)
    }
    GROUPS(LAST, LANE_KEY)
    GROUPS(TO_BLOCKS, 0)
#define PUT_LANES(i) STORE(blocks + i, x[i]);
    VECTORS(N, PUT_LANES)
}

SHARED void crypt_lanes(const void *rk, void *blocks)
{
    V x[8 * LANE_GROUPS];
#define GET_LANES(i) x[i] = LOAD((V *)blocks + i);
    VECTORS(LANE_GROUPS, GET_LANES)
    encrypt_lanes(LANE_GROUPS, (const V *)rk, (V *)blocks, x);
}

/* n counters of each lane. */
INLINE void crypt_some(int n, const void *rk, uint64_t *low, uint8_t *blocks)
{
    V x[8 * LANE_GROUPS * AT_ONCE];
    for (int i = 0; i < n; i++) count_lanes(x + 8 * LANE_GROUPS * i, NULL, low, KEYS_WIDE);
#if WIDTH == 256 && defined(GFNI) /* in other code than that of crypt_lanes gcc loads the matrices of F0 and F1 in each round */
    for (int i = 0; i < 8 * LANE_GROUPS; i++) STORE((V *)blocks + i, x[i]);
    crypt_lanes(rk, blocks);
#else
    encrypt_lanes(LANE_GROUPS * n, (const V *)rk, (V *)blocks, x);
#endif
}

/* A group alone leaves most of the execution ports idle. */
TARGET static void crypt_counters(const void *rk, uint64_t *high, uint64_t *low, void *blocks, size_t n)
{
    uint8_t *to = (uint8_t *)blocks;
    (void)high;
    for (; n >= AT_ONCE; n -= AT_ONCE, to += AT_ONCE * BLOCK_BYTES * KEYS_WIDE) crypt_some(AT_ONCE, rk, low, to);
    for (; n; n--, to += BLOCK_BYTES * KEYS_WIDE) crypt_some(1, rk, low, to);
}

/* ---- The descriptors.  Round keys are hight_c's. */

#if defined(GFNI)
#include "hight_x86_block_gfni.h"
#else
#include "hight_x86_block.h"
#endif

MESSAGES(hight, 0, enc_block, dec_block, rk)
XEX_MESSAGE(hight, 0, rk)

/* Bytes of stack, and of calls with two groups or fewer. */
#define STACK (WIDTH == 512 ? 6400 : 4096)
#define FEW_STACK (WIDTH == 128 ? 4096 : WIDTH == 256 ? 3072 : 3456)

static const struct haechi_lanes lanes = {
    .width = KEYS_WIDE, .few = LANE_FEW, .most = LANE_BLOCKS, .ahead = AHEAD, .rk = 136 * KEYS_WIDE,
    .expand = expand_lanes, .crypt = crypt_lanes, .count = crypt_counters, .add = ADD_LANES,
};

#define HIGHT(kernel, features)                                                                              \
    HAECHI_KERNEL(kernel) = {                                                                                \
        .name = #kernel, .rk = 136, .needs = features, .block = 8, .key = 16,                                \
        .expand = haechi_hight_c_eks, .crypt = enc_block, .bulk = enc_hight, .ctr = ctr_hight,               \
        .ctr_bytes = ctr_bytes_hight, .xex = xex_hight, .stack = STACK, .few = 2 * GROUP,                    \
        .few_stack = FEW_STACK, .lanes = &lanes                                                              \
    };                                                                                                       \
    HAECHI_KERNEL(kernel##_inv) = {                                                                          \
        .name = #kernel, .rk = 136, .needs = features, .block = 8, .key = 16, .flags = HAECHI_INVERSE,       \
        .expand = haechi_hight_c_eks, .crypt = dec_block, .bulk = dec_hight, .cbc = cbc_hight,               \
        .stack = STACK, .few = 2 * GROUP, .few_stack = FEW_STACK                                             \
    }

#endif

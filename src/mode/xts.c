/* xts.c - XTS with ciphertext stealing (IEEE 1619; SP 800-38E).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The object holds two expanded keys: the one for the data, and after its round keys the one for the tweak.  Block j
 * is XORed with T * x^j before and after the cipher.  T = E(tweak key, sector number) is an element of GF(2^128),
 * whose coefficients are numbered from the least significant bit of the first byte. */
#include "mode.h"

#include "../haechi_cpu.h"

#define BLOCK 16
#define MOST ((size_t)1 << (sizeof(size_t) > 2 ? 24 : 15)) /* bytes of a sector */

static const haechi_key *data_key(const haechi_xts *x)
{
    return (const haechi_key *)(const void *)x;
}

static size_t key_bytes(const struct haechi_kernel *kernel)
{
    const size_t unit = sizeof(haechi_key) > 4 ? sizeof(haechi_key) : 4;
    return (sizeof(haechi_key) + HAECHI_READ(kernel->rk) + unit - 1) / unit * unit;
}

static const haechi_key *tweak_key(const haechi_xts *x)
{
    return (const haechi_key *)(const void *)((const uint8_t *)x + key_bytes(haechi_kernel_of(data_key(x))));
}

int haechi_xts_init(haechi_xts *x, size_t size, haechi_cipher *c, haechi_cipher *forward, const void *key, size_t len)
{
    const uint8_t *both = (const uint8_t *)key;
    haechi_key *const k = (haechi_key *)(void *)x, *tweak;
    const struct haechi_kernel *first, *second;
    size_t used;
    int error = HAECHI_EKEY;

    if (x == NULL || key == NULL || len % 2 || haechi_verify(both, both + len / 2, len / 2) == HAECHI_OK) goto fail;
    error = haechi_init(k, size, c, both, len / 2);
    if (error) goto fail;
    first = haechi_kernel_of(k);
    used = key_bytes(first);
    error = HAECHI_EROOM;
    if (size < used) goto fail;
    tweak = (haechi_key *)(void *)((uint8_t *)x + used);
    error = haechi_init(tweak, size - used, forward, both + len / 2, len / 2);
    if (error) goto fail;
    second = haechi_kernel_of(tweak);
    error = HAECHI_EUSE; /* the two keys must have the same size of blocks and of round keys */
    if (HAECHI_READ(first->block) != BLOCK || HAECHI_READ(second->block) != BLOCK ||
        HAECHI_READ(first->rk) != HAECHI_READ(second->rk) || (HAECHI_READ(second->flags) & HAECHI_INVERSE))
        goto fail;
    return HAECHI_OK;

fail:
    return haechi_refuse(x, size, error);
}

#if HAECHI_MICRO
/* Computes t = t * x. */
static void times_x(uint8_t *t)
{
    uint8_t carry = 0;
    for (uint8_t i = 0; i < BLOCK; i++) {
        const uint8_t byte = t[i];
        t[i] = (uint8_t)(byte << 1 | carry);
        carry = byte >> 7;
    }
    t[0] ^= 0x87 & (uint8_t)-carry;
}

/* Processes n = 1 block and leaves the next tweak in t. */
static void batch(const haechi_key *k, uint8_t *t, uint8_t *out, const uint8_t *in, size_t n)
{
    uint32_t room[4];
    uint8_t *const mask = (uint8_t *)room;
    haechi_copy(mask, t, BLOCK);
    times_x(t);
    haechi_xor(out, in, mask, BLOCK);
    haechi_blocks(k, out, out, n);
    haechi_xor(out, out, mask, n * BLOCK);
    haechi_wipe(room, n * BLOCK);
}
#else
/* A tweak as two words, the low one first. */
struct tweak {
    uint64_t low, high;
};

static HAECHI_INLINE struct tweak times_x(struct tweak t)
{
    const uint64_t over = (uint64_t)0 - (t.high >> 63);
    const struct tweak next = { t.low << 1 ^ (0x87 & over), t.high << 1 | t.low >> 63 };
    return next;
}

/* t * x^n, 0 < n < 64. */
static HAECHI_INLINE struct tweak times_power(struct tweak t, unsigned n)
{
    const uint64_t over = t.high >> (64 - n); /* what is carried out, to be multiplied by x^7 + x^2 + x + 1 */
    const struct tweak product = {
        t.low << n ^ over ^ over << 1 ^ over << 2 ^ over << 7,
        (t.high << n | t.low >> (64 - n)) ^ over >> 63 ^ over >> 62 ^ over >> 57,
    };
    return product;
}

static HAECHI_INLINE void put(uint8_t *to, struct tweak t)
{
    haechi_store_le64(to, t.low);
    haechi_store_le64(to + 8, t.high);
}

/* A tweak waits for the one before.  These functions write the tweaks of four sequences of n blocks that follow each
 * other, side by side, and leave the next tweak of each. */
static void four_sequences(struct tweak *t, uint8_t *to, size_t n)
{
    struct tweak first = t[0], second = t[1], third = t[2], fourth = t[3];

    for (size_t i = 0; i < n * BLOCK; i += BLOCK) {
        put(to + i, first);
        put(to + i + n * BLOCK, second);
        put(to + i + 2 * n * BLOCK, third);
        put(to + i + 3 * n * BLOCK, fourth);
        first = times_x(first), second = times_x(second), third = times_x(third), fourth = times_x(fourth);
    }
    t[3] = fourth;
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((__target__("avx2")))

AVX2 static HAECHI_INLINE __m256i both_times_x(__m256i t)
{
    const __m256i over = _mm256_shuffle_epi32(_mm256_srai_epi32(t, 31), 0x13);
    return _mm256_xor_si256(_mm256_add_epi64(t, t), _mm256_and_si256(over, _mm256_setr_epi32(0x87, 0, 1, 0, 0x87, 0, 1, 0)));
}

AVX2 static void four_sequences_avx2(struct tweak *t, uint8_t *to, size_t n)
{
    __m256i early = _mm256_loadu_si256((const __m256i *)t), late = _mm256_loadu_si256((const __m256i *)(t + 2));

    for (size_t i = 0; i < n * BLOCK; i += BLOCK) {
        _mm_storeu_si128((__m128i *)(to + i), _mm256_castsi256_si128(early));
        _mm_storeu_si128((__m128i *)(to + i + n * BLOCK), _mm256_extracti128_si256(early, 1));
        _mm_storeu_si128((__m128i *)(to + i + 2 * n * BLOCK), _mm256_castsi256_si128(late));
        _mm_storeu_si128((__m128i *)(to + i + 3 * n * BLOCK), _mm256_extracti128_si256(late, 1));
        early = both_times_x(early), late = both_times_x(late);
    }
    _mm256_storeu_si256((__m256i *)(t + 2), late);
}

/* Four blocks a register. */
#define AVX512 __attribute__((__target__("avx512f,avx512bw,avx512vl,avx512dq,vpclmulqdq")))

/* Each block times x^n for its own n < 8, which both its words of n have. */
AVX512 static HAECHI_INLINE __m512i four_times_powers(__m512i t, __m512i n)
{
    const __m512i over = _mm512_srlv_epi64(t, _mm512_sub_epi64(_mm512_set1_epi64(64), n));
    const __m512i product = _mm512_clmulepi64_epi128(over, _mm512_set1_epi64(0x87), 0x01);
    return _mm512_ternarylogic_epi64(_mm512_sllv_epi64(t, n), _mm512_bslli_epi128(over, 8), product, 0x96);
}

AVX512 static HAECHI_INLINE __m512i four_times_x8(__m512i t)
{
    const __m512i over = _mm512_clmulepi64_epi128(_mm512_bsrli_epi128(t, 15), _mm512_set1_epi64(0x87), 0x00);
    return _mm512_xor_si512(_mm512_bslli_epi128(t, 1), over);
}

/* Writes at least n + 1 tweaks, and fewer than n + 9. */
AVX512 static void tweaks_avx512(struct tweak t, uint8_t *to, size_t n)
{
    const __m512i first = _mm512_broadcast_i32x4(_mm_set_epi64x((long long)t.high, (long long)t.low));
    __m512i early = four_times_powers(first, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3));
    __m512i late = four_times_powers(first, _mm512_setr_epi64(4, 4, 5, 5, 6, 6, 7, 7));

    for (size_t i = 0; i <= n; i += 8, to += 8 * BLOCK) {
        _mm512_storeu_si512(to, early);
        _mm512_storeu_si512(to + 4 * BLOCK, late);
        early = four_times_x8(early), late = four_times_x8(late);
    }
}
#endif

/* Writes n tweaks, at most a batch, the first of which is t, and returns the next one. */
static struct tweak tweaks(const haechi_key *k, struct tweak t, uint8_t *to, size_t n)
{
    const unsigned each = (unsigned)n / 4;

    (void)k;
#if defined(__x86_64__)
    if ((haechi_kernel_of(k)->needs & HAECHI_AVX512) && (haechi_features() & HAECHI_VPCLMUL)) {
        tweaks_avx512(t, to, n);
        const struct tweak next = { haechi_load_le64(to + n * BLOCK), haechi_load_le64(to + n * BLOCK + 8) };
        return next;
    }
#endif
    if (each > 1) {
        struct tweak four[4] = { t };
        for (int i = 1; i < 4; i++)
            four[i] = each < 64 ? times_power(four[i - 1], each) : times_power(times_power(four[i - 1], 32), each - 32);
#if defined(__x86_64__)
        if (haechi_kernel_of(k)->needs & (HAECHI_AVX2 | HAECHI_AVX512)) four_sequences_avx2(four, to, each);
        else
#endif
            four_sequences(four, to, each);
        t = four[3];
        haechi_wipe(four, sizeof four);
        to += (size_t)4 * each * BLOCK;
        n -= (size_t)4 * each;
    }
    for (; n; n--, to += BLOCK) {
        put(to, t);
        t = times_x(t);
    }
    return t;
}

/* Processes n <= FEW blocks and leaves the next tweak in t.  Where skipped is not NULL, the last block takes the tweak after
 * its own, which skipped receives.  Text and tweaks are XORed as words: vectors would wait for words that have just been
 * stored. */
#define FEW 16
static void few(const haechi_key *k, uint8_t *t, uint8_t *skipped, uint8_t *out, const uint8_t *in, size_t n)
{
    uint8_t masks[FEW * BLOCK];
    struct tweak next = { haechi_load_le64(t), haechi_load_le64(t + 8) };

    for (size_t i = 0; i < n * BLOCK; i += BLOCK) {
        if (skipped != NULL && i == (n - 1) * BLOCK) {
            put(skipped, next);
            next = times_x(next);
        }
        put(masks + i, next);
        haechi_store_le64(out + i, haechi_load_le64(in + i) ^ next.low);
        haechi_store_le64(out + i + 8, haechi_load_le64(in + i + 8) ^ next.high);
        next = times_x(next);
    }
    put(t, next);
    haechi_blocks(k, out, out, n);
    haechi_xor(out, out, masks, n * BLOCK);
    haechi_wipe(masks, n * BLOCK);
}

/* Likewise, any number of blocks. */
static HAECHI_NOINLINE void batches(const haechi_key *k, uint8_t *t, uint8_t *skipped, uint8_t *out, const uint8_t *in,
                                    size_t n)
{
    uint8_t masks[(HAECHI_BATCH + 8) * BLOCK] __attribute__((__aligned__(64)));
    const size_t most = n < HAECHI_BATCH ? n : HAECHI_BATCH;
    struct tweak next = { haechi_load_le64(t), haechi_load_le64(t + 8) };

    for (size_t m; n; n -= m, out += m * BLOCK, in += m * BLOCK) {
        m = n < most ? n : most;
        if (m < n || skipped == NULL) {
            next = tweaks(k, next, masks, m);
        } else {
            next = tweaks(k, next, masks, m - 1);
            put(skipped, next);
            next = times_x(next);
            put(masks + (m - 1) * BLOCK, next);
            next = times_x(next);
        }
        haechi_xex(k, out, in, masks, masks, m);
    }
    put(t, next);
    haechi_wipe(masks, (most + 8) * BLOCK);
}

/* Processes one block. */
static void one(const haechi_key *k, const uint8_t *t, uint8_t *out, const uint8_t *in)
{
    uint8_t x[BLOCK];
    haechi_xor(x, in, t, BLOCK);
    haechi_block(k, x);
    haechi_xor(out, x, t, BLOCK);
    haechi_wipe(x, sizeof x);
}
#endif

static int crypt(const haechi_xts *x, uint8_t flags, const uint8_t *iv, uint8_t *o, const uint8_t *i, size_t len)
{
    const haechi_key *const k = x == NULL ? NULL : data_key(x);
    const size_t rest = len % BLOCK;
    size_t whole = len / BLOCK;
    uint32_t tweak[4], later[4];
    uint8_t *const t = (uint8_t *)tweak, *const next = (uint8_t *)later;
    int error = haechi_usable(k, flags, o, i, len);

    if (!error && iv == NULL) error = HAECHI_EUSE;
    if (!error && len < BLOCK) error = HAECHI_ELEN;
    if (!error && len > MOST) error = HAECHI_ELIMIT;
    if (error) return haechi_refuse(o, len, error);

    haechi_copy(t, iv, BLOCK);
    haechi_block(tweak_key(x), t);
    /* Ciphertext stealing: an incomplete last block takes its end from the block before.  Decryption exchanges the tweaks
     * of these two blocks.  Hosts process all whole blocks in batches, and only the incomplete one by itself. */
#if HAECHI_MICRO
    if (rest) whole--;
    while (whole) {
        const size_t n = whole < HAECHI_BATCH ? whole : HAECHI_BATCH;
        batch(k, t, o, i, n);
        o += n * BLOCK, i += n * BLOCK, whole -= n;
    }
    if (rest) {
        uint8_t lent[BLOCK];
        haechi_copy(next, t, BLOCK);
        times_x(flags & HAECHI_INVERSE ? t : next);
        batch(k, t, lent, i, 1);
        for (uint8_t b = 0; b < rest; b++) {
            const uint8_t byte = i[BLOCK + b];
            o[BLOCK + b] = lent[b];
            lent[b] = byte;
        }
        batch(k, next, o, lent, 1);
        haechi_wipe(lent, sizeof lent);
    }
#else
    if (len == BLOCK) one(k, t, o, i);
    else (whole <= FEW ? few : batches)(k, t, rest && (flags & HAECHI_INVERSE) ? next : NULL, o, i, whole);
    o += whole * BLOCK, i += whole * BLOCK;
    if (rest) {
        uint8_t *const last = o - BLOCK;
        for (uint8_t b = 0; b < rest; b++) {
            const uint8_t byte = i[b];
            o[b] = last[b];
            last[b] = byte;
        }
        one(k, flags & HAECHI_INVERSE ? next : t, last, last);
    }
#endif
    haechi_wipe(tweak, sizeof tweak);
    haechi_wipe(later, sizeof later);
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_xts_encrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len)
{
    return crypt(x, 0, iv, (uint8_t *)out, (const uint8_t *)in, len);
}

int haechi_xts_decrypt(const haechi_xts *x, const uint8_t *iv, void *out, const void *in, size_t len)
{
    return crypt(x, HAECHI_INVERSE, iv, (uint8_t *)out, (const uint8_t *)in, len);
}

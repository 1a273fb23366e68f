/* xts.c - XTS with ciphertext stealing (IEEE 1619; SP 800-38E).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The object holds two expanded keys: the one for the data, and after its round keys the one for the tweak.  Block j
 * is XORed with T * x^j before and after the cipher.  T = E(tweak key, sector number) is an element of GF(2^128),
 * whose coefficients are numbered from the least significant bit of the first byte. */
#include "mode.h"

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
/* Processes n blocks, at most a batch, and leaves the next tweak in t.  Where skipped is not NULL, the last block takes
 * the tweak after its own, which skipped receives. */
static HAECHI_INLINE void batch_of(const haechi_key *k, uint8_t *t, uint8_t *skipped, uint8_t *out, const uint8_t *in,
                                   size_t n)
{
    uint32_t room[HAECHI_BATCH * 4];
    uint8_t *const masks = (uint8_t *)room;
    uint64_t low = haechi_load_le64(t), high = haechi_load_le64(t + 8);
    for (size_t i = 0; i < n * BLOCK; i += BLOCK) { /* one tweak waits for the other: XOR meanwhile takes no time */
        uint64_t over = (uint64_t)0 - (high >> 63);
        if (skipped != NULL && i == (n - 1) * BLOCK) {
            haechi_store_le64(skipped, low);
            haechi_store_le64(skipped + 8, high);
            high = high << 1 | low >> 63;
            low = low << 1 ^ (0x87 & over);
            over = (uint64_t)0 - (high >> 63);
        }
        haechi_store_le64(masks + i, low);
        haechi_store_le64(masks + i + 8, high);
        haechi_store_le64(out + i, haechi_load_le64(in + i) ^ low);
        haechi_store_le64(out + i + 8, haechi_load_le64(in + i + 8) ^ high);
        high = high << 1 | low >> 63;
        low = low << 1 ^ (0x87 & over);
    }
    haechi_store_le64(t, low);
    haechi_store_le64(t + 8, high);
    haechi_blocks(k, out, out, n);
    haechi_xor(out, out, masks, n * BLOCK);
    haechi_wipe(room, n * BLOCK);
}

static void batch(const haechi_key *k, uint8_t *t, uint8_t *out, const uint8_t *in, size_t n)
{
    batch_of(k, t, NULL, out, in, n);
}

static HAECHI_NOINLINE void batch_that_skips(const haechi_key *k, uint8_t *t, uint8_t *skipped, uint8_t *out,
                                             const uint8_t *in, size_t n)
{
    batch_of(k, t, skipped, out, in, n);
}
#endif

static int crypt(const haechi_xts *x, uint8_t flags, const uint8_t *iv, uint8_t *o, const uint8_t *i, size_t len)
{
    const haechi_key *const k = x == NULL ? NULL : data_key(x);
    const size_t rest = len % BLOCK;
    size_t whole = len / BLOCK;
#if !HAECHI_MICRO
    size_t last = 0; /* blocks of the last batch in decryption */
#endif
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
#else
    if (rest && (flags & HAECHI_INVERSE)) {
        last = (whole - 1) % HAECHI_BATCH + 1;
        whole -= last;
    }
#endif
    while (whole) {
        const size_t n = whole < HAECHI_BATCH ? whole : HAECHI_BATCH;
        batch(k, t, o, i, n);
        o += n * BLOCK, i += n * BLOCK, whole -= n;
    }
#if HAECHI_MICRO
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
    if (last) {
        batch_that_skips(k, t, next, o, i, last);
        o += last * BLOCK, i += last * BLOCK;
    }
    if (rest) {
        uint8_t lent[BLOCK];
        haechi_copy(lent, o - BLOCK, BLOCK);
        for (uint8_t b = 0; b < rest; b++) {
            const uint8_t byte = i[b];
            o[b] = lent[b];
            lent[b] = byte;
        }
        batch(k, last ? next : t, o - BLOCK, lent, 1);
        haechi_wipe(lent, sizeof lent);
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

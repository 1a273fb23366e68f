/* gcm.c - Galois/counter mode (SP 800-38D): GHASH over aad and ciphertext, and counter mode with a counter of 32 bits.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"
#include "ghash.h"

#define TEXT_MOST ((haechi_length)(HAECHI_MICRO ? -1 : 0xfffffffe0)) /* bytes: 2^36 - 32 */
#define AAD_MOST ((haechi_length)(HAECHI_MICRO ? -1 : 0x1fffffffffffffff))

enum { /* s->began */
    AFTER_MASK = 0, /* the key stream follows the mask */
    READY,          /* the next block of key stream is in s->text.left */
    HASHED,         /* the counter is secret */
};

/* Completes a block that has begun by filling it with zeros. */
static void pad(const haechi_key *k, haechi_cmac *s)
{
    const uint8_t zeros[16] = { 0 };
    if (s->used) haechi_ghash(haechi_derived(k), s->x, zeros, 1);
    s->used = 0;
}

static void mac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len)
{
    while (len) {
        size_t n = 16u - s->used;
        if (n == 16 && len >= 16) {
            n = len & ~(size_t)15;
            haechi_ghash(haechi_derived(k), s->x, in, n / 16);
        } else {
            if (n > len) n = len;
            haechi_xor_into(s->x + s->used, in, n);
            s->used = (uint8_t)(s->used + n);
            if (s->used == 16) pad(k, s);
        }
        in += n, len -= n;
    }
}

/* Stores 8 * bytes, big-endian. */
static void store_bits(uint8_t *out, haechi_length bytes)
{
#if HAECHI_MICRO
    out[7] = (uint8_t)(bytes << 3);
    bytes >>= 5;
    for (uint8_t i = 7; i-- > 0; bytes >>= 8) out[i] = (uint8_t)bytes;
#else
    haechi_store_be64(out, bytes << 3);
#endif
}

/* Adds the block with the lengths of two parts, in bits, to the hash. */
static void mac_lengths(const haechi_key *k, haechi_cmac *s, haechi_length first, haechi_length second)
{
#if HAECHI_MICRO
    uint8_t lengths[16];
    pad(k, s);
    store_bits(lengths, first);
    store_bits(lengths + 8, second);
    haechi_ghash(haechi_derived(k), s->x, lengths, 1);
#else
    uint8_t last[32] = { 0 }; /* the rest of a block that has begun is zeros; both blocks then take one call */
    store_bits(last + 16, first);
    store_bits(last + 24, second);
    haechi_ghash(haechi_derived(k), s->x, s->used ? last : last + 16, s->used ? 2 : 1);
    s->used = 0;
#endif
}

/* Adds 1 to the last 32 bits without a branch on the carry. */
static void next(uint8_t *counter)
{
    uint16_t carry = 1;

    for (uint8_t i = 15; i >= 12; i--) {
        carry = (uint16_t)(carry + counter[i]);
        counter[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* Encrypts a counter block and the one that comes next in the text, which then waits in s->text.left. */
static void block_and_next(const haechi_key *k, haechi_aead_stream *s, uint8_t *counter)
{
    uint8_t both[32];

    haechi_copy(both, counter, 16);
    haechi_copy(both + 16, s->text.iv, 16);
    next(s->text.iv);
    haechi_pair(k, both);
    haechi_copy(counter, both, 16);
    haechi_copy(s->text.left, both + 16, 16);
    haechi_wipe(both, sizeof both);
    s->began = READY;
}

/* The counter has 32 bits.  After a nonce of 12 bytes it starts at 1, and the longest text ends before it wraps.
 * After any other nonce it starts at a value that GHASH computes and that is secret.  No branch may then reveal when
 * it wraps, so this function encrypts one block at a time and undoes the carry out of the 32 bits after each. */
static void text(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len)
{
    haechi_aead_stream *const whole = (haechi_aead_stream *)(void *)((uint8_t *)s - offsetof(haechi_aead_stream, text));
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    uint8_t began = whole->began;

    while (len) {
        const size_t begun = 16u - s->used;
        const size_t n = began && len > begun ? begun : len;
        uint8_t kept[12];
        if (!HAECHI_MICRO && began == READY) {
            haechi_xor(o, i, s->left, n);
            s->used = (uint8_t)(n & 15);
            whole->began = began = AFTER_MASK;
        } else if (!HAECHI_MICRO && began == AFTER_MASK && s->used == 0 && len == 16 && haechi_pairs(k)) {
            uint8_t stream[16];
            haechi_copy(stream, s->iv, 16);
            next(s->iv);
            block_and_next(k, whole, stream);
            haechi_xor(o, i, stream, 16);
            haechi_wipe(stream, sizeof stream);
        } else {
            haechi_copy(kept, s->iv, 12);
            haechi_ctr_text(k, s, o, i, n);
            haechi_copy(s->iv, kept, 12);
        }
        o += n, i += n, len -= n;
    }
}

/* The mask, and the key stream of a text that is known to be short. */
static void first_blocks(const haechi_key *k, haechi_aead_stream *s)
{
    haechi_copy(s->mask, s->text.iv, 16);
    if (!HAECHI_MICRO && s->began == AFTER_MASK && s->len > 0 && s->len <= 16 && haechi_pairs(k)) {
        next(s->text.iv);
        block_and_next(k, s, s->mask);
    } else {
        haechi_block(k, s->mask);
        next(s->text.iv);
    }
}

static int begin(const haechi_key *k, haechi_aead_stream *s, const uint8_t *nonce, size_t noncelen)
{
    const uint8_t t = s->taglen;

    if (noncelen == 0 || (t != 4 && t != 8 && t < 12)) return HAECHI_ELEN;
#if !HAECHI_MICRO
    if (s->aadlen > AAD_MOST || s->len > TEXT_MOST) return HAECHI_ELIMIT;
#endif
    if (noncelen == 12) {
        haechi_copy(s->text.iv, nonce, 12);
        s->text.iv[15] = 1;
    } else {
        mac(k, &s->mac, nonce, noncelen);
        mac_lengths(k, &s->mac, 0, noncelen);
        haechi_copy(s->text.iv, s->mac.x, 16);
        s->began = HASHED;
        haechi_wipe(&s->mac, sizeof s->mac);
    }
    first_blocks(k, s);
    s->aadlen = AAD_MOST - s->aadlen;
    s->len = TEXT_MOST - s->len;
    return HAECHI_OK;
}

static void turn(const haechi_key *k, haechi_aead_stream *s, uint8_t to)
{
    if (to == HAECHI_PHASE_TEXT) {
        pad(k, &s->mac);
    } else {
        mac_lengths(k, &s->mac, AAD_MOST - s->aadlen, TEXT_MOST - s->len);
        haechi_xor_into(s->mask, s->mac.x, 16);
    }
}

#if !HAECHI_MICRO
static int fits(const haechi_job *j, size_t block)
{
    const haechi_length aadlen = j->aadlen, len = j->len;

    (void)block;
    return j->noncelen == 12 && j->taglen >= 12 && j->taglen <= 16 && aadlen <= AAD_MOST && len <= TEXT_MOST;
}

/* Adds bytes, filled up with zeros to whole blocks, to the hash. */
static void add(const void *derived, uint8_t *y, const uint8_t *in, size_t len)
{
    const size_t rest = len % 16;
    uint8_t last[16] = { 0 };

    if (len >= 16) haechi_ghash(derived, y, in, len / 16);
    if (rest) {
        haechi_copy(last, in + len - rest, rest);
        haechi_ghash(derived, y, last, 1);
    }
}

/* GHASH of a message with a key that serves this one alone: of a short message in one call, for which no more powers of
 * h are computed than it has blocks. */
static void hash_once(uint8_t *y, const uint8_t *h, const uint8_t *aad, size_t aadlen, const uint8_t *text, size_t len)
{
    enum { SHORT = 8 };
    const size_t of_aad = (aadlen + 15) / 16, blocks = of_aad + (len + 15) / 16 + 1;
    const int powers = blocks <= SHORT ? (int)blocks : HAECHI_POWERS;
    uint64_t derived[2 * HAECHI_POWERS];
    uint8_t all[16 * SHORT] = { 0 }, *const lengths = blocks <= SHORT ? all + 16 * (blocks - 1) : all;

    haechi_copy((uint8_t *)derived, h, 16);
    haechi_ghash_init(derived, powers);
    if (powers < HAECHI_POWERS) haechi_wipe(derived, 16); /* where init has found h */
    store_bits(lengths, aadlen);
    store_bits(lengths + 8, len);
    if (blocks <= SHORT) {
        haechi_copy(all, aad, aadlen);
        haechi_copy(all + 16 * of_aad, text, len);
        haechi_ghash(derived, y, all, blocks);
    } else {
        add(derived, y, aad, aadlen);
        add(derived, y, text, len);
        haechi_ghash(derived, y, lengths, 1);
    }
    haechi_wipe((uint8_t *)(derived + 2 * (HAECHI_POWERS - powers)), (size_t)powers * 16);
}

static void add_hashes(struct haechi_batch *b, uint8_t opens)
{
    for (size_t i = 0; i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        const haechi_job *const j = haechi_job_of(b, i);
        uint8_t y[16] = { 0 };
        hash_once(y, l->derived, (const uint8_t *)j->aad, j->aadlen, (const uint8_t *)(opens ? j->in : j->out), j->len);
        haechi_xor_into(l->tag, y, 16);
    }
}

static void side_by_side(struct haechi_batch *b, uint8_t opens)
{
    haechi_derive_lanes(b);
    for (size_t i = 0; i < b->n; i++) {
        const uint8_t *const nonce = (const uint8_t *)haechi_job_of(b, i)->nonce;
        b->high[i] = haechi_load_be64(nonce);
        b->low[i] = (uint64_t)__builtin_bswap32(haechi_load_le32(nonce + 8)) << 32 | 1;
    }
    haechi_crypt_counters(b);
    for (size_t i = 0; i < b->n; i++) haechi_copy_block(b->lane[i].tag, haechi_block_of(b, i), 16);
    if (!opens) haechi_text_of_lanes(b);
    add_hashes(b, opens);
    haechi_end_lanes(b, opens);
    if (opens) haechi_text_of_lanes(b);
}

static void derive(void *derived)
{
    haechi_ghash_init(derived, HAECHI_POWERS);
}
#endif

haechi_mode haechi_gcm HAECHI_FLASH = {
    .begin = begin, .mac = mac, .turn = turn, .text = text, .flags = HAECHI_BLOCK16,
#if !HAECHI_MICRO
    .derive = derive, .fits = fits, .side_by_side = side_by_side,
#endif
};

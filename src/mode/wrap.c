/* wrap.c - key wrap with and without padding (SP 800-38F; RFC 3394, RFC 5649).
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The names are those of SP 800-38F, 6.1: A is the first semiblock, R_1 to R_n are the others.  Step t of 6n encrypts
 * A | R_i.  The second half of the result is the new R_i; the first half XORed with t is the new A. */
#include "mode.h"

#define SEMIBLOCK ((size_t)8) /* bytes */

static int usable(const haechi_key *k, uint8_t flags, const void *out, const void *in, size_t len)
{
    const int error = haechi_usable(k, flags, out, in, len);
    if (error) return error;
    return haechi_block_size(k) == 16 ? HAECHI_OK : HAECHI_EUSE;
}

/* Computes a ^= t, where a is a big-endian number of 64 bits. */
static void xor_step(uint8_t *a, uint64_t t)
{
    for (size_t i = SEMIBLOCK; i-- > 0; t >>= 8) a[i] ^= (uint8_t)t;
}

/* Takes the 6n steps, or takes them backwards by the inverse cipher.  block begins with A, and the rest of it is
 * scratch. */
static void steps(const haechi_key *k, uint8_t *block, uint8_t *r, size_t n, uint8_t inverse)
{
    /* Sums and a second counter replace products and remainders, which are routines of 64 bits on small machines. */
    const uint64_t twice = (uint64_t)n + n, last = twice + twice + twice;
    size_t i = inverse ? n : 0; /* the next semiblock */

    for (uint64_t step = 1; step <= last; step++) {
        const uint64_t t = inverse ? last + 1 - step : step;
        uint8_t *r_i;

        if (inverse) r_i = r + SEMIBLOCK * --i;
        else r_i = r + SEMIBLOCK * i++;
        if (i == (inverse ? 0 : n)) i = n - i;
        if (inverse) xor_step(block, t);
        haechi_copy(block + SEMIBLOCK, r_i, SEMIBLOCK);
        haechi_block(k, block);
        haechi_copy(r_i, block + SEMIBLOCK, SEMIBLOCK);
        if (!inverse) xor_step(block, t);
    }
}

/* Encrypts A, which is in block, and the n semiblocks at out + 8, to out.  KWP encrypts a single semiblock with A as
 * one block. */
static void wrap(const haechi_key *k, uint8_t *block, uint8_t *out, size_t n)
{
    if (n == 1) {
        haechi_copy(block + SEMIBLOCK, out + SEMIBLOCK, SEMIBLOCK);
        haechi_block(k, block);
        haechi_copy(out + SEMIBLOCK, block + SEMIBLOCK, SEMIBLOCK);
    } else {
        steps(k, block, out + SEMIBLOCK, n, 0);
    }
    haechi_copy(out, block, SEMIBLOCK);
    haechi_wipe(block, 16);
}

/* Decrypts: A goes to block, and the n semiblocks that follow it go to out. */
static void unwrap(const haechi_key *inv, uint8_t *block, uint8_t *out, const uint8_t *in, size_t n)
{
    haechi_copy(block, in, SEMIBLOCK);
    haechi_copy(out, in + SEMIBLOCK, SEMIBLOCK * n);
    if (n == 1) {
        haechi_copy(block + SEMIBLOCK, out, SEMIBLOCK);
        haechi_block(inv, block);
        haechi_copy(out, block + SEMIBLOCK, SEMIBLOCK);
    } else {
        steps(inv, block, out, n, 1);
    }
}

/* Moves in to out + 8, which it may overlap, and fills the last semiblock with zeros. */
static void place(uint8_t *out, const uint8_t *in, size_t len)
{
    const size_t padded = (len + SEMIBLOCK - 1) / SEMIBLOCK * SEMIBLOCK;

    for (size_t i = len; i-- > 0;) out[SEMIBLOCK + i] = in[i];
    for (size_t i = len; i < padded; i++) out[SEMIBLOCK + i] = 0;
}

int haechi_kw_wrap(const haechi_key *k, void *out, const void *in, size_t len)
{
    uint8_t block[16];
    int error = usable(k, 0, out, in, len);
    if (!error && (len < 2 * SEMIBLOCK || len % SEMIBLOCK)) error = HAECHI_ELEN;
    if (error) return haechi_refuse(out, len + SEMIBLOCK, error);

    place((uint8_t *)out, (const uint8_t *)in, len);
    for (size_t i = 0; i < SEMIBLOCK; i++) block[i] = 0xa6; /* ICV1 */
    wrap(k, block, (uint8_t *)out, len / SEMIBLOCK);
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_kw_unwrap(const haechi_key *inv, void *out, const void *in, size_t len)
{
    const size_t room = len < SEMIBLOCK ? 0 : len - SEMIBLOCK;
    uint8_t block[16], differs = 0;
    int error = usable(inv, HAECHI_INVERSE, out, in, len);
    if (!error && (len < 3 * SEMIBLOCK || len % SEMIBLOCK)) error = HAECHI_ELEN;
    if (error) return haechi_refuse(out, room, error);

    unwrap(inv, block, (uint8_t *)out, (const uint8_t *)in, room / SEMIBLOCK);
    for (size_t i = 0; i < SEMIBLOCK; i++) differs |= block[i] ^ 0xa6;
    haechi_wipe(block, sizeof block);
    haechi_scrub();
    return differs ? haechi_refuse(out, room, HAECHI_EAUTH) : HAECHI_OK;
}

/* ---- With padding: A holds the length of the key, so that it need not be a multiple of 8 bytes. */

static const uint8_t icv2[4] HAECHI_FLASH = { 0xa6, 0x59, 0x59, 0xa6 };

int haechi_kwp_wrap(const haechi_key *k, void *out, const void *in, size_t len)
{
    uint8_t block[16];
    int error = usable(k, 0, out, in, len);
    if (!error && len == 0) error = HAECHI_ELEN;
#if SIZE_MAX > 0xffffffff
    if (!error && len > 0xffffffff) error = HAECHI_ELIMIT;
#endif
    if (error) return haechi_refuse(out, error == HAECHI_ELIMIT ? 0 : HAECHI_KWP_SIZE(len), error);

    place((uint8_t *)out, (const uint8_t *)in, len);
    for (uint8_t i = 0; i < 4; i++) {
        block[i] = HAECHI_READ(icv2[i]);
        block[4 + i] = (uint8_t)((uint32_t)len >> (24 - 8 * i));
    }
    wrap(k, block, (uint8_t *)out, (len + SEMIBLOCK - 1) / SEMIBLOCK);
    haechi_scrub();
    return HAECHI_OK;
}

int haechi_kwp_unwrap(const haechi_key *inv, void *out, size_t *outlen, const void *in, size_t len)
{
    const size_t room = len < SEMIBLOCK ? 0 : len - SEMIBLOCK;
    uint8_t block[16], differs = 0, *const o = (uint8_t *)out;
    uint32_t found = 0;
    int error = usable(inv, HAECHI_INVERSE, out, in, len);
    if (outlen != NULL) *outlen = 0;
    if (!error && outlen == NULL) error = HAECHI_EUSE;
    if (!error && (len < 2 * SEMIBLOCK || len % SEMIBLOCK)) error = HAECHI_ELEN;
    if (error) return haechi_refuse(out, room, error);

    unwrap(inv, block, o, (const uint8_t *)in, room / SEMIBLOCK);
    for (uint8_t i = 0; i < 4; i++) {
        differs = (uint8_t)(differs | (block[i] ^ HAECHI_READ(icv2[i])));
        found = found << 8 | block[4 + i];
    }
    /* The time must not reveal which check failed.  The length must end in the last semiblock, and the bytes after
     * the key must be 0. */
    differs = (uint8_t)(differs | (room - found >= SEMIBLOCK));
    for (size_t i = room - SEMIBLOCK; i < room; i++) differs |= o[i] & (uint8_t)-(i >= found);
    haechi_wipe(block, sizeof block);
    haechi_scrub();
    if (differs) return haechi_refuse(out, room, HAECHI_EAUTH);
    *outlen = (size_t)found;
    return HAECHI_OK;
}

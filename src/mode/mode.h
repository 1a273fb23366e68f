/* mode.h - what the modes share.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_MODE_H
#define HAECHI_MODE_H

#include "../core/bytes.h"
#include "../core/kernel.h"
#include "../haechi_stream.h"

/* The number of blocks that a mode passes to a kernel at once: four batches of 64, so that the cost of a call does
 * not matter.  Microcontrollers take one block at a time. */
#define HAECHI_BATCH (HAECHI_MICRO ? 1 : 256)

/* The number of whole blocks in len bytes, and the bytes behind them.  Where there is no instruction that divides, a build
 * without the compiler's library has no division either: a block has 8 or 16 bytes. */
#if defined(__ARM_ARCH_6M__)
#define HAECHI_WHOLE(len, block) ((len) >> ((block) == 8 ? 3 : 4))
#define HAECHI_REST(len, block) ((len) & ((block) - 1u))
#else
#define HAECHI_WHOLE(len, block) ((len) / (block))
#define HAECHI_REST(len, block) ((len) % (block))
#endif

/* The check that every mode with a stream makes first.  A stream never records a whole block as used. */
static inline int haechi_stream_usable(const haechi_key *k, const haechi_stream *s, const void *out, const void *in,
                                       size_t len)
{
    return s == NULL ? HAECHI_EUSE : haechi_admit(k, s->used, 1, in == NULL ? in : out, len);
}

/* The same check for CMAC, which keeps a whole last block until more bytes come. */
static inline int haechi_cmac_usable(const haechi_key *k, const haechi_cmac *s, const void *buffer, size_t len)
{
    return s == NULL ? HAECHI_EUSE : haechi_admit(k, s->used, 0, buffer, len);
}

#if !HAECHI_MICRO
/* Where each block waits for the one before, a vector that is loaded waits long for two words that have just been stored,
 * and words wait for a vector.  So a block is XORed as crypt of the kernel stores and loads it.  haechi_whole says how: as
 * a word of 8 bytes, as two words, or as a vector. */
enum haechi_whole { HAECHI_WORD, HAECHI_WORDS, HAECHI_WHOLE_VECTOR };

static inline enum haechi_whole haechi_whole_of(const haechi_key *k)
{
    return haechi_block_size(k) == 8 ? HAECHI_WORD : haechi_flags(k) & HAECHI_VECTOR ? HAECHI_WHOLE_VECTOR : HAECHI_WORDS;
}

/* out = a ^ b, of a block. */
static HAECHI_INLINE void haechi_xor_whole(uint8_t *out, const uint8_t *a, const uint8_t *b, enum haechi_whole how)
{
    if (how == HAECHI_WHOLE_VECTOR) {
        *(haechi_two_words *)out = *(const haechi_two_words *)a ^ *(const haechi_two_words *)b;
    } else {
        uint64_t last = how == HAECHI_WORD ? 0 : haechi_load_le64(a + 8) ^ haechi_load_le64(b + 8);
        haechi_store_le64(out, haechi_load_le64(a) ^ haechi_load_le64(b));
        __asm__("" : "+r"(last)); /* Otherwise gcc makes one vector of both words. */
        if (how == HAECHI_WORDS) haechi_store_le64(out + 8, last);
    }
}

/* The copy of a block. */
static HAECHI_INLINE void haechi_copy_whole(uint8_t *out, const uint8_t *in, enum haechi_whole how)
{
    if (how == HAECHI_WHOLE_VECTOR) {
        *(haechi_two_words *)out = *(const haechi_two_words *)in;
    } else {
        uint64_t last = how == HAECHI_WORD ? 0 : haechi_load_le64(in + 8);
        haechi_store_le64(out, haechi_load_le64(in));
        __asm__("" : "+r"(last));
        if (how == HAECHI_WORDS) haechi_store_le64(out + 8, last);
    }
}
#endif

/* Continues a CBC-MAC.  It encrypts a whole block only when more bytes come, because the end of a message may change
 * it. */
void haechi_cbcmac(const haechi_key *k, haechi_cmac *s, const uint8_t *in, size_t len);

#if !HAECHI_MICRO
/* Doubles an element of GF(2^128), or of GF(2^64) whose one word is both high and low (SP 800-38B), without a branch. */
static HAECHI_INLINE void haechi_double(uint64_t *high, uint64_t *low, size_t size)
{
    const uint64_t over = (size == 8 ? 0x1b : 0x87) & ((uint64_t)0 - (*high >> 63));
    *high = *high << 1 | *low >> 63;
    *low = *low << 1 ^ over;
    if (size == 8) *high = *low;
}
#endif

/* l = 2l in GF(2^128) or GF(2^64), the doubling of SP 800-38B, without a branch. */
#if HAECHI_MICRO
static HAECHI_NOINLINE /* Otherwise callers that are short of registers keep a byte of the subkey on the stack. */
#else
static inline
#endif
void haechi_twice(uint8_t *l, uint8_t size)
{
#if HAECHI_MICRO
    const uint8_t poly = size == 8 ? 0x1b : 0x87;
    uint8_t *byte = l + size;
    uint8_t carry = *l >> 7;
    __asm__("" : "+r"(carry)); /* Otherwise clang branches on it. */
    carry = (uint8_t)(poly & -carry);
    do {
        const uint8_t before = *--byte;
        *byte = (uint8_t)(before << 1 ^ carry);
        carry = before >> 7;
    } while (byte != l);
#else
    uint64_t high = haechi_load_be64(l), low = haechi_load_be64(l + size - 8);
    haechi_double(&high, &low, size);
    haechi_store_be64(l, high);
    haechi_store_be64(l + size - 8, low);
#endif
}

/* Ends a CMAC: x becomes the tag.  l is the encrypted block of zeros and is overwritten. */
static HAECHI_INLINE void haechi_cmac_end(const haechi_key *k, haechi_cmac *s, uint8_t *l)
{
    const uint8_t block = haechi_block_size(k);
    uint8_t times = 1;

    if (s->used < block) { /* an incomplete block is padded with 10...0 and takes 4L */
        s->x[s->used] ^= 0x80;
        times = 2;
    }
    do haechi_twice(l, block);
    while (--times);
    haechi_xor_into(s->x, l, block);
    haechi_block(k, s->x);
}

/* haechi_ctr without checks. */
void haechi_ctr_text(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len);

#endif

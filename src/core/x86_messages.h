/* x86_messages.h - a kernel's functions for messages, made of encrypt_all and decrypt_all.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * See x86_batch.h.  The header of a cipher defines
 *
 *     ROUND_KEYS_OF, ROUND_KEY_NAMES   the parameters with the expanded key, and their names alone
 *     encrypt_all, decrypt_all         process n bytes, as encrypt_batches and decrypt_batches do
 *     xex_all                          likewise, as xex_batches does
 *     chain_from                       the vector whose last block is the initial value of CBC mode */
#ifndef HAECHI_X86_MESSAGES_H
#define HAECHI_X86_MESSAGES_H

typedef void crypt_fn(const void *rk, void *buf);

/* A single block goes through the function `one`, which belongs to the kernel in C. */
INLINE void bulk(int W, int inverse, ROUND_KEYS_OF, crypt_fn *one, uint8_t *out, const uint8_t *in, size_t n)
{
    if (n == 1) {
        if (out != in) haechi_copy(out, in, BLOCK_BYTES);
        one(rk, out);
    } else if (inverse) {
        decrypt_all(W, ROUND_KEY_NAMES, NULL, out, in, BLOCK_BYTES * n);
    } else {
        encrypt_all(W, ROUND_KEY_NAMES, NULL, out, in, BLOCK_BYTES * n, NULL);
    }
}

INLINE void cbc(int W, ROUND_KEYS_OF, crypt_fn *one, uint8_t *iv, uint8_t *out, const uint8_t *in, size_t n)
{
    uint8_t last[BLOCK_BYTES];
    if (n == 0) return;
    haechi_copy(last, in + BLOCK_BYTES * (n - 1), BLOCK_BYTES);
    if (n == 1) {
        uint8_t x[BLOCK_BYTES];
        haechi_copy(x, in, BLOCK_BYTES);
        one(rk, x);
        haechi_xor(out, x, iv, BLOCK_BYTES);
    } else {
        V chain = chain_from(iv);
        decrypt_all(W, ROUND_KEY_NAMES, &chain, out, in, BLOCK_BYTES * n);
    }
    haechi_copy(iv, last, BLOCK_BYTES);
}

INLINE void ctr(int W, ROUND_KEYS_OF, crypt_fn *one, uint8_t *counter, uint8_t *left, uint8_t *out, const uint8_t *in,
                size_t n)
{
    COUNTER c = counter_from(counter);
    if (n <= BLOCK_BYTES) {
        uint8_t stream[BLOCK_BYTES];
        haechi_copy(stream, counter, BLOCK_BYTES);
        one(rk, stream);
        if (n < BLOCK_BYTES) haechi_copy(left, stream, BLOCK_BYTES);
        if (in == NULL) haechi_copy(out, stream, n);
        else haechi_xor(out, in, stream, n);
        move_on(&c, 1);
    } else {
        encrypt_all(W, ROUND_KEY_NAMES, &c, out, in, n, left);
    }
    counter_to(counter, &c);
}

/* enc_<size>, dec_<size>, cbc_<size>, ctr_bytes_<size> and ctr_<size>, as core/kernel.h wants them.  The last
 * arguments are the values of ROUND_KEYS_OF. */
#define MESSAGES(size, W, one, inverse_one, ...)                                                             \
    TARGET static void enc_##size(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        bulk(W, 0, __VA_ARGS__, one, (uint8_t *)out, (const uint8_t *)in, n);                                \
    }                                                                                                        \
    TARGET static void dec_##size(const void *rk, void *out, const void *in, size_t n)                       \
    {                                                                                                        \
        bulk(W, 1, __VA_ARGS__, inverse_one, (uint8_t *)out, (const uint8_t *)in, n);                        \
    }                                                                                                        \
    TARGET static void cbc_##size(const void *rk, uint8_t *iv, void *out, const void *in, size_t n)          \
    {                                                                                                        \
        cbc(W, __VA_ARGS__, inverse_one, iv, (uint8_t *)out, (const uint8_t *)in, n);                        \
    }                                                                                                        \
    SHARED void ctr_bytes_##size(const void *rk, uint8_t *counter, uint8_t *left, void *out, const void *in, \
                                 size_t n)                                                                   \
    {                                                                                                        \
        ctr(W, __VA_ARGS__, one, counter, left, (uint8_t *)out, (const uint8_t *)in, n);                     \
    }                                                                                                        \
    TARGET static void ctr_##size(const void *rk, uint8_t *counter, void *out, const void *in, size_t n)     \
    {                                                                                                        \
        if (n) ctr_bytes_##size(rk, counter, NULL, out, in, BLOCK_BYTES * n);                                \
    }

/* xex_<size>, and where it is wanted xex_inv_<size>, likewise. */
#define XEX(name, W, inverse, ...)                                                                           \
    TARGET static void name(const void *rk, void *out, const void *in, const void *before, const void *after, \
                            size_t n)                                                                        \
    {                                                                                                        \
        const struct others others = { NULL, (const uint8_t *)before, (const uint8_t *)after };              \
        xex_all(W, inverse, __VA_ARGS__, &others, (uint8_t *)out, (const uint8_t *)in, BLOCK_BYTES * n);     \
    }
#define XEX_MESSAGE(size, W, ...) XEX(xex_##size, W, 0, __VA_ARGS__)
#define XEX_MESSAGE_INVERSE(size, W, ...) XEX(xex_inv_##size, W, 1, __VA_ARGS__)

#endif

/* x86_batch.h - messages of any length for kernels that encrypt groups of blocks side by side.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * A group is GROUP_VECTORS vectors of blocks.  A batch is N groups, at most MOST.  A group alone spends half of each
 * round waiting for its own results, so groups run side by side.  The header of a cipher includes core/x86.h, defines
 * MOST, GROUP_VECTORS and MAX_GROUPS (the greatest MOST of its kernels), and then
 *
 *     VECTORS(groups, DO)              applies DO to each vector of `groups` groups, the last one first
 *     KEYS, KEY_NAMES                  the parameters of a batch that hold round keys, and their names alone
 *     TO_ROUNDS, FROM_ROUNDS           turn x[], N groups, from the order of memory to that of the rounds and back
 *     ENCRYPT_GROUPS, DECRYPT_GROUPS   apply the cipher to x[] in the order of the rounds
 *     COUNTER                          the type of a counter, with
 *         counter_from, counter_to     convert from and to a counter block in memory
 *         move_on                      returns the counter after n blocks
 *         count                        makes N groups of counters, in the order of the rounds
 *     BATCH(N)                         the functions for N groups, made by ENCRYPT_BATCH and DECRYPT_BATCH
 *     ENCRYPT_BATCH_OF(N) and          their names; W, a constant, may choose between several
 *     DECRYPT_BATCH_OF(N)
 *
 * and includes this file.  Then it defines encrypt_all, decrypt_all and, for blocks of 16 bytes, xex_all, which prepare
 * round keys and call encrypt_batches, decrypt_batches and xex_batches, and includes x86_messages.h. */
#ifndef HAECHI_X86_BATCH_H
#define HAECHI_X86_BATCH_H

/* ---- Memory.  Bytes that do not fill a group go through an array of a group's vectors. */

#define AT(v) (sizeof(V) * (size_t)(v))

SHARED void get_some(V *x, const uint8_t *in, size_t n)
{
    get_blocks(x, GROUP_VECTORS, in, n);
}

SHARED void put_some(uint8_t *out, const V *x, const uint8_t *in, size_t n, uint8_t *left)
{
    put_bytes(out, x, in, n, left);
}

/* Other blocks for those of a message (core/kernel.h, xex), or a chain. */
struct others {
    V *chain;
    const uint8_t *before, *after;
};

/* ---- A batch of n bytes from in to out.  Only the last of its N groups may be incomplete.
 *
 *     With a counter c the batch encrypts counters, and XORs them to the bytes at in unless in is NULL.  Where the
 *     message ends inside a block, left gets that block of the key stream.
 *
 *     With a chain, the vector whose last block is the ciphertext before in, the batch decrypts in CBC mode.
 *
 *     With other blocks, these are XORed before and after the cipher. */

INLINE void batch(int N, int W, int inverse, KEYS, const COUNTER *c, V *chain, uint8_t *out, const uint8_t *in,
                  size_t n, uint8_t *left, const struct others *others)
{
    const size_t last = AT(GROUP_VECTORS * (N - 1)); /* the place of the last group */
    const int whole = n == AT(GROUP_VECTORS * N);
    const uint8_t *const sum = others != NULL ? others->after : c != NULL ? in : NULL; /* what is added to the results */
    V x[GROUP_VECTORS * MAX_GROUPS], some[GROUP_VECTORS + 1];
    (void)W;
    if (c != NULL) {
        count(N, x, c);
    } else {
#define GET(v) x[v] = LOAD(in + AT(v));
        VECTORS(N - 1, GET)
        if (whole) {
            const uint8_t *const from = in + last;
#define GET_LAST(v) x[GROUP_VECTORS * (N - 1) + v] = LOAD(from + AT(v));
            VECTORS(1, GET_LAST)
        } else {
            if (chain != NULL) some[0] = N > 1 ? LOAD(in + last - sizeof(V)) : *chain;
            get_some(some + 1, in + last, n - last);
#define GET_SOME(v) x[GROUP_VECTORS * (N - 1) + v] = some[1 + v];
            VECTORS(1, GET_SOME)
        }
        if (others != NULL && others->before != NULL) {
            const uint8_t *from = others->before;
#define ADD_OTHER(v) x[v] = XOR(x[v], LOAD(from + AT(v)));
            VECTORS(N - 1, ADD_OTHER)
            from += last;
            if (!whole) {
                get_some(some, from, n - last);
                from = (const uint8_t *)some;
            }
#define ADD_OTHER_LAST(v)                                                                                    \
    x[GROUP_VECTORS * (N - 1) + v] = XOR(x[GROUP_VECTORS * (N - 1) + v], LOAD(from + AT(v)));
            VECTORS(1, ADD_OTHER_LAST)
        }
        TO_ROUNDS
    }
    if (inverse) DECRYPT_GROUPS
    else ENCRYPT_GROUPS
    FROM_ROUNDS

#define PUT(v) STORE(out + AT(v), x[v]);
#define PUT_SUM(v) STORE(out + AT(v), XOR(x[v], LOAD(sum + AT(v))));
#define PUT_CHAINED(v) STORE(out + AT(v), XOR(x[v], v ? LOAD(in + AT(v) - BLOCK_BYTES) : first));
#define PUT_ALL(DO)                                                                                          \
    if (whole) { VECTORS(N, DO) } else { VECTORS(N - 1, DO) }
    if (chain != NULL) { /* the last vector first: out may be in, and each vector needs the ciphertext before it */
        const V first = N > 1 || whole ? MOVED_IN(LOAD(in), *chain) : x[0];
        if (whole) *chain = LOAD(in + n - sizeof(V));
        PUT_ALL(PUT_CHAINED)
    } else if (sum != NULL) {
        PUT_ALL(PUT_SUM)
    } else {
        PUT_ALL(PUT)
    }
    if (!whole) {
        V rest[GROUP_VECTORS];
#define PUT_SOME(v) rest[v] = x[GROUP_VECTORS * (N - 1) + v];
        VECTORS(1, PUT_SOME)
        put_some(out + last, rest,
                 chain != NULL ? (const uint8_t *)(some + 1) - BLOCK_BYTES : sum == NULL ? NULL : sum + last,
                 n - last, left);
    }
}

#define ENCRYPT_BATCH(name, N, W)                                                                            \
    SHARED void name(KEYS, const COUNTER *c, uint8_t *out, const uint8_t *in, size_t n, uint8_t *left,       \
                     const struct others *others)                                                            \
    {                                                                                                        \
        batch(N, W, 0, KEY_NAMES, c, NULL, out, in, n, left, others);                                        \
    }
#define DECRYPT_BATCH(name, N, W)                                                                            \
    SHARED void name(KEYS, const struct others *others, uint8_t *out, const uint8_t *in, size_t n)           \
    {                                                                                                        \
        batch(N, W, 1, KEY_NAMES, NULL, others == NULL ? NULL : others->chain, out, in, n, NULL, others);    \
    }
#if MOST >= 5
BATCH(5)
#endif
#if MOST >= 4
BATCH(4)
#endif
#if MOST >= 3
BATCH(3)
#endif
BATCH(2)
BATCH(1)

#if MOST >= 5
#define CASES CASE(5) CASE(4) CASE(3) CASE(2) CASE(1)
#elif MOST >= 4
#define CASES CASE(4) CASE(3) CASE(2) CASE(1)
#elif MOST >= 3
#define CASES CASE(3) CASE(2) CASE(1)
#else
#define CASES CASE(2) CASE(1)
#endif

/* ---- Any number of bytes. */

/* The last groups, at most 2 * MOST - 1, are divided into two halves, because a group alone takes nearly as long as
 * MOST groups. */
INLINE size_t bytes_of_next_batch(size_t n, size_t *groups)
{
    *groups = (n + AT(GROUP_VECTORS) - 1) / AT(GROUP_VECTORS);
    if (*groups > MOST) *groups = *groups < 2 * MOST ? (*groups + 1) / 2 : MOST;
    return *groups * AT(GROUP_VECTORS) < n ? *groups * AT(GROUP_VECTORS) : n;
}

INLINE void encrypt_batches(int W, KEYS, COUNTER *c, uint8_t *out, const uint8_t *in, size_t n, uint8_t *left)
{
    (void)W;
    while (n) {
        size_t groups;
        const size_t m = bytes_of_next_batch(n, &groups);
#define CASE(N) case N: ENCRYPT_BATCH_OF(N)(KEY_NAMES, c, out, in, m, left, NULL); break;
        switch (groups) { CASES }
#undef CASE
        if (c != NULL) move_on(c, (m + BLOCK_BYTES - 1) / BLOCK_BYTES);
        n -= m;
        out += m;
        if (in != NULL) in += m;
    }
}

INLINE void decrypt_batches(int W, KEYS, V *chain, uint8_t *out, const uint8_t *in, size_t n)
{
    const struct others others = { chain, NULL, NULL };
    (void)W;
    while (n) {
        size_t groups;
        const size_t m = bytes_of_next_batch(n, &groups);
#define CASE(N) case N: DECRYPT_BATCH_OF(N)(KEY_NAMES, chain == NULL ? NULL : &others, out, in, m); break;
        switch (groups) { CASES }
#undef CASE
        n -= m;
        out += m;
        in += m;
    }
}

/* The last batch first. */
INLINE void xex_batches(int W, int inverse, KEYS, const struct others *others, uint8_t *out, const uint8_t *in, size_t n)
{
    (void)W;
    while (n) {
        size_t groups;
        const size_t all = (n + AT(GROUP_VECTORS) - 1) / AT(GROUP_VECTORS);
        bytes_of_next_batch(n, &groups);
        const size_t at = (all - groups) * AT(GROUP_VECTORS), m = n - at;
        const struct others here = { NULL, others->before == NULL ? NULL : others->before + at,
                                     others->after + at };
#define CASE(N)                                                                                              \
    case N:                                                                                                  \
        if (inverse) DECRYPT_BATCH_OF(N)(KEY_NAMES, &here, out + at, in + at, m);                            \
        else ENCRYPT_BATCH_OF(N)(KEY_NAMES, NULL, out + at, in + at, m, NULL, &here);                        \
        break;
        switch (groups) { CASES }
#undef CASE
        n = at;
    }
}

#endif

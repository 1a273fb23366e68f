/* threads.c - ECB and counter mode, divided among OpenMP's threads.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Whichever thread is free takes the next piece, so one that other programs keep waiting holds up none.  Counter mode
 * begins each piece with its own counter, the first one plus the number of blocks before it. */
#include "haechi_threads.h"

#include "../src/core/bytes.h"
#include "../src/core/kernel.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* Bytes that are worth a thread; a multiple of what any kernel takes at once, 64 blocks of 16 bytes. */
#if !defined(HAECHI_THREADS_PIECE)
#define HAECHI_THREADS_PIECE 32768
#endif

/* The big-endian counter of so many bytes plus n.  It may be secret: no branch on a carry. */
static void advance(uint8_t *counter, size_t block, uint64_t n)
{
    uint64_t low = haechi_load_be64(counter + block - 8);
    uint64_t high = haechi_load_be64(counter); /* of a block of 8 bytes there is low alone */
    const uint64_t sum = low + n;
    high += ((low & n) | ((low | n) & ~sum)) >> 63;
    haechi_store_be64(counter, high);
    haechi_store_be64(counter + block - 8, sum);
}

/* len bytes, whole blocks, of ECB (s NULL) or counter mode from s on, which is left as it is. */
static int piece(const haechi_key *k, const haechi_stream *s, uint8_t *out, const uint8_t *in, size_t at, size_t len)
{
    haechi_stream mine = { { 0 }, { 0 }, 0 };
    int error;

    if (s == NULL) return haechi_ecb(k, out + at, in + at, len);
    haechi_copy(mine.iv, s->iv, sizeof mine.iv);
    advance(mine.iv, haechi_block_size(k), at / haechi_block_size(k));
    error = haechi_ctr(k, &mine, out + at, in + at, len);
    haechi_wipe(&mine, sizeof mine);
    return error;
}

/* The same divided among threads.  OpenMP may give fewer than it was asked for. */
static int all(const haechi_key *k, const haechi_stream *s, uint8_t *out, const uint8_t *in, size_t len, int threads)
{
#if defined(_OPENMP)
    const long long pieces = (long long)((len + HAECHI_THREADS_PIECE - 1) / HAECHI_THREADS_PIECE);
    int worst = HAECHI_OK;

    if (threads <= 0) threads = omp_get_max_threads();
    if (pieces < threads) threads = (int)pieces;
    if (threads > 1) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(min : worst)
        for (long long i = 0; i < pieces; i++) {
            const size_t at = (size_t)i * HAECHI_THREADS_PIECE, rest = len - at;
            const int error = piece(k, s, out, in, at, rest < HAECHI_THREADS_PIECE ? rest : HAECHI_THREADS_PIECE);
            if (error < worst) worst = error;
        }
        return worst;
    }
#else
    (void)threads;
#endif
    return piece(k, s, out, in, 0, len);
}

int haechi_ecb_threads(const haechi_key *k, void *out, const void *in, size_t len, int threads)
{
    if (haechi_kernel_of(k) == NULL || out == NULL || in == NULL || len % haechi_block_size(k))
        return haechi_ecb(k, out, in, len); /* which refuses, and wipes what it should */
    return all(k, NULL, (uint8_t *)out, (const uint8_t *)in, len, threads);
}

int haechi_ctr_threads(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len, int threads)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    size_t block, head, body;
    int error = haechi_ctr(k, s, out, in, 0); /* whether key and stream are good */

    if (error || out == NULL || in == NULL) return haechi_ctr(k, s, out, in, len);
    block = haechi_block_size(k);
    head = s->used ? block - s->used : 0; /* the rest of the last block */
    if (head > len) head = len;
    error = haechi_ctr(k, s, o, i, head);
    body = (len - head) / block * block;
    if (!error && body) error = all(k, s, o + head, i + head, body, threads);
    if (error) return error;
    advance(s->iv, block, body / block);
    return haechi_ctr(k, s, o + head + body, i + head + body, len - head - body);
}

int haechi_has_threads(void)
{
#if defined(_OPENMP)
    return 1;
#else
    return 0;
#endif
}

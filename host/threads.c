/* threads.c - ECB and counter mode, divided among OpenMP's threads.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each thread processes one contiguous piece of whole blocks, a multiple of the largest batch of a kernel.  In
 * counter mode the counter of a piece is the first counter plus the number of blocks before the piece.  Smaller
 * pieces that free threads take one by one were slower: with ARIA, which is as fast as memory, two x86 cores then
 * gained nothing. */
#include "haechi_threads.h"

#include "../src/core/bytes.h"
#include "../src/core/kernel.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

/* A thread is started for at least so many bytes.  It is also the unit of pieces: 64 blocks of 16 bytes. */
#if !defined(HAECHI_THREADS_WORTH)
#define HAECHI_THREADS_WORTH 32768
#endif
enum { UNIT = 1024 };

/* Adds n to the big-endian counter of `block` bytes.  There is no branch on a carry, because the counter may be
 * secret. */
static void advance(uint8_t *counter, size_t block, uint64_t n)
{
    uint64_t low = haechi_load_be64(counter + block - 8);
    uint64_t high = haechi_load_be64(counter); /* a block of 8 bytes is low alone, which overwrites high */
    const uint64_t sum = low + n;
    high += ((low & n) | ((low | n) & ~sum)) >> 63;
    haechi_store_be64(counter, high);
    haechi_store_be64(counter + block - 8, sum);
}

/* Processes one piece of len bytes, whole blocks, by ECB (if s is NULL) or by counter mode from s on.  It leaves s as
 * it is. */
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

/* Divides the bytes among threads.  OpenMP may give fewer threads than this asks for. */
static int all(const haechi_key *k, const haechi_stream *s, uint8_t *out, const uint8_t *in, size_t len, int threads)
{
#if defined(_OPENMP)
    const size_t most = len / HAECHI_THREADS_WORTH;
    int worst = HAECHI_OK;

    if (threads <= 0) threads = omp_get_max_threads();
    if (most < (size_t)threads) threads = (int)most;
    if (threads > 1) {
#pragma omp parallel num_threads(threads) reduction(min : worst)
        {
            const size_t team = (size_t)omp_get_num_threads(), me = (size_t)omp_get_thread_num();
            const size_t units = len / UNIT, first = units * me / team * UNIT;
            const size_t last = me + 1 == team ? len : units * (me + 1) / team * UNIT;
            if (last > first) worst = piece(k, s, out, in, first, last - first);
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
        return haechi_ecb(k, out, in, len); /* which refuses, and wipes the output if it must */
    return all(k, NULL, (uint8_t *)out, (const uint8_t *)in, len, threads);
}

int haechi_ctr_threads(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len, int threads)
{
    uint8_t *o = (uint8_t *)out;
    const uint8_t *i = (const uint8_t *)in;
    size_t block, head, body;
    int error = haechi_ctr(k, s, out, in, 0); /* checks the key and the stream */

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

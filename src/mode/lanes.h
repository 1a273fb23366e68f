/* lanes.h - many messages in one call, in lanes of the kernel where it has them.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * haechi_work goes through the jobs of a call: jobs.c, jobs_ctr.c and jobs_cmac.c say what is to be done with one of
 * them, and what with a batch of them, each of which has a lane with a key of its own.  All lanes take the same steps:
 * a step gives each lane one block to encrypt.  A lane that has nothing to do encrypts whatever is there. */
#ifndef HAECHI_MODE_LANES_H
#define HAECHI_MODE_LANES_H

#include "../haechi_jobs.h"
#include "mode.h"

struct haechi_batch;

/* The last raw key that was expanded: successive jobs may share it. */
struct haechi_last_key {
    const void *raw;
    int error; /* of its expansion */
    haechi_any_aead room;
};

/* What a call does with its jobs, all of which begin with the pointer to a raw key. */
struct haechi_task {
    haechi_mode *m; /* NULL if there is none */
    haechi_cipher *c;
    uint8_t opens, serial; /* serial: each block waits for the one before */
    size_t size, result; /* of a job; where the int is in it that says what became of it */
    void (*one)(const struct haechi_task *t, void *job, struct haechi_last_key *last);
#if !HAECHI_MICRO
    /* For each of n jobs the number of steps that it takes in a lane, or more, as haechi_kind gives it; 0: it must go
     * alone.  most: of more blocks than this, the kernel encrypts a message by itself as fast. */
    void (*steps)(const struct haechi_task *t, uint8_t *kind, const void *jobs, size_t jobsize, size_t n,
                  size_t block, size_t most);
    void (*side_by_side)(const struct haechi_task *t, struct haechi_batch *b);
#endif
};

/* Does n jobs, as haechi_jobs.h says of jobsize and n.  Returns the first result that is not 0. */
int haechi_work(const struct haechi_task *t, void *jobs, size_t jobsize, size_t n);

/* The length of the cipher's keys, or 0.  The kernels of a cipher differ in speed alone. */
size_t haechi_key_size(haechi_cipher *c);

/* Whether a key was made for this cipher. */
int haechi_is_of(const haechi_key *k, haechi_cipher *c);

/* The key of a job that has a raw key or an expanded one: 0 and *k, or an error.  The caller calls haechi_scrub. */
int haechi_key_of_job(const struct haechi_task *t, const void *raw, const haechi_key *expanded,
                      struct haechi_last_key *last, const haechi_key **k);

static HAECHI_INLINE void *haechi_job_at(const void *jobs, size_t jobsize, size_t i)
{
    return (uint8_t *)jobs + i * jobsize;
}

#if !HAECHI_MICRO

/* Numbers of steps that differ; the last one stands for all greater ones.  A message of more steps than struct haechi_lane
 * counts goes alone. */
#define HAECHI_KINDS 64

static HAECHI_INLINE uint8_t haechi_kind(size_t steps)
{
    if (steps != (uint32_t)steps) return 0;
    return (uint8_t)(steps < HAECHI_KINDS ? steps : HAECHI_KINDS - 1);
}

/* The whole blocks of len bytes.  A division would take longer than all other checks of a job. */
static HAECHI_INLINE size_t haechi_whole_blocks(size_t len, size_t block)
{
    return len >> (block == 16 ? 4 : 3);
}

/* Defines `steps` of struct haechi_task for jobs of a type, from steps_of, which answers for one job. */
#define HAECHI_STEPS(type)                                                                                   \
    static void steps(const struct haechi_task *t, uint8_t *kind, const void *jobs, size_t jobsize,          \
                      size_t n, size_t block, size_t most)                                                   \
    {                                                                                                        \
        for (size_t i = 0; i < n; i++)                                                                       \
            kind[i] = haechi_kind(steps_of(t, (const type *)haechi_job_at(jobs, jobsize, i), block, most));  \
    }

struct haechi_lane {
    /* What haechi_absorb adds to a CBC-MAC: ends[0] if first, whole blocks, and ends[1] if last.  Of a lane that is done before
     * others ends[1] then holds the result. */
    const uint8_t *body;
    uint32_t whole;
    uint8_t first, last, done;
    uint8_t ends[2][16];

    uint8_t derived[16], tag[16]; /* the encrypted block of zeros; the tag */
};

struct haechi_batch {
    uint8_t x[HAECHI_LANES_BLOCKS] __attribute__((__aligned__(64))); /* a block for each lane, or several */
    uint64_t high[HAECHI_LANES], low[HAECHI_LANES]; /* the next counters; a counter of 8 bytes is low */
    struct haechi_lane lane[HAECHI_LANES];
    struct haechi_text text[HAECHI_LANES]; /* for haechi_text_of_lanes */
    const struct haechi_lanes *kernel;
    const void *rk;
    size_t block, n;  /* bytes of a block; lanes with a job */
    void *const *job; /* of each lane */
    int failed;       /* whether a result is not 0 */
};

/* out = a ^ b, of one block.  Vectors are loaded at once from what one store has written, but not from two. */
static HAECHI_INLINE void haechi_xor_block(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t block)
{
    if (block == 16) *(haechi_two_words *)out = *(const haechi_two_words *)a ^ *(const haechi_two_words *)b;
    else haechi_xor(out, a, b, 8);
}

static HAECHI_INLINE void haechi_copy_block(uint8_t *out, const uint8_t *in, size_t block)
{
    if (block == 16) *(haechi_two_words *)out = *(const haechi_two_words *)in;
    else haechi_copy(out, in, 8);
}

/* n bytes, fewer than 16, and zeros after them as a big-endian number.  A block that is filled byte by byte would be loaded late. */
static HAECHI_INLINE void haechi_load_some(uint64_t *high, uint64_t *low, const uint8_t *in, size_t n)
{
    *high = *low = 0;
    if (n >= 8) {
        *high = haechi_load_be64(in);
        if (n > 8) *low = haechi_load_be64(in + n - 8) << 8 * (16 - n);
    } else {
        for (size_t i = 0; i < n; i++) *high |= (uint64_t)in[i] << (56 - 8 * i);
    }
}

static HAECHI_INLINE uint8_t *haechi_block_of(struct haechi_batch *b, size_t i)
{
    return b->x + i * b->block;
}

/* Zeroes the blocks, and encrypts the block in each lane. */
void haechi_clear_lanes(struct haechi_batch *b);
void haechi_crypt_lanes(struct haechi_batch *b);

/* The encrypted block of zeros, to derived. */
void haechi_derive_lanes(struct haechi_batch *b);

/* Continues the CBC-MACs in x with what the lanes name: x = E(x ^ block) for each block. */
void haechi_absorb(struct haechi_batch *b);

/* The CMAC of all lanes, from x = 0 to x: of what begin_cmac has named for each lane.  derived holds L.  With first >= 0
 * a block that is that number precedes the data. */
void haechi_begin_cmac(struct haechi_batch *b, struct haechi_lane *l, int first, const void *in, size_t len);

/* Names the len bytes, filled up with zeros to whole blocks; `ends` is taken for the last one. */
void haechi_begin_padded(struct haechi_batch *b, struct haechi_lane *l, const uint8_t *in, size_t len);

/* Encrypts a counter of each lane to x, and counts on. */
void haechi_crypt_counters(struct haechi_batch *b);

/* Encrypts the text of each lane and counts on. */
void haechi_text_of_lanes(struct haechi_batch *b);

static HAECHI_INLINE void haechi_set_counter(struct haechi_batch *b, size_t i, const uint8_t *counter)
{
    b->high[i] = haechi_load_be64(counter);
    b->low[i] = haechi_load_be64(counter + b->block - 8);
}

#endif
#endif

/* lanes.c - the jobs of a call, one by one or in lanes; and what the modes do in lanes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lanes.h"

size_t haechi_key_size(haechi_cipher *c)
{
    const struct haechi_kernel *const *rung;
    const struct haechi_kernel *kernel;

    if (c == NULL) return 0;
    rung = HAECHI_READ(c->ladder);
    kernel = HAECHI_READ(*rung);
    return HAECHI_READ(kernel->key);
}

int haechi_is_of(const haechi_key *k, haechi_cipher *c)
{
    const struct haechi_kernel *const own = haechi_kernel_of(k);
    const struct haechi_kernel *const *rung;

    if (c == NULL) return 0;
    rung = HAECHI_READ(c->ladder);
#if !HAECHI_MICRO
    while (*rung != NULL && *rung != own) rung++;
#endif
    return HAECHI_READ(*rung) == own;
}

int haechi_key_of_job(const struct haechi_task *t, const void *raw, const haechi_key *expanded,
                      struct haechi_last_key *last, const haechi_key **k)
{
    haechi_key *const own = (haechi_key *)(void *)&last->room;

    *k = raw == NULL ? expanded : own;
    if (raw == NULL) {
        if (haechi_kernel_of(expanded) == NULL) return HAECHI_EKEY;
        return haechi_is_of(expanded, t->c) ? HAECHI_OK : HAECHI_EUSE;
    }
    if (expanded != NULL) return HAECHI_EUSE;
    if (raw != last->raw) {
        last->error = haechi_expand(own, sizeof last->room, t->c, raw, haechi_key_size(t->c));
        last->raw = raw;
    }
    return last->error;
}

static int result_of(const struct haechi_task *t, const void *job)
{
    return *(const int *)(const void *)((const uint8_t *)job + t->result);
}

/* Returns whether a result is not 0. */
static HAECHI_NOINLINE int one_by_one(const struct haechi_task *t, void *jobs, size_t jobsize, const uint8_t *order,
                                      size_t n)
{
    struct haechi_last_key last;
    int failed = 0;

    last.raw = NULL;
    for (size_t i = 0; i < n; i++) {
        void *const job = haechi_job_at(jobs, jobsize, order == NULL ? i : order[i]);
        t->one(t, job, &last);
        failed |= result_of(t, job);
    }
    if (last.raw != NULL) haechi_wipe(&last.room, t->m == NULL ? sizeof(haechi_any_key) : sizeof last.room);
    return failed;
}

#if !HAECHI_MICRO

/* ---- Lanes.  Jobs are taken from a window of successive ones in the order of their steps, so that those of about the
 * same length run side by side. */

enum { WINDOW = 256 }; /* jobs */

/* The n jobs of a window that order names, a batch after the other; what does not fill a batch comes first.  Returns whether a
 * result is not 0. */
static HAECHI_NOINLINE int in_batches(const struct haechi_task *t, const struct haechi_kernel *kernel, void *jobs,
                                      size_t jobsize, const uint8_t *order, size_t n)
{
    const struct haechi_lanes *const lanes = kernel->lanes;
    uint64_t rk[HAECHI_LANES_RK / 8] __attribute__((__aligned__(64)));
    void *job[HAECHI_LANES];
    int failed = 0;
    union {
        struct {
            uint64_t scratch[HAECHI_LANES_SCRATCH / 8] __attribute__((__aligned__(64)));
            const void *key[HAECHI_LANES];
        } before;
        struct haechi_batch batch;
    } room; /* of the expansion of keys, and then of the batch */
    struct haechi_batch *const b = &room.batch;

    for (size_t m; n; n -= m, order += m) {
        m = n % lanes->width != 0 ? n % lanes->width : lanes->width;
        for (size_t i = 0; i < m; i++) {
            job[i] = haechi_job_at(jobs, jobsize, order[i]);
            room.before.key[i] = *(const void **)job[i];
        }
        for (size_t i = m; i < lanes->width; i++) room.before.key[i] = room.before.key[0]; /* lanes without a job */
        lanes->expand(rk, room.before.scratch, room.before.key);
        b->kernel = lanes;
        b->rk = rk;
        b->block = kernel->block;
        b->n = m;
        b->job = job;
        b->failed = 0;
        for (size_t i = 0; t->serial && i < m; i++) {
            struct haechi_lane *const l = &b->lane[i];
            l->whole = 0;
            l->first = l->last = l->done = 0;
        }
        t->side_by_side(t, b);
        failed |= b->failed;
    }
    haechi_wipe(rk, lanes->rk);
    haechi_wipe(&room, sizeof room);
    haechi_scrub_lanes();
    return failed;
}

/* Puts the numbers of n jobs into the order of their kinds, where jobs of a kind keep theirs. Returns how many are of
 * kind 0. */
static size_t sort(uint8_t *order, const uint8_t *kind, size_t n)
{
    uint16_t begins[HAECHI_KINDS + 1] = { 0 };

    for (size_t i = 0; i < n; i++) begins[kind[i] + 1]++;
    for (size_t i = 0; i < HAECHI_KINDS; i++) begins[i + 1] = (uint16_t)(begins[i + 1] + begins[i]);
    for (size_t i = 0; i < n; i++) order[begins[kind[i]]++] = (uint8_t)i;
    return begins[0];
}

/* Whether n jobs, fewer than there are lanes, of at most so many steps are faster in a batch than one by one.  A batch
 * takes as long as a full one.  Where each block waits for the one before, a longer message takes longer in both ways.
 * Elsewhere it takes longer in a batch alone, and of the longest messages two thirds of the lanes must be busy. */
static int worth_a_batch(const struct haechi_task *t, const struct haechi_lanes *lanes, size_t n, size_t steps)
{
    if (n < lanes->few || t->serial) return n >= lanes->few;
    return (n - lanes->few) * 3 * lanes->most >= (size_t)(lanes->width - lanes->few) * 2 * (steps - 1);
}

/* Puts the numbers of n jobs into the order of their steps, where jobs of as many steps keep theirs.  Returns how many of
 * them, the first ones, are to go alone. */
static HAECHI_NOINLINE size_t arrange(const struct haechi_task *t, const struct haechi_kernel *kernel, uint8_t *order,
                                      const void *jobs, size_t jobsize, size_t n)
{
    const struct haechi_lanes *const lanes = kernel->lanes;
    uint8_t kind[WINDOW];
    size_t alone, rest;
    int differ = 0;

    t->steps(t, kind, jobs, jobsize, n, kernel->block, lanes->most);
    for (size_t i = 0; i < n; i++) {
        order[i] = (uint8_t)i;
        differ |= kind[i] ^ kind[0];
    }
    if (differ) alone = sort(order, kind, n);
    else alone = kind[0] == 0 ? n : 0;
    rest = (n - alone) % lanes->width;
    if (rest && !worth_a_batch(t, lanes, rest, kind[order[alone + rest - 1]])) alone += rest;
    return alone;
}

static HAECHI_NOINLINE int window(const struct haechi_task *t, const struct haechi_kernel *kernel, void *jobs,
                                  size_t jobsize, size_t n)
{
    uint8_t order[WINDOW];
    const size_t alone = arrange(t, kernel, order, jobs, jobsize, n);
    int failed = 0;

    if (alone) failed = one_by_one(t, jobs, jobsize, order, alone);
    if (alone < n) failed |= in_batches(t, kernel, jobs, jobsize, order + alone, n - alone);
    return failed;
}
#endif

int haechi_work(const struct haechi_task *t, void *jobs, size_t jobsize, size_t n)
{
    int failed = 0;

    if (n == 0) return HAECHI_OK;
    if (jobs == NULL || jobsize < t->size) return HAECHI_EUSE;
#if HAECHI_MICRO
    failed = one_by_one(t, jobs, jobsize, NULL, n);
#else
    const int never = n < HAECHI_LANES_FEW || t->c == NULL || t->side_by_side == NULL;
    const struct haechi_kernel *const kernel = never ? NULL : haechi_best(t->c);
    const struct haechi_lanes *const lanes = kernel == NULL ? NULL : kernel->lanes;

    if (lanes == NULL || n < lanes->few) {
        failed = one_by_one(t, jobs, jobsize, NULL, n);
    } else {
        for (size_t i = 0; i < n; i += WINDOW)
            failed |= window(t, kernel, haechi_job_at(jobs, jobsize, i), jobsize, n - i < WINDOW ? n - i : WINDOW);
    }
#endif
    for (; failed && n; n--, jobs = haechi_job_at(jobs, jobsize, 1))
        if (result_of(t, jobs) != HAECHI_OK) return result_of(t, jobs);
    return HAECHI_OK;
}

#if !HAECHI_MICRO

/* ---- Steps of all lanes. */

void haechi_clear_lanes(struct haechi_batch *b)
{
    const size_t bytes = b->n * b->block;

    for (size_t i = 0; i < bytes; i += 16) *(haechi_two_words *)(b->x + i) = (haechi_two_words){ 0, 0 };
}

void haechi_crypt_lanes(struct haechi_batch *b)
{
    b->kernel->crypt(b->rk, b->x);
}

void haechi_derive_lanes(struct haechi_batch *b)
{
    haechi_clear_lanes(b);
    haechi_crypt_lanes(b);
    for (size_t i = 0; i < b->n; i++) haechi_copy_block(b->lane[i].derived, haechi_block_of(b, i), b->block);
}

/* Of lanes that all have as many blocks, no lane has to decide which one is next. */
static HAECHI_INLINE void absorb_alike(struct haechi_batch *b, const size_t block, size_t whole, uint32_t first,
                                       uint32_t last)
{
    if (first) {
        for (size_t i = 0; i < b->n; i++) haechi_xor_block(b->x + i * block, b->x + i * block, b->lane[i].ends[0], block);
        haechi_crypt_lanes(b);
    }
    for (size_t at = 0; at < whole * block; at += block) {
        for (size_t i = 0; i < b->n; i++) haechi_xor_block(b->x + i * block, b->x + i * block, b->lane[i].body + at, block);
        haechi_crypt_lanes(b);
    }
    if (last) {
        for (size_t i = 0; i < b->n; i++) haechi_xor_block(b->x + i * block, b->x + i * block, b->lane[i].ends[1], block);
        haechi_crypt_lanes(b);
    }
    for (size_t i = 0; i < b->n; i++) {
        b->lane[i].whole = 0;
        b->lane[i].first = b->lane[i].last = 0;
    }
}

static HAECHI_INLINE void absorb_unlike(struct haechi_batch *b, const size_t block)
{
    size_t most = 0, least = SIZE_MAX;

    for (size_t i = 0; i < b->n; i++) {
        const struct haechi_lane *const l = &b->lane[i];
        const size_t steps = (size_t)l->first + l->whole + l->last;
        if (steps > most) most = steps;
        if (steps < least) least = steps;
    }
    for (size_t step = 0; step < most; step++) {
        for (size_t i = 0; i < b->n; i++) {
            struct haechi_lane *const l = &b->lane[i];
            uint8_t *const x = b->x + i * block;
            const uint8_t *from;
            if (l->first) {
                from = l->ends[0];
                l->first = 0;
            } else if (l->whole) {
                from = l->body;
                l->body += block;
                l->whole--;
            } else if (l->last) {
                from = l->ends[1];
                l->last = 0;
            } else { /* x must not change any more, but the kernel changes it as long as others are busy */
                if (!l->done) haechi_copy_block(l->ends[1], x, block);
                l->done = 1;
                continue;
            }
            haechi_xor_block(x, x, from, block);
        }
        haechi_crypt_lanes(b);
    }
    for (size_t i = 0; least < most && i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        if (l->done) haechi_copy_block(b->x + i * block, l->ends[1], block);
        l->done = 0;
    }
}

static HAECHI_INLINE void absorb(struct haechi_batch *b, const size_t block)
{
    const uint32_t whole = b->lane[0].whole, first = b->lane[0].first, last = b->lane[0].last;
    uint32_t differ = 0;

    for (size_t i = 1; i < b->n; i++)
        differ |= (b->lane[i].whole ^ whole) | (b->lane[i].first ^ first) | (b->lane[i].last ^ last);
    if (differ) absorb_unlike(b, block);
    else if (whole | first | last) absorb_alike(b, block, whole, first, last);
}

void haechi_absorb(struct haechi_batch *b)
{
    if (b->block == 16) absorb(b, 16);
    else absorb(b, 8);
}

static HAECHI_INLINE void begin_cmac(struct haechi_lane *l, int first, const void *in, size_t len, const size_t block)
{
    const uint8_t *const body = (const uint8_t *)in;
    const size_t whole = len ? haechi_whole_blocks(len - 1, block) : 0;
    const size_t rest = len ? len - whole * block : first >= 0 ? block : 0;
    uint8_t *const last = l->ends[1];
    uint64_t high = haechi_load_be64(l->derived), low = haechi_load_be64(l->derived + block - 8);

    l->first = first >= 0 && len != 0;
    l->last = 1;
    l->body = body;
    l->whole = (uint32_t)whole;
    haechi_double(&high, &low, block);
    if (rest < block) haechi_double(&high, &low, block);
    if (len && rest == block) { /* in registers: a vector would be loaded from two words that have just been stored */
        high ^= haechi_load_be64(body + whole * block);
        low ^= haechi_load_be64(body + len - 8);
    } else if (rest < block) {
        uint64_t some_high, some_low;
        haechi_load_some(&some_high, &some_low, body + whole * block, rest);
        if (rest < 8) some_high |= UINT64_C(0x80) << (56 - 8 * rest);
        else some_low |= UINT64_C(0x80) << (120 - 8 * rest);
        high ^= some_high;
        low ^= block == 8 ? some_high : some_low;
    }
    if (first >= 0 && len) {
        haechi_store_be64(l->ends[0], 0);
        haechi_store_be64(l->ends[0] + block - 8, (uint64_t)first);
    } else if (first >= 0) {
        low ^= (uint64_t)first;
    }
    haechi_store_be64(last, high);
    haechi_store_be64(last + block - 8, low);
}

void haechi_begin_cmac(struct haechi_batch *b, struct haechi_lane *l, int first, const void *in, size_t len)
{
    if (b->block == 16) begin_cmac(l, first, in, len, 16);
    else begin_cmac(l, first, in, len, 8);
}

void haechi_begin_padded(struct haechi_batch *b, struct haechi_lane *l, const uint8_t *in, size_t len)
{
    const size_t block = b->block, rest = len & (block - 1);

    l->body = in;
    l->whole = (uint32_t)haechi_whole_blocks(len, block);
    if (rest) {
        uint64_t high, low;
        haechi_load_some(&high, &low, in + len - rest, rest);
        haechi_store_be64(l->ends[1], high);
        haechi_store_be64(l->ends[1] + 8, low);
        l->last = 1;
    }
}

void haechi_crypt_counters(struct haechi_batch *b)
{
    b->kernel->count(b->rk, b->high, b->low, b->x, 1);
}

/* 16 bytes, with the block or the two blocks of a lane, which lie `row` bytes apart. */
static HAECHI_INLINE void xor_16(uint8_t *out, const uint8_t *in, const uint8_t *x, size_t row, const size_t block)
{
    const haechi_two_words two = { haechi_load_le64(x), haechi_load_le64(x + row) };

    *(haechi_two_words *)out = *(const haechi_two_words *)in ^ (block == 16 ? *(const haechi_two_words *)x : two);
}

/* The same of n bytes, whole blocks. */
static HAECHI_INLINE void xor_blocks(uint8_t *out, const uint8_t *in, const uint8_t *x, size_t row, size_t n,
                                     const size_t block)
{
    for (; n >= 16; n -= 16, in += 16, out += 16, x += 16 / block * row) xor_16(out, in, x, row, block);
    if (n) haechi_xor_block(out, in, x, block);
}

/* Lets the kernel add a whole step of key stream.  Jobs are in the order of their steps, so that the last lanes are those whose
 * texts have so many bytes left.  Returns how many lanes remain, the first ones. */
static HAECHI_INLINE size_t add_by_kernel(const struct haechi_batch *b, size_t at, size_t step, size_t shortest,
                                          const size_t block)
{
    size_t lanes = shortest >= at + step ? 0 : b->n;

    while (lanes && b->text[lanes - 1].len >= at + step) lanes--;
    lanes += (b->n - lanes) % 4;
    if (lanes < b->n) b->kernel->add(b->x + lanes * block, b->text + lanes, at, b->n - lanes);
    return lanes;
}

static HAECHI_INLINE void text(struct haechi_batch *b, const size_t block)
{
    const size_t step = b->kernel->ahead * block, row = b->kernel->width * block;
    size_t longest = b->text[0].len, shortest = longest, differ = 0;

    for (size_t i = 1; i < b->n; i++) differ |= b->text[i].len ^ longest;
    for (size_t i = 1; differ && i < b->n; i++) {
        const size_t len = b->text[i].len;
        if (len > longest) longest = len;
        if (len < shortest) shortest = len;
    }
    for (size_t at = 0; at < longest; at += step) {
        const size_t most = longest - at < step ? longest - at : step;
        size_t lanes = b->n;
        b->kernel->count(b->rk, b->high, b->low, b->x, (most + block - 1) / block);
        if (most == step && b->kernel->add != NULL) lanes = add_by_kernel(b, at, step, shortest, block);
        if (shortest >= at + most && most % block == 0) {
            for (size_t i = 0; i < lanes && most == 16; i++)
                xor_16(b->text[i].out + at, b->text[i].in + at, b->x + i * block, row, block);
            for (size_t i = 0; i < lanes && most != 16; i++)
                xor_blocks(b->text[i].out + at, b->text[i].in + at, b->x + i * block, row, most, block);
            continue;
        }
        for (size_t i = 0; i < lanes; i++) {
            const struct haechi_text *const t = &b->text[i];
            const size_t left = t->len <= at ? 0 : t->len - at < most ? t->len - at : most, rest = left % block;
            const uint8_t *const x = b->x + i * block;
            xor_blocks(t->out + at, t->in + at, x, row, left - rest, block);
            if (rest) haechi_xor(t->out + at + left - rest, t->in + at + left - rest, x + left / block * row, rest);
        }
    }
}

void haechi_text_of_lanes(struct haechi_batch *b)
{
    if (b->block == 16) text(b, 16);
    else text(b, 8);
}

#endif

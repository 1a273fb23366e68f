/* jobs_cmac.c - CMAC of many messages in one call: haechi_jobs.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lanes.h"

static void one(const struct haechi_task *t, void *job, struct haechi_last_key *last)
{
    haechi_cmac_job *const j = (haechi_cmac_job *)job;
    const haechi_key *k;
    haechi_cmac s;
    uint8_t l[16];
    int error = haechi_key_of_job(t, j->key, j->expanded, last, &k);

    if (!error) error = haechi_admit(k, 0, 0, j->in, j->len);
    if (!error && j->tag == NULL) error = HAECHI_EUSE;
    if (!error && j->taglen - 1 >= haechi_block_size(k)) error = HAECHI_ELEN;
    if (!error) {
        s = (haechi_cmac){ { 0 }, 0 };
        haechi_cbcmac(k, &s, (const uint8_t *)j->in, j->len);
        haechi_wipe(l, sizeof l);
        haechi_block(k, l);
        haechi_cmac_end(k, &s, l);
        haechi_copy((uint8_t *)j->tag, s.x, j->taglen);
        haechi_wipe(&s, sizeof s);
        haechi_wipe(l, sizeof l);
    } else {
        haechi_wipe(j->tag, j->taglen);
    }
    haechi_scrub();
    j->result = error;
}

#if !HAECHI_MICRO
static size_t steps_of(const struct haechi_task *t, const haechi_cmac_job *j, size_t block, size_t most)
{
    (void)t, (void)most;
    if (j->key == NULL || j->expanded != NULL || j->tag == NULL || (j->in == NULL && j->len)) return 0;
    return j->taglen == 0 || j->taglen > block ? 0 : 1 + haechi_whole_blocks(j->len, block);
}

HAECHI_STEPS(haechi_cmac_job)

static void side_by_side(const struct haechi_task *t, struct haechi_batch *b)
{
    (void)t;
    haechi_derive_lanes(b);
    for (size_t i = 0; i < b->n; i++) {
        const haechi_cmac_job *const j = (const haechi_cmac_job *)b->job[i];
        haechi_begin_cmac(b, &b->lane[i], -1, j->in, j->len);
    }
    haechi_clear_lanes(b);
    haechi_absorb(b);
    for (size_t i = 0; i < b->n; i++) {
        haechi_cmac_job *const j = (haechi_cmac_job *)b->job[i];
        if (j->taglen == b->block) haechi_copy_block((uint8_t *)j->tag, haechi_block_of(b, i), b->block);
        else haechi_copy((uint8_t *)j->tag, haechi_block_of(b, i), j->taglen);
        j->result = HAECHI_OK;
    }
}
#endif

int haechi_cmac_jobs(haechi_cipher *c, haechi_cmac_job *jobs, size_t jobsize, size_t n)
{
    const struct haechi_task t = {
        .c = c, .serial = 1, .one = one, .size = sizeof *jobs, .result = offsetof(haechi_cmac_job, result),
#if !HAECHI_MICRO
        .steps = steps, .side_by_side = side_by_side,
#endif
    };
    return haechi_work(&t, jobs, jobsize, n);
}

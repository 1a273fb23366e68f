/* jobs_ctr.c - counter mode of many messages in one call: haechi_jobs.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "lanes.h"

static void one(const struct haechi_task *t, void *job, struct haechi_last_key *last)
{
    haechi_ctr_job *const j = (haechi_ctr_job *)job;
    const haechi_key *k;
    haechi_stream s;
    int error = haechi_key_of_job(t, j->key, j->expanded, last, &k);

    if (!error && j->counter == NULL) error = HAECHI_EUSE;
    if (!error) error = haechi_admit(k, 0, 1, j->in == NULL ? j->in : j->out, j->len);
    if (!error) {
        s = (haechi_stream){ { 0 }, { 0 }, 0 };
        if (haechi_block_size(k) == 8) haechi_copy(s.iv, (const uint8_t *)j->counter, 8);
        else haechi_copy(s.iv, (const uint8_t *)j->counter, 16);
        haechi_ctr_text(k, &s, j->out, j->in, j->len);
        haechi_wipe(&s, sizeof s);
    } else {
        haechi_wipe(j->out, j->len);
    }
    haechi_scrub();
    j->result = error;
}

#if !HAECHI_MICRO
static size_t steps_of(const struct haechi_task *t, const haechi_ctr_job *j, size_t block, size_t most)
{
    (void)t;
    if (j->key == NULL || j->expanded != NULL || j->counter == NULL) return 0;
    if ((j->in == NULL || j->out == NULL) && j->len) return 0;
    return j->len > most * block ? 0 : 1 + haechi_whole_blocks(j->len, block);
}

HAECHI_STEPS(haechi_ctr_job)

static void side_by_side(const struct haechi_task *t, struct haechi_batch *b)
{
    (void)t;
    for (size_t i = 0; i < b->n; i++) {
        haechi_ctr_job *const j = (haechi_ctr_job *)b->job[i];
        b->text[i] = (struct haechi_text){ (const uint8_t *)j->in, (uint8_t *)j->out, j->len };
        haechi_set_counter(b, i, (const uint8_t *)j->counter);
        j->result = HAECHI_OK;
    }
    haechi_text_of_lanes(b);
}
#endif

int haechi_ctr_jobs(haechi_cipher *c, haechi_ctr_job *jobs, size_t jobsize, size_t n)
{
    const struct haechi_task t = {
        .c = c, .one = one, .size = sizeof *jobs, .result = offsetof(haechi_ctr_job, result),
#if !HAECHI_MICRO
        .steps = steps, .side_by_side = side_by_side,
#endif
    };
    return haechi_work(&t, jobs, jobsize, n);
}

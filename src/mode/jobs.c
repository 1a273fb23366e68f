/* jobs.c - authenticated encryption of many messages in one call: haechi_jobs.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "aead.h"

static void one(const struct haechi_task *t, void *job, struct haechi_last_key *last)
{
    haechi_job *const j = (haechi_job *)job;
    const haechi_aead *a = j->aead;
    int error = HAECHI_OK;

    if (j->key != NULL) {
        if (a != NULL) error = HAECHI_EUSE;
        else if (j->key != last->raw) {
            last->error = haechi_aead_init(&last->room.aead, sizeof last->room, t->m, t->c, j->key, haechi_key_size(t->c));
            last->raw = j->key;
        }
        if (!error) error = last->error;
        a = &last->room.aead;
    } else if (haechi_mode_of(a) != NULL && (haechi_mode_of(a) != t->m || !haechi_is_of(haechi_aead_key(a), t->c))) {
        error = HAECHI_EUSE;
    }
    if (!error) {
        error = haechi_aead_message(a, j->nonce, j->noncelen, j->aad, j->aadlen, j->out, j->in, j->len, j->tag,
                                    j->taglen, t->opens);
    } else {
        if (!t->opens) haechi_wipe(j->tag, j->taglen);
        haechi_wipe(j->out, j->len);
    }
    j->result = error;
}

#if !HAECHI_MICRO
/* What is wrong in a job, `one` finds out. */
static size_t steps_of(const struct haechi_task *t, const haechi_job *j, size_t block, size_t most)
{
    if (j->key == NULL || j->aead != NULL || j->nonce == NULL || j->tag == NULL) return 0;
    if ((j->aad == NULL && j->aadlen) || ((j->in == NULL || j->out == NULL) && j->len)) return 0;
    if (!t->m->fits(j, block) || (!t->serial && j->len > most * block)) return 0;
    return 1 + haechi_whole_blocks(t->serial ? j->len + j->aadlen + j->noncelen : j->len, block);
}

HAECHI_STEPS(haechi_job)

static void side_by_side(const struct haechi_task *t, struct haechi_batch *b)
{
    for (size_t i = 0; i < b->n; i++) {
        const haechi_job *const j = haechi_job_of(b, i);
        b->text[i] = (struct haechi_text){ (const uint8_t *)j->in, (uint8_t *)j->out, j->len };
    }
    t->m->side_by_side(b, t->opens);
}

void haechi_end_lanes(struct haechi_batch *b, uint8_t opens)
{
    for (size_t i = 0; i < b->n; i++) {
        struct haechi_lane *const l = &b->lane[i];
        haechi_job *const j = haechi_job_of(b, i);
        int error = HAECHI_OK;
        if (!opens) {
            if (j->taglen == 16) haechi_copy_block((uint8_t *)j->tag, l->tag, 16);
            else haechi_copy((uint8_t *)j->tag, l->tag, j->taglen);
        } else if ((error = haechi_verify(l->tag, j->tag, j->taglen)) != HAECHI_OK) {
            haechi_wipe(j->out, j->len);
            b->text[i].len = 0;
            b->failed = 1;
        }
        j->result = error;
    }
}

/* Whether this mode takes blocks of this cipher, whose keys then go to lanes. */
static int suit(haechi_mode *m, haechi_cipher *c)
{
    const struct haechi_kernel *const kernel = c == NULL || m == NULL ? NULL : haechi_best(c);

    return kernel != NULL && (kernel->block == 16 || !(m->flags & HAECHI_BLOCK16));
}
#endif

static uint8_t serial(haechi_mode *m)
{
    return m != NULL && HAECHI_READ(m->flags) & HAECHI_SERIAL;
}

static int work(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n, uint8_t opens)
{
    const struct haechi_task t = {
        .m = m, .c = c, .opens = opens, .serial = serial(m), .one = one, .size = sizeof *jobs, .result = offsetof(haechi_job, result),
#if !HAECHI_MICRO
        .steps = steps, .side_by_side = suit(m, c) ? side_by_side : NULL,
#endif
    };
    return haechi_work(&t, jobs, jobsize, n);
}

int haechi_seal_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n)
{
    return work(m, c, jobs, jobsize, n, 0);
}

int haechi_open_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n)
{
    return work(m, c, jobs, jobsize, n, 1);
}

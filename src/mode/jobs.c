/* jobs.c - many messages in one call: haechi_jobs.h.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../haechi_jobs.h"
#include "aead.h"

/* The kernels of a cipher differ in speed alone, so that the first one tells the length of its keys. */
static uint8_t key_size(haechi_cipher *c)
{
    const struct haechi_kernel *const *const rung = HAECHI_READ(c->ladder);
    const struct haechi_kernel *const kernel = HAECHI_READ(*rung);
    return HAECHI_READ(kernel->key);
}

/* Whether haechi_aead_init has made a for this mode and cipher. */
static int is_of(const haechi_aead *a, haechi_mode *m, haechi_cipher *c)
{
    const struct haechi_kernel *const own = haechi_kernel_of(haechi_aead_key(a));
    const struct haechi_kernel *const *rung;

    if (c == NULL || haechi_mode_of(a) != m) return 0;
    rung = HAECHI_READ(c->ladder);
#if !HAECHI_MICRO
    while (*rung != NULL && *rung != own) rung++;
#endif
    return HAECHI_READ(*rung) == own;
}

static int work(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n, uint8_t opens)
{
    haechi_any_aead room;
    const void *expanded = NULL; /* the raw key that room was made of */
    int answer = HAECHI_OK, of_key = HAECHI_OK;

    if (n == 0) return HAECHI_OK;
    if (jobs == NULL || jobsize < sizeof *jobs) return HAECHI_EUSE;
    for (uint8_t *at = (uint8_t *)jobs; n; n--, at += jobsize) {
        haechi_job *const j = (haechi_job *)(void *)at;
        const haechi_aead *a = j->aead;
        int error = HAECHI_OK;

        if (j->key != NULL) {
            if (a != NULL) error = HAECHI_EUSE;
            else if (j->key != expanded) {
                of_key = haechi_aead_init(&room.aead, sizeof room, m, c, j->key, c == NULL ? 0 : key_size(c));
                expanded = j->key;
            }
            if (!error) error = of_key;
            a = &room.aead;
        } else if (haechi_mode_of(a) != NULL && !is_of(a, m, c)) {
            error = HAECHI_EUSE;
        }
        if (!error) {
            error = haechi_aead_message(a, j->nonce, j->noncelen, j->aad, j->aadlen, j->out, j->in, j->len, j->tag,
                                        j->taglen, opens);
        } else {
            if (!opens) haechi_wipe(j->tag, j->taglen);
            haechi_wipe(j->out, j->len);
        }
        j->result = error;
        if (!answer) answer = error;
    }
    if (expanded != NULL) haechi_wipe(&room, sizeof room);
    return answer;
}

int haechi_seal_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n)
{
    return work(m, c, jobs, jobsize, n, 0);
}

int haechi_open_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n)
{
    return work(m, c, jobs, jobsize, n, 1);
}

/* haechi_jobs.h - many messages in one call, each with a key of its own: authenticated encryption, CTR and CMAC.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     haechi_job job[N];                                   // {0}, and then the members that each message has
 *     int error = haechi_open_jobs(&haechi_gcm, &haechi_lea128, job, sizeof *job, N);
 *     for (size_t i = 0; error && i < N; i++) if (job[i].result) report(i, job[i].result);
 *
 * A gateway that serves many devices holds many short messages under many keys.  One call for all of them costs less
 * than a call for each: where the processor has vectors, the library expands raw keys side by side and processes each
 * message in a lane of its own.  It takes messages of about the same length together, whatever their order.  256 and
 * more jobs in a call fill the lanes; few jobs, expanded keys, and GCM and CTR with long messages go one by one. */
#ifndef HAECHI_JOBS_H
#define HAECHI_JOBS_H

#include "haechi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One message.  The members mean what the parameters of haechi_seal and haechi_open mean, and a pointer may be NULL
 * where they allow that. */
typedef struct {
    const void *key;         /* raw: as many bytes as the cipher's key has; or NULL, and */
    const haechi_aead *aead; /* an expanded key, made for the same mode and cipher; NULL if there is a key */
    const void *nonce, *aad, *in;
    void *out, *tag; /* haechi_open_jobs only reads tag */
    size_t noncelen, aadlen, len, taglen;
    int result; /* the call writes 0 or a negative HAECHI_E... here */
} haechi_job;

/* Seal or open n messages with one mode and cipher.  jobsize is the distance in bytes from one job to the next:
 * sizeof(haechi_job), or the size of a structure that begins with a haechi_job and goes on with the caller's members.
 * n may be 0.
 *
 * Return 0 if every result is 0, else the first result that is not.  Each job is all or nothing, and touches no other
 * one: where its result is not 0, the call has zeroed its out (and, sealing, its tag), and the other jobs are done.
 *
 * Results are those of haechi_aead_init and then those of haechi_seal or haechi_open.  HAECHI_EKEY: a job has no key.
 * HAECHI_EUSE: it has both kinds of key, or its aead is of another mode or cipher.  A wrong m or c fails every job: c
 * is NULL (HAECHI_EKEY), or m is NULL, c is an inverse cipher or the mode does not take its blocks (HAECHI_EUSE).
 * If jobsize is smaller than a haechi_job, or jobs is NULL although n is not 0, the call writes nothing and returns
 * HAECHI_EUSE.
 *
 * out may be equal to in of the same job.  Otherwise what the call writes (each out, when sealing each tag, and the
 * jobs) overlaps nothing that a job points to.  Jobs may share keys, nonces, aad and in.  A raw key is expanded once
 * for successive jobs that point to the same one.  The call does not notice that a nonce repeats.
 *
 * The time depends on n, on lengths, on pointers and on results alone.  The call takes at most 32 KB of stack on hosts
 * and leaves nothing secret there, as haechi.h says. */
HAECHI_API int haechi_seal_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n);
HAECHI_API int haechi_open_jobs(haechi_mode *m, haechi_cipher *c, haechi_job *jobs, size_t jobsize, size_t n);

/* One message in counter mode. */
typedef struct {
    const void *key;            /* raw: as many bytes as the cipher's key has; or NULL, and */
    const haechi_key *expanded; /* an expanded key of the same cipher; NULL if there is a key */
    const void *counter, *in;   /* the first counter block, which the call only reads */
    void *out;
    size_t len;
    int result; /* the call writes 0 or a negative HAECHI_E... here */
} haechi_ctr_job;

/* Encrypts or decrypts n messages as haechi_ctr does.  Jobs, results and errors are as above.  HAECHI_EUSE: also, counter
 * is NULL, or c is an inverse cipher. */
HAECHI_API int haechi_ctr_jobs(haechi_cipher *c, haechi_ctr_job *jobs, size_t jobsize, size_t n);

/* One message for CMAC. */
typedef struct {
    const void *key;            /* as in a haechi_ctr_job */
    const haechi_key *expanded;
    const void *in;
    void *tag; /* taglen bytes, at most a block; where result is not 0 the call zeroes it */
    size_t len, taglen;
    int result;
} haechi_cmac_job;

/* Computes the CMACs of n messages.  Whoever verifies them compares by haechi_verify.  Jobs, results and errors are as
 * above; HAECHI_ELEN: taglen is 0 or more than a block. */
HAECHI_API int haechi_cmac_jobs(haechi_cipher *c, haechi_cmac_job *jobs, size_t jobsize, size_t n);

#ifdef __cplusplus
}
#endif
#endif

/* telemetry_gateway.c - measures how many frames the gateway of examples/telemetry takes in a second of CPU time.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * telemetry_gateway <nodes> <database, or -> prints a line "<way> <cipher> <frames> <frames per second>" for each way of opening:
 * jobs, one call of haechi_open_jobs a batch; one-by-one, a key and a call of haechi_open for each frame; and openssl, the same
 * with AES-128 in CCM of OpenSSL.  Every frame is of the next node in a permutation, comes once, and is accepted.  Frames are sealed
 * before the clock runs.  With a database, batches are stored in it. */
#define _POSIX_C_SOURCE 199309L
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gateway.h"

enum { TURNS = 256, STORED_TURNS = 16 }; /* batches */

static struct gateway g;
static EVP_CIPHER_CTX *context;
static struct arrival batches[TURNS][BATCH];

static void one_by_one(enum algorithm a, haechi_job *jobs, size_t n)
{
    static haechi_any_aead key;
    for (size_t i = 0; i < n; i++) {
        haechi_job *j = &jobs[i];
        haechi_aead_init(&key.aead, sizeof key, gateway_mode(a), gateway_cipher(a), j->key, FRAME_KEY);
        j->result = haechi_open(&key.aead, j->nonce, j->noncelen, j->aad, j->aadlen, j->out, j->in, j->len, j->tag, j->taglen);
    }
    haechi_wipe(&key, sizeof key);
}

static int ccm(int seals, haechi_job *j)
{
    int length, good;
    good = EVP_CipherInit_ex(context, EVP_aes_128_ccm(), NULL, NULL, NULL, seals) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)j->noncelen, NULL) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, (int)j->taglen, seals ? NULL : j->tag) &&
           EVP_CipherInit_ex(context, NULL, NULL, j->key, j->nonce, seals) &&
           EVP_CipherUpdate(context, NULL, &length, NULL, (int)j->len) &&
           EVP_CipherUpdate(context, NULL, &length, j->aad, (int)j->aadlen) &&
           EVP_CipherUpdate(context, j->out, &length, j->in, (int)j->len) > 0;
    if (good && seals) good = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, (int)j->taglen, j->tag);
    return good ? 0 : HAECHI_EAUTH;
}

static void openssl(enum algorithm a, haechi_job *jobs, size_t n)
{
    (void)a;
    for (size_t i = 0; i < n; i++) jobs[i].result = ccm(0, &jobs[i]);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void seal(struct arrival *a, const struct node *node, uint32_t counter, int by_openssl)
{
    uint8_t *text = a->frame + FRAME_HEADER;
    haechi_job job = gateway_job(a->frame, FRAME_READING_TEXT, node->key, text);
    frame_begin(a->frame, FRAME_READING, node->number, counter, 0);
    memset(text, 7, FRAME_READING_TEXT);
    a->size = FRAME_HEADER + FRAME_READING_TEXT + FRAME_TAG;
    if (by_openssl ? ccm(1, &job)
                   : haechi_seal_jobs(gateway_mode(node->algorithm), gateway_cipher(node->algorithm), &job, sizeof job, 1))
        exit(1);
}

static uint64_t random_word(void) /* xorshift64; nothing secret */
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    return x ^= x << 17;
}

static void make_nodes(size_t n)
{
    g.n = n;
    g.nodes = calloc(n, sizeof *g.nodes);
    if (!g.nodes) exit(1);
    for (size_t i = 0; i < n; i++) {
        g.nodes[i].number = (uint32_t)(i * 4000);
        for (int k = 0; k < FRAME_KEY; k++) g.nodes[i].key[k] = (uint8_t)random_word();
    }
}

static void measure(const char *way, const char *cipher, enum algorithm a, void (*open)(enum algorithm, haechi_job *, size_t), int turns)
{
    static uint32_t counters[1 << 20];
    double took;
    memset(counters, 0, sizeof counters);
    for (size_t i = 0; i < g.n; i++) {
        g.nodes[i].algorithm = (uint8_t)a;
        g.nodes[i].next = 0;
        g.nodes[i].window = 0;
    }
    for (int t = 0; t < turns; t++) {
        for (int i = 0; i < BATCH; i++) {
            const size_t at = random_word() % g.n;
            seal(&batches[t][i], &g.nodes[at], counters[at]++, open == openssl);
        }
    }
    g.open = open;
    memset(g.verdicts, 0, sizeof g.verdicts);
    took = now();
    for (int t = 0; t < turns; t++) gateway_take(&g, batches[t], BATCH, 1);
    took = now() - took;
    if (g.verdicts[ACCEPTED] != (uint64_t)turns * BATCH) exit(2);
    printf("%s %s %d %.0f\n", way, cipher, turns * BATCH, turns * BATCH / took);
}

int main(int argc, char **argv)
{
    const size_t nodes = argc == 3 ? strtoul(argv[1], NULL, 10) : 0;
    const int stores = argc == 3 && strcmp(argv[2], "-") != 0;
    if (nodes < 1 || nodes > 1 << 20) return 2;
    context = EVP_CIPHER_CTX_new();
    g.rate = UINT32_MAX;
    make_nodes(nodes);
    if (stores && store_open(&g, argv[2])) return 1;
    for (int round = 0; round < (stores ? 3 : 5); round++) {
        const int turns = stores ? STORED_TURNS : TURNS;
        measure("jobs", "LEA-128-CCM", LEA_128_CCM, NULL, turns);
        measure("jobs", "HIGHT-EAX", HIGHT_EAX, NULL, turns);
        measure("one-by-one", "LEA-128-CCM", LEA_128_CCM, one_by_one, turns);
        measure("one-by-one", "HIGHT-EAX", HIGHT_EAX, one_by_one, turns);
        measure("openssl", "AES-128-CCM", LEA_128_CCM, openssl, turns);
    }
    if (stores) store_close(&g);
    EVP_CIPHER_CTX_free(context);
    return 0;
}

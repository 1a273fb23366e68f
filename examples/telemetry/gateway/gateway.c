/* gateway.c - a batch of frames, from their arrival to their verdicts.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "gateway.h"

#include <stdlib.h>
#include <string.h>

static int by_number(const void *number, const void *node)
{
    const uint32_t a = *(const uint32_t *)number, b = ((const struct node *)node)->number;
    return (a > b) - (a < b);
}

struct node *gateway_node(const struct gateway *g, uint32_t number)
{
    return bsearch(&number, g->nodes, g->n, sizeof *g->nodes, by_number);
}

/* ---- The window of counters, as RFC 6479 and IPsec have it. */

static int may_be_new(const struct node *node, uint32_t counter)
{
    const uint32_t back = node->next - 1 - counter;
    if (counter >= node->next) return 1;
    return back < WINDOW && !(node->window >> back & 1);
}

static void mark(struct node *node, uint32_t counter, uint8_t flags)
{
    const uint32_t ahead = counter - node->next;
    if (counter < node->next) { /* late */
        node->window |= 1ull << (node->next - 1 - counter);
        if (node->missing) node->missing--;
        else if (node->skipped) node->skipped--;
        return;
    }
    node->restarts += flags & FRAME_RESTARTED;
    *(flags & FRAME_RESTARTED ? &node->skipped : &node->missing) += ahead;
    node->window = ahead + 1 < WINDOW ? node->window << (ahead + 1) | 1 : 1;
    node->next = counter + 1;
}

/* ---- Before and after the tag. */

static enum verdict before(struct gateway *g, const struct arrival *a, struct node **of, uint32_t second)
{
    const uint8_t *frame = a->frame;
    struct node *node;
    if (a->size != FRAME_HEADER + FRAME_READING_TEXT + FRAME_TAG || frame[0] != FRAME_READING) return MALFORMED;
    *of = node = gateway_node(g, frame_get(frame + 1, 4));
    if (!node) return UNKNOWN;
    if (!may_be_new(node, frame_get(frame + 5, 4))) return REPLAYED;
    if (node->second != second) node->second = second, node->in_second = 0;
    return node->in_second++ < g->rate ? ACCEPTED : FLOODED;
}

haechi_mode *gateway_mode(enum algorithm a) { return a == HIGHT_EAX ? &haechi_eax : &haechi_ccm; }
haechi_cipher *gateway_cipher(enum algorithm a) { return a == HIGHT_EAX ? &haechi_hight : &haechi_lea128; }

haechi_job gateway_job(uint8_t *frame, size_t len, const uint8_t *key, uint8_t *text)
{
    uint8_t *in = frame + FRAME_HEADER;
    haechi_job job = { 0 };
    job.key = key;
    job.nonce = job.aad = frame;
    job.noncelen = FRAME_NONCE;
    job.aadlen = FRAME_HEADER;
    job.in = in;
    job.out = text;
    job.len = len;
    job.tag = in + len;
    job.taglen = FRAME_TAG;
    return job;
}

static void open_jobs(enum algorithm a, haechi_job *jobs, size_t n)
{
    haechi_open_jobs(gateway_mode(a), gateway_cipher(a), jobs, sizeof *jobs, n);
}

/* A node that has obeyed a FRAME_NEW_KEY seals under the new key.  Its first frame says so. */
static int opens_with_next_key(struct gateway *g, struct node *node, struct arrival *a, uint8_t *text)
{
    haechi_job job = gateway_job(a->frame, FRAME_READING_TEXT, node->next_key, text);
    if (!node->pending) return 0;
    (g->open ? g->open : open_jobs)(node->algorithm, &job, 1);
    if (job.result) return 0;
    memcpy(node->key, node->next_key, FRAME_KEY);
    node->pending = node->stored = 0;
    node->version++;
    node->changed = 1;
    return 1;
}

void gateway_take(struct gateway *g, struct arrival *a, size_t n, uint64_t now)
{
    static haechi_job jobs[2][BATCH];
    static uint16_t from[2][BATCH];
    static uint8_t texts[BATCH][FRAME_NEW_KEY_TEXT];
    static struct node *of[BATCH], were[BATCH];
    static uint8_t copied[BATCH];
    size_t many[2] = { 0, 0 };

    for (size_t i = 0; i < n; i++) {
        of[i] = NULL;
        a[i].reply_size = 0;
        a[i].verdict = before(g, &a[i], &of[i], (uint32_t)(now / 1000));
        copied[i] = a[i].verdict == ACCEPTED;
        if (!copied[i]) continue;
        const int which = of[i]->algorithm == HIGHT_EAX;
        from[which][many[which]] = (uint16_t)i;
        jobs[which][many[which]++] = gateway_job(a[i].frame, FRAME_READING_TEXT, of[i]->key, texts[i]);
        were[i] = *of[i];
    }
    for (int which = 0; which < 2; which++) {
        if (many[which]) (g->open ? g->open : open_jobs)(which ? HIGHT_EAX : LEA_128_CCM, jobs[which], many[which]);
        for (size_t k = 0; k < many[which]; k++)
            if (jobs[which][k].result) a[from[which][k]].verdict = FORGED;
    }
    for (size_t i = 0; i < n; i++) { /* in the order of arrival, because a frame may have come twice */
        const uint32_t counter = frame_get(a[i].frame + 5, 4);
        if (a[i].verdict == FORGED && opens_with_next_key(g, of[i], &a[i], texts[i])) a[i].verdict = ACCEPTED;
        if (a[i].verdict != ACCEPTED) continue;
        if (may_be_new(of[i], counter)) {
            mark(of[i], counter, a[i].frame[9]);
            of[i]->changed = 1;
        } else {
            a[i].verdict = REPLAYED;
        }
    }
    if (g->database && store_batch(g, a, texts, of, n, now)) {
        for (size_t i = n; i--;) { /* backwards: the first copy of a node is as it was before the batch */
            if (copied[i]) *of[i] = were[i];
            if (a[i].verdict == ACCEPTED) a[i].verdict = NOT_STORED;
            a[i].reply_size = 0;
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (of[i]) of[i]->changed = 0;
        g->verdicts[a[i].verdict]++;
    }
}

/* aead_message_micro.c - authenticated encryption of a whole message on microcontrollers.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * One loop processes the additional data and then the text, because small code matters most here.  aead_message.c
 * does this work on hosts. */
#include "aead.h"

#if HAECHI_MICRO

/* The arguments of haechi_seal and haechi_open.  They are in memory, because there are too few registers for them. */
struct message {
    const haechi_aead *a;
    const uint8_t *nonce;
    size_t noncelen;
    const uint8_t *aad;
    size_t aadlen;
    uint8_t *out;
    const uint8_t *in;
    size_t len;
    uint8_t *tag;
    size_t taglen;
    uint8_t opens;
    haechi_aead_stream s;
};

/* Compares like haechi_verify, which a program then need not link.  Overwrites x. */
static inline uint8_t differ(uint8_t *x, const uint8_t *y, uint8_t n)
{
    uint8_t d = 0;

    haechi_xor_into(x, y, n);
    for (; n; n--) {
        d |= *x++;
        __asm__ volatile("" : "+r"(d)); /* No compiler may stop at the first difference. */
    }
    return d;
}

static inline int work(struct message *j)
{
    const haechi_key *const k = haechi_aead_key(j->a);
    haechi_mode *m;
    uint8_t mac_first, to = HAECHI_PHASE_TEXT;
    int error;

    if (j->a == NULL) return HAECHI_EKEY;
    if ((j->nonce == NULL && j->noncelen) || (j->aad == NULL && j->aadlen) ||
        ((j->out == NULL || j->in == NULL) && j->len) || j->tag == NULL)
        return HAECHI_EUSE;
    m = (haechi_mode *)j->a->impl;
    if (m == NULL) return HAECHI_EKEY;
    if (j->taglen > 16) return HAECHI_ELEN;
    haechi_wipe(&j->s, sizeof j->s);
    j->s.taglen = (uint8_t)j->taglen;
    j->s.aadlen = j->aadlen;
    j->s.len = j->len;
    error = HAECHI_READ(m->begin)(k, &j->s, j->nonce, j->noncelen);
    if (error) return error;

    mac_first = (uint8_t)(j->opens ^ (HAECHI_READ(m->flags) & HAECHI_MAC_PLAIN));
    do { /* First the aad, then the text as if it were more aad. */
        __asm__("" : "+r"(m)); /* Otherwise gcc holds the addresses of all slots in registers. */
        HAECHI_READ(m->mac)(k, &j->s.mac, j->aad, j->aadlen);
        HAECHI_READ(m->turn)(k, &j->s, to);
        if (to & 1) {
            if (!j->opens) haechi_copy(j->tag, j->s.mask, j->taglen);
            else if (differ(j->s.mask, j->tag, (uint8_t)j->taglen)) return HAECHI_EAUTH;
        }
        if (!((to ^ mac_first) & 1)) {
            HAECHI_READ(m->text)(k, &j->s.text, j->out, j->in, j->len);
            j->in = j->out;
        }
        j->aad = j->in;
        j->aadlen = j->len;
    } while (to++ == HAECHI_PHASE_TEXT);
    return HAECHI_OK;
}

int haechi_aead_message(const haechi_aead *a, const void *nonce, size_t noncelen, const void *aad, size_t aadlen,
                        void *out, const void *in, size_t len, void *tag, size_t taglen, uint8_t opens)
{
    struct message j;
    int error;

    j.a = a;
    j.nonce = (const uint8_t *)nonce;
    j.noncelen = noncelen;
    j.aad = (const uint8_t *)aad;
    j.aadlen = aadlen;
    j.out = (uint8_t *)out;
    j.in = (const uint8_t *)in;
    j.len = len;
    j.tag = (uint8_t *)tag;
    j.taglen = taglen;
    j.opens = opens;
    error = work(&j);
    if (error) {
        haechi_wipe(j.out, j.len);
        if (!j.opens) haechi_wipe(j.tag, j.taglen);
    }
    haechi_wipe(&j, sizeof j);
    return error;
}

#endif

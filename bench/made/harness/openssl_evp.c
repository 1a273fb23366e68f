/* openssl_evp.c - ciphers of several providers through EVP, in turn, in one process.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     openssl_evp enc|dec BYTES[,BYTES...] NAME@PROVIDER...
 *
 * Every side is measured for every length in two ways.  "pieces": one message, of which each update brings so many
 * bytes, as `openssl speed -evp` measures it.  "messages": for each message an IV, one update and the end, of an AEAD
 * with the tag.  The sides take turns for ROUNDS rounds, and the fastest round of each counts, because other programs interrupt
 * some of them.  A line comes out for each: side, way, bytes, millions of bytes a second of CPU time. */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <string.h>

#include "openssl.h"

enum { ROUNDS = 15, MOST = 1 << 16, SIDES = 16 };
#define ROUND 0.004 /* seconds, about */

struct side {
    const char *name;
    EVP_CIPHER_CTX *context;
    int encrypts, aead, ccm;
};

static struct side side(const char *name, int encrypts)
{
    static const unsigned char key[64] = { 1 }, iv[16];
    char algorithm[64], provider[50], query[64];
    struct side s = { name, EVP_CIPHER_CTX_new(), encrypts, 0, 0 };
    EVP_CIPHER *cipher;

    check(sscanf(name, "%63[^@]@%49s", algorithm, provider) == 2, name);
    snprintf(query, sizeof query, "provider=%s", provider);
    cipher = EVP_CIPHER_fetch(NULL, algorithm, query);
    check(cipher != NULL, name);
    s.ccm = EVP_CIPHER_get_mode(cipher) == EVP_CIPH_CCM_MODE;
    s.aead = s.ccm || EVP_CIPHER_get_mode(cipher) == EVP_CIPH_GCM_MODE;
    check(EVP_CipherInit_ex2(s.context, cipher, NULL, NULL, encrypts, NULL), name);
    if (s.ccm) check(EVP_CIPHER_CTX_ctrl(s.context, EVP_CTRL_AEAD_SET_IVLEN, 12, NULL), name);
    if (s.ccm) check(EVP_CIPHER_CTX_ctrl(s.context, EVP_CTRL_AEAD_SET_TAG, 16, NULL), name);
    check(EVP_CipherInit_ex2(s.context, NULL, key, iv, encrypts, NULL), name);
    check(EVP_CIPHER_CTX_set_padding(s.context, 0), name);
    EVP_CIPHER_free(cipher);
    return s;
}

static unsigned char text[MOST + 32];

static void pieces(const struct side *s, int bytes, long count)
{
    static const unsigned char iv[16];
    int n;

    check(EVP_CipherInit_ex2(s->context, NULL, NULL, iv, s->encrypts, NULL), s->name);
    while (count--) check(EVP_CipherUpdate(s->context, text, &n, text, bytes), s->name);
}

static void messages(const struct side *s, int bytes, long count)
{
    static unsigned char iv[16];
    unsigned char tag[16];
    int n;

    while (count--) {
        iv[0]++;
        check(EVP_CipherInit_ex2(s->context, NULL, NULL, iv, s->encrypts, NULL), s->name);
        if (s->ccm) check(EVP_CipherUpdate(s->context, NULL, &n, NULL, bytes), s->name);
        check(EVP_CipherUpdate(s->context, text, &n, text, bytes), s->name);
        check(EVP_CipherFinal_ex(s->context, text + bytes, &n), s->name);
        if (s->aead) check(EVP_CIPHER_CTX_ctrl(s->context, EVP_CTRL_AEAD_GET_TAG, 16, tag), s->name);
    }
}

typedef void work(const struct side *s, int bytes, long count);

static double took(work *f, const struct side *s, int bytes, long count)
{
    const double start = cpu();
    f(s, bytes, count);
    return cpu() - start;
}

static void measure(const struct side *sides, int n, const char *way, work *f, int bytes)
{
    long count[SIDES];
    double best[SIDES];

    for (int i = 0; i < n; i++) {
        double t;
        for (count[i] = 1; (t = took(f, &sides[i], bytes, count[i])) < ROUND / 4; count[i] *= 2) continue;
        count[i] = 1 + (long)((double)count[i] * ROUND / t);
        best[i] = 1e9;
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < n; i++) {
            const double t = took(f, &sides[i], bytes, count[i]) / (double)count[i];
            if (t < best[i]) best[i] = t;
        }
    for (int i = 0; i < n; i++) printf("%s %s %d %.2f\n", sides[i].name, way, bytes, bytes / 1e6 / best[i]);
}

int main(int argc, char **argv)
{
    static struct side sides[SIDES];
    const int n = argc - 3;

    check(n > 0 && n <= SIDES, "usage: openssl_evp enc|dec BYTES[,BYTES...] NAME@PROVIDER...");
    check(OSSL_PROVIDER_load(NULL, "default") && OSSL_PROVIDER_load(NULL, "haechi"), "providers");
    for (int i = 0; i < n; i++) sides[i] = side(argv[3 + i], strcmp(argv[1], "enc") == 0);
    for (char *p = strtok(argv[2], ","); p != NULL; p = strtok(NULL, ",")) {
        const int bytes = atoi(p);
        check(bytes > 0 && bytes <= MOST, p);
        if (!sides[0].ccm) measure(sides, n, "pieces", pieces, bytes); /* CCM has no pieces */
        measure(sides, n, "messages", messages, bytes);
    }
    return 0;
}

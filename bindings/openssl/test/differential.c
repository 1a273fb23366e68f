/* differential.c - random operations through EVP, by OpenSSL's own ARIA and by the provider's: nothing may differ.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     differential SEED ROUNDS
 *
 * A round draws a mode and key size, key, IV, associated data and text, whether to pad, how the text is cut into
 * pieces, which pieces are worked on in place, and after which piece the context is duplicated and the first one
 * freed.  Both providers encrypt, and each decrypts what it made itself.  Results, lengths and tags must agree, and so
 * must whether a call was refused.  The exit code is 0 if they do; otherwise the round is printed. */
#include <openssl/evp.h>
#include <openssl/provider.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 700, ROOM = TEXT + 64, PIECES = 24 };

/* xorshift64*, so that a round can be drawn again. */
static uint64_t state;
static uint32_t draw(uint32_t below)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 0x2545f4914f6cdd1dULL) >> 33) % below;
}

static void fill(uint8_t *p, size_t n)
{
    while (n--) *p++ = (uint8_t)draw(256);
}

struct operation {
    char name[24];
    int mode; /* EVP_CIPH_..._MODE */
    int bits, pads, ivlen, taglen, pieces, duplicate;
    uint8_t key[32], iv[64], aad[80], text[TEXT];
    size_t aadlen, len, piece[PIECES];
    uint8_t in_place[PIECES];
};

struct result {
    int done; /* every call was */
    uint8_t text[ROOM], tag[16];
    size_t len;
};

static int aead(const struct operation *o)
{
    return o->mode == EVP_CIPH_GCM_MODE || o->mode == EVP_CIPH_CCM_MODE;
}

/* The next piece, apart or in place. */
static int piece(EVP_CIPHER_CTX *c, uint8_t *out, int *n, const uint8_t *in, size_t len, int in_place)
{
    uint8_t room[ROOM];
    int done;

    if (!in_place) return EVP_CipherUpdate(c, out, n, in, (int)len);
    memcpy(room, in, len);
    done = EVP_CipherUpdate(c, room, n, room, (int)len);
    if (done && *n > 0) memcpy(out, room, (size_t)*n);
    return done;
}

/* OpenSSL's own ECB and CBC overwrite input that they have still to read where a piece in place follows bytes that wait
 * for the rest of their block: those pieces are worked on apart. */
static void run(const struct operation *o, const EVP_CIPHER *cipher, int ours, int encrypts, const uint8_t *text, size_t len,
                const uint8_t *tag, struct result *r)
{
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    const int in_place = ours || (o->mode != EVP_CIPH_ECB_MODE && o->mode != EVP_CIPH_CBC_MODE);
    size_t at = 0;
    int n = 0, done = EVP_CipherInit_ex2(c, cipher, NULL, NULL, encrypts, NULL);

    memset(r, 0, sizeof *r);
    if (aead(o)) {
        done = done && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_IVLEN, o->ivlen, NULL);
        if (o->mode == EVP_CIPH_CCM_MODE || !encrypts)
            done = done && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_SET_TAG, o->taglen, encrypts ? NULL : (void *)tag);
    }
    done = done && EVP_CipherInit_ex2(c, NULL, o->key, o->iv, encrypts, NULL);
    done = done && EVP_CIPHER_CTX_set_padding(c, o->pads);
    if (o->mode == EVP_CIPH_CCM_MODE) done = done && EVP_CipherUpdate(c, NULL, &n, NULL, (int)len);
    if (aead(o) && o->aadlen) done = done && EVP_CipherUpdate(c, NULL, &n, o->aad, (int)o->aadlen);
    if (o->mode == EVP_CIPH_CCM_MODE) {
        done = done && piece(c, r->text, &n, text, len, o->in_place[0]);
        r->len = done ? (size_t)n : 0;
        at = len;
    }
    for (int i = 0; done && at < len; i++) {
        const size_t wanted = i < o->pieces ? o->piece[i] : len - at, k = wanted < len - at ? wanted : len - at;
        done = piece(c, r->text + r->len, &n, text + at, k, in_place && o->in_place[i % PIECES]);
        if (done) r->len += (size_t)n;
        at += k;
        if (i == o->duplicate) {
            EVP_CIPHER_CTX *const copy = EVP_CIPHER_CTX_new();
            done = done && EVP_CIPHER_CTX_copy(copy, c);
            EVP_CIPHER_CTX_free(c);
            c = copy;
        }
    }
    done = done && EVP_CipherFinal_ex(c, r->text + r->len, &n);
    if (done) r->len += (size_t)n;
    if (aead(o) && encrypts) done = done && EVP_CIPHER_CTX_ctrl(c, EVP_CTRL_AEAD_GET_TAG, o->taglen, r->tag);
    r->done = done;
    EVP_CIPHER_CTX_free(c);
}

static void draw_operation(struct operation *o)
{
    static const struct {
        const char *name;
        int mode;
    } modes[] = {
        { "ECB", EVP_CIPH_ECB_MODE },  { "CBC", EVP_CIPH_CBC_MODE },  { "CTR", EVP_CIPH_CTR_MODE },
        { "OFB", EVP_CIPH_OFB_MODE },  { "CFB", EVP_CIPH_CFB_MODE },  { "CFB8", EVP_CIPH_CFB_MODE },
        { "CFB1", EVP_CIPH_CFB_MODE }, { "GCM", EVP_CIPH_GCM_MODE },  { "CCM", EVP_CIPH_CCM_MODE },
    };
    static const int gcm_tags[] = { 4, 8, 12, 13, 14, 15, 16 };
    const uint32_t m = draw(sizeof modes / sizeof *modes);

    o->mode = modes[m].mode;
    o->bits = 128 + 64 * (int)draw(3);
    snprintf(o->name, sizeof o->name, "ARIA-%d-%s", o->bits, modes[m].name);
    fill(o->key, sizeof o->key);
    fill(o->iv, sizeof o->iv);
    fill(o->aad, sizeof o->aad);
    fill(o->text, sizeof o->text);
    o->pads = (int)draw(2);
    o->len = draw(4) ? draw(80) : draw(TEXT);
    if (o->mode == EVP_CIPH_CBC_MODE && !o->pads && draw(8)) o->len -= o->len % 16;
    o->aadlen = draw(2) ? draw(sizeof o->aad) : 0;
    o->ivlen = o->mode == EVP_CIPH_CCM_MODE ? 7 + (int)draw(7) : draw(2) ? 12 : 1 + (int)draw(64);
    o->taglen = o->mode == EVP_CIPH_CCM_MODE ? 4 + 2 * (int)draw(7) : gcm_tags[draw(7)];
    o->pieces = (int)draw(PIECES);
    for (int i = 0; i < PIECES; i++) {
        o->piece[i] = draw(3) ? draw(40) : draw(300);
        o->in_place[i] = (uint8_t)draw(2);
    }
    o->duplicate = (int)draw(6);
}

static int differ(const struct result *a, const struct result *b, const struct operation *o)
{
    if (a->done != b->done) return 1;
    if (!a->done) return 0;
    return a->len != b->len || memcmp(a->text, b->text, a->len) || memcmp(a->tag, b->tag, (size_t)o->taglen);
}

int main(int argc, char **argv)
{
    static struct operation o;
    static struct result made[2], back;
    const long rounds = argc == 3 ? strtol(argv[2], NULL, 0) : 0;
    OSSL_PROVIDER *const theirs = OSSL_PROVIDER_load(NULL, "default"), *const own = OSSL_PROVIDER_load(NULL, "haechi");

    if (rounds < 1 || theirs == NULL || own == NULL) {
        fprintf(stderr, "usage: differential SEED ROUNDS, with OPENSSL_MODULES naming the folder of haechi.so\n");
        return 2;
    }
    state = strtoull(argv[1], NULL, 0) * 2 + 1;
    for (long i = 0; i < rounds; i++) {
        const char *wrong = NULL;
        int at = 0;
        draw_operation(&o);
        for (int side = 0; side < 2; side++) {
            EVP_CIPHER *const cipher = EVP_CIPHER_fetch(NULL, o.name, side ? "provider=haechi" : "provider=default");
            if (cipher == NULL) {
                fprintf(stderr, "%s: no such cipher\n", o.name);
                return 2;
            }
            run(&o, cipher, side, 1, o.text, o.len, NULL, &made[side]);
            if (made[side].done) {
                run(&o, cipher, side, 0, made[side].text, made[side].len, made[side].tag, &back);
                if (!back.done || back.len != o.len || memcmp(back.text, o.text, o.len)) wrong = "decryption", at = side;
                if (aead(&o)) {
                    made[side].tag[draw((uint32_t)o.taglen)] ^= (uint8_t)(1u << draw(8));
                    run(&o, cipher, side, 0, made[side].text, made[side].len, made[side].tag, &back);
                    if (back.done) wrong = "a forged tag was taken";
                    memset(made[side].tag, 0, sizeof made[side].tag);
                    run(&o, cipher, side, 1, o.text, o.len, NULL, &made[side]);
                }
            }
            EVP_CIPHER_free(cipher);
        }
        if (wrong == NULL && differ(&made[0], &made[1], &o)) wrong = "encryption";
        if (wrong != NULL) {
            printf("round %ld, %s, side %d: %s (length %zu, iv %d, aad %zu, tag %d, padding %d; done %d and %d, made %zu and %zu)\n",
                   i, o.name, at, wrong, o.len, o.ivlen, o.aadlen, o.taglen, o.pads, made[0].done, made[1].done, made[0].len,
                   made[1].len);
            return 1;
        }
    }
    return !(OSSL_PROVIDER_unload(own) && OSSL_PROVIDER_unload(theirs));
}

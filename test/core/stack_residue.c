/* stack_residue.c - calls every public function on a stack of its own, and searches that stack for secrets.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Secrets are keys, round keys, what a mode derives from a key, plaintext and the state of a generator.  For each
 * call that leaves 8 successive bytes of one below the stack pointer the program prints a line: cipher, call,
 * features, secret, depth in bytes.  The exit code is 1 if there is such a line.
 *
 * -DPLANT: one of the calls copies its key to a buffer and forgets it there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi.h"
#include "haechi_cpu.h"
#include "haechi_jobs.h"
#include "haechi_legacy.h"
#include "haechi_random.h"
#include "haechi_stream.h"

enum { STACK = 1 << 17, STACK_OF_JOBS = 32 * 1024 /* haechi_jobs.h */, MOST = 1100, SLOTS = 1 << 15 };

static uint8_t stack[STACK] __attribute__((aligned(64)));

/* ---- The secrets: the hashes of all their windows of 8 bytes. */

static struct {
    uint64_t window;
    const char *name;
} windows[SLOTS];

static unsigned slot(uint64_t w)
{
    return (unsigned)(w * UINT64_C(0x9e3779b97f4a7c15) >> 49);
}

static void secret(const char *name, const void *p, size_t n)
{
    const uint8_t *b = (const uint8_t *)p;
    for (size_t i = 0; i + 8 <= n; i++) {
        uint64_t w;
        unsigned at, zeros = 0;
        memcpy(&w, b + i, 8);
        for (int j = 0; j < 8; j++) zeros += b[i + (size_t)j] == 0;
        if (zeros > 1) continue; /* the unused end of an object, or a pointer in it */
        for (at = slot(w); windows[at].name != NULL && windows[at].window != w; at = (at + 1) % SLOTS) continue;
        windows[at].window = w;
        windows[at].name = name;
    }
}

/* ---- The calls. */

static uint8_t key[64], text[MOST], out[MOST + 16], back[MOST + 16], iv[16], tag[16];
static haechi_any_key forward, inverse;
static haechi_any_xts xts, xts_inverse;
static haechi_any_aead aead;
static haechi_aead_stream piece;
static haechi_stream at;
static haechi_cmac mac;
static haechi_cmac_subkey subkey;
static haechi_drbg drbg;
static haechi_cipher *cipher, *cipher_inverse;
static haechi_mode *mode;
static haechi_drbg_kind *kind;
static size_t keylen, block, len, noncelen, unwrapped;
static int error;

/* Many messages in one call: so many that they fill the 64 lanes of any kernel twice and some go one by one.  Only the second may
 * be forged.  Each has a part of the text and one of two keys. */
enum { JOBS = 131 };
static uint8_t tags[JOBS][16];

static size_t part(int i)
{
    return len * (size_t)i / JOBS;
}

static int with_jobs(int opens, uint8_t *to, const uint8_t *from, size_t aadlen)
{
    static haechi_job jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i].key = key + i % 2, jobs[i].nonce = text, jobs[i].noncelen = noncelen;
        jobs[i].aad = iv, jobs[i].aadlen = i == 1 ? aadlen : 16;
        jobs[i].in = from + part(i), jobs[i].out = to + part(i), jobs[i].len = part(i + 1) - part(i);
        jobs[i].tag = tags[i], jobs[i].taglen = 8;
    }
    return (opens ? haechi_open_jobs : haechi_seal_jobs)(mode, cipher, jobs, sizeof *jobs, JOBS);
}

static int with_ctr_jobs(void)
{
    static haechi_ctr_job jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i].key = key + i % 2, jobs[i].counter = iv;
        jobs[i].in = text + part(i), jobs[i].out = out + part(i), jobs[i].len = part(i + 1) - part(i);
    }
    return haechi_ctr_jobs(cipher, jobs, sizeof *jobs, JOBS);
}

static int with_cmac_jobs(void)
{
    static haechi_cmac_job jobs[JOBS];
    for (int i = 0; i < JOBS; i++) {
        jobs[i].key = key + i % 2, jobs[i].in = text + part(i), jobs[i].len = len - part(i);
        jobs[i].tag = tags[i], jobs[i].taglen = 8;
    }
    return haechi_cmac_jobs(cipher, jobs, sizeof *jobs, JOBS);
}

#define CALLS(CALL)                                                                                          \
    CALL(init, haechi_init(&forward.key, sizeof forward, cipher, key, keylen))                               \
    CALL(init_inverse, haechi_init(&inverse.key, sizeof inverse, cipher_inverse, key, keylen))               \
    CALL(ecb, haechi_ecb(&forward.key, out, text, len / block * block))                                      \
    CALL(ecb_inverse, haechi_ecb(&inverse.key, back, out, len / block * block))                              \
    CALL(cbc_encrypt, haechi_cbc_encrypt(&forward.key, iv, out, text, len / block * block))                  \
    CALL(cbc_decrypt, haechi_cbc_decrypt(&inverse.key, iv, back, out, len / block * block))                  \
    CALL(ctr, haechi_ctr(&forward.key, &at, out, text, len))                                                 \
    CALL(ofb, haechi_ofb(&forward.key, &at, out, text, len))                                                 \
    CALL(cfb_encrypt, haechi_cfb_encrypt(&forward.key, &at, out, text, len))                                 \
    CALL(cfb_decrypt, haechi_cfb_decrypt(&forward.key, &at, back, out, len))                                 \
    CALL(cfb8_encrypt, haechi_cfb8_encrypt(&forward.key, iv, out, text, len))                                \
    CALL(cfb8_decrypt, haechi_cfb8_decrypt(&forward.key, iv, back, out, len))                                \
    CALL(cfb1_encrypt, haechi_cfb1_encrypt(&forward.key, iv, out, text, len < 100 ? len : 100))              \
    CALL(cts_encrypt, haechi_cbc_cts_encrypt(&forward.key, iv, 3, out, text, len))                           \
    CALL(cts_decrypt, haechi_cbc_cts_decrypt(&inverse.key, iv, 3, back, out, len))                           \
    CALL(cmac_update, haechi_cmac_update(&forward.key, &mac, text, len))                                     \
    CALL(cmac_tag, haechi_cmac_tag(&forward.key, &mac, tag, 8))                                              \
    CALL(cmac_derive, haechi_cmac_derive(&forward.key, &subkey))                                             \
    CALL(cmac_message, haechi_cmac_message(&forward.key, &subkey, text, len, tag, 8))                        \
    CALL(ctr_jobs, with_ctr_jobs())                                                                          \
    CALL(cmac_jobs, with_cmac_jobs())
#define WIDE_CALLS(CALL)                                                                                     \
    CALL(cfb64_encrypt, haechi_cfb64_encrypt(&forward.key, &at, out, text, len))                             \
    CALL(cfb64_decrypt, haechi_cfb64_decrypt(&forward.key, &at, back, out, len))                             \
    CALL(kw_wrap, haechi_kw_wrap(&forward.key, out, text, len / 8 * 8))                                      \
    CALL(kw_unwrap, haechi_kw_unwrap(&inverse.key, back, out, len / 8 * 8 + 8))                              \
    CALL(kwp_wrap, haechi_kwp_wrap(&forward.key, out, text, len))                                            \
    CALL(kwp_unwrap, haechi_kwp_unwrap(&inverse.key, back, &unwrapped, out, HAECHI_KWP_SIZE(len)))           \
    CALL(xts_init, haechi_xts_init(&xts.xts, sizeof xts, cipher, cipher, key, 2 * keylen))                   \
    CALL(xts_init_inverse, haechi_xts_init(&xts_inverse.xts, sizeof xts, cipher_inverse, cipher, key, 2 * keylen)) \
    CALL(xts_encrypt, haechi_xts_encrypt(&xts.xts, iv, out, text, len))                                      \
    CALL(xts_decrypt, haechi_xts_decrypt(&xts_inverse.xts, iv, back, out, len))
#define AEAD_CALLS(CALL)                                                                                     \
    CALL(aead_init, haechi_aead_init(&aead.aead, sizeof aead, mode, cipher, key, keylen))                    \
    CALL(seal, haechi_seal(&aead.aead, text, noncelen, iv, 16, out, text, len, tag, 8))                      \
    CALL(open, haechi_open(&aead.aead, text, noncelen, iv, 16, back, out, len, tag, 8))                      \
    CALL(open_forged, haechi_open(&aead.aead, text, noncelen, iv, 15, back, out, len, tag, 8))               \
    CALL(seal_jobs, with_jobs(0, out, text, 16))                                                             \
    CALL(open_jobs, with_jobs(1, back, out, 16))                                                             \
    CALL(open_jobs_forged, with_jobs(1, back, out, 15))                                                      \
    CALL(aead_begin, haechi_aead_begin(&aead.aead, &piece, text, noncelen, 16, len, 8))                      \
    CALL(aead_aad, haechi_aead_aad(&aead.aead, &piece, iv, 16))                                              \
    CALL(aead_encrypt, haechi_aead_encrypt(&aead.aead, &piece, out, text, len))                              \
    CALL(aead_tag, haechi_aead_tag(&aead.aead, &piece, tag, 8))                                              \
    CALL(aead_begin_again, haechi_aead_begin(&aead.aead, &piece, text, noncelen, 16, len, 8))                \
    CALL(aead_aad_again, haechi_aead_aad(&aead.aead, &piece, iv, 16))                                        \
    CALL(aead_decrypt, haechi_aead_decrypt(&aead.aead, &piece, back, out, len))                              \
    CALL(aead_verify, haechi_aead_verify(&aead.aead, &piece, tag, 8))
#define DRBG_CALLS(CALL)                                                                                     \
    CALL(drbg_init, haechi_drbg_init(&drbg, kind, 0, key, keylen, key + 32, 16, text, 20))                   \
    CALL(drbg_reseed, haechi_drbg_reseed(&drbg, key + 16, keylen, text, 20))                                 \
    CALL(drbg_read, haechi_drbg_read(&drbg, out, len < 1024 ? len : 1024, text, 20))                         \
    CALL(random, haechi_random(out, len))

#define CALL(name, expression)                                                                               \
    static void run_##name(void)                                                                             \
    {                                                                                                        \
        error = expression;                                                                                  \
    }
CALLS(CALL)
WIDE_CALLS(CALL)
AEAD_CALLS(CALL)
DRBG_CALLS(CALL)
#undef CALL
#ifdef PLANT
static void run_plant(void)
{
    volatile uint8_t copy[16];
    for (int i = 0; i < 16; i++) copy[i] = key[i];
}
#endif

struct call {
    const char *name;
    void (*run)(void);
};
#define CALL(name, expression) { #name, run_##name },
static const struct call calls[] = { CALLS(CALL) { NULL, NULL } }, wide_calls[] = { WIDE_CALLS(CALL) { NULL, NULL } },
                         aead_calls[] = { AEAD_CALLS(CALL) { NULL, NULL } }, drbg_calls[] = { DRBG_CALLS(CALL)
#ifdef PLANT
    { "plant", run_plant },
#endif
    { NULL, NULL } };

static void on_stack(void (*run)(void))
{
    void *top = stack + STACK;
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %0, %%rsp\n\tcall *%1\n\tmovq %%rbx, %%rsp"
                     : "+a"(top), "+d"(run)
                     :
                     : "rbx", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15",
                       "memory", "cc");
}

static int look(const char *of, const char *name)
{
    size_t from = 0;
    int found = 0;
    memset(windows, 0, sizeof windows);
    secret("key", key, sizeof key);
    secret("round keys", &forward.key + 1, sizeof forward - sizeof forward.key);
    secret("round keys (inverse)", &inverse.key + 1, sizeof inverse - sizeof inverse.key);
    secret("round keys (XTS)", &xts.xts + 1, sizeof xts - sizeof xts.xts);
    secret("hash key", aead.aead.derived, sizeof aead.aead.derived);
    secret("generator", drbg.state, sizeof drbg.state);
    secret("text", text, sizeof text);
    secret("deciphered", back, sizeof back);
    while (from < STACK && stack[from] == 0xa5) from++;
    for (; from + 8 <= STACK; from++) {
        uint64_t w;
        memcpy(&w, stack + from, 8);
        for (unsigned i = slot(w); windows[i].name != NULL; i = (i + 1) % SLOTS)
            if (windows[i].window == w) {
                if (!found) printf("%s %s features %04x len %zu: %s at depth", of, name, (unsigned)haechi_features(), len, windows[i].name);
                if (!found || (getenv("ALL") != NULL)) printf(" %zu", STACK - from);
                found = 1;
                break;
            }
    }
    if (found) printf("\n");
    return found;
}

static int run(const char *of, const struct call *c)
{
    size_t lowest;
    int found = 0;
    for (; c->name != NULL; c++) {
        memset(stack, 0xa5, STACK);
        memset(iv, 0x3c, sizeof iv), memset(&at, 0, sizeof at);
        error = 0;
        on_stack(c->run);
        if (error != (strstr(c->name, "_forged") == NULL ? HAECHI_OK : HAECHI_EAUTH)) {
            printf("%s %s answers %d\n", of, c->name, error);
            exit(2);
        }
        for (lowest = 0; lowest < STACK && stack[lowest] == 0xa5;) lowest++;
        if (strstr(c->name, "_jobs") != NULL && STACK - lowest > STACK_OF_JOBS) {
            printf("%s %s takes %zu bytes of stack\n", of, c->name, STACK - lowest);
            exit(2);
        }
        found |= look(of, c->name);
    }
    return found;
}

int main(void)
{
    static const struct {
        const char *name;
        haechi_cipher *forward, *inverse;
        haechi_drbg_kind *kind;
        size_t key, block;
    } ciphers[] = { { "lea128", &haechi_lea128, &haechi_lea128_inv, &haechi_drbg_lea128, 16, 16 },
                    { "lea192", &haechi_lea192, &haechi_lea192_inv, &haechi_drbg_lea192, 24, 16 },
                    { "lea256", &haechi_lea256, &haechi_lea256_inv, &haechi_drbg_lea256, 32, 16 },
                    { "hight", &haechi_hight, &haechi_hight_inv, &haechi_drbg_hight, 16, 8 },
                    { "aria128", &haechi_aria128, &haechi_aria128_inv, &haechi_drbg_aria128, 16, 16 },
                    { "aria192", &haechi_aria192, &haechi_aria192_inv, &haechi_drbg_aria192, 24, 16 },
                    { "aria256", &haechi_aria256, &haechi_aria256_inv, &haechi_drbg_aria256, 32, 16 } };
    static const uint32_t limits[] = { UINT32_MAX, HAECHI_SSSE3 | HAECHI_AESNI | HAECHI_PCLMUL | HAECHI_AVX2, HAECHI_SSSE3, 0 };
    static const size_t lengths[] = { 16, 24, 70, 350, MOST };
    int found = 0;

    for (size_t f = 0; f < sizeof limits / sizeof *limits; f++) {
        haechi_features_limit(limits[f]);
        for (size_t c = 0; c < sizeof ciphers / sizeof *ciphers; c++) {
            uint32_t x = 12345 + (uint32_t)c;
            for (size_t i = 0; i < sizeof key + MOST; i++) {
                x = x * 1664525 + 1013904223;
                *(i < sizeof key ? key + i : text + i - sizeof key) = (uint8_t)(x >> 24);
            }
            cipher = ciphers[c].forward, cipher_inverse = ciphers[c].inverse, kind = ciphers[c].kind;
            keylen = ciphers[c].key, block = ciphers[c].block;
            for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
                static haechi_mode *const modes[] = { &haechi_eax, &haechi_gcm, &haechi_ccm };
                static const char *const names[] = { "eax", "gcm", "ccm" };
                char of[32];
                len = lengths[l];
                memset(&mac, 0, sizeof mac);
                found |= run(ciphers[c].name, calls);
                if (block == 16) found |= run(ciphers[c].name, wide_calls);
                for (int m = 0; m < (block == 16 ? 3 : 1); m++)
                    for (noncelen = 12; noncelen <= (m == 2 ? 12 : 20); noncelen += 8) {
                        mode = modes[m];
                        sprintf(of, "%s %s", ciphers[c].name, names[m]);
                        found |= run(of, aead_calls);
                    }
                found |= run(ciphers[c].name, drbg_calls);
            }
        }
    }
    return found;
}

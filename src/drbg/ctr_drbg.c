/* ctr_drbg.c - CTR_DRBG (SP 800-90A revision 1, 10.2.1), with and without derivation function.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The function Generate returns the key stream of counter mode from V + 1 on.  Update XORs the next bytes of this key
 * stream and the provided data, and the result is the new Key and V, which lie side by side.  On hosts all of this is
 * haechi_ctr.  The key is expanded once for both.
 *
 * The derivation function runs its chains side by side and reads each input where it is, so that no buffer holds all
 * inputs together.  Its key, the key that it derives and the working key are expanded into the same room one after
 * another.
 *
 * On microcontrollers this file calls kernels without the checks that modes make, because its buffers are whole
 * blocks at even addresses.  -DHAECHI_DRBG_NO_CACHE, for measuring, leaves out the kernels' counter modes and the
 * kinds' constants.
 *
 * HIGHT on AVR takes 352 bytes of stack with hight_c: 138 for the expanded key, 24 for the seed. */
#include "../core/bytes.h"
#include "kind.h"

typedef char state_fits_64_bytes[sizeof(haechi_drbg) <= 64 ? 1 : -1];

#define FRESH 0x80u                          /* in flags: nothing has been read since the last reseed */
#define LONGEST (SIZE_MAX / 2 & 0x3fffffffu) /* bytes of an input; the sum of three fits into 32 bits */

struct haechi_drbg_job { /* the arrays come last, because AVR reaches 64 bytes by one instruction */
    haechi_drbg *d;
    haechi_key *k;
    size_t room;
    uint8_t *seed;
    uint8_t first;              /* the state is still zeros */
    uint8_t given;              /* there is input, as always except in some reads */
    uint8_t read;
    uint8_t key, block, chains; /* copied from the kind */
    int error;
    uint8_t *out;
    size_t len;
    struct input {
        const uint8_t *p;
        size_t n;
    } in[3]; /* entropy, nonce, personalisation or additional input */
#if HAECHI_MICRO
    void (*crypt)(const void *rk, void *buf);
    uint8_t ctr[16];
    uint32_t stream[4]; /* at an address that suits any kernel */
#else
    haechi_stream s;
#endif
};

/* haechi_init cannot fail for the kinds of this library.  The error is kept nevertheless, because a generator without
 * a key would return zeros. */
static void load(struct haechi_drbg_job *j, const uint8_t *key)
{
    j->error |= haechi_init(j->k, j->room, HAECHI_READ(j->d->kind->cipher), key, j->key);
#if HAECHI_MICRO
    if (!j->error) j->crypt = HAECHI_READ(haechi_kernel_of(j->k)->crypt);
#endif
}

/* Expands a second key into the same room. */
static void load_next(struct haechi_drbg_job *j, const uint8_t *key)
{
#if HAECHI_MICRO
    HAECHI_READ(haechi_kernel_of(j->k)->expand)(j->k + 1, key);
#else
    load(j, key);
#endif
}

/* Computes to ^= from over n bytes. */
static void mix(uint8_t *to, const uint8_t *from, uint8_t n)
{
    for (; n; n--) *to++ ^= *from++;
}

/* Copies a block, whose size is a multiple of eight. */
static void copy_block(uint8_t *to, const uint8_t *from, uint8_t block)
{
    for (; block; block = (uint8_t)(block - 8)) {
        *to++ = *from++, *to++ = *from++, *to++ = *from++, *to++ = *from++;
        *to++ = *from++, *to++ = *from++, *to++ = *from++, *to++ = *from++;
    }
}

/* Copies n bytes, at least one, from flash. */
static void from_flash(uint8_t *to, const uint8_t *from, uint8_t n)
{
#if defined(__AVR_HAVE_LPMX__) /* 8 cycles a byte, where gcc takes 13 */
    uint8_t x;
    __asm__ volatile("1:\tlpm %[x], Z+\n\tst X+, %[x]\n\tdec %[n]\n\tbrne 1b"
                     : "+z"(from), "+x"(to), [n] "+r"(n), [x] "=&r"(x)
                     :
                     : "memory");
#else
    for (; n; n--, from++) *to++ = HAECHI_READ(*from);
#endif
}

/* ---- The derivation function (10.3.2). */

/* XORs n bytes, at least one, to every chain, `at` bytes from the chain's beginning. */
static void mix_chains(const struct haechi_drbg_job *j, uint8_t at, const uint8_t *from, uint8_t n)
{
    uint8_t *to = j->seed + at, c = j->chains;
#if defined(__AVR_HAVE_MOVW__) /* 7 cycles a byte and 3 for eight; gcc takes 12 */
    uint8_t step = (uint8_t)(j->block - n), left, x, y;
#define ONE "ld %[x], X+\n\tld %[y], Z\n\teor %[x], %[y]\n\tst Z+, %[x]\n\t"
    __asm__ volatile("1:\tmovw r26, %[from]\n\t"
                     "mov %[left], %[n]\n\t"
                     "subi %[left], 8\n\t"
                     "brcs 3f\n"
                     "2:\t" ONE ONE ONE ONE ONE ONE ONE ONE "subi %[left], 8\n\t"
                     "brcc 2b\n"
                     "3:\tsubi %[left], -8\n\t"
                     "breq 5f\n"
                     "4:\t" ONE "dec %[left]\n\t"
                     "brne 4b\n"
                     "5:\tadd r30, %[step]\n\t"
                     "adc r31, __zero_reg__\n\t"
                     "dec %[c]\n\t"
                     "brne 1b"
                     : "+z"(to), [c] "+r"(c), [left] "=&d"(left), [x] "=&r"(x), [y] "=&r"(y)
                     : [from] "r"(from), [n] "r"(n), [step] "r"(step)
                     : "r26", "r27", "memory");
#undef ONE
#else
    for (; c; c--, to += j->block) mix(to, from, n);
#endif
}

/* Encrypts n blocks in place. */
static void encrypt(struct haechi_drbg_job *j, uint8_t *p, uint8_t n)
{
#if HAECHI_MICRO
    void (*const crypt)(const void *, void *) = j->crypt;
    const void *const rk = haechi_round_keys(j->k);
    const uint8_t block = j->block;
    do {
        crypt(rk, p);
        p += block;
    } while (--n);
#else
    haechi_blocks(j->k, p, p, n);
#endif
}

static void derive(struct haechi_drbg_job *j)
{
    const uint8_t *constants = HAECHI_READ(j->d->kind->constants), *from;
    const uint8_t block = j->block, chains = j->chains, key = j->key;
    uint8_t *const seed = j->seed, *to = seed, *const end = seed + (uint8_t)(chains * block);
    uint8_t head[8] = { 0 }, at = 0, n;
    const struct input *in = j->in;
    uint32_t length = (uint32_t)in[0].n + (uint32_t)in[1].n + (uint32_t)in[2].n;

    for (n = 0; n < key; n++) *to++ = n;
    load(j, seed);
    if (j->error) return;
    to = seed;
    if (constants != NULL) {
        from_flash(to, constants, (uint8_t)(end - to));
    } else {
        haechi_wipe(to, (size_t)(end - to));
        for (to += 3, n = 0; n < chains; n++, to += block) *to = n;
        encrypt(j, seed, chains);
    }

    /* The string S is the input of every chain (BCC, 10.3.3). */
    for (n = 4; n; length >>= 8) head[--n] = (uint8_t)length;
    head[7] = (uint8_t)(key + block);
    mix_chains(j, 0, head, 8);
    if (block == 8) encrypt(j, seed, chains);
    else at = 8;
    for (; in != j->in + 3; in++) {
        const uint8_t *p = in->p;
        size_t more = in->n;
        while (more) {
            const uint8_t left = (uint8_t)(block - at), m = (uint8_t)(more < left ? more : left);
            mix_chains(j, at, p, m);
            p += m, more -= m;
            at = (uint8_t)(at + m);
            if (at == block) {
                at = 0;
                encrypt(j, seed, chains);
            }
        }
    }
    for (to = seed + at, n = chains; n; n--, to += block) *to ^= 0x80; /* the rest of the block is zeros */
    encrypt(j, seed, chains);

    load_next(j, seed);
    from = seed + key; /* the block X; it is needed only until the next block overwrites it */
    for (to = seed; to != end; from = to, to += block) {
        copy_block(to, from, block);
        encrypt(j, to, 1);
    }
}

/* ---- The state. */

#if HAECHI_MICRO

/* ctr = from + 1.  There is no branch on a carry, because V is secret. */
static void count(uint8_t *ctr, const uint8_t *from, uint8_t block)
{
    uint16_t carry = 1;
    ctr += block, from += block;
    for (; block; block--, carry >>= 8) {
        carry = (uint16_t)(carry + *--from);
        *--ctr = (uint8_t)carry;
    }
}

/* Sets the counter to V + 1. */
static void begin(struct haechi_drbg_job *j, const uint8_t *v)
{
    count(j->ctr, v, j->block);
}

/* Writes key stream.  haechi_ctr could do this too, but it has twice the code and is slower here. */
static void generate(struct haechi_drbg_job *j, uint8_t *p, size_t len)
{
    const struct haechi_kernel *kernel = haechi_kernel_of(j->k);
    uint8_t *const stream = (uint8_t *)j->stream;
    const uint8_t block = j->block;

    if (j->error) return;
#if !defined(HAECHI_DRBG_NO_CACHE)
    if (len >= block && HAECHI_READ(kernel->ctr) != NULL && !(HAECHI_READ(kernel->flags) & HAECHI_ALIGN)) {
        const size_t n = len & ~(size_t)(block - 1u); /* without a division, because a block has 8 or 16 bytes */
        HAECHI_READ(kernel->ctr)(haechi_round_keys(j->k), j->ctr, p, NULL, n >> (block == 8 ? 3 : 4));
        p += n, len -= n;
    }
#endif
    while (len) {
        const uint8_t m = (uint8_t)(len < block ? len : block);
        copy_block(stream, j->ctr, block);
        count(j->ctr, j->ctr, block);
        j->crypt(haechi_round_keys(j->k), stream);
        haechi_copy(p, stream, m);
        p += m, len -= m;
    }
}

#else

static void begin(struct haechi_drbg_job *j, const uint8_t *v)
{
    uint16_t carry = 1; /* there is no branch on it, because V is secret */
    for (uint8_t i = j->block; i-- > 0; carry >>= 8) {
        carry = (uint16_t)(carry + v[i]);
        j->s.iv[i] = (uint8_t)carry;
    }
}

static void generate(struct haechi_drbg_job *j, uint8_t *p, size_t len)
{
    if (j->error) return;
    haechi_wipe(p, len);
    j->s.used = 0; /* drops what the last call left over of its last block */
    j->error = haechi_ctr(j->k, &j->s, p, p, len);
}

#endif

static void start(struct haechi_drbg_job *j)
{
    load(j, j->d->state);
    begin(j, j->d->state + j->key);
}

/* Generates whole blocks, because counter mode is faster for these, and state has room for the whole blocks of every
 * kind. */
static void update(struct haechi_drbg_job *j)
{
    const uint8_t whole = (uint8_t)(j->chains * j->block), size = (uint8_t)(j->key + j->block);
    generate(j, j->d->state, whole);
    if (j->given) mix(j->d->state, j->seed, size);
    haechi_wipe(j->d->state + size, (uint8_t)(whole - size));
}

/* Computes the seed from the inputs. */
static void seed_material(struct haechi_drbg_job *j)
{
    if (!(j->d->flags & HAECHI_DRBG_NO_DF)) {
        derive(j);
        return;
    }
    haechi_wipe(j->seed, (size_t)(j->chains * j->block));
    for (uint8_t i = 0; i < 3; i++) mix(j->seed, j->in[i].p, (uint8_t)j->in[i].n);
}

/* Runs Update with the seed. */
static void seed_state(struct haechi_drbg_job *j)
{
    const uint8_t *const constants = HAECHI_READ(j->d->kind->constants);
    const uint8_t size = (uint8_t)(j->key + j->block);

    if (j->first && constants != NULL) {
        from_flash(j->d->state, constants + j->chains * j->block, size);
        mix(j->d->state, j->seed, size);
    } else {
        start(j);
        update(j);
    }
}

static void extract(struct haechi_drbg_job *j)
{
    start(j);
    generate(j, j->out, j->len);
}

int haechi_drbg_work(struct haechi_drbg_job *j, haechi_key *k, size_t room, uint8_t *seed)
{
    j->k = k, j->room = room, j->seed = seed;
    if (j->given) {
        seed_material(j);
        seed_state(j);
    }
    if (j->read) {
        extract(j);
        update(j);
    }
    return j->error;
}

/* ---- The calls. */

/* Checks that the inputs are such as the flags allow. */
static int check(struct haechi_drbg_job *j, haechi_drbg_kind *kind, unsigned flags)
{
    size_t longest = LONGEST, entropy, nonce;

    for (uint8_t i = 0; i < 3; i++)
        if (j->in[i].n && j->in[i].p == NULL) return HAECHI_EUSE;
    if (kind == NULL) return HAECHI_EKEY;
    entropy = j->key = HAECHI_READ(kind->key);
    nonce = entropy / 2;
    j->block = HAECHI_READ(kind->block);
    j->chains = HAECHI_READ(kind->chains);
    if (flags & HAECHI_DRBG_NO_DF) {
        longest = entropy = (size_t)(j->key + j->block);
        nonce = 0;
        if (!j->read && j->in[0].n != entropy) return HAECHI_ELEN;
        if (j->in[1].n) return HAECHI_ELEN;
    }
    if (!j->read && j->in[0].n < entropy) return HAECHI_ELEN;
    if (j->first && j->in[1].n < nonce) return HAECHI_ELEN;
    for (uint8_t i = 0; i < 3; i++)
        if (j->in[i].n > longest) return HAECHI_ELIMIT;
    return HAECHI_OK;
}

void haechi_drbg_wipe(void *p, size_t len)
{
    uint8_t *b = (uint8_t *)p;
    for (; len % 8; len--) *b++ = 0;
    for (; len; len -= 8, b += 8) b[0] = b[1] = b[2] = b[3] = b[4] = b[5] = b[6] = b[7] = 0;
    __asm__ volatile("" : : "r"(p) : "memory");
}

/* Does the job and wipes what is left of it. */
static int run(struct haechi_drbg_job *j)
{
    const int error = HAECHI_READ(j->d->kind->run)(j);
    if (error) haechi_wipe(j->d, sizeof *j->d);
    haechi_drbg_wipe(j, sizeof *j);
    return error;
}

int haechi_drbg_init(haechi_drbg *d, haechi_drbg_kind *kind, unsigned flags, const void *entropy,
                     size_t entropylen, const void *nonce, size_t noncelen, const void *person,
                     size_t personlen)
{
    struct haechi_drbg_job j = { .d = d,
                                 .in = { { (const uint8_t *)entropy, entropylen },
                                         { (const uint8_t *)nonce, noncelen },
                                         { (const uint8_t *)person, personlen } },
                                 .first = 1,
                                 .given = 1 };
    int error = HAECHI_EUSE;

    if (d == NULL || flags & ~(unsigned)(HAECHI_DRBG_NO_DF | HAECHI_DRBG_PREDICTION_RESISTANCE)) goto fail;
    error = check(&j, kind, flags);
    if (error) goto fail;
    haechi_wipe(d, sizeof *d);
    d->kind = kind;
    d->count = 1;
    d->flags = (uint8_t)flags;
    return run(&j);

fail:
    if (d != NULL) haechi_wipe(d, sizeof *d);
    return error;
}

int haechi_drbg_reseed(haechi_drbg *d, const void *entropy, size_t entropylen, const void *add, size_t addlen)
{
    struct haechi_drbg_job j = { .d = d,
                                 .in = { { (const uint8_t *)entropy, entropylen },
                                         { NULL, 0 },
                                         { (const uint8_t *)add, addlen } },
                                 .given = 1 };
    int error = check(&j, d == NULL ? NULL : d->kind, d == NULL ? 0 : d->flags);

    if (error) return error;
    d->count = 1;
    d->flags |= FRESH;
    return run(&j);
}

int haechi_drbg_read(haechi_drbg *d, void *out, size_t len, const void *add, size_t addlen)
{
    struct haechi_drbg_job j = { .d = d,
                                 .in = { { NULL, 0 }, { NULL, 0 }, { (const uint8_t *)add, addlen } },
                                 .out = (uint8_t *)out,
                                 .len = len,
                                 .given = addlen != 0,
                                 .read = 1 };
    int error = HAECHI_EUSE;

    if (len != 0 && out == NULL) goto fail;
    error = check(&j, d == NULL ? NULL : d->kind, d == NULL ? 0 : d->flags);
    if (error) goto fail;
    error = HAECHI_ELIMIT;
    if (len > (j.block == 8 ? UINT32_C(1) << 10 : UINT32_C(1) << 16)) goto fail; /* 10.2.1, table 3 */
    error = HAECHI_ERESEED;
    if (d->count == UINT32_MAX) goto fail;
    if (d->flags & HAECHI_DRBG_PREDICTION_RESISTANCE) { /* 9.3.1, step 7 */
        if (!(d->flags & FRESH)) goto fail;
        error = HAECHI_EUSE;
        if (addlen) goto fail;
    }
    d->count++;
    d->flags &= (uint8_t)~FRESH;
    error = run(&j);
    if (error == HAECHI_OK) return HAECHI_OK;

fail:
    if (out != NULL) haechi_wipe(out, len);
    return error;
}

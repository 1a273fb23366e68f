/* kernel_runner.c - compares every slot of a host's kernels with the portable kernel of the same cipher.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     kernel_runner lengths FIRST LAST STEP    messages of FIRST to LAST blocks, at addresses that change with the length;
 *                                              and lanes
 *     kernel_runner edges FIRST LAST STEP      the same with the input at the end of an array, for AddressSanitizer
 *     kernel_runner places BLOCKS              all 64 x 64 positions of input and output in a cache line
 *     kernel_runner carries BLOCKS             counters whose carry ends in each byte, or runs out of the first
 *
 * -DKERNELS=X(lea_x86_avx2_128,lea_c_128)... names each kernel and the one with which it must agree.
 * Prints a line for each kernel: "NAME ok", or "NAME skipped" where this CPU lacks what it needs; exits with 1 at the first
 * difference, which stderr describes.
 *
 * -DTAINT: under valgrind, key, data and counter count as undefined, so that a branch or address that depends on
 * them is an error.
 * -DSIMDE: the instructions are plain C (simde/immintrin.h), so the CPU's features do not matter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "haechi_cpu.h"
#include "core/kernel.h"
#include "taint.h"

enum { MOST = 1100, GUARD = 64, ROOM = MOST * 16 + 2 * GUARD + 64 };

typedef struct haechi_kernel kernel;
#define X(name, portable) extern const kernel haechi_##name, haechi_##portable;
KERNELS
#undef X

static const struct {
    const char *name;
    const kernel *kernel, *portable;
} tests[] = {
#define X(name, portable) { #name, &haechi_##name, &haechi_##portable },
    KERNELS
#undef X
};

static const char *name; /* the kernel under test */
static const kernel *it, *portable;
static uint64_t rk[100], portable_rk[100];
static uint8_t from[ROOM] __attribute__((__aligned__(64))), to[ROOM] __attribute__((__aligned__(64)));
static uint8_t plain[MOST * 16], wanted[MOST * 16], stream[MOST * 16];
static uint8_t before[ROOM], after[ROOM];

static uint8_t drawn(void)
{
    static uint32_t state = 1;
    state = state * 1664525 + 1013904223;
    return (uint8_t)(state >> 24);
}

static void draw(uint8_t *p, size_t n)
{
    while (n--) *p++ = drawn();
}

static void differs(const char *what, size_t n, size_t in, size_t out)
{
    fprintf(stderr, "%s: %s differs: %zu blocks, input at 64k + %zu, output at 64k + %zu\n", name, what, n, in, out);
    exit(1);
}

/* Checks what was written at to + GUARD + place, and that nothing was written around it. */
static void check_bytes(const char *what, const uint8_t *expected, size_t bytes, size_t in, size_t out)
{
    const size_t end = GUARD + out + bytes, n = (bytes + it->block - 1) / it->block;
    PUBLIC(to, sizeof to);
    if (memcmp(to + GUARD + out, expected, bytes)) differs(what, n, in, out);
    for (size_t i = 0; i < GUARD; i++)
        if (to[GUARD + out - 1 - i] != 0xa5 || to[end + i] != 0xa5) differs("the surroundings of what is written", n, in, out);
}

static void check(const char *what, const uint8_t *expected, size_t n, size_t in, size_t out)
{
    check_bytes(what, expected, n * it->block, in, out);
}

static void prepare_bytes(size_t bytes, size_t in, size_t out, int in_place)
{
    memset(to, 0xa5, 2 * GUARD + out + bytes);
    memcpy(in_place ? to + GUARD + out : from + in, plain, bytes);
    SECRET(in_place ? to + GUARD + out : from + in, bytes);
}

static void prepare(size_t n, size_t in, size_t out, int in_place)
{
    prepare_bytes(n * it->block, in, out, in_place);
}

static void ecb(size_t n, size_t in, size_t out)
{
    portable->bulk(portable_rk, wanted, plain, n);
    prepare(n, in, out, 0);
    it->bulk(rk, to + GUARD + out, from + in, n);
    check("bulk", wanted, n, in, out);
    prepare(n, in, out, 1);
    it->bulk(rk, to + GUARD + out, to + GUARD + out, n);
    check("bulk in place", wanted, n, in, out);
    if (n == 0) return;
    prepare(1, in, out, 1);
    it->crypt(rk, to + GUARD + out);
    check("crypt", wanted, 1, in, out);
}

static void cbc(const uint8_t *first, size_t n, size_t in, size_t out)
{
    const size_t block = it->block;
    portable->bulk(portable_rk, wanted, plain, n);
    for (size_t i = 0; i < n * block; i++) wanted[i] ^= i < block ? first[i] : plain[i - block];
    for (int in_place = 0; in_place < 2; in_place++) {
        uint8_t iv[16];
        memcpy(iv, first, block);
        SECRET(iv, block);
        prepare(n, in, out, in_place);
        it->cbc(rk, iv, to + GUARD + out, in_place ? to + GUARD + out : from + in, n);
        check(in_place ? "cbc in place" : "cbc", wanted, n, in, out);
        PUBLIC(iv, block);
        if (memcmp(iv, n ? plain + (n - 1) * block : first, block)) differs("the iv after cbc", n, in, out);
    }
}

/* Whether the blocks before and after the cipher are XORed, with the input where xex allows it.  Two ways are those of CFB
 * decryption: nothing comes before, what comes after is the ciphertext, and the input begins one block earlier. */
static void xex(size_t n, size_t in, size_t out)
{
    const size_t block = it->block, bytes = n * block;
    const size_t place = in + bytes + block == ROOM ? in + block : in; /* at the end of an array if the input is */
    uint8_t *const first = before + place, *const second = after + place, *const at = to + GUARD + out;

    draw(first, bytes);
    draw(second, bytes);
    for (size_t i = 0; i < bytes; i++) stream[i] = plain[i] ^ first[i];
    portable->bulk(portable_rk, wanted, stream, n);
    for (size_t i = 0; i < bytes; i++) wanted[i] ^= second[i];
    SECRET(first, bytes);
    SECRET(second, bytes);
    for (int in_place = 0; in_place < 2; in_place++) {
        prepare(n, in, out, in_place);
        it->xex(rk, at, in_place ? at : from + in, first, second, n);
        check(in_place ? "xex in place" : "xex", wanted, n, in, out);
    }
    PUBLIC(first, bytes);
    PUBLIC(second, bytes);

    portable->bulk(portable_rk, wanted, plain, n);
    for (size_t i = 0; i < bytes; i++) wanted[i] ^= plain[block + i];
    for (int in_place = 0; in_place < 2; in_place++) {
        prepare(n + 1, in, out, in_place);
        if (in_place) {
            it->xex(rk, at + block, at, NULL, at + block, n);
            PUBLIC(to, sizeof to);
            if (memcmp(at, plain, block)) differs("the block before xex in place", n, in, out);
            memmove(at, at + block, bytes);
            memset(at + bytes, 0xa5, block);
        } else {
            it->xex(rk, at, from + in, NULL, from + in + block, n);
        }
        check(in_place ? "xex of chained blocks in place" : "xex of chained blocks", wanted, n, in, out);
    }
}

/* Compares counter mode from the counter block `first`: ctr over n blocks, and ctr_bytes over `lacking` bytes less.  The
 * reference increments the counter byte by byte. */
static void ctr(const uint8_t *first, size_t n, size_t lacking, size_t in, size_t out)
{
    uint8_t next[16], counter[16], left[16];
    const size_t block = it->block, bytes = n * block - lacking;

    memcpy(next, first, block);
    for (size_t i = 0; i < n; i++) {
        memcpy(stream + i * block, next, block);
        for (size_t j = block; j-- && ++next[j] == 0;) {}
    }
    portable->bulk(portable_rk, stream, stream, n);
    for (size_t i = 0; i < n * block; i++) wanted[i] = plain[i] ^ stream[i];

    for (int way = 0; way < 3; way++) {
        static const char *const ways[] = { "ctr", "ctr in place", "ctr of the key stream alone" };
        memcpy(counter, first, block);
        SECRET(counter, block);
        prepare(n, in, out, way == 1);
        it->ctr(rk, counter, to + GUARD + out, way == 0 ? from + in : way == 1 ? to + GUARD + out : NULL, n);
        check(ways[way], way == 2 ? stream : wanted, n, in, out);
        PUBLIC(counter, block);
        if (memcmp(counter, next, block)) differs("the counter after ctr", n, in, out);
    }
    for (int in_place = 0; in_place < 2 && n && it->ctr_bytes != NULL; in_place++) {
        memcpy(counter, first, block);
        SECRET(counter, block);
        prepare_bytes(bytes, in + lacking, out, in_place);
        it->ctr_bytes(rk, counter, left, to + GUARD + out, in_place ? to + GUARD + out : from + in + lacking, bytes);
        check_bytes(in_place ? "ctr_bytes in place" : "ctr_bytes", wanted, bytes, in, out);
        PUBLIC(counter, block);
        PUBLIC(left, block);
        if (memcmp(counter, next, block)) differs("the counter after ctr_bytes", n, in, out);
        if (lacking && memcmp(left, stream + (n - 1) * block, block)) differs("what ctr_bytes leaves", n, in, out);
    }
}

static void lengths(size_t first, size_t last, size_t step, int edges)
{
    uint8_t counter[16];
    for (size_t n = first; n <= last; n += step) {
        const size_t end = ROOM - n * it->block;
        ecb(n, edges ? end : n * 7 % 64, (n * 13 + 5) % 64);
        draw(counter, sizeof counter);
        if (it->ctr != NULL) ctr(counter, n, n ? n * 5 % it->block : 0, edges ? end : n * 11 % 64, (n * 5 + 3) % 64);
        if (it->cbc != NULL) cbc(counter, n, edges ? end : n * 3 % 64, (n * 9 + 1) % 64);
        if (it->xex != NULL && n) xex(n < MOST ? n : n - 1, edges ? end - it->block : n * 5 % 64, (n * 3 + 7) % 64);
    }
}

/* n counters of each lane under round_keys, of which `keys` are the raw ones: some carry to high, some wrap. */
static void lane_counters(const void *round_keys, const void *const *keys, size_t n)
{
    uint64_t high[HAECHI_LANES + 1], low[HAECHI_LANES + 1], next_high[HAECHI_LANES], next_low[HAECHI_LANES], one[sizeof rk / 8];
    const size_t width = it->lanes->width, block = it->block;

    for (size_t i = 0; i < HAECHI_LANES; i++) {
        draw((uint8_t *)(high + i), 8);
        draw((uint8_t *)(low + i), 8);
        if (i % 3 == 0) low[i] = (uint64_t)0 - drawn() % (n + 1);
        if (i % 6 == 0) high[i] = UINT64_MAX;
        next_high[i] = high[i], next_low[i] = low[i];
        if (i >= width) continue;
        portable->expand(one, keys[i]);
        for (size_t j = 0; j < n; j++) {
            uint8_t *const at = wanted + (j * width + i) * block;
            for (size_t k = 0; k < 8; k++) at[block - 1 - k] = (uint8_t)(next_low[i] >> 8 * k);
            for (size_t k = 0; block == 16 && k < 8; k++) at[7 - k] = (uint8_t)(next_high[i] >> 8 * k);
            portable->crypt(one, at);
            if (++next_low[i] == 0 && block == 16) next_high[i]++;
        }
    }
    high[HAECHI_LANES] = low[HAECHI_LANES] = 0xa5;
    SECRET(high, HAECHI_LANES * 8);
    SECRET(low, HAECHI_LANES * 8);
    prepare(n * width, 0, 1, 1);
    it->lanes->count(round_keys, high, low, to + GUARD + 1, n);
    check("counters of lanes", wanted, n * width, 0, 1);
    PUBLIC(high, HAECHI_LANES * 8);
    PUBLIC(low, HAECHI_LANES * 8);
    if (memcmp(high, next_high, sizeof next_high) || memcmp(low, next_low, sizeof next_low) || high[HAECHI_LANES] != 0xa5 ||
        low[HAECHI_LANES] != 0xa5)
        differs("the next counters of lanes", n, 0, 0);
}

/* Blocks XORed to the texts of the last n lanes, which lie apart at all addresses. */
static void lane_texts(size_t n, int in_place)
{
    static uint8_t blocks[HAECHI_LANES_BLOCKS], expected[ROOM];
    const struct haechi_lanes *const l = it->lanes;
    const size_t block = it->block, step = l->ahead * block, apart = step + 17, first = l->width - n, at = 5 * n % GUARD;
    struct haechi_text texts[HAECHI_LANES];

    draw(blocks, sizeof blocks);
    draw(from, sizeof from);
    memset(to, 0xa5, sizeof to);
    memset(expected, 0xa5, sizeof expected);
    for (size_t i = 0; i < n; i++) {
        const size_t place = GUARD + i * apart;
        texts[i] = (struct haechi_text){ (in_place ? to : from) + place - at, to + place - at, at + step };
        memcpy(to + place, from + place, in_place ? step : 0);
        for (size_t j = 0; j < step; j++)
            expected[place + j] = from[place + j] ^ blocks[(j / block * l->width + first + i) * block + j % block];
    }
    SECRET(blocks, sizeof blocks);
    SECRET(from, sizeof from);
    SECRET(to, sizeof to);
    l->add(blocks + first * block, texts, at, n);
    PUBLIC(from, sizeof from);
    PUBLIC(to, sizeof to);
    if (memcmp(to, expected, sizeof to)) differs(in_place ? "the texts of lanes in place" : "the texts of lanes", n, 0, 0);
}

/* A key of its own in every lane, and keys and blocks at odd addresses.  Blocks and round keys have guards. */
static void lanes(void)
{
    static uint8_t room[GUARD + HAECHI_LANES_RK + GUARD] __attribute__((__aligned__(64)));
    static uint8_t scratch[HAECHI_LANES_SCRATCH] __attribute__((__aligned__(64))), keys[HAECHI_LANES * 33];
    const struct haechi_lanes *const l = it->lanes;
    const void *each[HAECHI_LANES];
    uint64_t one[sizeof rk / 8];
    const size_t bytes = (size_t)l->width * it->block;

    if (l->width > HAECHI_LANES || l->rk > HAECHI_LANES_RK || l->ahead == 0 || bytes * l->ahead > HAECHI_LANES_BLOCKS)
        differs("the size of lanes", l->width, 0, 0);
    for (size_t n = 4; n <= l->width && l->add != NULL; n += 4) {
        lane_texts(n, 0);
        lane_texts(n, 1);
    }
    for (int again = 0; again < 20; again++) {
        draw(keys, sizeof keys);
        draw(plain, bytes);
        for (size_t i = 0; i < l->width; i++) {
            each[i] = keys + 33 * i;
            portable->expand(one, each[i]);
            memcpy(wanted + i * it->block, plain + i * it->block, it->block);
            portable->crypt(one, wanted + i * it->block);
        }
        memset(room, 0xa5, sizeof room);
        prepare(l->width, 0, 1, 1);
        SECRET(keys, sizeof keys);
        l->expand(room + GUARD, scratch, each);
        l->crypt(room + GUARD, to + GUARD + 1);
        check("lanes", wanted, l->width, 0, 1);
        PUBLIC(keys, sizeof keys);
        for (size_t n = 1; n <= l->ahead; n++) lane_counters(room + GUARD, each, n);
        PUBLIC(room, sizeof room);
        for (size_t i = 0; i < GUARD; i++)
            if (room[i] != 0xa5 || room[GUARD + l->rk + i] != 0xa5) differs("the surroundings of round keys", i, 0, 0);
    }
}

static void places(size_t n)
{
    uint8_t counter[16];
    draw(counter, sizeof counter);
    for (size_t in = 0; in < 64; in++)
        for (size_t out = 0; out < 64; out++) {
            ecb(n, in, out);
            if (it->ctr != NULL) ctr(counter, n, (in + out) % it->block, in, out);
            if (it->cbc != NULL) cbc(counter, n, in, out);
            if (it->xex != NULL) xex(n, in, out);
        }
}

/* Counters whose last `ones` bytes are ff, or up to 255 less, so that the carry happens within the message. */
static void carries(size_t n)
{
    uint8_t counter[16];
    if (it->ctr == NULL) return;
    for (size_t ones = 1; ones <= it->block; ones++)
        for (size_t before = 0; before < 256 && before <= n; before += before < 4 ? 1 : 3) {
            draw(counter, it->block - ones);
            memset(counter + it->block - ones, 0xff, ones);
            if (ones < it->block && counter[it->block - ones - 1] == 0xff) counter[it->block - ones - 1] = 0x7f;
            counter[it->block - 1] = (uint8_t)(0xff - before);
            ctr(counter, n, before % it->block, 0, 0);
        }
}

static size_t number(const char *text)
{
    const long n = strtol(text, NULL, 10);
    if (n < 0 || n > MOST) exit(2);
    return (size_t)n;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        uint8_t key[32], taken[32];
        name = tests[i].name, it = tests[i].kernel, portable = tests[i].portable;
#ifndef SIMDE
        if (it->needs & ~haechi_features()) {
            printf("%s skipped\n", name);
            continue;
        }
#endif
        draw(key, sizeof key);
        draw(plain, sizeof plain);
        memcpy(taken, key, sizeof key);
        SECRET(taken, sizeof taken);
        it->expand(rk, taken);
        portable->expand(portable_rk, key);
        if (argc == 5 && it->lanes != NULL) lanes();
        if (argc == 5 && (!strcmp(argv[1], "lengths") || !strcmp(argv[1], "edges")))
            lengths(number(argv[2]), number(argv[3]), number(argv[4]), !strcmp(argv[1], "edges"));
        else if (!strcmp(argv[1], "places")) places(number(argv[2]));
        else if (!strcmp(argv[1], "carries")) carries(number(argv[2]));
        else return 2;
        printf("%s ok\n", name);
    }
    return 0;
}

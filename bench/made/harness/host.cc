// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// host.cc - measures every kernel that this CPU can run, and the peer libraries that this machine has, in one process.
//
//     host CIPHER KEY PLAIN CRYPTED [KEY PLAIN CRYPTED ...]
//
// CIPHER is one of LEA-128 ... ARIA-256, HIGHT.  The other arguments are known answers of one block in hexadecimal; the
// program measures nothing without them.
// Prints one JSON object a line: {"counter"} first, then rows {"cipher", "side", "peer", "operation", "blocks",
// "cycles", "cpb", "lower", "upper"} and, for the curves by message length, the same with "mode" and "length" in place of
// "operation" and "blocks".  peer is true in the rows of peers.  cycles counts one operation; cpb divides it by the bytes
// of the message, or of the key for eks and dks; lower and upper are the quartiles of cpb.  Exit code: 0; 1 if a kernel does not compute its cipher (stderr says which); 2 for invalid
// arguments.
//
// cycles and cpb are medians.  All sides of a comparison take turns, sample by sample, and each side is called through one
// virtual function.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "../../../src/haechi_cpu.h"
}
#include "../../../src/aria/kernels.h"
#include "../../../src/hight/kernels.h"
#include "../../../src/lea/kernels.h"

#include "sides.h"

// ---- The clock.

#if defined(__x86_64__)
#include <x86intrin.h>
static const char *const counter = "core cycles: rdtsc against a chain of dependent multiplies; medians";

static uint64_t now()
{
    _mm_lfence();
    const uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

// Core cycles per tick of the time stamp counter at this moment, from 2000 dependent multiplications.  A multiplication
// has a latency of 3 cycles on every x86-64 core since 2008.
static double cycles_per_tick()
{
    uint64_t x = 3;
    const uint64_t begin = now();
    for (int i = 0; i < 200; i++)
        __asm__ volatile(".rept 10\n imul %0, %0\n .endr" : "+r"(x));
    return 6000.0 / static_cast<double>(now() - begin);
}
#else
#include <ctime>
static const char *const counter = "ns: monotonic clock; medians";

static uint64_t now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}
static double cycles_per_tick()
{
    return 1;
}
#endif

// ---- The ciphers.

struct Rung {
    const char *name;
    const haechi_kernel *kernel;
};
#define DECLARE(kernel, suffix) extern "C" const haechi_kernel haechi_##kernel##suffix;
#define RUNG(kernel, suffix) {#kernel, &haechi_##kernel##suffix},
#define FOR_EACH_SUFFIX(LADDER, X) LADDER(X, _128) LADDER(X, _192) LADDER(X, _256)                          \
        LADDER(X, _128_inv) LADDER(X, _192_inv) LADDER(X, _256_inv)
FOR_EACH_SUFFIX(HAECHI_LEA_LADDER, DECLARE)
FOR_EACH_SUFFIX(HAECHI_ARIA_LADDER, DECLARE)
HAECHI_HIGHT_LADDER(DECLARE, )
HAECHI_HIGHT_LADDER(DECLARE, _inv)

// One cipher with one key size: the kernels of both directions.
struct Cipher {
    const char *name;
    size_t block, key;
    std::vector<Rung> forward, backward;
};
static const Cipher ciphers[] = {
    { "LEA-128", 16, 16, { HAECHI_LEA_LADDER(RUNG, _128) }, { HAECHI_LEA_LADDER(RUNG, _128_inv) } },
    { "LEA-192", 16, 24, { HAECHI_LEA_LADDER(RUNG, _192) }, { HAECHI_LEA_LADDER(RUNG, _192_inv) } },
    { "LEA-256", 16, 32, { HAECHI_LEA_LADDER(RUNG, _256) }, { HAECHI_LEA_LADDER(RUNG, _256_inv) } },
    { "HIGHT", 8, 16, { HAECHI_HIGHT_LADDER(RUNG, ) }, { HAECHI_HIGHT_LADDER(RUNG, _inv) } },
    { "ARIA-128", 16, 16, { HAECHI_ARIA_LADDER(RUNG, _128) }, { HAECHI_ARIA_LADDER(RUNG, _128_inv) } },
    { "ARIA-192", 16, 24, { HAECHI_ARIA_LADDER(RUNG, _192) }, { HAECHI_ARIA_LADDER(RUNG, _192_inv) } },
    { "ARIA-256", 16, 32, { HAECHI_ARIA_LADDER(RUNG, _256) }, { HAECHI_ARIA_LADDER(RUNG, _256_inv) } },
};

// Our kernels, best first, then the peers.
static Sides sides_of(const Cipher &c, bool inverse)
{
    Sides sides;
    for (const Rung &r : inverse ? c.backward : c.forward)
        if (!(r.kernel->needs & ~haechi_features())) sides.push_back(std::make_unique<Ours>(r.name, r.kernel));
    add_peers(sides, c.name, c.key, inverse);
    return sides;
}

// ---- Checking and measuring.

constexpr size_t longest = 65536;
static uint8_t input[longest], output[longest], expected[longest];

using Bytes = std::vector<uint8_t>;

struct Answer {
    Bytes key, plain, crypted;
};

static Bytes bytes(const char *hex)
{
    Bytes b(std::strlen(hex) / 2);
    for (size_t i = 0; i < b.size(); i++) std::sscanf(hex + 2 * i, "%2hhx", &b[i]);
    return b;
}

// Checks that every side gives the known answer, and for 16 KiB the same as the last side, which is a peer where there
// is one.  In the forward direction this includes counter mode across a carry and with odd lengths.
static bool agree(const Cipher &c, const Answer &answer, bool inverse, const Sides &sides)
{
    const auto &key = answer.key, &from = inverse ? answer.crypted : answer.plain,
               &to = inverse ? answer.plain : answer.crypted;
    const auto reference = sides.back().get();
    uint8_t iv[16] = { 1, 2, 3, 4, 5, 6, 0xff, 0xf0, 7, 8, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0 };
    for (const auto &s : sides) s->key(key.data());
    for (const auto &s : sides) {
        auto block = from;
        s->one(block.data());
        bool equal = block == to;
        const size_t bulk = 16384;
        reference->ecb(expected, input, bulk);
        s->ecb(output, input, bulk);
        equal = equal && !std::memcmp(output, expected, bulk);
        for (size_t len : { 1, 15, 100, 1023, 1024, 16384, 16391 }) {
            if (inverse) break;
            reference->ctr(iv, expected, input, len);
            s->ctr(iv, output, input, len);
            equal = equal && !std::memcmp(output, expected, len);
        }
        if (!equal) {
            std::fprintf(stderr, "%s does not compute %s%s\n", s->name.c_str(), c.name, inverse ? ", inverse" : "");
            return false;
        }
    }
    return true;
}

struct Task {
    int times; // calls in a sample
    std::function<void()> call;
};

// The quartiles of the cycles of one call.
struct Spread {
    double lower, median, upper;
};

// The spread of each task.  The tasks take turns, so that other work of the machine spoils a few
// samples of many tasks rather than all samples of one.
static std::vector<Spread> measure(const std::vector<Task> &tasks, int samples)
{
    std::vector<std::vector<double>> all(tasks.size());
    for (int n = -2; n < samples; n++) // the first two samples warm up
        for (size_t i = 0; i < tasks.size(); i++) {
            tasks[i].call(); // loads code and data into the caches again, which the other tasks have used
            const double before = cycles_per_tick();
            const uint64_t begin = now();
            for (int j = 0; j < tasks[i].times; j++) tasks[i].call();
            const uint64_t end = now();
            const double rate = (before + cycles_per_tick()) / 2;
            if (n >= 0) all[i].push_back(static_cast<double>(end - begin) * rate / tasks[i].times);
        }
    std::vector<Spread> found;
    for (auto &v : all) {
        std::sort(v.begin(), v.end());
        const size_t n = v.size();
        found.push_back({ v[n / 4], v[n / 2], v[3 * n / 4] });
    }
    return found;
}

static void print(const Cipher &c, const Side &s, const char *what, size_t count, const Spread &cycles,
                  size_t length)
{
    const auto bytes = static_cast<double>(length);
    std::printf("{\"cipher\": \"%s\", \"side\": \"%s\", \"peer\": %s, %s%zu, \"cycles\": %.1f, \"cpb\": %.4f, "
                "\"lower\": %.4f, \"upper\": %.4f}\n",
                c.name, s.name.c_str(), s.peer ? "true" : "false", what, count, cycles.median, cycles.median / bytes,
                cycles.lower / bytes, cycles.upper / bytes);
}

constexpr int samples = 300;

static void direction(const Cipher &c, const Bytes &key, bool inverse, const std::vector<Side *> &sides)
{
    const uint8_t iv[16] = {};
    for (Side *s : sides) s->key(key.data());
    const auto of = [&](const std::vector<Side *> &some, const char *what, size_t count, size_t length, int times,
                        const std::function<void(Side &)> &f) {
        std::vector<Task> tasks;
        for (Side *s : some) tasks.push_back({ times, [s, &f] { f(*s); } });
        const auto cycles = measure(tasks, samples);
        for (size_t i = 0; i < some.size(); i++) print(c, *some[i], what, count, cycles[i], length);
        std::fflush(stdout);
    };
    const auto each = [&](const char *what, size_t count, size_t length, int times,
                          const std::function<void(Side &)> &f) { of(sides, what, count, length, times, f); };
    each(inverse ? "\"operation\": \"dks\", \"blocks\": " : "\"operation\": \"eks\", \"blocks\": ", 1, c.key, 16,
         [&](Side &s) { s.rekey(key.data()); });
    const char *const crypt = inverse ? "\"operation\": \"dec\", \"blocks\": " : "\"operation\": \"enc\", \"blocks\": ";
    each(crypt, 1, c.block, 64, [](Side &s) { s.one(output); }); // each block depends on the one before it
    each(crypt, 16384 / c.block, 16384, 1, [](Side &s) { s.ecb(output, input, 16384); });
    uint8_t tag[16];
    std::vector<Side *> some;
    for (Side *s : sides)
        if (inverse ? s->uncbc(iv, output, input, c.block) : s->gcm(iv, output, input, 1, tag)) some.push_back(s);
    if (inverse)
        of(some, "\"operation\": \"cbc-dec\", \"blocks\": ", 16384 / c.block, 16384, 1,
           [&](Side &s) { s.uncbc(iv, output, input, 16384); });
    else if (!some.empty())
        for (size_t length : { 256, 1024, 16384 })
            of(some, "\"operation\": \"gcm\", \"blocks\": ", length / c.block, length, static_cast<int>(16384 / length),
               [&](Side &s) { s.gcm(iv, output, input, length, tag); });
    if (inverse) return;
    each("\"operation\": \"ctr\", \"blocks\": ", 1024 / c.block, 1024, 16,
         [&](Side &s) { s.ctr(iv, output, input, 1024); });
    each("\"operation\": \"ctr\", \"blocks\": ", 16384 / c.block, 16384, 1,
         [&](Side &s) { s.ctr(iv, output, input, 16384); });
}

// A mode of operation whose cost by message length is measured.
struct Mode {
    const char *name;
    size_t unit; // lengths are its multiples
    bool inverse;
    std::function<bool(Side &, size_t)> call; // with a message of so many bytes; false where a side has no such mode
};

static std::vector<Mode> modes_of(const Cipher &c)
{
    static const uint8_t iv[16] = {};
    static uint8_t tag[16];
    return {
        { "ctr", 1, false, [](Side &s, size_t len) { return s.ctr(iv, output, input, len), true; } },
        { "gcm", 1, false, [](Side &s, size_t len) { return s.gcm(iv, output, input, len, tag); } },
        { "ecb", c.block, false, [](Side &s, size_t len) { return s.ecb(output, input, len), true; } },
        { "cbc-dec", c.block, true, [](Side &s, size_t len) { return s.uncbc(iv, output, input, len); } },
    };
}

// Measures a mode by message length, with our best kernel and the peer that is fastest at 16 KiB.  The sides have keys.
static void curve(const Cipher &c, const Mode &mode, const Sides &sides)
{
    std::vector<Side *> peers, both{ sides.front().get() };
    if (!mode.call(*both[0], mode.unit)) return;
    std::vector<Task> tasks;
    for (const auto &side : sides) {
        Side *s = side.get();
        if (!s->peer || !mode.call(*s, mode.unit)) continue;
        peers.push_back(s);
        tasks.push_back({ 1, [s, &mode] { mode.call(*s, 16384); } });
    }
    if (!peers.empty()) {
        const auto t = measure(tasks, 31);
        const auto least = std::min_element(t.begin(), t.end(),
                                            [](const Spread &a, const Spread &b) { return a.median < b.median; });
        both.push_back(peers[static_cast<size_t>(least - t.begin())]);
    }

    // Around the sizes of blocks and batches, then all kinds of remainders, then powers of two.
    std::vector<size_t> lengths;
    for (const size_t len : { 1, 2, 4, 8, 12, 15, 16, 17, 24, 31, 32, 33, 40, 48, 56, 63, 64, 65, 80, 96, 112, 127, 128,
                              129, 160, 192, 224, 240, 255, 256, 293, 367, 441, 512, 552, 663, 774, 885, 996, 1024,
                              1181, 1366, 1514, 1699, 1884, 2048, 2106, 2328, 2550, 2772, 2994, 3216, 3438, 3660, 3882,
                              4096, 8192, 16384, 32768, 65536 })
        if (len % mode.unit == 0) lengths.push_back(len);
    tasks.clear();
    for (const size_t len : lengths)
        for (Side *s : both)
            tasks.push_back({ static_cast<int>(std::clamp<size_t>(8192 / len, 1, 64)),
                              [s, &mode, len] { mode.call(*s, len); } });
    const auto cycles = measure(tasks, 41);
    const std::string what = std::string("\"mode\": \"") + mode.name + "\", \"length\": ";
    for (size_t i = 0; i < cycles.size(); i++) {
        const size_t len = lengths[i / both.size()];
        print(c, *both[i % both.size()], what.c_str(), len, cycles[i], len);
    }
    std::fflush(stdout);
}

int main(int argc, char **argv)
{
    const auto c = std::find_if(std::begin(ciphers), std::end(ciphers),
                                [&](const Cipher &each) { return argc > 1 && each.name == std::string(argv[1]); });
    if (c == std::end(ciphers) || argc < 5 || argc % 3 != 2) {
        std::fprintf(stderr, "usage: host CIPHER KEY PLAIN CRYPTED [KEY PLAIN CRYPTED ...]\n");
        return 2;
    }
    std::vector<Answer> answers;
    for (int i = 2; i < argc; i += 3) {
        answers.push_back({ bytes(argv[i]), bytes(argv[i + 1]), bytes(argv[i + 2]) });
        const Answer &a = answers.back();
        if (a.key.size() == c->key && a.plain.size() == c->block && a.crypted.size() == c->block) continue;
        std::fprintf(stderr, "%s is no answer of %s\n", argv[i], c->name);
        return 2;
    }
    uint32_t x = 1; // xorshift32; the values do not matter
    for (uint8_t &b : input) b = static_cast<uint8_t>((x ^= x << 13, x ^= x >> 17, x ^= x << 5) >> 24);

    std::printf("{\"counter\": \"%s\"}\n", counter);
    for (bool inverse : { false, true }) {
        const Sides sides = sides_of(*c, inverse);
        for (const Answer &a : answers)
            if (!agree(*c, a, inverse, sides)) return 1;
        std::vector<Side *> all;
        for (const auto &s : sides) all.push_back(s.get());
        direction(*c, answers[0].key, inverse, all);
        for (const Mode &mode : modes_of(*c))
            if (mode.inverse == inverse) curve(*c, mode, sides);
    }
    return 0;
}

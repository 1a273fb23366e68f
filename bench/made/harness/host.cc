// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// host.cc - measures every kernel that this CPU can run, and the peer libraries that this machine has, in one process.
//
//     host CIPHER KEY PLAIN CRYPTED [KEY PLAIN CRYPTED ...]
//
// CIPHER is one of LEA-128 ... ARIA-256, HIGHT.  The other arguments are known answers of one block in hexadecimal; the
// program measures nothing without them.
// Prints one JSON object a line: {"counter"} first, then rows {"cipher", "side", "peer", "operation", "blocks",
// "cycles", "cpb"}.  peer is true in the rows of peers.  cycles counts one operation; cpb divides it by the bytes of the
// message, or of the key for eks and dks.  Exit code: 0; 1 if a kernel does not compute its cipher (stderr says which);
// 2 for invalid arguments.
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

#include "clock.h"
#include "sides.h"

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

static void print(const Cipher &c, const Side &s, const char *operation, size_t blocks, double cycles, size_t length)
{
    std::printf("{\"cipher\": \"%s\", \"side\": \"%s\", \"peer\": %s, \"operation\": \"%s\", \"blocks\": %zu, "
                "\"cycles\": %.1f, \"cpb\": %.4f}\n",
                c.name, s.name.c_str(), s.peer ? "true" : "false", operation, blocks, cycles,
                cycles / static_cast<double>(length));
}

constexpr int samples = 300;

static void direction(const Cipher &c, const Bytes &key, bool inverse, const std::vector<Side *> &sides)
{
    const uint8_t iv[16] = {};
    for (Side *s : sides) s->key(key.data());
    const auto of = [&](const std::vector<Side *> &some, const char *operation, size_t blocks, size_t length, int times,
                        const std::function<void(Side &)> &f) {
        std::vector<Task> tasks;
        for (Side *s : some) tasks.push_back({ times, [s, &f] { f(*s); } });
        const auto cycles = measure(tasks, samples);
        for (size_t i = 0; i < some.size(); i++) print(c, *some[i], operation, blocks, cycles[i].median, length);
        std::fflush(stdout);
    };
    const auto each = [&](const char *operation, size_t blocks, size_t length, int times,
                          const std::function<void(Side &)> &f) { of(sides, operation, blocks, length, times, f); };
    each(inverse ? "dks" : "eks", 1, c.key, 16, [&](Side &s) { s.rekey(key.data()); });
    const char *const crypt = inverse ? "dec" : "enc";
    each(crypt, 1, c.block, 64, [](Side &s) { s.one(output); }); // each block depends on the one before it
    each(crypt, 16384 / c.block, 16384, 1, [](Side &s) { s.ecb(output, input, 16384); });
    uint8_t tag[16];
    std::vector<Side *> some;
    for (Side *s : sides)
        if (inverse ? s->uncbc(iv, output, input, c.block) : s->gcm(iv, output, input, 1, tag)) some.push_back(s);
    if (inverse)
        of(some, "cbc-dec", 16384 / c.block, 16384, 1,
           [&](Side &s) { s.uncbc(iv, output, input, 16384); });
    else if (!some.empty())
        for (size_t length : { 256, 1024, 16384 })
            of(some, "gcm", length / c.block, length, static_cast<int>(16384 / length),
               [&](Side &s) { s.gcm(iv, output, input, length, tag); });
    if (inverse) return;
    each("ctr", 1024 / c.block, 1024, 16, [&](Side &s) { s.ctr(iv, output, input, 1024); });
    each("ctr", 16384 / c.block, 16384, 1, [&](Side &s) { s.ctr(iv, output, input, 16384); });
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
    }
    return 0;
}

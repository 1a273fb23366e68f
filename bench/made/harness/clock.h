// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// clock.h - the time of calls on this host: medians and quartiles of core cycles, or of nanoseconds where cycles cannot
// be counted.
#ifndef HAECHI_BENCH_CLOCK_H
#define HAECHI_BENCH_CLOCK_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
inline const char *const counter = "core cycles: rdtsc against a chain of dependent multiplies; medians";

inline uint64_t now()
{
    _mm_lfence();
    const uint64_t t = __rdtsc();
    _mm_lfence();
    return t;
}

// Core cycles per tick of the time stamp counter at this moment, from 2000 dependent multiplications.  A multiplication
// has a latency of 3 cycles on every x86-64 core since 2008.
inline double cycles_per_tick()
{
    uint64_t x = 3;
    const uint64_t begin = now();
    for (int i = 0; i < 200; i++)
        __asm__ volatile(".rept 10\n imul %0, %0\n .endr" : "+r"(x));
    return 6000.0 / static_cast<double>(now() - begin);
}
#else
#include <ctime>
inline const char *const counter = "ns: monotonic clock; medians";

inline uint64_t now()
{
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}
inline double cycles_per_tick()
{
    return 1;
}
#endif

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
inline std::vector<Spread> measure(const std::vector<Task> &tasks, int samples)
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

#endif

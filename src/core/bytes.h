/* bytes.h - words from bytes and back, at any alignment, on any byte order.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Where the code uses shifts, compilers make one load or store of them where the machine has one. */
#ifndef HAECHI_BYTES_H
#define HAECHI_BYTES_H

#include "../haechi.h"

static inline uint32_t haechi_load_le32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline void haechi_store_le32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
}

/* On hosts a word is one load or store at any address.  Of two words that are stored side by side byte by byte, gcc 12
 * makes vectors, which takes eight times as long. */
#if !HAECHI_MICRO && defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
typedef uint64_t haechi_word __attribute__((__aligned__(1), __may_alias__));

static inline uint64_t haechi_load_le64(const uint8_t *p)
{
    return *(const haechi_word *)p;
}

static inline void haechi_store_le64(uint8_t *p, uint64_t v)
{
    *(haechi_word *)p = v;
}

static inline uint64_t haechi_load_be64(const uint8_t *p)
{
    return __builtin_bswap64(haechi_load_le64(p));
}

static inline void haechi_store_be64(uint8_t *p, uint64_t v)
{
    haechi_store_le64(p, __builtin_bswap64(v));
}
#else
static inline uint64_t haechi_load_le64(const uint8_t *p)
{
    return (uint64_t)p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 | (uint64_t)p[7] << 56;
}

static inline void haechi_store_le64(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
    p[4] = (uint8_t)(v >> 32);
    p[5] = (uint8_t)(v >> 40);
    p[6] = (uint8_t)(v >> 48);
    p[7] = (uint8_t)(v >> 56);
}

static inline uint64_t haechi_load_be64(const uint8_t *p)
{
    return (uint64_t)p[0] << 56 | (uint64_t)p[1] << 48 | (uint64_t)p[2] << 40 | (uint64_t)p[3] << 32 |
           (uint64_t)p[4] << 24 | (uint64_t)p[5] << 16 | (uint64_t)p[6] << 8 | (uint64_t)p[7];
}

static inline void haechi_store_be64(uint8_t *p, uint64_t v)
{
    p[0] = (uint8_t)(v >> 56);
    p[1] = (uint8_t)(v >> 48);
    p[2] = (uint8_t)(v >> 40);
    p[3] = (uint8_t)(v >> 32);
    p[4] = (uint8_t)(v >> 24);
    p[5] = (uint8_t)(v >> 16);
    p[6] = (uint8_t)(v >> 8);
    p[7] = (uint8_t)v;
}
#endif

#define HAECHI_NOINLINE __attribute__((__noinline__))
#define HAECHI_INLINE inline __attribute__((__always_inline__))

/* Where a machine cannot multiply, a routine of the compiler does, and it branches on an operand.  This library
 * therefore multiplies no secrets there.  On Xtensa a routine multiplies 64 bits.  Whoever builds for another such
 * machine defines HAECHI_NO_MULTIPLY. */
#if (defined(__riscv) && !defined(__riscv_mul) && !defined(__riscv_zmmul)) || defined(__XTENSA__)
#define HAECHI_NO_MULTIPLY 1
#endif

/* HAECHI_FILL(x, 8, 32) repeats the lowest 8 bits of each 32 bits of x four times.  All other bits of x are 0. */
#if defined(HAECHI_NO_MULTIPLY)
#define HAECHI_FILL(x, bits, lane) haechi_fill(x, bits, lane)
static HAECHI_INLINE uint64_t haechi_fill(uint64_t x, unsigned bits, unsigned lane)
{
    for (; bits < lane; bits *= 2) {
        uint64_t moved = x << bits;
        __asm__("" : "+r"(moved)); /* Otherwise compilers make a multiplication of it. */
        x |= moved;
    }
    return x;
}
#else
#define HAECHI_FILL(x, bits, lane) ((x) * ((UINT64_MAX >> (64 - (lane))) / ((UINT64_C(1) << (bits)) - 1)))
#endif

/* On microcontrollers these two are functions, for at most 255 bytes, because a dozen loops would take more code. */
#if HAECHI_MICRO
void haechi_copy_few(uint8_t *out, const uint8_t *in, uint8_t n);
void haechi_xor_few(uint8_t *x, const uint8_t *y, uint8_t n);

static inline void haechi_copy(uint8_t *out, const uint8_t *in, size_t n)
{
    haechi_copy_few(out, in, (uint8_t)n);
}

/* x ^= y. */
static inline void haechi_xor_into(uint8_t *x, const uint8_t *y, size_t n)
{
    haechi_xor_few(x, y, (uint8_t)n);
}
#else
static inline void haechi_copy(uint8_t *out, const uint8_t *in, size_t n)
{
    for (size_t i = 0; i < n; i++) out[i] = in[i];
}
#endif

#if !HAECHI_MICRO
/* 16 bytes at any address. */
typedef uint64_t haechi_two_words __attribute__((__vector_size__(16), __aligned__(1), __may_alias__));
#endif

#if UINTPTR_MAX > 0xffffffff && !HAECHI_MICRO
/* XORs 64 bytes at any address.  It reads all of them before it writes any.  Vectors of 64 bytes would leave a copy
 * on the stack where registers are shorter. */
static inline void haechi_xor_64(uint8_t *out, const uint8_t *a, const uint8_t *b)
{
    const haechi_two_words *const x = (const haechi_two_words *)a, *const y = (const haechi_two_words *)b;
    const haechi_two_words first = x[0] ^ y[0], second = x[1] ^ y[1], third = x[2] ^ y[2], fourth = x[3] ^ y[3];

    ((haechi_two_words *)out)[0] = first;
    ((haechi_two_words *)out)[1] = second;
    ((haechi_two_words *)out)[2] = third;
    ((haechi_two_words *)out)[3] = fourth;
}
#endif

/* out = a ^ b over n bytes; out may be a or b. */
static inline void haechi_xor(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t n)
{
#if !HAECHI_MICRO
    __asm__("" : "+r"(out)); /* Otherwise gcc -O3 warns of more turns than any caller's length has. */
#endif
#if UINTPTR_MAX > 0xffffffff && !HAECHI_MICRO
    for (; n >= 64; n -= 64, out += 64, a += 64, b += 64) haechi_xor_64(out, a, b);
#endif
#if !HAECHI_MICRO || defined(__ARM_FEATURE_UNALIGNED)
    for (; n >= 8; n -= 8, out += 8, a += 8, b += 8)
        haechi_store_le64(out, haechi_load_le64(a) ^ haechi_load_le64(b));
#endif
    for (size_t i = 0; i < n; i++) out[i] = a[i] ^ b[i];
}

#if !HAECHI_MICRO
/* x ^= y. */
static inline void haechi_xor_into(uint8_t *x, const uint8_t *y, size_t n)
{
    haechi_xor(x, x, y, n);
}
#endif

#endif

/* ghash.c - GHASH without tables: the portable implementations, and the choice of one for this machine.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "ghash.h"

#include "../core/bytes.h"
#include "../haechi_cpu.h"

#if HAECHI_MICRO

/* y = y * h by Horner's rule, from the coefficient of the highest power down.  That is the last bit of the last byte.
 * Multiplying by x shifts to the right, and a 1 that is shifted out stands for x^128 = x^7 + x^2 + x + 1. */
static void multiply(uint8_t *y, const uint8_t *h)
{
    uint8_t z[16] = { 0 };

    for (uint8_t bit = 128; bit-- > 0;) {
        const uint8_t set = (uint8_t)-(y[bit / 8] >> (7 - bit % 8) & 1);
        uint8_t carry = 0;
        for (uint8_t i = 0; i < 16; i++) {
            const uint8_t byte = z[i];
            z[i] = (uint8_t)(byte >> 1 | carry) ^ (h[i] & set);
            carry = (uint8_t)(byte << 7);
        }
        z[0] ^= 0xe1 & (uint8_t)-(carry >> 7);
    }
    haechi_copy(y, z, 16);
}

void haechi_ghash(const void *derived, uint8_t *y, const uint8_t *in, size_t n)
{
    for (; n; n--, in += 16) {
        haechi_xor_into(y, in, 16);
        multiply(y, (const uint8_t *)derived);
    }
}

#else

#if defined(HAECHI_NO_MULTIPLY)
/* The low 64 bits of a carry-less product. */
static uint64_t product_low(uint64_t a, uint64_t b)
{
    uint64_t product = 0;

    for (unsigned i = 0; i < 64; i++, a <<= 1, b >>= 1) {
        uint64_t mask = (uint64_t)0 - (b & 1);
        __asm__("" : "+r"(mask)); /* Otherwise compilers may branch on the bit. */
        product ^= a & mask;
    }
    return product;
}
#else
/* The low 64 bits of a carry-less product.  Each of four operands holds every fourth bit, so that an integer product
 * has three free bits for the carries of each sum.  At most 16 terms meet in one place, and 16 meet only in the last
 * place, whose carry is lost. */
static uint64_t product_low(uint64_t a, uint64_t b)
{
    const uint64_t holes = 0x1111111111111111;
    uint64_t product = 0;

    for (unsigned i = 0; i < 4; i++) {
        uint64_t sum = 0;
        for (unsigned j = 0; j < 4; j++) sum ^= (a & holes << j) * (b & holes << ((i - j) & 3));
        product |= sum & holes << i;
    }
    return product;
}
#endif

static uint64_t reverse(uint64_t a)
{
    a = (a & 0x5555555555555555) << 1 | (a >> 1 & 0x5555555555555555);
    a = (a & 0x3333333333333333) << 2 | (a >> 2 & 0x3333333333333333);
    a = (a & 0x0f0f0f0f0f0f0f0f) << 4 | (a >> 4 & 0x0f0f0f0f0f0f0f0f);
    a = (a & 0x00ff00ff00ff00ff) << 8 | (a >> 8 & 0x00ff00ff00ff00ff);
    a = (a & 0x0000ffff0000ffff) << 16 | (a >> 16 & 0x0000ffff0000ffff);
    return a << 32 | a >> 32;
}

struct factor { /* the low and the high word, their sum, and all three with their bits reversed */
    uint64_t word[3], reversed[3];
};

static struct factor factor(uint64_t low, uint64_t high)
{
    struct factor f = { { low, high, low ^ high }, { 0, 0, 0 } };
    for (int i = 0; i < 3; i++) f.reversed[i] = reverse(f.word[i]);
    return f;
}

/* a = a * b / x^128 modulo x^128 + x^127 + x^126 + x^121 + 1. */
static void multiply(uint64_t a[2], const struct factor *b)
{
    const struct factor f = factor(a[0], a[1]);
    uint64_t low[3], high[3], c[4];

    for (int i = 0; i < 3; i++) { /* Karatsuba; high halves are low halves of reversed products */
        low[i] = product_low(f.word[i], b->word[i]);
        high[i] = reverse(product_low(f.reversed[i], b->reversed[i])) >> 1;
    }
    c[0] = low[0];
    c[1] = high[0] ^ low[0] ^ low[1] ^ low[2];
    c[2] = low[1] ^ high[0] ^ high[1] ^ high[2];
    c[3] = high[1];
    for (int i = 0; i < 2; i++) { /* adds c[i] times the polynomial, which makes c[i] 0 */
        c[i + 1] ^= c[i] << 63 ^ c[i] << 62 ^ c[i] << 57;
        c[i + 2] ^= c[i] ^ c[i] >> 1 ^ c[i] >> 2 ^ c[i] >> 7;
    }
    a[0] = c[2];
    a[1] = c[3];
}

void haechi_ghash_c(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n)
{
    const struct factor h = factor(powers[2 * HAECHI_POWERS - 2], powers[2 * HAECHI_POWERS - 1]);
    uint64_t a[2] = { haechi_load_be64(y + 8), haechi_load_be64(y) };

    for (; n; n--, in += 16) {
        a[0] ^= haechi_load_be64(in + 8);
        a[1] ^= haechi_load_be64(in);
        multiply(a, &h);
    }
    haechi_store_be64(y + 8, a[0]);
    haechi_store_be64(y, a[1]);
}

void haechi_ghash_c_init(uint64_t *powers, int most)
{
    const uint64_t *const h = powers + 2 * HAECHI_POWERS - 2;
    const struct factor f = factor(h[0], h[1]);

    for (int i = HAECHI_POWERS - 1; i > HAECHI_POWERS - most; i--) {
        powers[2 * i - 2] = powers[2 * i];
        powers[2 * i - 1] = powers[2 * i + 1];
        multiply(powers + 2 * i - 2, &f);
    }
}

struct kind {
    uint16_t needs;
    void (*init)(uint64_t *powers, int most);
    void (*ghash)(const uint64_t *powers, uint8_t *y, const uint8_t *in, size_t n);
};

/* Returns the best implementation for this CPU.  They are in order of speed, and every CPU can run the last one. */
static const struct kind *best(void)
{
    static const struct kind kinds[] = {
#if defined(__x86_64__)
        { HAECHI_AVX512 | HAECHI_VPCLMUL, haechi_ghash_vpclmul_init, haechi_ghash_vpclmul },
        { HAECHI_SSSE3 | HAECHI_PCLMUL, haechi_ghash_clmul_init, haechi_ghash_clmul },
#elif defined(__aarch64__) && defined(__ARM_FEATURE_AES)
        { 0, haechi_ghash_pmull_init, haechi_ghash_pmull },
#endif
        { 0, haechi_ghash_c_init, haechi_ghash_c },
    };
    const struct kind *kind = kinds;
    while (kind->needs & ~haechi_features()) kind++;
    return kind;
}

void haechi_ghash_init(void *derived, int most)
{
    const uint8_t *const h = (const uint8_t *)derived;
    uint64_t *const powers = (uint64_t *)derived;
    uint64_t low = haechi_load_be64(h + 8), high = haechi_load_be64(h);
    const uint64_t over = (uint64_t)0 - (high >> 63);

    high = high << 1 | low >> 63;
    powers[2 * HAECHI_POWERS - 2] = low << 1 ^ (over & 1);
    powers[2 * HAECHI_POWERS - 1] = high ^ (over & 0xc200000000000000);
    best()->init(powers, most);
}

void haechi_ghash(const void *derived, uint8_t *y, const uint8_t *in, size_t n)
{
    best()->ghash((const uint64_t *)derived, y, in, n);
}

#endif

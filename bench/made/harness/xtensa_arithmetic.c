/* xtensa_arithmetic.c - functions that the compiler calls, and that Debian's libgcc for the LX106 does not have: an ESP8266
 * has them in ROM.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdint.h>

uint32_t __udivsi3(uint32_t a, uint32_t b);
uint32_t __umodsi3(uint32_t a, uint32_t b);
int32_t __divsi3(int32_t a, int32_t b);
uint64_t __muldi3(uint64_t a, uint64_t b);

/* Returns the quotient, and puts the remainder into *rest. */
static uint32_t divide(uint32_t a, uint32_t b, uint32_t *rest)
{
    uint32_t quotient = 0, r = 0;
    for (int i = 31; i >= 0; i--) {
        const uint32_t carry = r >> 31;
        r = r << 1 | (a >> i & 1);
        quotient <<= 1;
        if (carry || r >= b) {
            r -= b;
            quotient |= 1;
        }
    }
    *rest = r;
    return quotient;
}

uint32_t __udivsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    return divide(a, b, &rest);
}

uint32_t __umodsi3(uint32_t a, uint32_t b)
{
    uint32_t rest;
    divide(a, b, &rest);
    return rest;
}

int32_t __divsi3(int32_t a, int32_t b)
{
    uint32_t rest;
    const uint32_t q = divide(a < 0 ? 0 - (uint32_t)a : (uint32_t)a, b < 0 ? 0 - (uint32_t)b : (uint32_t)b, &rest);
    return (int32_t)((a < 0) != (b < 0) ? 0 - q : q);
}

uint64_t __muldi3(uint64_t a, uint64_t b)
{
    uint64_t product = 0;
    for (; b; b >>= 1, a <<= 1)
        if (b & 1) product += a;
    return product;
}

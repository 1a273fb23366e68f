/* seed_flash_runner.c - starts the generator of examples/seed over two pages of simulated flash, and cuts the power.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Each line of standard input is a start: PAGE0 PAGE1 STEP HOW N, the pages in hexadecimal.  Erasures and writes are the
 * steps, counted from 1.  The step with the number STEP fails, and none does if STEP is 0.  If HOW is "cut", the power fails
 * during the step: only some of the bits change, which N chooses.  N = 0 changes none, 254 the middle half of the bytes, 255
 * all, and any other N bits at random.  If HOW is "refuse", the step returns an error.
 *
 * For each start the program prints a line: the error, or "cut"; sixteen random bytes; the pages; the number of steps.
 *
 * A unit is written once after each erasure, and none before it: otherwise the program ends with 3. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../examples/seed/seed_flash.h"

enum { PAGE = sizeof(seed_page), NONE = 0, MIDDLE = 254, ALL = 255 };

static union {
    seed_page page;
    uint8_t byte[PAGE];
} flash[2];
static uint8_t erased[2][PAGE];
static jmp_buf power;
static unsigned step, fails_at, how, refuses;

static uint8_t mask(void)
{
    static uint32_t x;
    if (how == NONE || how == ALL) return (uint8_t)how;
    if (x == 0) x = how * 0x9e3779b9u;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return (uint8_t)x;
}

/* Changes bytes to those at `to`, as far as the power lasts. */
static int change(uint8_t *at, const uint8_t *to, unsigned n)
{
    const int fails = ++step == fails_at;
    if (fails && refuses) return -1;
    for (unsigned i = 0; i < n; i++) {
        const uint8_t now = !fails ? ALL : how != MIDDLE ? mask() : n / 4 <= i && i < n - n / 4 ? ALL : NONE;
        at[i] = (uint8_t)((at[i] & ~now) | (to[i] & now));
    }
    if (fails) longjmp(power, 1);
    return 0;
}

const seed_page *seed_flash_page(uint8_t page)
{
    return &flash[page].page;
}

int seed_flash_erase(uint8_t page)
{
    uint8_t ones[PAGE];
    memset(ones, 0xff, PAGE);
    if (change(flash[page].byte, ones, PAGE)) return -1;
    memset(erased[page], 1, PAGE);
    return 0;
}

int seed_flash_write(uint8_t page, uint8_t at, const uint8_t *unit)
{
    if (at % SEED_UNIT || at + SEED_UNIT > PAGE || !erased[page][at]) exit(3);
    erased[page][at] = 0;
    return change(flash[page].byte + at, unit, SEED_UNIT);
}

static void parse(uint8_t *to, const char *hex)
{
    for (unsigned i = 0; i < PAGE; i++) sscanf(hex + 2 * i, "%2hhx", &to[i]);
}

static void print(const uint8_t *bytes, unsigned n)
{
    printf(" ");
    while (n--) printf("%02x", *bytes++);
}

int main(void)
{
    static char page[2][2 * PAGE + 1], word[8];
    while (scanf("%160s %160s %u %7s %u", page[0], page[1], &fails_at, word, &how) == 5) {
        static uint8_t given[16];
        static haechi_drbg d;
        memset(given, 0, sizeof given);
        memset(erased, 0, sizeof erased);
        for (int i = 0; i < 2; i++) parse(flash[i].byte, page[i]);
        refuses = strcmp(word, "refuse") == 0;
        step = 0;
        if (setjmp(power) == 0) {
            const int error = seed_flash_start(&d, "noise", 5);
            if (!error) haechi_drbg_read(&d, given, sizeof given, NULL, 0);
            printf("%d", error);
        } else {
            printf("cut");
        }
        print(given, sizeof given);
        for (int i = 0; i < 2; i++) print(flash[i].byte, PAGE);
        printf(" %u\n", step);
    }
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encrypts messages through the bus of a simulated slave, and compares them with what the library gives. It also tries
 * what the slave must refuse. */

#include <stdio.h>
#include <string.h>

#include <haechi.h>

#include "bus.h"
#define HAECHI_CTR_READ(base, offset) bus_read(base, offset)
#define HAECHI_CTR_WRITE(base, offset, word) bus_write(base, offset, word)
#include "haechi_ctr.h"

static int failed;

static void check(int right, const char *what)
{
    if (!right) {
        printf("FAILED: %s\n", what);
        failed = 1;
    }
}

static void message(const uint8_t key[16], const uint8_t counter[16], size_t len)
{
    static uint8_t plain[300], wire[300], want[300], back[300];
    haechi_lea128_key k;
    haechi_stream s = { { 0 }, { 0 }, 0 };
    for (size_t i = 0; i < len; i++) plain[i] = (uint8_t)(7 * i + len);
    memset(wire, 0xa5, sizeof wire);
    check(haechi_init(&k.key, sizeof k, &haechi_lea128, key, 16) == 0, "haechi_init");
    memcpy(s.iv, counter, 16);
    check(haechi_ctr(&k.key, &s, plain, want, len) == 0, "haechi_ctr");
    check(haechi_ctr_start(0, key, counter) == HAECHI_CTR_OK, "start");
    check(haechi_ctr_crypt(0, plain, wire, len) == HAECHI_CTR_OK, "crypt");
    check(!memcmp(wire, want, len), "the slave and the library differ");
    check(len == sizeof wire || wire[len] == 0xa5, "a byte behind the message");
    check(haechi_ctr_start(0, key, counter) == HAECHI_CTR_OK, "start again");
    check(haechi_ctr_crypt(0, wire, back, len) == HAECHI_CTR_OK, "decrypt");
    check(!memcmp(back, plain, len), "decryption");
}

static void refuses(int write, uint32_t offset, uint32_t word, const char *what)
{
    unsigned before = bus_errors();
    if (write) bus_write(0, offset, word);
    else check(bus_read(0, offset) == 0, what);
    check(bus_errors() == before + 1, what);
}

int main(void)
{
    static const uint8_t key[16] = { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0 };
    uint8_t counter[16] = { 1, 2, 3 }, text[4] = { 0 };

    message(key, counter, 0);
    message(key, counter, 1);
    message(key, counter, 64);
    message(key, counter, 299);
    memset(counter, 0xff, 16); /* which wraps */
    message(key, counter, 48);
    memset(counter, 0, 16);
    counter[15] = 0xfe; /* a carry */
    message(key, counter, 80);
    check(bus_errors() == 0, "the slave refused the driver");

    haechi_ctr_start(0, key, counter);
    haechi_ctr_crypt(0, text, text, 4);
    refuses(1, HAECHI_CTR_KEY, 1, "a key in the middle of a block");
    refuses(1, HAECHI_CTR_COUNTER + 12, 1, "a counter in the middle of a block");
    refuses(1, HAECHI_CTR_CONTROL, HAECHI_CTR_CONTROL_START, "a start in the middle of a block");
    refuses(0, HAECHI_CTR_DATA_OUT, 0, "a result that is not there");
    refuses(0, 0x38, 0, "an address without a register");
    check(bus_read(0, HAECHI_CTR_KEY) == 0 && bus_read(0, HAECHI_CTR_COUNTER) == 0, "a key that can be read");
    haechi_ctr_clear(0);
    refuses(1, HAECHI_CTR_DATA_IN, 0, "data without a key");
    check(haechi_ctr_crypt(0, text, text, 4) == HAECHI_CTR_TIMEOUT, "no time-out");

    if (!failed) printf("the slave and the library agree, %lu clocks\n", bus_clocks());
    return failed;
}

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads which cipher the engine behind the bus of a simulated slave has, encrypts messages through the bus, and compares them
 * with what the library gives. It also tries what the slave must refuse. */

#include <stdio.h>
#include <string.h>

#include <haechi.h>

#include "bus.h"
#define HAECHI_CTR_READ(base, offset) bus_read(base, offset)
#define HAECHI_CTR_WRITE(base, offset, word) bus_write(base, offset, word)
#include "haechi_ctr.h"

static const struct kind {
    uint32_t id;
    haechi_cipher *cipher;
    const char *name;
} kinds[] = {
    { HAECHI_CTR_LEA_128, &haechi_lea128, "LEA-128" }, { HAECHI_CTR_LEA_192, &haechi_lea192, "LEA-192" },
    { HAECHI_CTR_LEA_256, &haechi_lea256, "LEA-256" }, { HAECHI_CTR_HIGHT, &haechi_hight, "HIGHT" },
    { HAECHI_CTR_ARIA_128, &haechi_aria128, "ARIA-128" },
};

static const struct kind *kind; /* of the engine behind the bus */
static size_t key_bytes, block_bytes;
static int failed;

static void check(int right, const char *what)
{
    if (!right) {
        printf("FAILED: %s\n", what);
        failed = 1;
    }
}

/* So long that the core has made the next block and must wait. */
static void pause(void)
{
    for (int i = 0; i < 1400; i++) bus_read(0, HAECHI_CTR_STATUS);
}

static void message(const uint8_t *key, const uint8_t *counter, size_t len)
{
    static uint8_t plain[300], wire[300], want[300], back[300];
    haechi_any_key k;
    haechi_stream s = { { 0 }, { 0 }, 0 };
    for (size_t i = 0; i < len; i++) plain[i] = (uint8_t)(7 * i + len);
    memset(wire, 0xa5, sizeof wire);
    check(haechi_init(&k.key, sizeof k, kind->cipher, key, key_bytes) == 0, "haechi_init");
    memcpy(s.iv, counter, block_bytes);
    check(haechi_ctr(&k.key, &s, plain, want, len) == 0, "haechi_ctr");
    check(haechi_ctr_start(0, kind->id, key, counter) == HAECHI_CTR_OK, "start");
    size_t first = len < 4 ? len : 4;
    check(haechi_ctr_crypt(0, plain, wire, first) == HAECHI_CTR_OK, "crypt");
    pause();
    check(haechi_ctr_crypt(0, plain + first, wire + first, len - first) == HAECHI_CTR_OK, "crypt further");
    check(!memcmp(wire, want, len), "the slave and the library differ");
    check(len == sizeof wire || wire[len] == 0xa5, "a byte behind the message");
    check(haechi_ctr_start(0, kind->id, key, counter) == HAECHI_CTR_OK, "start again");
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

/* A write to KEY or COUNTER between two blocks, without START. The key stream that was made before it must not be used, and none
 * may follow. A message behind START is then right without CLEAR. */
static void changes(const uint8_t *key, const uint8_t *counter, uint32_t offset, const char *what)
{
    uint8_t plain[32] = { 0 }, wire[32], want[32], other[32];
    haechi_any_key k;
    haechi_stream s = { { 0 }, { 0 }, 0 };
    memcpy(other, key, key_bytes);
    other[key_bytes - 1] ^= 0x80;
    check(haechi_init(&k.key, sizeof k, kind->cipher, other, key_bytes) == 0, "haechi_init");
    memcpy(s.iv, counter, block_bytes);
    check(haechi_ctr(&k.key, &s, plain, want, sizeof want) == 0, "haechi_ctr");
    check(haechi_ctr_start(0, kind->id, key, counter) == HAECHI_CTR_OK, "start");
    check(haechi_ctr_crypt(0, plain, wire, block_bytes) == HAECHI_CTR_OK, "a block");
    for (int waits = 0; waits < 2; waits++) { /* until a block of the old key stream is there, and the next one is made */
        if (waits) pause();
        bus_write(0, offset, 1);
        check(bus_read(0, HAECHI_CTR_STATUS) == 0, what);
        refuses(1, HAECHI_CTR_DATA, 0, what);
        pause();
        check(bus_read(0, HAECHI_CTR_STATUS) == 0, what);
        refuses(1, HAECHI_CTR_DATA, 0, what);
        for (uint32_t i = 0; i < key_bytes; i += 4) bus_write(0, HAECHI_CTR_KEY + i, haechi_ctr_word(other + i, 4));
        for (uint32_t i = 0; i < block_bytes; i += 4) bus_write(0, HAECHI_CTR_COUNTER + i, haechi_ctr_word(counter + i, 4));
        bus_write(0, HAECHI_CTR_CONTROL, HAECHI_CTR_CONTROL_START);
        check(haechi_ctr_crypt(0, plain, wire, sizeof wire) == HAECHI_CTR_OK, "a message without CLEAR before it");
        check(!memcmp(wire, want, sizeof wire), "a message without CLEAR before it");
    }
}

/* Every address must be a register that the map has for this cipher, and all others must be refused, for reads and writes. */
static void addresses(void)
{
    for (uint32_t at = 0; at < 64; at++) {
        int counter = at >= HAECHI_CTR_COUNTER && at < HAECHI_CTR_COUNTER + block_bytes;
        int key = at >= HAECHI_CTR_KEY && at < HAECHI_CTR_KEY + key_bytes;
        int there = at % 4 == 0 && (at == HAECHI_CTR_ID || at == HAECHI_CTR_CONTROL || at == HAECHI_CTR_STATUS || counter || key);
        unsigned before = bus_errors();
        if (bus_read(0, at)) check(at == HAECHI_CTR_ID, "a register that is not zero after CLEAR");
        check(bus_errors() == before + !there, "an address that is read");
        before = bus_errors();
        bus_write(0, at, 0);
        check(bus_errors() == before + !(there && at != HAECHI_CTR_ID && at != HAECHI_CTR_STATUS), "an address that is written");
    }
}

int main(void)
{
    static const uint8_t key[32] = {
        0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0,
        0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54, 0x32, 0x10,
    };
    uint8_t counter[16] = { 1, 2, 3 }, text[4] = { 0 };
    uint32_t id = haechi_ctr_id(0);

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].id == id) kind = &kinds[i];
    if (!kind) {
        printf("FAILED: no cipher for the ID 0x%08lX\n", (unsigned long)id);
        return 1;
    }
    key_bytes = 4 * HAECHI_CTR_ID_KEY(id);
    block_bytes = 4 * HAECHI_CTR_ID_BLOCK(id);

    message(key, counter, 0);
    message(key, counter, 1);
    message(key, counter, 64);
    message(key, counter, 299);
    memset(counter, 0xff, block_bytes); /* which wraps */
    message(key, counter, 48);
    memset(counter, 0, sizeof counter);
    counter[block_bytes - 1] = 0xfe; /* a carry */
    message(key, counter, 80);
    check(bus_errors() == 0, "the slave refused the driver");
    check(haechi_ctr_start(0, id ^ 0x100, key, counter) == HAECHI_CTR_NO_DEVICE, "another engine");

    changes(key, counter, HAECHI_CTR_KEY, "key stream behind a write to KEY");
    changes(key, counter, HAECHI_CTR_KEY + (uint32_t)key_bytes - 4, "key stream behind a write to the last word of KEY");
    changes(key, counter, HAECHI_CTR_COUNTER, "key stream behind a write to COUNTER");

    haechi_ctr_start(0, id, key, counter);
    haechi_ctr_crypt(0, text, text, 4);
    refuses(1, HAECHI_CTR_KEY, 1, "a key in the middle of a block");
    refuses(1, HAECHI_CTR_COUNTER + (uint32_t)block_bytes - 4, 1, "a counter in the middle of a block");
    refuses(1, HAECHI_CTR_CONTROL, HAECHI_CTR_CONTROL_START, "a start in the middle of a block");
    refuses(0, HAECHI_CTR_DATA, 0, "a result that is not there");
    check(bus_read(0, HAECHI_CTR_KEY) == 0 && bus_read(0, HAECHI_CTR_COUNTER) == 0, "a key that can be read");
    haechi_ctr_clear(0);
    refuses(1, HAECHI_CTR_DATA, 0, "data without a key");
    check(haechi_ctr_crypt(0, text, text, 4) == HAECHI_CTR_TIMEOUT, "no time-out");
    addresses();

    if (!failed) printf("the slave and the library agree for %s, %lu clocks\n", kind->name, bus_clocks());
    return failed;
}

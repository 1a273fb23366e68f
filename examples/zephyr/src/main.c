/* main.c - encrypts and authenticates a reading with LEA-128 in CCM and prints it, on any board of Zephyr.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <haechi.h>
#include <zephyr/sys/printk.h>

/* An example: give every node a random key of its own. */
static const uint8_t key[16] = { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78,
                                 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0 };

enum { READING = 6, TAG = 8 };

int main(void)
{
    static const uint8_t nonce[12] = { 1 }; /* must never repeat under one key: count messages, also over a reset */
    uint8_t sealed[READING + TAG] = { '2', '1', '.', '5', ' ', 'C' };
    haechi_lea128_aead ccm;

    int error = haechi_aead_init(&ccm.aead, sizeof ccm, &haechi_ccm, &haechi_lea128, key, sizeof key);
    if (!error)
        error = haechi_seal(&ccm.aead, nonce, sizeof nonce, NULL, 0, sealed, sealed, READING, sealed + READING, TAG);
    haechi_wipe(&ccm, sizeof ccm);
    if (error) {
        printk("error %d of haechi.h\n", error);
        return 0;
    }
    printk("sealed: ");
    for (unsigned i = 0; i < sizeof sealed; i++) printk("%02x", sealed[i]);
    printk("\n");
    return 0;
}

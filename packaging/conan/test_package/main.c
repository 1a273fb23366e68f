/* main.c - encrypts the block of a test vector of HIGHT and prints it.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <haechi.h>
#include <haechi_jobs.h>
#include <haechi_legacy.h>
#include <haechi_stream.h>
#include <stdio.h>

int main(void)
{
    static const unsigned char key[16] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                           0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
    unsigned char block[8] = { 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x00 };
    haechi_hight_key k;
    if (haechi_init(&k.key, sizeof k, &haechi_hight, key, 16)) return 1;
    if (haechi_ecb(&k.key, block, block, 8)) return 2;
    for (int i = 0; i < 8; i++) printf("%02x", block[i]);
    puts("");
    return 0;
}

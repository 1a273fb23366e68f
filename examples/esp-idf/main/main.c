/* main.c - checks the tag of a command by CMAC with LEA-128, as a device does that obeys only its owner.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <haechi.h>
#include <stdio.h>

/* An example: give every device a random key of its own. */
static const uint8_t key[16] = { 0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78,
                                 0x87, 0x96, 0xa5, 0xb4, 0xc3, 0xd2, 0xe1, 0xf0 };

static int tag_of(uint8_t tag[16], const char *text, size_t len)
{
    haechi_lea128_key lea;
    haechi_cmac state = { { 0 }, 0 };
    int error = haechi_init(&lea.key, sizeof lea, &haechi_lea128, key, sizeof key);
    if (!error) error = haechi_cmac_update(&lea.key, &state, text, len);
    if (!error) error = haechi_cmac_tag(&lea.key, &state, tag, 16);
    haechi_wipe(&lea, sizeof lea);
    return error;
}

void app_main(void)
{
    static const char command[] = "open the valve";
    static const uint8_t sent[16] = { 0xbc, 0xcc, 0xd4, 0xd3, 0xc9, 0xf1, 0x96, 0x90,
                                      0xed, 0xdf, 0xc9, 0xd4, 0x4c, 0x18, 0x78, 0xc4 };
    uint8_t tag[16];
    int error = tag_of(tag, command, sizeof command - 1);
    if (!error) error = haechi_verify(tag, sent, sizeof tag);
    puts(error ? "refused" : "obeyed");
}

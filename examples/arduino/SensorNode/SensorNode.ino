// SensorNode.ino - sends one sensor reading a second, encrypted with HIGHT in counter mode.
// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Each line that it sends is the number of the message and six encrypted bytes, all in hexadecimal.  The gateway makes
// the same counter block from the number and decrypts by haechi_ctr with the same key.  Counter mode does not
// authenticate: the gateway cannot tell a line that somebody changed.
#include <haechi.h>

// An example: give every node a random key of its own.
static const uint8_t key[16] = { 0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
                                 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff };
static haechi_hight_key hight;
static uint32_t number; // must never repeat under one key: a real node keeps it in EEPROM over a reset

static void print_hex(const uint8_t *bytes, uint8_t size)
{
    for (uint8_t i = 0; i < size; i++) {
        Serial.print(bytes[i] >> 4, HEX);
        Serial.print(bytes[i] & 15, HEX);
    }
}

void setup()
{
    Serial.begin(9600);
    if (haechi_init(&hight.key, sizeof hight, &haechi_hight, key, sizeof key)) Serial.println("no key");
}

void loop()
{
    const uint32_t now = millis();
    const uint16_t value = analogRead(A0);
    uint8_t message[6] = { (uint8_t)(now >> 24), (uint8_t)(now >> 16), (uint8_t)(now >> 8), (uint8_t)now,
                           (uint8_t)(value >> 8), (uint8_t)value };

    haechi_stream s = { { 0 }, { 0 }, 0 }; // the counter block: the number, then four bytes that count blocks
    for (uint8_t i = 0; i < 4; i++) s.iv[i] = (uint8_t)(number >> (24 - 8 * i));
    print_hex(s.iv, 4);
    if (haechi_ctr(&hight.key, &s, message, message, sizeof message) == HAECHI_OK) {
        Serial.print(" ");
        print_hex(message, sizeof message);
    }
    Serial.println("");
    number++;
    delay(1000);
}

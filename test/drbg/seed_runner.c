/* seed_runner.c - runs a program on an ATmega128 with EEPROM, as often as there are resets.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     seed_runner ELF ERROR GIVEN EEPROM [LIMIT...]
 *
 * ERROR and GIVEN are addresses in RAM, EEPROM its first bytes in hexadecimal.  Each LIMIT is a start; 0 lets it run to its end, and
 * another number cuts the power after so many cycles.  A line for each start: the error, 16 bytes at GIVEN, and EEPROM. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <simavr/avr_eeprom.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

enum { BYTES = 33 };

static void quiet(avr_t *avr, const int level, const char *format, va_list arguments)
{
    (void)avr, (void)level, (void)format, (void)arguments;
}

static void eeprom(avr_t *avr, uint32_t request, uint8_t *bytes)
{
    avr_eeprom_desc_t d = { .ee = bytes, .offset = 0, .size = BYTES };
    avr_ioctl(avr, request, &d);
}

static void print(const uint8_t *bytes, int n)
{
    printf(" ");
    while (n--) printf("%02x", *bytes++);
}

int main(int argc, char **argv)
{
    elf_firmware_t firmware;
    uint8_t ee[BYTES];
    avr_t *avr = avr_make_mcu_by_name("atmega128");
    const long error = strtol(argv[2], NULL, 0), given = strtol(argv[3], NULL, 0);
    avr_global_logger_set(quiet);
    memset(&firmware, 0, sizeof firmware);
    if (avr == NULL || elf_read_firmware(argv[1], &firmware)) return 1;
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->frequency = 16000000;
    avr_load_firmware(avr, &firmware);
    for (int i = 0; i < BYTES; i++) sscanf(argv[4] + 2 * i, "%2hhx", &ee[i]);
    eeprom(avr, AVR_IOCTL_EEPROM_SET, ee);
    for (int start = 5; start < argc; start++) {
        const avr_cycle_count_t limit = strtoull(argv[start], NULL, 0);
        avr_cycle_count_t begin;
        avr_reset(avr);
        begin = avr->cycle;
        while (limit == 0 || avr->cycle - begin < limit) {
            const int state = avr_run(avr);
            if (state == cpu_Done) break;
            if (state == cpu_Crashed) return 2;
        }
        eeprom(avr, AVR_IOCTL_EEPROM_GET, ee);
        printf("%d", (int8_t)avr->data[error]);
        print(avr->data + given, 16);
        print(ee, BYTES);
        printf("\n");
    }
    return 0;
}

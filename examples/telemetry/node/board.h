/* board.h - what a node wants of the chip that it runs on; boards/ has a file for each chip.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The memory that survives a reset has three pages of BOARD_PAGE bytes.  Erasing a page sets all its bits.  Programming clears
 * bits; a place is programmed once and then only after its page was erased.  (An EEPROM can do more than that.)  The node
 * writes pages 0 and 1.  Whoever provisions the node writes page 2. */
#ifndef TELEMETRY_BOARD_H
#define TELEMETRY_BOARD_H

#include <stdint.h>

#if defined(__AVR__)
#define BOARD_PAGE 128
#elif defined(__MSP430__)
#define BOARD_PAGE 128 /* a segment of the information memory */
#else
#define BOARD_PAGE 1024
#endif

void board_start(void);
uint16_t board_sensor(void); /* as the converter gives it */
uint16_t board_supply(void); /* millivolts */

void board_transmit(uint8_t byte);
int board_receive(void); /* a byte, or -1 if none came for a while */

void board_read(unsigned page, unsigned at, void *to, unsigned size);
void board_erase(unsigned page);
void board_program(unsigned page, unsigned at, const void *from, unsigned size); /* at and size are even */

void board_sleep(uint16_t seconds);
void board_stop(void); /* for ever: the node needs help */

#endif

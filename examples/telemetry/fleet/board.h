/* board.h - how the simulated boards report to board.py.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef TELEMETRY_FLEET_BOARD_H
#define TELEMETRY_FLEET_BOARD_H

#include <stdint.h>

/* What a board tells of while it runs: BYTE leaves the serial line; WRITE: the lasting memory has changed, from one byte on. */
enum event { BYTE, WRITE };
typedef void report(int event, uint32_t value);

/* Why a run ended, other than by a fault of the program. */
enum { AT_STOP = 0, AT_LIMIT = -1, AT_FAULT = -2 };

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A bus of a simulated slave. A word that the slave refused is counted. */
#ifndef HAECHI_BUS_H
#define HAECHI_BUS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

uint32_t bus_read(uintptr_t base, uint32_t offset);
void bus_write(uintptr_t base, uint32_t offset, uint32_t word);
unsigned bus_errors(void);
unsigned long bus_clocks(void);

#ifdef __cplusplus
}
#endif

#endif

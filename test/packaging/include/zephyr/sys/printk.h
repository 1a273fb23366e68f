/* printk.h - the function of Zephyr that the sample calls, for the simulators: what it prints goes to serial_text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef PRINTK_H
#define PRINTK_H
void printk(const char *format, ...);
#endif

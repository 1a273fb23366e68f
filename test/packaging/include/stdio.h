/* stdio.h - the function of a C library that the example for ESP-IDF calls, for the simulators: what it prints goes to
 * serial_text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef STDIO_H
#define STDIO_H
int puts(const char *text);
#endif

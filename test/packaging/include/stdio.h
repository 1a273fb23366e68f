/* stdio.h - the functions of a C library that small programs call, for the simulators: what they print goes to
 * serial_text.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef STDIO_H
#define STDIO_H
int printf(const char *format, ...);
int puts(const char *text);
#endif

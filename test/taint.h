/* taint.h - marks secrets for valgrind in programs built with -DTAINT; in others the macros do nothing.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifdef TAINT
#include <valgrind/memcheck.h>
#define SECRET(p, n) VALGRIND_MAKE_MEM_UNDEFINED(p, n)
#define PUBLIC(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#else
#define SECRET(p, n) (void)(p)
#define PUBLIC(p, n) (void)(p)
#endif

/* taint.h - what a test's program tells valgrind of secrets, with -DTAINT; else nothing.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifdef TAINT
#include <valgrind/memcheck.h>
#define SECRET(p, n) VALGRIND_MAKE_MEM_UNDEFINED(p, n)
#define PUBLIC(p, n) VALGRIND_MAKE_MEM_DEFINED(p, n)
#else
#define SECRET(p, n) (void)(p)
#define PUBLIC(p, n) (void)(p)
#endif

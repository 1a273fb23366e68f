/* haechi_random.h - random bytes on machines with an operating system.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_RANDOM_H
#define HAECHI_RANDOM_H

#include <haechi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* len random bytes, any number, from CTR_DRBG over LEA-256 (haechi_drbg_lea256), which the operating system
 * seeds and reseeds.  Threads may call it at once, each has a generator of its own; so has a child after
 * fork.  Not for signal handlers.
 * HAECHI_ERESEED: the system gave no entropy.  HAECHI_EUSE: out is NULL.  On an error out has been zeroed. */
HAECHI_API int haechi_random(void *out, size_t len);

#ifdef __cplusplus
}
#endif
#endif

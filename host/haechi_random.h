/* haechi_random.h - random bytes on machines with an operating system.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_RANDOM_H
#define HAECHI_RANDOM_H

#include <haechi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes len random bytes, any number, from CTR_DRBG over LEA-256 (haechi_drbg_lea256), which the operating system
 * seeds and reseeds.  Threads may call it at the same time, because each has a generator of its own.  After fork, or
 * after any other system call that copies a process, parent and child give different bytes, whatever process numbers
 * they have.  Signal handlers must not call it.
 * HAECHI_ERESEED: the system gave no entropy.  HAECHI_EUSE: out is NULL.  On an error it has zeroed out.
 *
 * A program cannot tell reliably that it goes on in a copy of its virtual machine.  Whoever restores a snapshot, or
 * starts several machines from one, calls haechi_random_reseed in each of them before any random bytes are taken. */
HAECHI_API int haechi_random(void *out, size_t len);

/* Reseeds the calling thread's generator at once, and every other thread's before its next byte.
 * HAECHI_ERESEED: the system gave no entropy; each generator tries again before its next byte. */
HAECHI_API int haechi_random_reseed(void);

#ifdef __cplusplus
}
#endif
#endif

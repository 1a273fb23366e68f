/* haechi_threads.h - ECB and counter mode over large buffers, on several threads.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef HAECHI_THREADS_H
#define HAECHI_THREADS_H

#include <haechi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* haechi_ecb and haechi_ctr, with the same output and errors, on up to so many threads; 0 means as many as OpenMP
 * chooses.  There are fewer threads where the buffer is short, and only one where the library was built without
 * OpenMP (-DHAECHI_OPENMP=ON).  in and out are the same buffer or do not overlap. */
HAECHI_API int haechi_ecb_threads(const haechi_key *k, void *out, const void *in, size_t len, int threads);
HAECHI_API int haechi_ctr_threads(const haechi_key *k, haechi_stream *s, void *out, const void *in, size_t len,
                                  int threads);

/* Returns whether the library was built with OpenMP. */
HAECHI_API int haechi_has_threads(void);

#ifdef __cplusplus
}
#endif
#endif

/* lea_c.h - what other kernels share with lea_c: the key schedules, and the functions for one block.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * lea_c.c describes the layout of round keys. */
#ifndef HAECHI_LEA_C_H
#define HAECHI_LEA_C_H

#include "../../core/kernel.h"

#define HAECHI_LEA_C(bits)                                                                                   \
    void haechi_lea_c_##bits##_eks(void *rk, const void *key);                                               \
    void haechi_lea_c_##bits##_dks(void *rk, const void *key);                                               \
    void haechi_lea_c_##bits##_enc(const void *rk, void *buf);                                               \
    void haechi_lea_c_##bits##_dec(const void *rk, void *buf);

HAECHI_LEA_C(128)
HAECHI_LEA_C(192)
HAECHI_LEA_C(256)

#if !HAECHI_MICRO
/* What the key schedules add to the words, a round after the other: as many words a round as it has round keys. */
extern const uint32_t haechi_lea_c_added_128[24 * 4], haechi_lea_c_added_192[28 * 6], haechi_lea_c_added_256[32 * 6];
#endif

#endif

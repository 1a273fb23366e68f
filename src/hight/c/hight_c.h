/* hight_c.h - what other kernels share with hight_c: the key schedule, one block, the order of rounds.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * hight_c.c describes the layout of round keys. */
#ifndef HAECHI_HIGHT_C_H
#define HAECHI_HIGHT_C_H

#include "../../core/kernel.h"

void haechi_hight_c_eks(void *rk, const void *key);
void haechi_hight_c_enc(const void *rk, void *buf);
void haechi_hight_c_dec(const void *rk, void *buf);

#if !HAECHI_MICRO
/* delta of the key schedule, eight bytes in a word, the first in the lowest byte. */
extern const uint64_t haechi_hight_c_delta[16];
#endif

/* Eight rounds.  Each moves the names X7 ... X0 of the bytes on by one place, so that after eight rounds each byte has
 * its first name again. */
#define HIGHT_ENCRYPT_8(ROUND)                                                                               \
    ROUND(X7, X6, X5, X4, X3, X2, X1, X0)                                                                    \
    ROUND(X6, X5, X4, X3, X2, X1, X0, X7)                                                                    \
    ROUND(X5, X4, X3, X2, X1, X0, X7, X6)                                                                    \
    ROUND(X4, X3, X2, X1, X0, X7, X6, X5)                                                                    \
    ROUND(X3, X2, X1, X0, X7, X6, X5, X4)                                                                    \
    ROUND(X2, X1, X0, X7, X6, X5, X4, X3)                                                                    \
    ROUND(X1, X0, X7, X6, X5, X4, X3, X2)                                                                    \
    ROUND(X0, X7, X6, X5, X4, X3, X2, X1)
#define HIGHT_DECRYPT_8(ROUND)                                                                               \
    ROUND(X0, X7, X6, X5, X4, X3, X2, X1)                                                                    \
    ROUND(X1, X0, X7, X6, X5, X4, X3, X2)                                                                    \
    ROUND(X2, X1, X0, X7, X6, X5, X4, X3)                                                                    \
    ROUND(X3, X2, X1, X0, X7, X6, X5, X4)                                                                    \
    ROUND(X4, X3, X2, X1, X0, X7, X6, X5)                                                                    \
    ROUND(X5, X4, X3, X2, X1, X0, X7, X6)                                                                    \
    ROUND(X6, X5, X4, X3, X2, X1, X0, X7)                                                                    \
    ROUND(X7, X6, X5, X4, X3, X2, X1, X0)

#endif

/* hight_c.h - what other kernels of this machine share with hight_c: the key schedule, and one block alone.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The layout of round keys is told in hight_c.c. */
#ifndef HAECHI_HIGHT_C_H
#define HAECHI_HIGHT_C_H

void haechi_hight_c_eks(void *rk, const void *key);
void haechi_hight_c_enc(const void *rk, void *buf);
void haechi_hight_c_dec(const void *rk, void *buf);

#endif

/* hight_c.h - what other kernels share with hight_c: the key schedule, and the functions for one block.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * hight_c.c describes the layout of round keys. */
#ifndef HAECHI_HIGHT_C_H
#define HAECHI_HIGHT_C_H

void haechi_hight_c_eks(void *rk, const void *key);
void haechi_hight_c_enc(const void *rk, void *buf);
void haechi_hight_c_dec(const void *rk, void *buf);

#endif

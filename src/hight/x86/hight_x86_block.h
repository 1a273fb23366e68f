/* hight_x86_block.h - HIGHT, one block, for SSSE3.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * All kernels of this folder take a single block from here.  Round keys are hight_c's. */
#ifndef HAECHI_HIGHT_X86_BLOCK_H
#define HAECHI_HIGHT_X86_BLOCK_H

void haechi_hight_x86_enc(const void *rk, void *buf);
void haechi_hight_x86_dec(const void *rk, void *buf);

#endif

/* lea.c - the constants haechi_lea128 ... haechi_lea256_inv.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/kernel.h"
#include "kernels.h"

HAECHI_CIPHER(lea128, HAECHI_LEA_LADDER, _128);
HAECHI_CIPHER(lea192, HAECHI_LEA_LADDER, _192);
HAECHI_CIPHER(lea256, HAECHI_LEA_LADDER, _256);
HAECHI_CIPHER(lea128_inv, HAECHI_LEA_LADDER, _128_inv);
HAECHI_CIPHER(lea192_inv, HAECHI_LEA_LADDER, _192_inv);
HAECHI_CIPHER(lea256_inv, HAECHI_LEA_LADDER, _256_inv);

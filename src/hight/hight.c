/* hight.c - the constants haechi_hight and haechi_hight_inv.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/kernel.h"
#include "kernels.h"

HAECHI_CIPHER(hight, HAECHI_HIGHT_LADDER, );
HAECHI_CIPHER(hight_inv, HAECHI_HIGHT_LADDER, _inv);

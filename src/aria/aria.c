/* aria.c - the constants haechi_aria128 ... haechi_aria256_inv.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "../core/kernel.h"
#include "kernels.h"

HAECHI_CIPHER(aria128, HAECHI_ARIA_LADDER, _128);
HAECHI_CIPHER(aria192, HAECHI_ARIA_LADDER, _192);
HAECHI_CIPHER(aria256, HAECHI_ARIA_LADDER, _256);
HAECHI_CIPHER(aria128_inv, HAECHI_ARIA_LADDER, _128_inv);
HAECHI_CIPHER(aria192_inv, HAECHI_ARIA_LADDER, _192_inv);
HAECHI_CIPHER(aria256_inv, HAECHI_ARIA_LADDER, _256_inv);

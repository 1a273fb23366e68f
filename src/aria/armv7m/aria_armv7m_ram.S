/* aria_armv7m_ram.S - ARIA for Cortex-M3 and up with the four S-boxes in RAM, 1024 bytes.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Secrets are indices of look-ups.  The S-boxes are initialised data, which usual linker scripts put in RAM: a look-up
 * takes the same time wherever no cache stands before the RAM, as on Cortex-M3 and on most parts with Cortex-M4 or -M33.
 * aria_armv7m_bytes.h has the functions. */
#define PART(what) haechi_aria_armv7m_ram_##what
#include "aria_armv7m_bytes.h"

#if defined(HAECHI_ARMV7M)

    .section .data.aria_armv7m_ram_T, "aw", %progbits
    S_boxes

    KERNEL aria_armv7m_ram_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt), 0, PART(128_ctr)
    KERNEL aria_armv7m_ram_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt), 0, PART(192_ctr)
    KERNEL aria_armv7m_ram_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt), 0, PART(256_ctr)
    KERNEL aria_armv7m_ram_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv7m_ram_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv7m_ram_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

/* aria_armv7m_small.S - ARIA for Cortex-M3 and up in little flash: one round a turn of the loop, S-boxes in flash.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * For 128, 192 and 256 bits of key; crypt encrypts and decrypts:
 *
 *     void haechi_aria_armv7m_small_128_eks(void *rk, const void *key);
 *     void haechi_aria_armv7m_small_128_dks(void *rk, const void *key);
 *     void haechi_aria_armv7m_small_128_crypt(const void *rk, void *buf);
 *
 *     rk    0     16    32           16 n    16 n + 16        n = 12, 14, 16 rounds
 *           | ek1 | ek2'| ek3 |  ...  | ek(n+1) |             for the inverse cipher dk1 ...
 *
 * The idea.  SL2 is SL1 on words turned by 16 bits, and turns go through the diffusion layer.  Each round here ends with
 * a turn, so that SL1 serves all rounds.  Round keys of even number are stored turned (ek2'), as is what the key
 * schedule makes in its first and third round.
 *
 *     r0                r4 r5 r6 r7    r8 ... r11               r1 r2 r3    r12                   lr
 *     next round key    the block      SB1, SB2, SB3 and SB4    scratch     stop before a key     or before a diffusion
 *                                                                           at this r0            layer at this r0
 *
 * Secrets are indices of look-ups, so this kernel is only for parts where no cache stands before the flash.  In the loop
 * loads start at multiples of four: a load that straddles words would not pipeline behind another load. */
#define PART(what) haechi_aria_armv7m_small_##what
#include "aria_armv7m_small_rounds.h"

#if defined(HAECHI_ARMV7M)

/* ---- Encryption and decryption. */

.macro enter bits
    push    {r1, SAVED, lr}
    add     lr, r0, #16*(\bits/32+8) // ek(n+1)
.endm

FUNC PART(192_crypt)
    enter   192
    b       PART(crypt)
ENDF

FUNC PART(256_crypt)
    enter   256
    b       PART(crypt)
ENDF

FUNC PART(128_crypt)
    enter   128
INNER PART(crypt)
    load_block r1
    tables
    mov     r12, sp                 // where no round key is
    rounds
    pop     {r1}
    str     x0, [r1]
    str     x1, [r1, #4]
    str     x2, [r1, #8]
    str     x3, [r1, #12]
    pop     {SAVED, pc}
2:  pop     {pc}
ENDF

#include "aria_armv7m_small_schedule.h"

    .section .rodata.aria_armv7m_small_T, "a", %progbits
    S_boxes

    KERNEL aria_armv7m_small_128, 16, 16, 208, 0, PART(128_eks), PART(128_crypt)
    KERNEL aria_armv7m_small_192, 16, 24, 240, 0, PART(192_eks), PART(192_crypt)
    KERNEL aria_armv7m_small_256, 16, 32, 272, 0, PART(256_eks), PART(256_crypt)
    KERNEL aria_armv7m_small_128_inv, 16, 16, 208, INVERSE, PART(128_dks), PART(128_crypt)
    KERNEL aria_armv7m_small_192_inv, 16, 24, 240, INVERSE, PART(192_dks), PART(192_crypt)
    KERNEL aria_armv7m_small_256_inv, 16, 32, 272, INVERSE, PART(256_dks), PART(256_crypt)

#endif

#include "../../asm/stack_note.h"

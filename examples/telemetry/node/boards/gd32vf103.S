/* gd32vf103.S - after a reset the chip runs its flash at address 0: the program goes on at the address that it is linked for.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
    .section .reset, "ax", %progbits
    .global _reset
_reset:
    lui     a0, %hi(_start)
    jr      %lo(_start)(a0)

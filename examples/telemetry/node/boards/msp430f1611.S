/* msp430f1611.S - interrupt vectors and start-up code of a node.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
#define OWN_VECTORS
#include "../../../../bench/made/harness/msp430_start.S"

    .section .vectors, "a", %progbits
    .fill   10, 2, 0xffff
    .word   board_wakes                 ; watchdog
    .fill   4, 2, 0xffff
    .word   _start

/* Lets the program go on after the instruction that put the CPU to sleep. */
FUNC board_wakes
    bic     #0xd0, 0(r1)                ; of the status register that the interrupt pushed
    reti
ENDF

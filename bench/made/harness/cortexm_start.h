/* cortexm_start.h - interrupt vectors and start-up code of a Cortex-M.  Whoever includes this defines memcpy and memset.
 * SPDX-License-Identifier: Apache-2.0 OR MIT */
    .section .vectors, "a", %progbits
    .word   _stack, _start

FUNC _start
    ldr     r0, =_data
    ldr     r1, =_data_image
    ldr     r2, =_data_size
    bl      memcpy
    ldr     r0, =_bss
    movs    r1, #0
    ldr     r2, =_bss_size
    bl      memset
    bl      main
    .pool
ENDF

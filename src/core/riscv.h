/* riscv.h - which builds have the kernels for RISC-V: one text for C and assembly.  Internal.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * Cores of 32 bits with all 32 registers, without an operating system, as haechi.h decides. */
#ifndef HAECHI_RISCV_H
#define HAECHI_RISCV_H

#if defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e) && !defined(__riscv_e) && !defined(__unix__) && \
    (!defined(HAECHI_MICRO) || HAECHI_MICRO)
#define HAECHI_RV32 1
#endif

#endif

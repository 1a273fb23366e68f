/* hight_rv32.S - HIGHT for RISC-V: eight rounds a turn of the loop, two bytes a register, no tables.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 *     void haechi_hight_rv32_eks(void *rk, const void *key);
 *     void haechi_hight_rv32_enc(const void *rk, void *buf);
 *     void haechi_hight_rv32_dec(const void *rk, void *buf);
 *
 *     rk, words    0      1                    32     33
 *                  WK0..3 the keys of 32 rounds       WK4..7
 *                  enc reads upwards ->  <- dec reads downwards
 *
 * hight_rv32.h has the steps and the registers. */
#include "hight_rv32.h"

#if defined(HAECHI_RV32)

FUNC haechi_hight_rv32_enc
    encrypt 2
ENDF

FUNC haechi_hight_rv32_dec
    decrypt 2
ENDF

FUNC haechi_hight_rv32_eks
    KeySchedule hight_rv32_deltas
ENDF

    named_deltas hight_rv32_deltas

    KERNEL hight_rv32, 8, 16, 136, ALIGN4, haechi_hight_rv32_eks, haechi_hight_rv32_enc
    KERNEL hight_rv32_inv, 8, 16, 136, ALIGN4|INVERSE, haechi_hight_rv32_eks, haechi_hight_rv32_dec

#endif

#include "../../asm/stack_note.h"

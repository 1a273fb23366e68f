/* aria_c_keys.h - ARIA's round keys for S-boxes without constants: the round keys include the constants.
 * SPDX-License-Identifier: Apache-2.0 OR MIT
 *
 * The including file defines u64 and INLINE. */
#ifndef HAECHI_ARIA_C_KEYS_H
#define HAECHI_ARIA_C_KEYS_H

/* SB1 and SB2 add a constant after their inversion, SB3 and SB4 before it.  Round keys include these constants, here
 * as bytes of a block.  LATE: what columns 0 and 1 add after an odd-numbered layer (SL1).  EARLY: what columns 2 and
 * 3 add before it.  SL2 exchanges the two words.  A_LATE, A_EARLY: the same behind the diffusion layer, for rows 0
 * and 1 and for rows 2 and 3. */
#define LATE UINT64_C(0x0000e2630000e263)
#define EARLY UINT64_C(0xe2630000e2630000)
static const u64 A_LATE[2] = { UINT64_C(0x000063e263e20000), UINT64_C(0x0000e263e2630000) };
static const u64 A_EARLY[2] = { UINT64_C(0x63e20000000063e2), UINT64_C(0xe26300000000e263) };

/* Round key i of 0 ... rounds with the constants of the S-boxes before and after it. */
INLINE void round_key(u64 *k, const uint8_t *rk, int i, int rounds)
{
    for (int h = 0; h < 2; h++) {
        k[h] = haechi_load_le64(rk + 16 * i + 8 * h);
        if (i == 0 || i == rounds) k[h] ^= EARLY;
        else k[h] ^= i % 2 ? A_LATE[h] ^ LATE : A_EARLY[h] ^ EARLY;
    }
}

#if !HAECHI_MICRO
/* ---- Sixty-four blocks, for words of any type: plane i of byte 4r + c is x[32c + 4i + r'], r' = 0 2 1 3. */

/* Turns each bit of round keys 1 ... rounds - 1 into a byte 0 or 0xff, in the order of x[]. */
INLINE void keys64(uint8_t *keys, const uint8_t *rk, int rounds)
{
    for (int i = 1; i < rounds; i++, keys += 128) {
        u64 k[2];
        round_key(k, rk, i, rounds);
        for (int c = 0; c < 4; c++) { /* a column with its rows 0 2 1 3 as bytes of one word */
            const u64 mask = UINT64_C(0x000000ff000000ff);
            const u64 rows = (k[0] >> 8 * c & mask) | (k[1] >> 8 * c & mask) << 8;
            const uint32_t column = (uint32_t)(rows | rows >> 16);
            for (int j = 0; j < 8; j++)
                haechi_store_le32(keys + 32 * c + 4 * j, (column >> j & 0x01010101) * 0xff);
        }
    }
}

/* The index of the first plane of byte i. */
#define BYTE(i) (32 * ((i) % 4) + ((i) / 4 % 2 * 2 + (i) / 8))
#endif

#endif

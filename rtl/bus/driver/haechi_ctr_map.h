/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Written from registers.toml by bench/made/registers.py. */
#ifndef HAECHI_CTR_MAP_H
#define HAECHI_CTR_MAP_H

#define HAECHI_CTR_ID 0x00u
#define HAECHI_CTR_ID_KEY(id) ((id) >> 0 & 15u)
#define HAECHI_CTR_ID_BLOCK(id) ((id) >> 4 & 15u)
#define HAECHI_CTR_ID_CIPHER(id) ((id) >> 8 & 255u)
#define HAECHI_CTR_CONTROL 0x04u
#define HAECHI_CTR_CONTROL_START (1u << 0)
#define HAECHI_CTR_CONTROL_CLEAR (1u << 1)
#define HAECHI_CTR_STATUS 0x08u
#define HAECHI_CTR_STATUS_READY (1u << 0)
#define HAECHI_CTR_STATUS_RESULT (1u << 1)
#define HAECHI_CTR_STATUS_BUSY (1u << 2)
#define HAECHI_CTR_DATA 0x0Cu
#define HAECHI_CTR_COUNTER 0x10u
#define HAECHI_CTR_KEY 0x20u
#define HAECHI_CTR_LEA_128 0x48430144u
#define HAECHI_CTR_LEA_192 0x48430146u
#define HAECHI_CTR_LEA_256 0x48430148u
#define HAECHI_CTR_HIGHT 0x48430224u
#define HAECHI_CTR_ARIA_128 0x48430344u

#endif

/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Written from registers.toml by bench/made/registers.py. */
#ifndef HAECHI_CTR_MAP_H
#define HAECHI_CTR_MAP_H

#define HAECHI_CTR_ID 0x00u
#define HAECHI_CTR_CONTROL 0x04u
#define HAECHI_CTR_CONTROL_START (1u << 0)
#define HAECHI_CTR_CONTROL_CLEAR (1u << 1)
#define HAECHI_CTR_STATUS 0x08u
#define HAECHI_CTR_STATUS_READY (1u << 0)
#define HAECHI_CTR_STATUS_RESULT (1u << 1)
#define HAECHI_CTR_STATUS_BUSY (1u << 2)
#define HAECHI_CTR_KEY 0x10u
#define HAECHI_CTR_COUNTER 0x20u
#define HAECHI_CTR_DATA_IN 0x30u
#define HAECHI_CTR_DATA_OUT 0x34u
#define HAECHI_CTR_ID_VALUE 0x4C454131u

#endif

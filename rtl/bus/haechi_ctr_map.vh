// SPDX-License-Identifier: Apache-2.0 OR MIT
// Written from registers.toml by bench/made/registers.py.
`define HAECHI_CTR_ID 6'd0
`define HAECHI_CTR_CONTROL 6'd4
`define HAECHI_CTR_CONTROL_START 32'd0
`define HAECHI_CTR_CONTROL_CLEAR 32'd1
`define HAECHI_CTR_STATUS 6'd8
`define HAECHI_CTR_STATUS_READY 32'd0
`define HAECHI_CTR_STATUS_RESULT 32'd1
`define HAECHI_CTR_STATUS_BUSY 32'd2
`define HAECHI_CTR_KEY 6'd16
`define HAECHI_CTR_COUNTER 6'd32
`define HAECHI_CTR_DATA_IN 6'd48
`define HAECHI_CTR_DATA_OUT 6'd52
`define HAECHI_CTR_ID_VALUE 32'h4C454131

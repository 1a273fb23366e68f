// ibex.sv - lowRISC's Ibex as a simulated microcontroller has it: without caches, interrupts and debugger.
// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory answers in the cycle after the request, and it never makes the core wait.  The core boots at address 0x80.
`default_nettype none

module core
  import ibex_pkg::*;
#(
    parameter int RV32M = RV32MFast,  // numbers of rv32m_e and rv32b_e, as the command line of Verilator has no names
    parameter int RV32B = RV32BBalanced,
    parameter bit BranchTargetALU = 1'b0,
    parameter bit WritebackStage = 1'b0
) (
    input wire clk_i,
    input wire rst_ni,
    output wire instr_req_o,
    output wire [31:0] instr_addr_o,
    input wire instr_rvalid_i,
    input wire [31:0] instr_rdata_i,
    output wire data_req_o,
    output wire data_we_o,
    output wire [3:0] data_be_o,
    output wire [31:0] data_addr_o,
    output wire [31:0] data_wdata_o,
    input wire data_rvalid_i,
    input wire [31:0] data_rdata_i
);

  ibex_top #(
      .RV32M(rv32m_e'(RV32M)),
      .RV32B(rv32b_e'(RV32B)),
      .BranchTargetALU(BranchTargetALU),
      .WritebackStage(WritebackStage)
  ) u_ibex (
      .clk_i,
      .rst_ni,
      .test_en_i(1'b0),
      .ram_cfg_i('0),
      .hart_id_i('0),
      .boot_addr_i('0),
      .instr_req_o,
      .instr_gnt_i(1'b1),
      .instr_rvalid_i,
      .instr_addr_o,
      .instr_rdata_i,
      .instr_rdata_intg_i('0),
      .instr_err_i(1'b0),
      .data_req_o,
      .data_gnt_i(1'b1),
      .data_rvalid_i,
      .data_we_o,
      .data_be_o,
      .data_addr_o,
      .data_wdata_o,
      .data_wdata_intg_o(),
      .data_rdata_i,
      .data_rdata_intg_i('0),
      .data_err_i(1'b0),
      .irq_software_i(1'b0),
      .irq_timer_i(1'b0),
      .irq_external_i(1'b0),
      .irq_fast_i('0),
      .irq_nm_i(1'b0),
      .scramble_key_valid_i(1'b0),
      .scramble_key_i('0),
      .scramble_nonce_i('0),
      .scramble_req_o(),
      .debug_req_i(1'b0),
      .crash_dump_o(),
      .double_fault_seen_o(),
      .fetch_enable_i(IbexMuBiOn),
      .alert_minor_o(),
      .alert_major_internal_o(),
      .alert_major_bus_o(),
      .core_sleep_o(),
      .scan_rst_ni(1'b1)
  );

endmodule

// ---- The cells that a technology provides.

module prim_buf #(
    parameter int Width = 1
) (
    input wire [Width-1:0] in_i,
    output wire [Width-1:0] out_o
);
  assign out_o = in_i;
endmodule

module prim_flop #(
    parameter int Width = 1,
    parameter logic [Width-1:0] ResetValue = 0
) (
    input wire clk_i,
    input wire rst_ni,
    input wire [Width-1:0] d_i,
    output logic [Width-1:0] q_o
);
  always_ff @(posedge clk_i or negedge rst_ni) q_o <= rst_ni ? d_i : ResetValue;
endmodule

// The core sleeps only while it waits for interrupts, which there are none of: its clock always runs.
module prim_clock_gating #(
    parameter bit NoFpgaGate = 1'b0,
    parameter bit FpgaBufGlobal = 1'b1
) (
    input wire clk_i,
    input wire en_i,
    input wire test_en_i,
    output wire clk_o
);
  assign clk_o = clk_i;
endmodule

`default_nettype wire

// picorv32.sv - Claire Wolf's PicoRV32 with the ports of ibex.sv.
// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// Memory is asked one cycle ahead, by the core's look-ahead interface, so that it never makes the core wait.
`default_nettype none

module core (
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
  wire read, write;

  assign instr_req_o = 1'b0;
  assign instr_addr_o = 32'b0;
  assign data_req_o = read | write;
  assign data_we_o = write;

  picorv32 #(
      .BARREL_SHIFTER(1),
      .COMPRESSED_ISA(1),
      .ENABLE_FAST_MUL(1),
      .ENABLE_DIV(1),
      .PROGADDR_RESET(32'h80)
  ) u_picorv32 (
      .clk(clk_i),
      .resetn(rst_ni),
      .trap(),
      .mem_valid(),
      .mem_instr(),
      .mem_ready(1'b1),
      .mem_addr(),
      .mem_wdata(),
      .mem_wstrb(),
      .mem_rdata(data_rdata_i),
      .mem_la_read(read),
      .mem_la_write(write),
      .mem_la_addr(data_addr_o),
      .mem_la_wdata(data_wdata_o),
      .mem_la_wstrb(data_be_o),
      .pcpi_valid(),
      .pcpi_insn(),
      .pcpi_rs1(),
      .pcpi_rs2(),
      .pcpi_wr(1'b0),
      .pcpi_rd(32'b0),
      .pcpi_wait(1'b0),
      .pcpi_ready(1'b0),
      .irq(32'b0),
      .eoi(),
      .trace_valid(),
      .trace_data()
  );

endmodule

`default_nettype wire

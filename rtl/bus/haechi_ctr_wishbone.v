// SPDX-License-Identifier: Apache-2.0 OR MIT
// haechi_ctr as a Wishbone B4 slave (classic cycles, 32 bits).  Every transfer ends one clock after it began, by ack_o or,
// where it was refused, by err_o.

`default_nettype none

module haechi_ctr_wishbone #(
    parameter [95:0] CORE = "lea_serial",  // and the rest as in haechi_ctr.v
    parameter KEY = 128,
    parameter D = 8
) (
    input  wire        clk_i,
    input  wire        rst_i,
    input  wire        cyc_i,
    input  wire        stb_i,
    input  wire        we_i,
    input  wire [ 5:0] adr_i,  // of a byte
    input  wire [31:0] dat_i,
    output wire        ack_o,
    output wire        err_o,
    output wire [31:0] dat_o
);
  reg ack_q, err_q;
  reg [31:0] read_q;

  wire [31:0] read;
  wire refused;
  wire access = cyc_i & stb_i & ~ack_q & ~err_q;
  haechi_ctr_registers #(.CORE(CORE), .KEY(KEY), .D(D)) registers (
      .clk_i(clk_i), .rst_ni(~rst_i), .read_i(access & ~we_i), .write_i(access & we_i), .address_i(adr_i),
      .word_i(dat_i), .read_o(read), .refused_o(refused)
  );
  always @(posedge clk_i) begin
    ack_q  <= access & ~refused & ~rst_i;
    err_q  <= access & refused & ~rst_i;
    read_q <= rst_i ? 32'd0 : read;
  end
  assign ack_o = ack_q & cyc_i & stb_i;
  assign err_o = err_q & cyc_i & stb_i;
  assign dat_o = read_q;
endmodule

`default_nettype wire

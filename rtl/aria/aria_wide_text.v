// SPDX-License-Identifier: Apache-2.0 OR MIT
// The text of aria_wide: W bits a clock leave and enter.  In the last clock of a pass all of it goes through the diffusion
// layer, together with what enters.

`default_nettype none

module aria_wide_text #(
    parameter W = 32
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         hold_i,
    input  wire         diffuse_i,
    input  wire [W-1:0] column_i,
    output wire [W-1:0] column_o
);
  reg [127:0] text_q;  // byte 0, which leaves first, is lowest
  wire [127+W:0] next = {column_i, text_q};
  wire [127:0] moved = next[127+W:W];
  wire [127:0] diffused;
  generate
    genvar i, n;
    for (n = 0; n < 8; n = n + 1) begin : g_bit
      wire [15:0] x, y;
      aria_diffuse diffuse (.x_i(x), .y_o(y));
      for (i = 0; i < 16; i = i + 1) begin : g_byte
        assign x[i] = moved[8*i+n];
        assign diffused[8*i+n] = y[i];
      end
    end
  endgenerate

  wire clk, en;
  haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(hold_i), .clk_o(clk), .en_o(en));
  always @(posedge clk) if (en) text_q <= diffuse_i ? diffused : moved;
  assign column_o = text_q[W-1:0];
  wire unused = &{1'b0, next[W-1:0]};
endmodule

`default_nettype wire

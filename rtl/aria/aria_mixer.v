// SPDX-License-Identifier: Apache-2.0 OR MIT
// Sixteen bytes in a shift register, which also goes through the diffusion layer, D bits of each byte a clock.
//
// The layer does the same with bit 0 of all bytes as with their bit 1, and so on.  So the bytes turn by D bits a clock, and
// D copies of it are enough.

`default_nettype none

module aria_mixer #(
    parameter D = 1  // 1, 2, 4 or 8
) (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire       diffuse_i,
    input  wire [7:0] byte_i,
    output wire [7:0] byte_o
);
  reg [127:0] x_q;  // byte 0, which leaves first, is lowest

  wire [127:0] diffused;
  generate
    genvar i, n;
    for (n = 0; n < D; n = n + 1) begin : g_bit
      wire [15:0] x, y;
      aria_diffuse diffuse (.x_i(x), .y_o(y));
      for (i = 0; i < 16; i = i + 1) begin : g_byte
        assign x[i] = x_q[8*i+n];
        assign diffused[8*i+8-D+n] = y[i];
      end
    end
    if (D < 8) begin : g_turn
      for (i = 0; i < 16; i = i + 1) begin : g_byte
        assign diffused[8*i+:8-D] = x_q[8*i+D+:8-D];
      end
    end
  endgenerate
  always @(posedge clk_i) if (en_i) x_q <= diffuse_i ? diffused : {byte_i, x_q[127:8]};
  assign byte_o = x_q[7:0];
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// Delays bits by 8 * BYTES clocks, in rows of latches.
//
// The register S collects a byte while it gives another one away.  In the last clock of a byte row 0 takes the new
// byte, in the clock before row 1 takes the byte of row 0, and so on: one row is open at a time, in the low half of the
// clock.  So 8 latches and a pulse hold what takes 8 flip-flops in a shift register.

`default_nettype none

module lea_latch_line #(
    parameter BYTES = 8  // at most 8
) (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire       clk_move_i,  // the same clock, at rest when nothing moves
    input  wire       en_move_i,
    input  wire [7:0] at_i,        // bit n is 1 in clock n of a byte that moves
    input  wire       bit_i,
    output wire       bit_o
);
  reg [7:0] s_q;

  wire [7:0] made = {bit_i, s_q[7:1]};
  wire [8*BYTES+7:0] rows;
  assign rows[7:0] = made;
  generate
    genvar n;
    for (n = 0; n < BYTES; n = n + 1) begin : g_row
      haechi_row row (.clk_i(clk_i), .en_i(en_i), .open_i(at_i[7-n]), .d_i(rows[8*n+:8]), .q_o(rows[8*n+8+:8]));
    end
  endgenerate
  always @(posedge clk_move_i) if (en_move_i) s_q <= at_i[7] ? rows[8*BYTES+:8] : made;
  assign bit_o = s_q[0];

  wire unused = &at_i;
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of lea_latch in a shift register, that turns left by one of three numbers of bits while it leaves.
//
// It works as lea_word.v does: in the first K clocks what stands above bit 32 - K leaves, and what is below waits.

`default_nettype none

module lea_latch_turn #(
    parameter K1 = 3,  // K1 > K2 > K3
    parameter K2 = 2,
    parameter K3 = 1
) (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire [4:0] clock_i,
    input  wire [2:0] turn_i,   // by K3, K2 or K1
    input  wire       word_i,
    output wire       word_o
);
  localparam [4:0] C1 = K1, C2 = K2, C3 = K3;
  localparam P1 = 32 - K1, P2 = 32 - K2, P3 = 32 - K3;

  reg [31:P3] d_q;
  reg [P3-1:P2] c_q;
  reg [P2-1:P1] b_q;
  reg [P1-1:0] a_q;

  wire by_1 = turn_i[0] & clock_i < C1;
  wire by_2 = turn_i[1] & clock_i < C2;
  wire by_3 = turn_i[2] & clock_i < C3;
  wire clk_a, en_a, clk_b, en_b, clk_c, en_c;
  haechi_gate gate_a (.clk_i(clk_i), .en_i(en_i), .hold_i(by_1 | by_2 | by_3), .clk_o(clk_a), .en_o(en_a));
  haechi_gate gate_b (.clk_i(clk_i), .en_i(en_i), .hold_i(by_2 | by_3), .clk_o(clk_b), .en_o(en_b));
  haechi_gate gate_c (.clk_i(clk_i), .en_i(en_i), .hold_i(by_3), .clk_o(clk_c), .en_o(en_c));

  wire [32:P3] d = {word_i, d_q};
  wire [P3:P2] c = {d_q[P3], c_q};
  wire [P2:P1] b = {c_q[P2], b_q};
  wire [P1:0] a = {b_q[P1], a_q};
  always @(posedge clk_i) if (en_i) d_q <= d[32:P3+1];
  always @(posedge clk_c) if (en_c) c_q <= c[P3:P2+1];
  always @(posedge clk_b) if (en_b) b_q <= b[P2:P1+1];
  always @(posedge clk_a) if (en_a) a_q <= a[P1:1];
  assign word_o = by_1 ? b_q[P1] : by_2 ? c_q[P2] : by_3 ? d_q[P3] : a_q[0];

  wire unused = &{d, c, b, a};
endmodule

`default_nettype wire

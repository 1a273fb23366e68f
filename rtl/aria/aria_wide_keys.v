// SPDX-License-Identifier: Apache-2.0 OR MIT
// The words of ARIA's key schedule in a ring of four places, W bits a clock.
//
// In a pass each word moves on by one place, a column of W bits a clock: from place 1 to 0, and from 0 to 3.  The round key is
// the word in one of the places 0 and 1, and the word in the other one turned.  A column of a turned word is in two columns
// of the word.  What has left a place since the pass began is at the end of the next one.

`default_nettype none

module aria_wide_keys #(
    parameter W = 32,
    parameter BOTH = 0,
    parameter C = 4  // bits of the number of a column
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         rst_i,
    input  wire         swap_i,    // the word in place 0 turns
    input  wire         stay_i,    // each word of the round key turns in its own place
    input  wire         word_i,    // a word that is made enters place 1
    input  wire         zero_i,
    input  wire [  1:0] by_i,
    input  wire [C-1:0] column_i,
    input  wire [W-1:0] key_i,     // enters place 1 while rst_i is high
    input  wire [W-1:0] made_i,
    output wire [W-1:0] plain_o,
    output wire [W-1:0] turned_o
);
  localparam N = 128 / W;
  wire swap = BOTH != 0 ? swap_i : 1'b0;
  reg [127:0] place_0_q, place_1_q, place_2_q, place_3_q;  // the column that leaves first is lowest

  // Where a column is a word, a word that stays need not move.
  wire stay = N > 1 ? stay_i : 1'b0;
  wire [W-1:0] in_0 = stay ? place_0_q[W-1:0] : place_1_q[W-1:0];
  wire ring = ~rst_i & ~word_i & ~zero_i;
  wire [W-1:0] in_1 = key_i & {W{rst_i}} | made_i & {W{~rst_i & word_i}} | place_1_q[W-1:0] & {W{ring & stay}} |
                      place_2_q[W-1:0] & {W{ring & ~stay}};
  wire [127+W:0] next_0 = {in_0, place_0_q}, next_1 = {in_1, place_1_q};
  wire [127+W:0] next_2 = {place_3_q[W-1:0], place_2_q}, next_3 = {place_0_q[W-1:0], place_3_q};

  // A gate for each place, because one for all would drive too many flip-flops, and be late.
  wire [3:0] clk, en;
  generate
    genvar n;
    for (n = 0; n < 4; n = n + 1) begin : g_gate
      if (N == 1 || n >= 2) begin : g_rests
        haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(stay_i & ~rst_i), .clk_o(clk[n]), .en_o(en[n]));
      end else begin : g_moves
        assign {clk[n], en[n]} = {clk_i, en_i};
      end
    end
  endgenerate
  always @(posedge clk[0]) if (en[0]) place_0_q <= next_0[127+W:W];
  always @(posedge clk[1]) if (en[1]) place_1_q <= next_1[127+W:W];
  always @(posedge clk[2]) if (en[2]) place_2_q <= next_2[127+W:W];
  always @(posedge clk[3]) if (en[3]) place_3_q <= next_3[127+W:W];

  // The word that turns, with the column of this clock lowest.
  wire [127:0] word;
  assign word[W-1:0] = swap ? place_0_q[W-1:0] : place_1_q[W-1:0];
  generate
    genvar i;
    for (i = 1; i < N; i = i + 1) begin : g_column
      localparam [31:0] FROM = N - i;  // the first clock in which this column has left
      wire left = ~stay & column_i >= FROM[C-1:0];
      assign word[W*i+:W] = (left ? ~swap : swap) ? place_0_q[W*i+:W] : left ? place_3_q[W*i+:W] : place_1_q[W*i+:W];
    end
    for (i = 0; i < W / 8; i = i + 1) begin : g_byte
      wire [255:0] twice = {2{word}};
      aria_turn turn (.by_i(by_i), .word_i(twice[8*i+:128]), .byte_o(turned_o[8*i+:8]));
      wire unused = &twice;
    end
  endgenerate
  assign plain_o = swap ? place_1_q[W-1:0] : place_0_q[W-1:0];
  wire unused = &{1'b0, next_0[W-1:0], next_1[W-1:0], next_2[W-1:0], next_3[W-1:0], swap_i, column_i};
endmodule

`default_nettype wire

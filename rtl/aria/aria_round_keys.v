// SPDX-License-Identifier: Apache-2.0 OR MIT
// The words W0 to W3 of the key schedule in a ring, of which a round takes the first two.
//
// While rst_ni is low, W0 enters at the end of the ring.  Three clocks later all words are there: each is what the layers
// make of the last one, and the word before that.  Then the ring turns in every round.

`default_nettype none

module aria_round_keys (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         rst_i,
    input  wire         first_i,     // W1 is made
    input  wire         make_i,      // a word is made
    input  wire         hold_i,
    input  wire [  1:0] by_i,        // how far the second word turns
    input  wire [127:0] key_i,       // byte 0 is lowest, as in all words
    input  wire [127:0] diffused_i,
    output wire [127:0] word_o,      // the last word made
    output wire [127:0] key_o        // of the round
);
  reg [127:0] a_q, b_q, c_q, d_q;

  wire clk_turn, en_turn;
  haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(hold_i), .clk_o(clk_turn), .en_o(en_turn));
  wire [127:0] made = diffused_i ^ c_q & {128{~first_i}};
  always @(posedge clk_turn) if (en_turn) {d_q, c_q, b_q, a_q} <= {rst_i ? key_i : make_i ? made : a_q, d_q, c_q, b_q};

  wire [127:0] turned;
  generate
    genvar i;
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      wire [255:0] twice = {2{b_q}};
      aria_turn turn (.by_i(by_i), .word_i(twice[8*i+:128]), .byte_o(turned[8*i+:8]));
      wire unused = &twice;
    end
  endgenerate
  assign word_o = d_q;
  assign key_o  = a_q ^ turned;
endmodule

`default_nettype wire

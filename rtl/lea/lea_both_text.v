// SPDX-License-Identifier: Apache-2.0 OR MIT
// The text of lea_both: a round in a pass, forwards or backwards.

`default_nettype none

module lea_both_text #(
    parameter D = 1,
    parameter N = 4  // words of a round key: 4, or 6 that are all different
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire [32/D-1:0] from_i,  // bit n is 1 from clock n of a pass on
    input  wire            more_i,  // any clock but the last of a pass, outside a reset
    input  wire            load_i,  // data_i enters
    input  wire            turn_i,  // the words are sums of the last round
    input  wire            undo_i,  // a round backwards
    input  wire            hold_i,  // nothing moves
    input  wire [ 4*D-1:0] data_i,
    input  wire [ N*D-1:0] t_i,     // the round key, T0 lowest, forwards
    input  wire [ N*D-1:0] made_i,  // and backwards
    output wire [ 4*D-1:0] x_o      // the words in registers 3, 2, 1 and 0
);
  wire clk, en;
  haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(hold_i), .clk_o(clk), .en_o(en));

  // verilator lint_off UNOPTFLAT
  wire [4*D-1:0] made;
  // verilator lint_on UNOPTFLAT
  wire [4*D-1:0] next = load_i ? data_i : made;
  assign made[3*D+:D] = x_o[0+:D];
  generate
    genvar i;
    for (i = 0; i < 3; i = i + 1) begin : g_sum
      // The words of the key for this sum.  Backwards they are those of sum 2 - i.
      localparam T = N == 6 ? 2 * i : i == 0 ? 0 : i + 1, U = N == 6 ? 2 * i + 1 : 1;
      localparam BACK_T = N == 6 ? 4 - 2 * i : i == 2 ? 0 : 3 - i, BACK_U = N == 6 ? 5 - 2 * i : 1;
      wire [D-1:0] x = undo_i ? made[D*i+D+:D] : x_o[D*i+:D];
      wire [D-1:0] t = undo_i ? made_i[D*BACK_T+:D] : t_i[D*T+:D];
      wire [D-1:0] ahead = t_i[D*U+:D] | {D{undo_i}};  // U enters the sum, or the complement of a word does
      wire [D-1:0] behind = ~made_i[D*BACK_U+:D] & {D{undo_i}};  // a complement leaves the sum, and U
      wire [D-1:0] sum;
      lea_add #(.D(D)) add (
          .clk_i(clk), .en_i(en), .more_i(more_i), .a_i(x ^ t), .b_i(x_o[D*i+D+:D] ^ ahead), .sum_o(sum)
      );
      assign made[D*i+:D] = sum ^ behind;
    end
    for (i = 0; i < 4; i = i + 1) begin : g_word
      localparam K = i == 0 ? 9 : i == 1 ? 27 : i == 2 ? 29 : 0, M = i == 0 ? 0 : i == 1 ? 3 : i == 2 ? 5 : 23;
      lea_both_word #(.D(D), .K(K), .M(M)) word (
          .clk_i(clk), .en_i(en), .turn_i(turn_i), .back_i(undo_i), .from_i(from_i), .word_i(next[D*i+:D]),
          .word_o(x_o[D*i+:D])
      );
    end
  endgenerate
endmodule

`default_nettype wire

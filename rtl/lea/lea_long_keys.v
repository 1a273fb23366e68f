// SPDX-License-Identifier: Apache-2.0 OR MIT
// The key schedule of lea_long: while the words of T leave, turned, they take delta and enter again.
//
// A round of LEA-256 changes six of eight words, and the next round begins with the word behind them.  All words
// therefore move on by two places in a round, so that it always changes the first six.

`default_nettype none

module lea_long_keys #(
    parameter D = 1,
    parameter WORDS = 6
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire [32/D-1:0] from_i,   // bit n is 1 from clock n of a pass on
    input  wire            more_i,   // any clock but the last of a pass, outside a reset
    input  wire            load_i,   // key_i enters
    input  wire [WORDS*D-1:0] key_i,
    input  wire [ 6*D-1:0] delta_i,
    output wire [ 6*D-1:0] t_o       // the words that the last round changed, T0 lowest
);
  localparam ON = WORDS - 6;  // places that a word moves on
  wire [6*D-1:0] made;
  wire [6*D-1:0] first;  // of the words that leave
  wire [6*D-1:0] old = load_i ? key_i[0+:6*D] : first;
  generate
    genvar i;
    for (i = 0; i < 6; i = i + 1) begin : g_word
      localparam K = i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 6 : i == 3 ? 11 : i == 4 ? 13 : 17;
      lea_add #(.D(D)) add (
          .clk_i(clk_i), .en_i(en_i), .more_i(more_i), .a_i(old[D*i+:D]), .b_i(delta_i[D*i+:D]), .sum_o(made[D*i+:D])
      );
      lea_word #(.D(D), .K(K)) word (
          .clk_i(clk_i), .en_i(en_i), .turn_i(1'b1), .from_i(from_i), .word_i(made[D*i+:D]), .word_o(t_o[D*i+:D])
      );
    end
    if (WORDS == 6) begin : g_rest
      assign first = t_o;
    end else begin : g_rest
      wire [ON*D-1:0] rest;  // words 0 and 1, which were 6 and 7 in the last round
      for (i = 0; i < ON; i = i + 1) begin : g_word
        wire [D-1:0] in = load_i ? key_i[D*(6+i)+:D] : t_o[D*(6-ON+i)+:D];
        lea_word #(.D(D)) word (
            .clk_i(clk_i), .en_i(en_i), .turn_i(1'b0), .from_i(from_i), .word_i(in), .word_o(rest[D*i+:D])
        );
      end
      assign first = {t_o[0+:(6-ON)*D], rest};
    end
  endgenerate
endmodule

`default_nettype wire

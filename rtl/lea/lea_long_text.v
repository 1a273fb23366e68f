// SPDX-License-Identifier: Apache-2.0 OR MIT
// The text of lea_long: a round in a pass.

`default_nettype none

module lea_long_text #(
    parameter D = 1
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire [32/D-1:0] from_i,  // bit n is 1 from clock n of a pass on
    input  wire            more_i,  // any clock but the last of a pass, outside a reset
    input  wire            load_i,  // data_i enters
    input  wire            turn_i,  // the words are sums of the last round
    input  wire [ 4*D-1:0] data_i,
    input  wire [ 6*D-1:0] t_i,     // T5 to T0
    output wire [ 4*D-1:0] x_o      // X3, X2, X1 and X0
);
  wire [4*D-1:0] made;
  wire [4*D-1:0] next = load_i ? data_i : made;
  assign made[3*D+:D] = x_o[0+:D];
  generate
    genvar i;
    for (i = 0; i < 3; i = i + 1) begin : g_sum
      lea_add #(.D(D)) add (
          .clk_i(clk_i), .en_i(en_i), .more_i(more_i), .a_i(x_o[D*i+:D] ^ t_i[2*D*i+:D]),
          .b_i(x_o[D*i+D+:D] ^ t_i[2*D*i+D+:D]), .sum_o(made[D*i+:D])
      );
    end
    for (i = 0; i < 4; i = i + 1) begin : g_word
      localparam K = i == 0 ? 9 : i == 1 ? 27 : i == 2 ? 29 : 0;
      lea_word #(.D(D), .K(K)) word (
          .clk_i(clk_i), .en_i(en_i), .turn_i(turn_i), .from_i(from_i), .word_i(next[D*i+:D]), .word_o(x_o[D*i+:D])
      );
    end
  endgenerate
endmodule

`default_nettype wire

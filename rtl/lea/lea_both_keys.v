// SPDX-License-Identifier: Apache-2.0 OR MIT
// The key schedule of lea_both.  Forwards it is that of lea_serial_keys: a word leaves turned, takes delta and enters.
// Backwards a word leaves turned back, gives delta back and enters:
//
//   forwards     Ti + delta enters     what leaves is the next Ti      t_o is the key of the round
//   backwards    Ti enters             what leaves is Ti + delta       made_o is the key of the round
//
// Between both is a pass with a delta of 0, in which t_o and made_o are the key of the last round.

`default_nettype none

module lea_both_keys #(
    parameter D = 1
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire [32/D-1:0] from_i,   // bit n is 1 from clock n of a pass on
    input  wire            first_i,  // the first clock of a pass
    input  wire            more_i,   // any clock but the last of a pass, outside a reset
    input  wire            load_i,   // key_i enters
    input  wire            back_i,
    input  wire [ 4*D-1:0] key_i,
    input  wire [ 4*D-1:0] delta_i,
    output wire [ 4*D-1:0] t_o,      // T3, T2, T1 and T0
    output wire [ 4*D-1:0] made_o
);
  wire [4*D-1:0] old = load_i ? key_i : t_o;
  generate
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_word
      localparam K = i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 6 : 11;
      lea_both_add #(.D(D)) add (
          .clk_i(clk_i), .en_i(en_i), .minus_i(back_i), .first_i(first_i), .more_i(more_i), .a_i(old[D*i+:D]),
          .b_i(delta_i[D*i+:D]), .sum_o(made_o[D*i+:D])
      );
      lea_both_word #(.D(D), .K(K), .M(32 - K)) word (
          .clk_i(clk_i), .en_i(en_i), .turn_i(~back_i), .back_i(back_i), .from_i(from_i), .word_i(made_o[D*i+:D]),
          .word_o(t_o[D*i+:D])
      );
    end
  endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// The key schedule of lea_both.  Forwards it is that of lea_serial_keys and of lea_long_keys: a word leaves turned,
// takes delta and enters.  Backwards a word leaves turned back, gives delta back and enters:
//
//   forwards     Ti + delta enters     what leaves is the next Ti      t_o is the key of the round
//   backwards    Ti enters             what leaves is Ti + delta       made_o is the key of the round
//
// Between both is a pass with a delta of 0, in which t_o and made_o are the key of the last round.
//
// A round of LEA-256 changes six of eight words.  All words move on by two places in a round forwards, and return by
// two places in a round backwards, so that a round always changes the first six.  In the pass between they stay.

`default_nettype none

module lea_both_keys #(
    parameter D = 1,
    parameter WORDS = 4,
    parameter N = WORDS == 4 ? 4 : 6  // words that a round changes
) (
    input  wire               clk_i,
    input  wire               en_i,
    input  wire [   32/D-1:0] from_i,   // bit n is 1 from clock n of a pass on
    input  wire               first_i,  // the first clock of a pass
    input  wire               more_i,   // any clock but the last of a pass, outside a reset
    input  wire               load_i,   // key_i enters
    input  wire               undo_i,   // the pass between, or backwards
    input  wire               back_i,   // backwards
    input  wire [WORDS*D-1:0] key_i,
    input  wire [    N*D-1:0] delta_i,
    output wire [    N*D-1:0] t_o,      // T0 lowest
    output wire [    N*D-1:0] made_o
);
  wire [N*D-1:0] moved;  // what leaves forwards, in the places to which the words move on
  wire [N*D-1:0] old = load_i ? key_i[0+:N*D] : undo_i ? t_o : moved;
  wire [N*D-1:0] sum;
  generate
    genvar i;
    for (i = 0; i < N; i = i + 1) begin : g_word
      localparam K = i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 6 : i == 3 ? 11 : i == 4 ? 13 : 17;
      lea_both_add #(.D(D)) add (
          .clk_i(clk_i), .en_i(en_i), .minus_i(back_i), .first_i(first_i), .more_i(more_i), .a_i(old[D*i+:D]),
          .b_i(delta_i[D*i+:D]), .sum_o(sum[D*i+:D])
      );
      lea_both_word #(.D(D), .K(K), .M(32 - K)) word (
          .clk_i(clk_i), .en_i(en_i), .turn_i(~back_i), .back_i(back_i), .from_i(from_i), .word_i(made_o[D*i+:D]),
          .word_o(t_o[D*i+:D])
      );
    end
    if (WORDS == 8) begin : g_rest
      wire clk, en;
      haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(undo_i & ~back_i), .clk_o(clk), .en_o(en));
      wire [2*D-1:0] rest;  // the words that a round does not change
      wire [2*D-1:0] next = load_i ? key_i[6*D+:2*D] : back_i ? sum[0+:2*D] : t_o[4*D+:2*D];
      for (i = 0; i < 2; i = i + 1) begin : g_word
        lea_word #(.D(D)) word (
            .clk_i(clk), .en_i(en), .turn_i(1'b0), .from_i(from_i), .word_i(next[D*i+:D]), .word_o(rest[D*i+:D])
        );
      end
      assign moved = {t_o[0+:4*D], rest};
      assign made_o = back_i ? {rest, sum[2*D+:4*D]} : sum;
    end else begin : g_rest
      assign moved = t_o;
      assign made_o = sum;
      wire unused = undo_i;
    end
  endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA in both directions, with D = 1, 2, 4, 8, 16 or 32 bits of each word a clock; with 32 it computes a round a clock.
// The keys of LEA-128, LEA-192 and LEA-256 have four, six and eight WORDS.  Each block may have a direction of its own:
// dec_i counts in the last clock in which the block enters.
//
// It works as lea_serial.v and lea_long.v do.  To decrypt, the key schedule first runs forwards while the text waits,
// then backwards.  R is the number of rounds:
//
//   count         encryption                     decryption
//   0             data_i and key_i enter; the last result leaves
//   1 to R - 1    a round                        the key of the next round; the text waits
//   R             the last round                 the first round backwards; the key stays as it is
//   R - 1 to 1                                   a round backwards, with the key before
//
// Word n of a block is in register n to encrypt, and in register 3 - n to decrypt.  A round then moves the words from
// register to register in the same direction, and an adder serves for both:
//
//   encryption    register n <- (Xn ^ T) + (Xn+1 ^ U)                 n = 0, 1, 2
//                 register 3 <- X0
//   decryption    register n <- ~((X ^ T) + ~Yn+1) ^ U                n = 2, 1, 0
//                 register 3 <- Y0
//
// Here T is in turn T0, T2 and T3 of the round key, and U is T1; in LEA-192 and LEA-256, T is T0, T2 and T4, and U is T1,
// T3 and T5.  Yn is what leaves register n, turned back, and X is the word that register n + 1 takes in the same clock.

`default_nettype none

module lea_both #(
    parameter D = 1,
    parameter WORDS = 4,  // of the key: 4, 6 or 8
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    input  wire               stall_i,
    input  wire               dec_i,
    input  wire [WORDS*D-1:0] key_i,   // a digit of each word, T0 lowest
    input  wire [    4*D-1:0] data_i,  // a digit of X3, X2, X1 and X0; to decrypt, of X0, X1, X2 and X3
    output wire               ready_o,
    output wire               valid_o,
    output wire [    4*D-1:0] data_o   // in the order of data_i
);
  localparam N = WORDS == 4 ? 4 : 6;  // words of a round key

  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire [32/D-1:0] from;
  wire [4:0] clock, count;
  wire first, more, load, turn, undo, back, hold, full;
  lea_clock #(.D(D)) clocks (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .from_o(from), .clock_o(clock), .first_o(first), .more_o(more)
  );
  lea_both_control #(.WORDS(WORDS)) control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .more_i(more), .dec_i(dec_i), .count_o(count), .load_o(load),
      .turn_o(turn), .undo_o(undo), .back_o(back), .hold_o(hold), .full_o(full)
  );

  wire [N*D-1:0] delta, t, made;
  generate
    if (WORDS == 4) lea_delta #(.D(D)) deltas (.round_i(count), .clock_i(clock), .delta_o(delta));
    else lea_long_delta #(.D(D), .WORDS(WORDS)) deltas (.round_i(count), .clock_i(clock), .delta_o(delta));
  endgenerate
  // The pass between both directions takes constants of 0.  Both modules have these for rounds up to 31 if D > 1.
  wire rest = D == 1 || WORDS == 8 ? undo & ~back : 1'b0;
  lea_both_keys #(.D(D), .WORDS(WORDS)) keys (
      .clk_i(clk), .en_i(en), .from_i(from), .first_i(first), .more_i(more), .load_i(load), .undo_i(undo),
      .back_i(back), .key_i(key_i), .delta_i(delta & {N * D{~rest}}), .t_o(t), .made_o(made)
  );

  wire [4*D-1:0] x;
  lea_both_text #(.D(D), .N(N)) text (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .turn_i(turn), .undo_i(undo), .hold_i(hold),
      .data_i(data_i), .t_i(t), .made_i(made), .x_o(x)
  );

  assign ready_o = load;
  assign valid_o = load & full;
  assign data_o  = x;
endmodule

`default_nettype wire

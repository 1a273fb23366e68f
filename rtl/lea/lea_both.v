// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA-128 in both directions, with D = 1, 2, 4, 8, 16 or 32 bits of each word a clock; with 32 it computes a round a
// clock.  Each block may have a direction of its own: dec_i counts in the last clock in which the block enters.
//
// It works as lea_serial.v does.  To decrypt, the key schedule first runs forwards while the text waits, then backwards:
//
//   count      encryption                        decryption
//   0          data_i and key_i enter; the last result leaves
//   1 to 23    a round                           the key of the next round; the text waits
//   24         the last round                    the first round backwards; the key stays as it is
//   23 to 1                                      a round backwards, with the key before
//
// Word n of a block is in register n to encrypt, and in register 3 - n to decrypt.  A round then moves the words from
// register to register in the same direction, and an adder serves for both:
//
//   encryption    register n <- (Xn ^ T) + (Xn+1 ^ T1)                 n = 0, 1, 2 with T = T0, T2, T3
//                 register 3 <- X0
//   decryption    register n <- ~((X ^ T) + ~Yn+1) ^ T1                n = 2, 1, 0 with T = T0, T2, T3
//                 register 3 <- Y0
//
// Here Yn is what leaves register n, turned back, and X is the word that register n + 1 takes in the same clock.

`default_nettype none

module lea_both #(
    parameter D = 1,
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           stall_i,
    input  wire           dec_i,
    input  wire [4*D-1:0] key_i,    // a digit of T3, T2, T1 and T0
    input  wire [4*D-1:0] data_i,   // a digit of X3, X2, X1 and X0; to decrypt, of X0, X1, X2 and X3
    output wire           ready_o,
    output wire           valid_o,
    output wire [4*D-1:0] data_o    // in the order of data_i
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire [32/D-1:0] from;
  wire [4:0] clock, count;
  wire first, more, load, turn, undo, back, hold, full;
  lea_clock #(.D(D)) clocks (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .from_o(from), .clock_o(clock), .first_o(first), .more_o(more)
  );
  lea_both_control control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .more_i(more), .dec_i(dec_i), .count_o(count), .load_o(load),
      .turn_o(turn), .undo_o(undo), .back_o(back), .hold_o(hold), .full_o(full)
  );

  wire [4*D-1:0] delta, t, made;
  wire rest = D == 1 ? undo & ~back : 1'b0;  // round 24, for which lea_delta has constants of 0 only if D > 1
  lea_delta #(.D(D)) deltas (.round_i(count), .clock_i(clock), .delta_o(delta));
  lea_both_keys #(.D(D)) keys (
      .clk_i(clk), .en_i(en), .from_i(from), .first_i(first), .more_i(more), .load_i(load), .back_i(back), .key_i(key_i),
      .delta_i(delta & {4 * D{~rest}}), .t_o(t), .made_o(made)
  );

  wire [4*D-1:0] x;
  lea_both_text #(.D(D)) text (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .turn_i(turn), .undo_i(undo), .hold_i(hold),
      .data_i(data_i), .t_i(t), .made_i(made), .x_o(x)
  );

  assign ready_o = load;
  assign valid_o = load & full;
  assign data_o  = x;
endmodule

`default_nettype wire

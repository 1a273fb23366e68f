// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA-192 and LEA-256 encryption, whose keys have six and eight WORDS, with D = 1, 2, 4, 8, 16 or 32 bits of each word a
// clock; with 32 it computes a round a clock.
//
// It works as lea_serial.v does, and has a module of its own because a round key has six different words:
//
//   text   X0 <- (X0 ^ T0) + (X1 ^ T1)   which leaves turned left by 9
//          X1 <- (X1 ^ T2) + (X2 ^ T3)   turned left by 27, which is right by 5
//          X2 <- (X2 ^ T4) + (X3 ^ T5)   turned left by 29, which is right by 3
//          X3 <- X0
//   key    Ti <- Ti + delta              turned left by 1, 3, 6, 11, 13 or 17
//
// There are 28 rounds for LEA-192, and 32 for LEA-256.

`default_nettype none

module lea_long #(
    parameter D = 1,
    parameter WORDS = 6,  // of the key: 6 or 8
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire               clk_i,
    input  wire               rst_ni,
    input  wire               stall_i,
    input  wire               dec_i,
    input  wire [WORDS*D-1:0] key_i,   // a digit of each word, T0 lowest
    input  wire [    4*D-1:0] data_i,  // a digit of X3, X2, X1 and X0
    output wire               ready_o,
    output wire               valid_o,
    output wire [    4*D-1:0] data_o
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire [32/D-1:0] from;
  wire [4:0] clock, round;
  wire more, load, turn, full;
  lea_long_control #(.D(D), .WORDS(WORDS)) control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .from_o(from), .clock_o(clock), .round_o(round), .more_o(more),
      .load_o(load), .turn_o(turn), .full_o(full)
  );

  wire [6*D-1:0] delta, t;
  lea_long_delta #(.D(D), .WORDS(WORDS)) deltas (.round_i(round), .clock_i(clock), .delta_o(delta));
  lea_long_keys #(.D(D), .WORDS(WORDS)) keys (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .key_i(key_i), .delta_i(delta), .t_o(t)
  );

  wire [4*D-1:0] x;
  lea_long_text #(.D(D)) text (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .turn_i(turn), .data_i(data_i), .t_i(t),
      .x_o(x)
  );

  wire unused = dec_i;
  assign ready_o = load;
  assign valid_o = load & full;
  assign data_o  = x;
endmodule

`default_nettype wire

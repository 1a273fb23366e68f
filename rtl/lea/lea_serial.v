// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA-128 encryption with D = 1, 2, 4, 8, 16 or 32 bits of each word a clock; with 32 it computes a round a clock.
//
// A pass is 32 / D clocks, in which every word leaves its register and a new one enters it, low bits first:
//
//   text   X0 <- (X0 ^ T0) + (X1 ^ T1)   which leaves turned left by 9
//          X1 <- (X1 ^ T2) + (X2 ^ T1)   turned left by 27, which is right by 5
//          X2 <- (X2 ^ T3) + (X3 ^ T1)   turned left by 29, which is right by 3
//          X3 <- X0
//   key    Ti <- Ti + delta              turned left by 1, 3, 6 or 11
//
//   count     text                                       key
//   0         data_i enters; the last result leaves      key_i + delta of round 0
//   1 to 24   a round; the text is not turned in the     the key of the next round
//             first of them
//
// The key is a round ahead of the text, so that both move in the same pass.  A key schedule has no short way back, and
// therefore the key enters with every block.

`default_nettype none

module lea_serial #(
    parameter D = 1,
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           stall_i,
    input  wire           dec_i,
    input  wire [4*D-1:0] key_i,    // a digit of T3, T2, T1 and T0
    input  wire [4*D-1:0] data_i,   // a digit of X3, X2, X1 and X0
    output wire           ready_o,
    output wire           valid_o,
    output wire [4*D-1:0] data_o
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire [32/D-1:0] from;
  wire [4:0] clock, count;
  wire more, load, turn, full;
  lea_serial_control #(.D(D)) control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .from_o(from), .clock_o(clock), .count_o(count), .more_o(more),
      .load_o(load), .turn_o(turn), .full_o(full)
  );

  wire [4*D-1:0] delta, t;
  lea_delta #(.D(D)) deltas (.round_i(count), .clock_i(clock), .delta_o(delta));
  lea_serial_keys #(.D(D)) keys (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .key_i(key_i), .delta_i(delta), .t_o(t)
  );

  wire [4*D-1:0] x;
  lea_serial_text #(.D(D)) text (
      .clk_i(clk), .en_i(en), .from_i(from), .more_i(more), .load_i(load), .turn_i(turn), .data_i(data_i), .t_i(t),
      .x_o(x)
  );

  wire unused = dec_i;
  assign ready_o = load;
  assign valid_o = load & full;
  assign data_o  = x;
endmodule

`default_nettype wire

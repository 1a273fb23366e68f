// SPDX-License-Identifier: Apache-2.0 OR MIT
// LEA-128 encryption with one adder for the text, and half of the state in latches: the smallest core, 1 bit a clock.
//
// The words of the text stand in line.  A step adds the last two of them, each with a word of the key:
//
//   data_i or the sum --> top (32 flip-flops; turns) --> 64 latches --+--> 32 latches --+--> data_o
//                                                                     b                 a
//   step   a    b    sum = (b ^ T) + (a ^ T1)   what stands in line afterwards, last first
//   1      X3   X2   X2 with T3, turned by 29   X2 X1 X0 X2'
//   2      X2   X1   X1 with T2, turned by 27   X1 X0 X2' X1'
//   3      X1   X0   X0 with T0, turned by 9    X0 X2' X1' X0'
//
// The old X0 is X3 of the next round, so that the words are in order again.  T3, T2 and T0 stand in line too, and take
// delta while they go back to its start; T1 is read in every step, and takes delta in the third:
//
//   key_i or T --> + delta --> top (32 flip-flops; turns) --> 64 latches --> T
//
// A sum turns while it leaves the top: see lea_latch_turn.v.
//
//   count     step 0                             steps 1, 2 and 3, of 32 clocks each
//   0         32 clocks: X3 and T1 enter         X2, X1, X0 and T3, T2, T0 enter
//   1 to 24   3 clocks: only the constants move  a round
//
// The result leaves in the same order while the next block enters.

`default_nettype none

module lea_latch #(
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire clk_i,
    input  wire rst_ni,
    input  wire stall_i,
    input  wire dec_i,
    input  wire key_i,
    input  wire data_i,
    output wire ready_o,
    output wire valid_o,
    output wire data_o
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire load, full, move, more, new_sum;
  wire [3:0] step;
  wire [4:0] clock, count;
  wire [7:0] at;
  lea_latch_control control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .load_o(load), .full_o(full), .move_o(move), .more_o(more),
      .new_sum_o(new_sum), .step_o(step), .clock_o(clock), .count_o(count), .at_o(at)
  );
  wire clk_move, en_move;
  haechi_gate gate (.clk_i(clk), .en_i(en), .hold_i(~move), .clk_o(clk_move), .en_o(en_move));

  // ---- The constants: word i of the key schedule takes the bit of i clocks ago.
  wire bit_0;
  reg [3:1] bit_q;
  lea_latch_delta delta (.round_i(count), .clock_i(clock), .delta_o(bit_0));
  always @(posedge clk) if (en) bit_q <= {bit_q[2:1], bit_0};

  // ---- Keys.
  wire t, t_sum, t_top, t1, t1_sum;
  wire t_delta = step[1] & bit_q[3] | step[2] & bit_q[2] | step[3] & bit_0;
  lea_add #(.D(1)) add_t (
      .clk_i(clk_move), .en_i(en_move), .more_i(more), .a_i(load ? key_i : t), .b_i(t_delta), .sum_o(t_sum)
  );
  lea_latch_turn #(.K1(11), .K2(6), .K3(1)) turn_t (
      .clk_i(clk_move), .en_i(en_move), .clock_i(clock), .turn_i({step[1], step[3], step[2]}), .word_i(t_sum),
      .word_o(t_top)
  );
  lea_latch_line #(.BYTES(8)) line_t (
      .clk_i(clk), .en_i(en), .clk_move_i(clk_move), .en_move_i(en_move), .at_i(at), .bit_i(t_top), .bit_o(t)
  );
  lea_add #(.D(1)) add_t1 (
      .clk_i(clk_move), .en_i(en_move), .more_i(more), .a_i(t1), .b_i(step[3] & bit_q[1]), .sum_o(t1_sum)
  );
  wire [31:0] from;
  assign from = {28'b0, clock[4] | clock[3] | clock[2] | clock[1] & clock[0], 3'b0};
  lea_word #(.D(1), .K(3)) word_t1 (
      .clk_i(clk_move), .en_i(en_move), .turn_i(step[1] & ~load), .from_i(from), .word_i(load & step[0] ? key_i : t1_sum),
      .word_o(t1)
  );

  // ---- Text.
  wire a, b, sum, top;
  lea_add #(.D(1)) add_x (
      .clk_i(clk_move), .en_i(en_move), .more_i(more), .a_i(b ^ t), .b_i(a ^ t1), .sum_o(sum)
  );
  lea_latch_turn #(.K1(29), .K2(27), .K3(9)) turn_x (
      .clk_i(clk_move), .en_i(en_move), .clock_i(clock), .turn_i({new_sum, step[3] & ~load, step[2] & ~load}),
      .word_i(load ? data_i : sum), .word_o(top)
  );
  lea_latch_line #(.BYTES(8)) line_b (
      .clk_i(clk), .en_i(en), .clk_move_i(clk_move), .en_move_i(en_move), .at_i(at), .bit_i(top), .bit_o(b)
  );
  lea_latch_line #(.BYTES(4)) line_a (
      .clk_i(clk), .en_i(en), .clk_move_i(clk_move), .en_move_i(en_move), .at_i(at), .bit_i(b), .bit_o(a)
  );

  wire unused = dec_i;
  assign ready_o = load;
  assign valid_o = load & full;
  assign data_o  = a;
endmodule

`default_nettype wire

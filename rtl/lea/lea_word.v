// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of LEA in a shift register, D bits a clock, that turns left by K bits while it leaves.
//
// With D = 1, the register has a high part of K bits and a low part of 32 - K bits:
//
//   word_i ---> high part (K) ---+---> low part (32 - K) ---> word_o   from clock K on
//                                |     holds before clock K
//                                +--------------------------> word_o   before clock K
//
// The first K clocks take the highest K bits, which the turned word begins with, while the low part waits.  The next
// word takes their place, and goes on into the low part from clock K on.  So a rotation takes no time, and costs a
// multiplexer and a clock gate.
//
// With more bits a clock, bit q of all digits is a shift register of its own (a lane) with 32 / D bits.  The bits of
// the digits move to other lanes, which costs nothing, and a lane turns by A or A + 1 bits.

`default_nettype none

module lea_word #(
    parameter D = 1,
    parameter K = 0
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire            turn_i,  // 0: the word leaves as it came
    input  wire [32/D-1:0] from_i,  // bit n is 1 from clock n of a pass on
    input  wire [   D-1:0] word_i,
    output wire [   D-1:0] word_o
);
  localparam L = 32 / D, A = K / D, B = K % D;

  wire [D-1:0] straight, turned;
  generate
    genvar h, q;
    for (h = A; h <= A + 1; h = h + 1) begin : g_by
      localparam FIRST = h == A ? 0 : D - B, LANES = h == A ? D - B : B;
      if (LANES != 0 && (h == 0 || h >= L)) begin : g_plain
        for (q = FIRST; q < FIRST + LANES; q = q + 1) begin : g_lane
          reg [L-1:0] lane_q;
          wire [L:0] next = {word_i[q], lane_q};
          always @(posedge clk_i) if (en_i) lane_q <= next[L:1];
          assign {straight[q], turned[q]} = {2{lane_q[0]}};
          wire unused = next[0];
        end
      end else if (LANES != 0) begin : g_turn
        wire wait_low = turn_i & ~from_i[h];
        wire clk_low, en_low;
        haechi_gate gate (.clk_i(clk_i), .en_i(en_i), .hold_i(wait_low), .clk_o(clk_low), .en_o(en_low));
        for (q = FIRST; q < FIRST + LANES; q = q + 1) begin : g_lane
          reg [h-1:0] high_q;
          reg [L-h-1:0] low_q;
          wire [h:0] high = {word_i[q], high_q};
          wire [L-h:0] low = {high_q[0], low_q};
          always @(posedge clk_i) if (en_i) high_q <= high[h:1];
          always @(posedge clk_low) if (en_low) low_q <= low[L-h:1];
          assign straight[q] = low_q[0];
          assign turned[q] = wait_low ? high_q[0] : low_q[0];
          wire unused = &{high[0], low[0]};
        end
      end
    end
    for (q = 0; q < D; q = q + 1) begin : g_out
      assign word_o[q] = turn_i ? turned[(q+D-B)%D] : straight[q];
    end
  endgenerate
  wire unused = &{from_i, turn_i};
endmodule

`default_nettype wire

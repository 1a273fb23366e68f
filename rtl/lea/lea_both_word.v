// SPDX-License-Identifier: Apache-2.0 OR MIT
// A word of LEA in a shift register, D bits a clock, that turns left by K or by M bits while it leaves.
//
// It works as lea_word.v does, but a lane may be cut at two places, so that it has three parts.  To turn by the bits above
// a cut, these leave first, while all parts below the cut wait.

`default_nettype none

module lea_both_word #(
    parameter D = 1,
    parameter K = 0,
    parameter M = 0
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire            turn_i,  // the word leaves turned by K
    input  wire            back_i,  // or by M; with neither, as it came
    input  wire [32/D-1:0] from_i,  // bit n is 1 from clock n of a pass on
    input  wire [   D-1:0] word_i,
    output wire [   D-1:0] word_o
);
  localparam L = 32 / D, B = K % D, C = M % D;
  // Lanes from these on turn by one more.
  localparam ONE_K = D - B, ONE_M = D - C;
  localparam LOW = ONE_K < ONE_M ? ONE_K : ONE_M, HIGH = ONE_K < ONE_M ? ONE_M : ONE_K;

  wire [D-1:0] straight, turned, back;
  generate
    genvar g, q;
    for (g = 0; g < 3; g = g + 1) begin : g_group
      localparam FIRST = g == 0 ? 0 : g == 1 ? LOW : HIGH, END = g == 0 ? LOW : g == 1 ? HIGH : D;
      // Where its lanes are cut to turn by K and by M; L if they do not turn.
      localparam BY_K = K / D + (FIRST >= ONE_K ? 1 : 0), BY_M = M / D + (FIRST >= ONE_M ? 1 : 0);
      localparam CUT_K = BY_K == 0 || BY_K > L ? L : BY_K, CUT_M = BY_M == 0 || BY_M > L ? L : BY_M;
      localparam U = CUT_K < CUT_M ? CUT_K : CUT_M;  // the upper cut
      localparam V = CUT_K == CUT_M ? L : CUT_K < CUT_M ? CUT_M : CUT_K;  // the lower one
      if (FIRST < END && U == L) begin : g_plain
        for (q = FIRST; q < END; q = q + 1) begin : g_lane
          reg [L-1:0] lane_q;
          wire [L:0] next = {word_i[q], lane_q};
          always @(posedge clk_i) if (en_i) lane_q <= next[L:1];
          assign {straight[q], turned[q], back[q]} = {3{lane_q[0]}};
          wire unused = next[0];
        end
      end else if (FIRST < END) begin : g_cut
        wire wait_k, wait_m;
        if (CUT_K < L) begin : g_k
          assign wait_k = turn_i & ~from_i[CUT_K];
        end else begin : g_k
          assign wait_k = 1'b0;
        end
        if (CUT_M < L) begin : g_m
          assign wait_m = back_i & ~from_i[CUT_M];
        end else begin : g_m
          assign wait_m = 1'b0;
        end
        wire wait_mid = CUT_K == CUT_M ? wait_k | wait_m : CUT_K < CUT_M ? wait_k : wait_m;
        wire clk_mid, en_mid;
        haechi_gate gate_mid (.clk_i(clk_i), .en_i(en_i), .hold_i(wait_mid), .clk_o(clk_mid), .en_o(en_mid));
        wire clk_low, en_low;
        if (V < L) begin : g_low
          haechi_gate gate_low (
              .clk_i(clk_i), .en_i(en_i), .hold_i(wait_k | wait_m), .clk_o(clk_low), .en_o(en_low)
          );
        end else begin : g_low
          assign {clk_low, en_low} = {clk_mid, en_mid};
          wire unused = &{clk_low, en_low};
        end
        for (q = FIRST; q < END; q = q + 1) begin : g_lane
          reg [U-1:0] high_q;
          reg [V-U-1:0] mid_q;
          wire [U:0] high = {word_i[q], high_q};
          wire [V-U:0] mid = {high_q[0], mid_q};
          always @(posedge clk_i) if (en_i) high_q <= high[U:1];
          always @(posedge clk_mid) if (en_mid) mid_q <= mid[V-U:1];
          if (V < L) begin : g_part
            reg [L-V-1:0] low_q;
            wire [L-V:0] low = {mid_q[0], low_q};
            always @(posedge clk_low) if (en_low) low_q <= low[L-V:1];
            assign straight[q] = low_q[0];
            wire unused = low[0];
          end else begin : g_part
            assign straight[q] = mid_q[0];
          end
          assign turned[q] = wait_k ? (CUT_K == U ? high_q[0] : mid_q[0]) : straight[q];
          assign back[q]   = wait_m ? (CUT_M == U ? high_q[0] : mid_q[0]) : straight[q];
          wire unused = &{high[0], mid[0]};
        end
      end
    end
    for (q = 0; q < D; q = q + 1) begin : g_out
      assign word_o[q] = turn_i ? turned[(q+D-B)%D] : back_i ? back[(q+D-C)%D] : straight[q];
    end
  endgenerate
  wire unused = &{from_i, turn_i, back_i};
endmodule

`default_nettype wire

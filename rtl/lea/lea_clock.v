// SPDX-License-Identifier: Apache-2.0 OR MIT
// Counts the clocks of a pass of lea_both.

`default_nettype none

module lea_clock #(
    parameter D = 1
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire            rst_i,
    output wire [32/D-1:0] from_o,   // bit n is 1 from clock n of a pass on
    output wire [     4:0] clock_o,
    output wire            first_o,  // the first clock of a pass
    output wire            more_o    // any clock but the last of a pass, outside a reset
);
  localparam L = 32 / D;

  generate
    genvar n;
    if (L > 1) begin : g_clocks
      localparam W = L == 32 ? 5 : L == 16 ? 4 : L == 8 ? 3 : L == 4 ? 2 : 1;
      reg [W-1:0] clock_q;
      always @(posedge clk_i) if (en_i) clock_q <= rst_i ? {W{1'b0}} : clock_q + 1'b1;
      for (n = 0; n < L; n = n + 1) begin : g_from
        localparam [W-1:0] N = n;
        assign from_o[n] = n == 0 ? 1'b1 : clock_q >= N;
      end
      assign clock_o = {{5 - W{1'b0}}, clock_q};
      assign first_o = ~|clock_q;
      assign more_o  = ~(&clock_q | rst_i);
    end else begin : g_clocks
      assign {from_o, clock_o, first_o, more_o} = {1'b1, 5'd0, 1'b1, 1'b0};
      wire unused = &{clk_i, en_i, rst_i};
    end
  endgenerate
endmodule

`default_nettype wire

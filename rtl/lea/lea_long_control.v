// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of lea_long: it counts the clocks of a pass and the passes of a block.

`default_nettype none

module lea_long_control #(
    parameter D = 1,
    parameter WORDS = 6
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire            rst_i,
    output wire [32/D-1:0] from_o,   // bit n is 1 from clock n of a pass on
    output wire [     4:0] clock_o,
    output wire [     4:0] round_o,  // for which the key is made
    output wire            more_o,   // any clock but the last of a pass, outside a reset
    output wire            load_o,
    output wire            turn_o,   // the words of the text are sums, which turn
    output wire            full_o    // a block leaves while the next one enters
);
  localparam L = 32 / D, C = WORDS == 8 ? 6 : 5;  // bits of the count

  reg [C-1:0] count_q;  // 0: a block enters; n: round n - 1
  reg full_q;

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
      assign more_o = ~(&clock_q | rst_i);
    end else begin : g_clocks
      assign from_o = 1'b1;
      assign clock_o = 5'd0;
      assign more_o = 1'b0;
    end
  endgenerate

  wire clk_pass, en_pass;
  haechi_gate gate_pass (.clk_i(clk_i), .en_i(en_i), .hold_i(more_o), .clk_o(clk_pass), .en_o(en_pass));
  wire last = WORDS == 8 ? count_q[C-1] : &count_q[4:2];  // 32 or 28
  always @(posedge clk_pass)
    if (en_pass) begin
      count_q <= rst_i | last ? {C{1'b0}} : count_q + 1'b1;
      full_q  <= ~(rst_i | load_o);
    end

  assign round_o = count_q[4:0];
  assign load_o = ~|count_q;
  assign turn_o = |count_q[C-1:1] | load_o;
  assign full_o = full_q;
endmodule

`default_nettype wire

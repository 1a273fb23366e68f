// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of lea_latch: it counts the clocks of a step, the steps of a round and the rounds of a block.

`default_nettype none

module lea_latch_control (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire       rst_i,
    output wire       load_o,     // a block enters
    output wire       full_o,     // a block leaves while the next one enters
    output wire       move_o,     // text and keys move
    output wire       more_o,     // any clock but the last of a step
    output wire       new_sum_o,  // the word that leaves the top of the text is X0, the last sum of a round
    output wire [3:0] step_o,     // one of them is 1
    output wire [4:0] clock_o,
    output wire [4:0] count_o,
    output wire [7:0] at_o        // bit n is 1 in clock n of a byte that moves
);
  reg [4:0] clock_q, count_q;
  reg [1:0] step_q;
  reg full_q;

  wire last_clock = &clock_q;
  wire last = &step_q;
  wire last_round = count_q[4] & count_q[3];  // 24
  // Step 0 of a round begins with clock 29.
  wire short = last_clock & last & ~last_round;
  wire [4:0] next = clock_q + 5'd1;
  always @(posedge clk_i) if (en_i) clock_q <= rst_i ? 5'd0 : next | {short, short, short, 1'b0, short};

  assign more_o = ~last_clock;
  wire clk_step, en_step, clk_round, en_round;
  haechi_gate gate_step (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~(last_clock | rst_i)), .clk_o(clk_step), .en_o(en_step)
  );
  haechi_gate gate_round (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~(last_clock & last | rst_i)), .clk_o(clk_round), .en_o(en_round)
  );
  always @(posedge clk_step) if (en_step) step_q <= rst_i ? 2'd0 : step_q + 2'd1;
  always @(posedge clk_round)
    if (en_round) begin
      count_q <= rst_i | last_round ? 5'd0 : count_q + 5'd1;
      full_q  <= ~(rst_i | load_o);
    end

  assign step_o    = {last, step_q[1] & ~step_q[0], step_q[0] & ~step_q[1], ~|step_q};
  assign load_o    = ~|count_q;
  assign full_o    = full_q;
  assign move_o    = load_o | ~step_o[0];
  assign new_sum_o = load_o ? step_o[0] : step_o[1] & |count_q[4:1];
  assign clock_o   = clock_q;
  assign count_o   = count_q;
  generate
    genvar n;
    for (n = 0; n < 8; n = n + 1) begin : g_at
      localparam [2:0] N = n;
      assign at_o[n] = move_o & clock_q[2:0] == N;
    end
  endgenerate
endmodule

`default_nettype wire

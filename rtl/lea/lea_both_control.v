// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of lea_both: it counts the passes of a block, up to the number of rounds, and to decrypt down again.

`default_nettype none

module lea_both_control #(
    parameter WORDS = 4
) (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire       rst_i,
    input  wire       more_i,   // any clock but the last of a pass, outside a reset
    input  wire       dec_i,
    output wire [4:0] count_o,  // of the round whose constant the key takes
    output wire       load_o,   // a block enters
    output wire       turn_o,   // the words of the text are sums, which turn
    output wire       undo_o,   // a round backwards
    output wire       back_o,   // the key moves backwards
    output wire       hold_o,   // the text waits for the last key
    output wire       full_o    // a block leaves while the next one enters
);
  localparam C = WORDS == 8 ? 6 : 5;  // bits of the count

  reg [C-1:0] count_q;
  reg dec_q;   // the direction of the block that entered last
  reg back_q;  // the last pass was a round backwards
  reg full_q;

  wire last = WORDS == 8 ? count_q[C-1] : WORDS == 6 ? &count_q[4:2] : count_q[4] & count_q[3];  // 32, 28 or 24
  assign load_o = ~|count_q;
  assign back_o = back_q & ~load_o;
  assign undo_o = back_o | (last & dec_q);
  assign turn_o = ~(undo_o | back_q) & (|count_q[C-1:1] | load_o);
  assign hold_o = dec_q & ~(back_q | last | load_o);

  wire [C-1:0] low = count_q ^ {C{undo_o}};  // a bit changes if all bits of low below it are 1
  wire [C-1:0] next;
  assign next[4:0] = count_q[4:0] ^ {&low[3:0], &low[2:0], &low[1:0], low[0], 1'b1};
  generate
    if (C == 6) assign next[C-1] = count_q[C-1] ^ (&low[4:0]);
  endgenerate

  wire clk_pass, en_pass;
  haechi_gate gate_pass (.clk_i(clk_i), .en_i(en_i), .hold_i(more_i), .clk_o(clk_pass), .en_o(en_pass));
  always @(posedge clk_pass)
    if (en_pass) begin
      count_q <= rst_i | (last & ~undo_o) ? {C{1'b0}} : next;
      back_q  <= ~rst_i & undo_o;
      full_q  <= ~(rst_i | load_o);
      if (load_o) dec_q <= dec_i;
    end

  wire unused = &low;
  assign count_o = count_q[4:0];
  assign full_o = full_q;
endmodule

`default_nettype wire

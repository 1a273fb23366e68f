// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of aria_serial: it counts the clocks of a pass, the steps of a round and the rounds of a block.
//
//   count % 4   steps of the round; the passes with a * are followed by the diffusion layer
//   0, 1        TEXT* KEY* TURN*
//   2           TEXT SWAP* KEY* SWAP* KEY* TURN*
//   3           TEXT TURN*, and in the last round TURN
//
// Two counts are no rounds: from 15, after a reset, KEY* TURN, and 12, the last round key, TEXT alone.  Blocks enter in the
// last pass of both.

`default_nettype none

module aria_serial_control #(
    parameter D = 1
) (
    input  wire       clk_i,
    input  wire       en_i,
    input  wire       rst_i,
    output wire       diffuse_o,
    output wire       text_o,
    output wire       swap_o,
    output wire       key_o,
    output wire       turn_o,
    output wire       take_o,   // the text takes the word of the key that is lost
    output wire       load_o,   // a block enters
    output wire       last_o,   // a block leaves
    output wire       older_o,  // the older word is part of the round key
    output wire       one_o,    // CK1
    output wire       two_o,    // CK2
    output wire       even_o,   // the substitution layer of even rounds
    output wire [1:0] by_o,     // how far the newer word turns
    output wire [3:0] byte_o
);
  reg [3:0] byte_q, count_q;
  reg [2:0] step_q;  // 0: TEXT, 1 and 3: SWAP, 2 and 4: KEY, 5: TURN
  reg diffuse_q;

  wire first_or_last = count_q[3] & count_q[2];  // 15 or 12
  wire diffuses = text_o ? ~count_q[1] & ~first_or_last : ~(turn_o & count_q[3] & count_q[1] & count_q[0]);
  wire end_pass = &byte_q & ~diffuse_q;
  wire end_step = &byte_q & (diffuse_q | ~diffuses);

  // The diffusion layer takes the last 8 / D counts of a byte.
  localparam [31:0] FROM = 16 - 8 / D;
  always @(posedge clk_i)
    if (en_i) begin
      byte_q    <= rst_i ? 4'd0 : byte_q + 4'd1 | {4{end_pass & diffuses}} & FROM[3:0];
      diffuse_q <= ~rst_i & (end_pass ? diffuses : diffuse_q & ~end_step);
    end

  wire clk_step, en_step, clk_round, en_round;
  haechi_gate gate_step (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~(end_step | rst_i)), .clk_o(clk_step), .en_o(en_step)
  );
  wire end_round = end_step & (turn_o | last_o);
  haechi_gate gate_round (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~(end_round | rst_i)), .clk_o(clk_round), .en_o(en_round)
  );
  wire [2:0] after_text = {~count_q[1] | count_q[0], 1'b0, count_q[1]} & {3{~last_o}};
  always @(posedge clk_step)
    if (en_step) step_q <= rst_i ? 3'd4 : text_o ? after_text : turn_o ? 3'd0 : step_q + 3'd1;
  always @(posedge clk_round)
    if (en_round) count_q <= rst_i ? 4'd15 : last_o ? 4'd0 : count_q + 4'd1;

  assign diffuse_o = diffuse_q;
  assign text_o = ~|step_q;
  assign swap_o = ~step_q[2] & step_q[0];
  assign key_o = ~step_q[0] & ~text_o;
  assign turn_o = step_q[2] & step_q[0];
  assign take_o = step_q[1] & ~step_q[0];
  assign load_o = first_or_last & ~key_o;
  assign last_o = first_or_last & ~count_q[0];
  assign older_o = ~(count_q[1] & count_q[0]);
  assign one_o = ~older_o;
  assign two_o = step_q[2] & ~count_q[0];
  assign even_o = step_q[2] ^ count_q[0];
  assign by_o = count_q[3:2];
  assign byte_o = byte_q;
endmodule

`default_nettype wire

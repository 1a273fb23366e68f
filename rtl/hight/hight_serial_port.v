// SPDX-License-Identifier: Apache-2.0 OR MIT
// A port of hight_serial that is D bits wide and has the bytes of a block in order: P0 to P7 in, and C7, C0 to C6 out.
//
// The core takes and gives two bytes side by side, in a slot.  Here a slot has two halves, and the core moves in one of
// them.  A register of one byte holds what the other lane waits for.
//
//   half    0                                        1
//   in      P0 enters the register, the core holds   P0 and P1 enter the core
//   out     C7 leaves, C0 enters the register        C0 leaves, the core holds

`default_nettype none

module hight_serial_port #(
    parameter D = 1
) (
    input  wire           clk_i,
    input  wire           en_i,
    input  wire           rst_i,
    input  wire           slot_end_i,
    input  wire           in_i,
    input  wire           out_i,
    input  wire [  D-1:0] data_i,
    output wire [  D-1:0] data_o,
    output wire [2*D-1:0] lanes_o,      // to the core
    input  wire [2*D-1:0] lanes_i,      // from the core
    output wire           slot_waits_o,  // the first half
    output wire           clk_o,         // the clock of all but the counter of clocks
    output wire           en_o
);
  reg [7:0] byte_q;
  reg half_q;

  wire [D+7:0] next = {in_i ? data_i : lanes_i[D-1:0], byte_q};
  wire unused = &next[D-1:0];
  always @(posedge clk_i)
    if (en_i) begin
      byte_q <= next[D+7:D];
      half_q <= ~rst_i & (half_q ^ ((in_i | out_i) & slot_end_i));
    end

  assign slot_waits_o = (in_i | out_i) & ~(half_q | rst_i);
  haechi_gate gate (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~rst_i & (half_q ? out_i : in_i)), .clk_o(clk_o), .en_o(en_o)
  );
  assign lanes_o = {data_i, byte_q[D-1:0]};
  assign data_o  = half_q ? byte_q[D-1:0] : lanes_i[2*D-1:D];
endmodule

`default_nettype wire

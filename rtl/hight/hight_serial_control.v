// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of hight_serial: it counts the clocks of a slot, the slots of a window and the windows of a block, and
// says what happens in the present clock.

`default_nettype none

module hight_serial_control #(
    parameter D = 1
) (
    input  wire           clk_i,
    input  wire           en_i,
    input  wire           rst_i,
    input  wire           dec_i,
    input  wire           last_i,       // this is the last round
    input  wire           wait_i,       // the slot goes on for as many clocks again
    output wire [8/D-1:0] from_o,       // bit n is 1 from clock n of a slot on
    output wire           slot_end_o,   // the last clock of a slot
    output wire           mid_slot_o,   // any other clock, outside a reset
    output wire           last_slot_o,  // the last slot of a window
    output wire           xors_o,       // the slot of a byte that F0 changes
    output wire           pause_o,      // the last slot of a round
    output wire           jump_o,       // E holds, and F takes the new byte
    output wire           first_x_o,    // O holds, and the top of O gives x
    output wire [    1:0] count_o,      // count, rounds, in and out: the table in hight_serial.v
    output wire           rounds_o,
    output wire           in_o,
    output wire           out_o
);
  localparam T = 8 / D;

  reg [1:0] slot_q, count_q;
  reg rounds_q;

  // ---- The clocks of a slot.  The counter is a Johnson counter, so each bit of from_o is one gate.
  assign from_o[0] = 1'b1;
  assign slot_end_o = from_o[T-1];
  assign mid_slot_o = ~(slot_end_o | rst_i);
  generate
    if (T > 1) begin : g_clocks
      localparam J = T / 2;
      reg [J-1:0] clock_q;
      wire [J:0] moved = {clock_q, ~(clock_q[J-1] | rst_i)};
      wire unused = moved[J];
      always @(posedge clk_i) if (en_i) clock_q <= moved[J-1:0];
      genvar n;
      for (n = 1; n < T; n = n + 1) begin : g_from
        if (n < J) assign from_o[n] = clock_q[J-1] | clock_q[n-1];
        else if (n == J) assign from_o[n] = clock_q[J-1];
        else assign from_o[n] = clock_q[J-1] & ~clock_q[n-J-1];
      end
    end
  endgenerate

  // ---- Slots and windows.
  wire clk_slot, en_slot, clk_window, en_window;
  haechi_gate gate_slot (.clk_i(clk_i), .en_i(en_i), .hold_i(mid_slot_o | wait_i), .clk_o(clk_slot), .en_o(en_slot));
  haechi_gate gate_window (
      .clk_i(clk_i), .en_i(en_i), .hold_i(~(slot_end_o & last_slot_o & ~wait_i | rst_i)), .clk_o(clk_window), .en_o(en_window)
  );
  always @(posedge clk_slot) if (en_slot) slot_q <= rst_i ? 2'd0 : slot_q + 2'd1;
  always @(posedge clk_window)
    if (en_window) begin
      count_q  <= {rst_i | out_o | count_q[0], rounds_q & ~count_q[1]};
      rounds_q <= ~(rst_i | out_o | last_i);
    end

  assign last_slot_o = &slot_q;
  assign xors_o      = slot_q[0] ^ dec_i;
  assign pause_o     = rounds_q & last_slot_o;
  assign jump_o      = pause_o & ~dec_i;
  assign first_x_o   = rounds_q & ~(slot_q[1] | slot_q[0]) & dec_i;
  assign count_o     = count_q;
  assign rounds_o    = rounds_q;
  assign in_o        = ~rounds_q & count_q[1];
  assign out_o       = ~(rounds_q | count_q[1]);
endmodule

`default_nettype wire

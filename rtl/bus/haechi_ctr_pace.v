// SPDX-License-Identifier: Apache-2.0 OR MIT
// What all cores behind haechi_ctr have in common: when the core is reset, when it stalls, and which digit moves.
//
// restart_i begins anew: RESET clocks of reset, in which digit_o counts too, for a core that takes its key then; after them
// blocks enter, DIGITS clocks each.  Digits that leave have the same numbers, because a block leaves either while the next one
// enters or between two of them.
//
// A core may take its key behind the reset, in LATE clocks, in the last of which the first block enters.  first_o is then high,
// and digit_o is the number of the clock, whose last bits are the number of the digit.
//
// The core waits when it has a digit of the next block of key stream before the last block is used.  While run_i is low, no
// digit leaves, and the core takes one block and stops: if that is a block of zeros under a key of zeros, nothing of older ones is left.

`default_nettype none

module haechi_ctr_pace #(
    parameter DIGITS = 4,  // of a block
    parameter RESET = 1,  // clocks, 256 at most
    parameter LATE = 0  // a power of 2, or 0 for a core that takes its key otherwise
) (
    input  wire       clk_i,
    input  wire       restart_i,
    input  wire       run_i,
    input  wire       full_i,    // there is a block of key stream that is not used
    output wire       rst_no,    // to the core
    output wire       stall_o,
    input  wire       ready_i,   // from the core
    input  wire       valid_i,
    output wire [7:0] digit_o,
    output wire       first_o,    // the first block behind the reset has not entered yet
    output wire       entered_o,  // the last digit of a block enters
    output wire       leaves_o,   // a digit leaves
    output wire       left_o      // the last digit of a block leaves
);
  localparam [31:0] LAST = DIGITS - 1, LAST_RESET = RESET - 1, LAST_FIRST = LATE != 0 ? LATE - 1 : LAST;
  reg [7:0] digit_q;
  reg rst_q, loaded_q;  // loaded_q: a block has entered

  assign rst_no  = ~rst_q;
  assign stall_o = ~rst_q & (valid_i & full_i | loaded_q & ~run_i);
  wire enters = ~rst_q & ~stall_o & ready_i;
  wire last = digit_q == (rst_q ? LAST_RESET[7:0] : loaded_q ? LAST[7:0] : LAST_FIRST[7:0]);
  wire late = LATE != 0 && !loaded_q;
  always @(posedge clk_i)
    if (restart_i) {rst_q, loaded_q, digit_q} <= {2'b10, 8'd0};
    else begin
      rst_q    <= rst_q & ~last;
      loaded_q <= loaded_q | entered_o;
      if (rst_q | late | enters | leaves_o) digit_q <= last ? 8'd0 : digit_q + 8'd1;
    end

  assign digit_o = digit_q;
  assign first_o = ~(rst_q | loaded_q);
  assign entered_o = enters & last;
  assign leaves_o = run_i & ~rst_q & ~stall_o & valid_i;
  assign left_o = leaves_o & last;
endmodule

`default_nettype wire

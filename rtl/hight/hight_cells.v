// SPDX-License-Identifier: Apache-2.0 OR MIT
// The cells that a library maps by hand: clock gate, latch, full adder.  Here are their models.
//
// A netlist for a chip keeps these modules as black boxes and puts the library's cells in their place (a gate is one
// OR2, bench/rtl/*.v).  With HIGHT_FPGA defined the clock runs through and the gate answers an enable instead, so every
// clocked block reads  always @(posedge clk_x) if (en_x)  and is right for both.

`default_nettype none

// Holds a register group while hold_i is 1.  hold_i must settle while the clock is high.
module hight_gate (
    input  wire clk_i,
    input  wire en_i,   // what the gate above answered
    input  wire hold_i,
    output wire clk_o,
    output wire en_o
);
`ifdef HIGHT_FPGA
  assign clk_o = clk_i;
  assign en_o  = en_i & ~hold_i;
`else
  hight_or gate (.a_i(clk_i), .b_i(hold_i), .y_o(clk_o));
  assign en_o = 1'b1;
  wire unused = en_i;
`endif
endmodule

module hight_or (
    input  wire a_i,
    input  wire b_i,
    output wire y_o
);
  assign y_o = a_i | b_i;
endmodule

// One bit of a latch store: transparent while open_i is 1.
module hight_latch (
    input  wire d_i,
    input  wire open_i,
    output reg  q_o
);
  always @* if (open_i) q_o = d_i;
endmodule

// Opens a latch row: a pulse as long as the low half of the clock.
module hight_nor (
    input  wire a_i,
    input  wire b_i,
    output wire y_o
);
  assign y_o = ~(a_i | b_i);
endmodule

// Full adder.
module hight_add (
    input  wire a_i,
    input  wire b_i,
    input  wire c_i,
    output wire s_o,
    output wire c_o
);
  assign s_o = a_i ^ b_i ^ c_i;
  assign c_o = (a_i & b_i) | (c_i & (a_i ^ b_i));
endmodule

`default_nettype wire

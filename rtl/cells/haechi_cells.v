// SPDX-License-Identifier: Apache-2.0 OR MIT
// Models of the cells that synthesis maps by hand: clock gates, latch, full adder.
//
// A netlist for a chip keeps these modules as black boxes and puts cells of the library in their place
// (bench/declared/libraries.toml).  With HAECHI_FPGA defined, a gate passes the clock and gives an enable instead, so every
// clocked block reads  always @(posedge clk_x) if (en_x)  and is right for both.

`default_nettype none
// verilator lint_off DECLFILENAME

// Holds a register group while hold_i is 1.
//
// By default it is an OR, which is the smallest gate.  hold_i must then not change while the clock is low: it would make
// an edge of the gated clock.  With HAECHI_ICG defined, it is an integrated clock gate, in which a latch keeps hold_i
// while the clock is high.  hold_i may then change at any time until its set-up time before the rising edge.
module haechi_gate (
    input  wire clk_i,
    input  wire en_i,   // the enable of the gate above
    input  wire hold_i,
    output wire clk_o,
    output wire en_o
);
`ifdef HAECHI_FPGA
  assign clk_o = clk_i;
  assign en_o  = en_i & ~hold_i;
`elsif HAECHI_ICG
  haechi_icg gate (.clk_i(clk_i), .enable_i(~hold_i), .clk_o(clk_o));
  assign en_o = 1'b1;
  wire unused = en_i;
`else
  haechi_or gate (.a_i(clk_i), .b_i(hold_i), .y_o(clk_o));
  assign en_o = 1'b1;
  wire unused = en_i;
`endif
endmodule

// The gate of a whole core; without STALL there is none.
module haechi_stall #(
    parameter [0:0] STALL = 1
) (
    input  wire clk_i,
    input  wire stall_i,
    output wire clk_o,
    output wire en_o
);
  generate
    if (STALL) begin : g_stall
      haechi_gate gate (.clk_i(clk_i), .en_i(1'b1), .hold_i(stall_i), .clk_o(clk_o), .en_o(en_o));
    end else begin : g_stall
      assign {clk_o, en_o} = {clk_i, 1'b1};
      wire unused = stall_i;
    end
  endgenerate
endmodule

module haechi_or (
    input  wire a_i,
    input  wire b_i,
    output wire y_o
);
  assign y_o = a_i | b_i;
endmodule

// A byte in latches, open in the low half of the clocks in which open_i is 1.
module haechi_row (
    input  wire       clk_i,
    input  wire       en_i,   // the enable of the gate above
    input  wire       open_i,
    input  wire [7:0] d_i,
    output wire [7:0] q_o
);
`ifdef HAECHI_FPGA
  reg [7:0] row_q;
  always @(posedge clk_i) if (en_i & open_i) row_q <= d_i;
  assign q_o = row_q;
`else
  wire open;
  haechi_nor pulse (.a_i(clk_i), .b_i(~open_i), .y_o(open));
  haechi_latch bit_0 (.d_i(d_i[0]), .open_i(open), .q_o(q_o[0]));
  haechi_latch bit_1 (.d_i(d_i[1]), .open_i(open), .q_o(q_o[1]));
  haechi_latch bit_2 (.d_i(d_i[2]), .open_i(open), .q_o(q_o[2]));
  haechi_latch bit_3 (.d_i(d_i[3]), .open_i(open), .q_o(q_o[3]));
  haechi_latch bit_4 (.d_i(d_i[4]), .open_i(open), .q_o(q_o[4]));
  haechi_latch bit_5 (.d_i(d_i[5]), .open_i(open), .q_o(q_o[5]));
  haechi_latch bit_6 (.d_i(d_i[6]), .open_i(open), .q_o(q_o[6]));
  haechi_latch bit_7 (.d_i(d_i[7]), .open_i(open), .q_o(q_o[7]));
  wire unused = en_i;
`endif
endmodule

module haechi_latch (
    input  wire d_i,
    input  wire open_i,
    output reg  q_o
);
  // verilator lint_off LATCH
  always @* if (open_i) q_o = d_i;
  // verilator lint_on LATCH
endmodule

module haechi_nor (
    input  wire a_i,
    input  wire b_i,
    output wire y_o
);
  assign y_o = ~(a_i | b_i);
endmodule

// Full adder.
module haechi_add (
    input  wire a_i,
    input  wire b_i,
    input  wire c_i,
    output wire s_o,
    output wire c_o
);
  assign s_o = a_i ^ b_i ^ c_i;
  assign c_o = (a_i & b_i) | (c_i & (a_i ^ b_i));
endmodule

`ifdef HAECHI_ICG
// An integrated clock gate: the latch is open while the clock is low.
module haechi_icg (
    input  wire clk_i,
    input  wire enable_i,
    output wire clk_o
);
  wire enabled;
  haechi_latch latch (.d_i(enable_i), .open_i(~clk_i), .q_o(enabled));
  assign clk_o = clk_i & enabled;
endmodule
`endif

`default_nettype wire

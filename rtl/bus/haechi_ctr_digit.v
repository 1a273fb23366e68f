// SPDX-License-Identifier: Apache-2.0 OR MIT
// One digit of several LANES side by side: D bits of each, low bits first.  The digits come again after the last one.

`default_nettype none

module haechi_ctr_digit #(
    parameter LANES = 4,
    parameter BITS = 32,  // of a lane: 32, 64 or 128
    parameter D = 8
) (
    input  wire [           7:0] digit_i,
    input  wire [LANES*BITS-1:0] lanes_i,
    output wire [   LANES*D-1:0] digit_o
);
  localparam P = BITS == 32 ? 5 : BITS == 64 ? 6 : 7;  // bits of the number of a bit in its lane
  wire [31:0] first = D * {24'd0, digit_i};
  generate
    genvar i;
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [BITS-1:0] lane = lanes_i[BITS*i+:BITS];
      assign digit_o[D*i+:D] = lane[first[P-1:0]+:D];
    end
  endgenerate
  wire unused = &first;
endmodule

`default_nettype wire

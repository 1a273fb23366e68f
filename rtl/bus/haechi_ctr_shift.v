// SPDX-License-Identifier: Apache-2.0 OR MIT
// Several LANES side by side after one more digit has come, D bits for each lane, low bits first.

`default_nettype none

module haechi_ctr_shift #(
    parameter LANES = 4,
    parameter BITS = 32,  // of a lane
    parameter D = 8
) (
    input  wire [LANES*BITS-1:0] lanes_i,
    input  wire [   LANES*D-1:0] digit_i,
    output wire [LANES*BITS-1:0] lanes_o
);
  generate
    genvar i;
    for (i = 0; i < LANES; i = i + 1) begin : g_lane
      wire [BITS+D-1:0] lane = {digit_i[D*i+:D], lanes_i[BITS*i+:BITS]};
      assign lanes_o[BITS*i+:BITS] = lane[BITS+D-1:D];
      wire unused = &lane[D-1:0];
    end
  endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// Bit clock_i of ROL(delta[round mod 4], round) for lea_latch.

`default_nettype none

module lea_latch_delta (
    input  wire [4:0] round_i,
    input  wire [4:0] clock_i,
    output wire       delta_o
);
  localparam [127:0] DELTA = 128'h78df30ec_79e27c8a_44626b02_c3efe9db;
  wire [4:0] n = clock_i - round_i;
  assign delta_o = DELTA[{round_i[1:0], n}];
endmodule

`default_nettype wire

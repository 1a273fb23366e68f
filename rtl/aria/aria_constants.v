// SPDX-License-Identifier: Apache-2.0 OR MIT
// A byte of the constants of ARIA's key schedule for a key of 128 bits.

`default_nettype none

module aria_constants (
    input  wire       one_i,  // CK1
    input  wire       two_i,  // CK2; with neither CK3
    input  wire [3:0] byte_i,
    output wire [7:0] ck_o
);
  localparam [127:0] CK1 = 128'h517cc1b727220a94fe13abe8fa9a6ee0;
  localparam [127:0] CK2 = 128'h6db14acc9e21c820ff28b1d5ef5de2b0;
  localparam [127:0] CK3 = 128'hdb92371d2126e9700324977504e8c90e;
  wire [127:0] ck = one_i ? CK1 : two_i ? CK2 : CK3;
  assign ck_o = ck[{~byte_i, 3'd0}+:8];  // byte 0 is the highest
endmodule

`default_nettype wire

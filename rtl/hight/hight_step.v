// SPDX-License-Identifier: Apache-2.0 OR MIT
// A quarter of a HIGHT round, which changes byte B by byte A and a subkey.
//
//   FN = 1:   b + (F1(a) ^ SK)    decrypting   b - (F1(a) ^ SK)
//   FN = 0:   b ^ (F0(a) + SK)                 SK = key + delta
//
// With f_i = 0, F is 0, and the step is whitening: b + key or b ^ key.

`default_nettype none

module hight_step #(
    parameter FN = 0,
    parameter BOTH = 0
) (
    input  wire [7:0] a_i,
    input  wire [7:0] b_i,
    input  wire [7:0] key_i,
    input  wire [6:0] delta_i,
    input  wire       f_i,
    input  wire       dec_i,
    output wire [7:0] b_o
);
  wire [7:0] sk, f;
  hight_add_byte add_delta (.a_i(key_i), .b_i({1'b0, delta_i}), .s_o(sk));

  wire [7:0] pair = a_i ^ {a_i[6:0], a_i[7]};  // a ^ a <<< 1
  wire [7:0] f0 = {pair[6:0], pair[7]} ^ {a_i[0], a_i[7:1]};
  wire [7:0] f1 = {pair[4:0], pair[7:5]} ^ {a_i[1:0], a_i[7:2]};
  assign f = {8{f_i}} & (FN == 1 ? f1 : f0);

  wire unused_here = dec_i;
  generate
    if (FN == 0) begin : g_f0
      wire [7:0] sum;
      hight_add_byte add (.a_i(f), .b_i(sk), .s_o(sum));
      assign b_o = b_i ^ sum;
    end else if (BOTH != 0) begin : g_f1
      wire [7:0] y = f ^ sk;
      wire [7:0] half = b_i ^ y;
      wire [7:0] pass = half ^ {8{dec_i}};
      // verilator lint_off UNOPTFLAT
      wire [7:0] carry;  // or borrow
      // verilator lint_on UNOPTFLAT
      wire unused = pass[7];
      assign carry = {pass[6:0] & carry[6:0] | ~pass[6:0] & y[6:0], 1'b0};
      assign b_o = half ^ carry;
    end else begin : g_f1
      hight_add_byte add (.a_i(b_i), .b_i(f ^ sk), .s_o(b_o));
    end
  endgenerate
endmodule

`default_nettype wire

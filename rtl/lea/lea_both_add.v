// SPDX-License-Identifier: Apache-2.0 OR MIT
// Adds b_i to a word of LEA modulo 2^32, or subtracts it, D bits a clock, low bits first.

`default_nettype none

module lea_both_add #(
    parameter D = 1
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         minus_i,
    input  wire         first_i,  // the first clock of a word
    input  wire         more_i,   // the carry goes on to the next clock
    input  wire [D-1:0] a_i,
    input  wire [D-1:0] b_i,
    output wire [D-1:0] sum_o
);
  wire [D-1:0] b = b_i ^ {D{minus_i}};
  // verilator lint_off UNOPTFLAT
  wire [D:0] carry;
  // verilator lint_on UNOPTFLAT
  generate
    genvar i;
    for (i = 0; i < D; i = i + 1) begin : g_bit
      if (i == 31) assign {carry[32], sum_o[31]} = {1'b0, a_i[31] ^ b[31] ^ carry[31]};
      else haechi_add add (.a_i(a_i[i]), .b_i(b[i]), .c_i(carry[i]), .s_o(sum_o[i]), .c_o(carry[i+1]));
    end
    if (D == 32) begin : g_carry
      assign carry[0] = minus_i;
      wire unused = &{clk_i, en_i, first_i, more_i, carry};
    end else begin : g_carry
      reg carry_q;
      always @(posedge clk_i) if (en_i) carry_q <= carry[D] & more_i;
      assign carry[0] = carry_q | (minus_i & first_i);
    end
  endgenerate
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// Addition of two bytes modulo 256 by full adders, which is the smallest form.

`default_nettype none

module hight_add_byte (
    input  wire [7:0] a_i,
    input  wire [7:0] b_i,
    output wire [7:0] s_o
);
  wire [7:1] carry;
  assign s_o[0] = a_i[0] ^ b_i[0];
  assign carry[1] = a_i[0] & b_i[0];
  generate
    genvar i;
    for (i = 1; i < 7; i = i + 1) begin : g_bit
      haechi_add add (.a_i(a_i[i]), .b_i(b_i[i]), .c_i(carry[i]), .s_o(s_o[i]), .c_o(carry[i+1]));
    end
  endgenerate
  assign s_o[7] = a_i[7] ^ b_i[7] ^ carry[7];
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// The substitution layer of ARIA for a whole block, and the diffusion layer behind it.  Byte 0 is lowest.

`default_nettype none

module aria_layers (
    input  wire         even_i,        // the substitution layer of even rounds
    input  wire [127:0] x_i,
    output wire [127:0] substituted_o,
    output wire [127:0] diffused_o
);
  generate
    genvar i, n;
    for (i = 0; i < 16; i = i + 1) begin : g_byte
      localparam [3:0] N = i;
      aria_sbox sbox (
          .two_i(N[0]), .inverse_i(N[1] ^ even_i), .x_i(x_i[8*i+:8]), .y_o(substituted_o[8*i+:8])
      );
    end
    for (n = 0; n < 8; n = n + 1) begin : g_bit
      wire [15:0] x, y;
      for (i = 0; i < 16; i = i + 1) begin : g_byte
        assign x[i] = substituted_o[8*i+n];
        assign diffused_o[8*i+n] = y[i];
      end
      aria_diffuse diffuse (.x_i(x), .y_o(y));
    end
  endgenerate
endmodule

`default_nettype wire

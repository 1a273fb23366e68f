// SPDX-License-Identifier: Apache-2.0 OR MIT
// The S-boxes S1 and S2 of ARIA and their inverses, which share one inversion in GF(2^8).
//
//   S1, S2    tower(c x)  -->  inverse  -->  an affine map
//   inverses  an affine map  -->  inverse  -->  from the tower, times a constant
//
// S2 has x^247, the eighth power of the inverse; powers of two are linear.  So there are three maps before the inversion
// and three behind it.  The tower, and the constant by which S1 and S2 multiply, are those of all towers with normal
// bases and of the best of their constants with which the maps take the fewest exclusive ors: 24 before and 25 behind.

`default_nettype none

module aria_sbox (
    input  wire       two_i,      // S2 or its inverse
    input  wire       inverse_i,
    input  wire [7:0] x_i,
    output wire [7:0] y_o
);
  // The three linear maps before the inversion: of the inverse of S2, that of S1, and for S1 and S2.
  function [23:0] linear_in(input [7:0] bits);
    reg [31:0] x;
    begin
      x[7:0] = bits;
      x[8] = x[1] ^ x[7]; x[9] = x[2] ^ x[8]; x[10] = x[0] ^ x[2]; x[11] = x[3] ^ x[9]; x[12] = x[4] ^ x[6];
      x[13] = x[5] ^ x[6]; x[14] = x[5] ^ x[7]; x[15] = x[0] ^ x[5]; x[16] = x[11] ^ x[12]; x[17] = x[9] ^ x[13];
      x[18] = x[0] ^ x[11]; x[19] = x[0] ^ x[12]; x[20] = x[0] ^ x[4]; x[21] = x[1] ^ x[15]; x[22] = x[7] ^ x[10];
      x[23] = x[1] ^ x[12]; x[24] = x[0] ^ x[6]; x[25] = x[5] ^ x[11]; x[26] = x[3] ^ x[10]; x[27] = x[1] ^ x[13];
      x[28] = x[1] ^ x[2]; x[29] = x[3] ^ x[8]; x[30] = x[6] ^ x[8]; x[31] = x[3] ^ x[14];
      linear_in = {
        x[6], x[26], x[27], x[25], x[24], x[16], x[19], x[9],
        x[14], x[17], x[31], x[29], x[21], x[1], x[20], x[28],
        x[22], x[18], x[20], x[23], x[10], x[30], x[15], x[3]
      };
    end
  endfunction

  // The three behind it: of the inverses, of S2 and of S1.
  function [23:0] linear_out(input [7:0] bits);
    reg [32:0] v;
    begin
      v[7:0] = bits;
      v[8] = v[3] ^ v[7]; v[9] = v[0] ^ v[4]; v[10] = v[5] ^ v[6]; v[11] = v[2] ^ v[8]; v[12] = v[1] ^ v[9];
      v[13] = v[10] ^ v[11]; v[14] = v[9] ^ v[10]; v[15] = v[2] ^ v[6]; v[16] = v[0] ^ v[8]; v[17] = v[5] ^ v[8];
      v[18] = v[7] ^ v[9]; v[19] = v[0] ^ v[6]; v[20] = v[3] ^ v[10]; v[21] = v[1] ^ v[8]; v[22] = v[2] ^ v[4];
      v[23] = v[0] ^ v[5]; v[24] = v[7] ^ v[15]; v[25] = v[8] ^ v[14]; v[26] = v[4] ^ v[5]; v[27] = v[4] ^ v[11];
      v[28] = v[12] ^ v[13]; v[29] = v[1] ^ v[6]; v[30] = v[2] ^ v[12]; v[31] = v[12] ^ v[17]; v[32] = v[0] ^ v[13];
      linear_out = {
        v[26], v[1], v[22], v[24], v[28], v[27], v[16], v[19],
        v[11], v[32], v[18], v[8], v[23], v[21], v[25], v[26],
        v[27], v[16], v[14], v[29], v[20], v[15], v[31], v[30]
      };
    end
  endfunction

  wire [7:0] back_2, back_1, forward, inverted, back, s2, s1;
  assign {back_2, back_1, forward} = linear_in(x_i);
  aria_inverse inverse (.v_i(inverse_i ? two_i ? back_2 ^ 8'hBE : ~back_1 : forward), .v_o(inverted));
  assign {back, s2, s1} = linear_out(inverted);
  assign y_o = inverse_i ? back : two_i ? s2 ^ 8'hE2 : s1 ^ 8'h63;
endmodule

`default_nettype wire

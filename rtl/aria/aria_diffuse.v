// SPDX-License-Identifier: Apache-2.0 OR MIT
// The diffusion layer of ARIA for one bit of each of the sixteen bytes: bit i belongs to byte i.
//
// Each result is the sum of seven bits.  Sums that several results have in common are computed once; a greedy search
// found 48 exclusive ors in place of 96.

`default_nettype none

module aria_diffuse (
    input  wire [15:0] x_i,
    output wire [15:0] y_o
);
  // The sums, 16 and above, are of two bits each.
  function [15:0] diffused(input [15:0] bits);
    reg [63:0] x;
    begin
      x[15:0] = bits;
      x[16] = x[6] ^ x[8]; x[17] = x[7] ^ x[13]; x[18] = x[5] ^ x[11]; x[19] = x[3] ^ x[14];
      x[20] = x[1] ^ x[10]; x[21] = x[4] ^ x[19]; x[22] = x[0] ^ x[18]; x[23] = x[2] ^ x[15];
      x[24] = x[9] ^ x[12]; x[25] = x[2] ^ x[24]; x[26] = x[10] ^ x[17]; x[27] = x[8] ^ x[23];
      x[28] = x[9] ^ x[21]; x[29] = x[14] ^ x[22]; x[30] = x[13] ^ x[16]; x[31] = x[15] ^ x[20];
      x[32] = x[1] ^ x[11]; x[33] = x[3] ^ x[30]; x[34] = x[5] ^ x[27]; x[35] = x[7] ^ x[25];
      x[36] = x[6] ^ x[12]; x[37] = x[4] ^ x[31]; x[38] = x[0] ^ x[26]; x[39] = x[5] ^ x[23];
      x[40] = x[7] ^ x[24]; x[41] = x[28] ^ x[30]; x[42] = x[34] ^ x[40]; x[43] = x[32] ^ x[35];
      x[44] = x[21] ^ x[35]; x[45] = x[11] ^ x[36]; x[46] = x[1] ^ x[36]; x[47] = x[12] ^ x[33];
      x[48] = x[3] ^ x[38]; x[49] = x[37] ^ x[45]; x[50] = x[17] ^ x[37]; x[51] = x[4] ^ x[34];
      x[52] = x[33] ^ x[39]; x[53] = x[6] ^ x[43]; x[54] = x[22] ^ x[28]; x[55] = x[25] ^ x[38];
      x[56] = x[29] ^ x[46]; x[57] = x[27] ^ x[29]; x[58] = x[20] ^ x[51]; x[59] = x[28] ^ x[31];
      x[60] = x[16] ^ x[48]; x[61] = x[32] ^ x[47]; x[62] = x[26] ^ x[29]; x[63] = x[0] ^ x[50];
      diffused = {
        x[58], x[54], x[60], x[53], x[44], x[52], x[56], x[63], x[61], x[55], x[59], x[57], x[62], x[49], x[42], x[41]
      };
    end
  endfunction
  assign y_o = diffused(x_i);
endmodule

`default_nettype wire

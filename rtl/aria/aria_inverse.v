// SPDX-License-Identifier: Apache-2.0 OR MIT
// The inverse in GF(2^8), 0 for 0, on bytes of a tower of fields.
//
// Each field of the tower has a normal basis over the one below it:
//
//   GF(2^2) over GF(2)     w and w^2,   w^2 + w + 1 = 0
//   GF(2^4) over GF(2^2)   z and z^4,   z^2 + z + w^2 = 0
//   GF(2^8) over GF(2^4)   y and y^16,  y^2 + y + nu = 0
//
// The low half of a number belongs to the first element of the basis.  The inverse of a y + b y^16 is (b y + a y^16) / n,
// where n = a b + nu (a + b)^2 is in the field below; so it is in each field.  In GF(2^2) the inverse is the square, which
// exchanges the two bits.

`default_nettype none

module aria_inverse (
    input  wire [7:0] v_i,
    output wire [7:0] v_o
);
  function [1:0] mul_4(input [1:0] a, input [1:0] b);
    mul_4 = {2{^a & ^b}} ^ (a & b);
  endfunction
  function [1:0] by_w2(input [1:0] a);  // w^2 a
    by_w2 = {a[0], ^a};
  endfunction
  function [3:0] mul_16(input [3:0] a, input [3:0] b);
    mul_16 = {2{by_w2(mul_4(a[3:2] ^ a[1:0], b[3:2] ^ b[1:0]))}} ^ {mul_4(a[3:2], b[3:2]), mul_4(a[1:0], b[1:0])};
  endfunction
  function [3:0] by_nu(input [3:0] a);  // nu a^2
    by_nu = {a[3] ^ a[1] ^ a[0], a[3] ^ a[2] ^ a[0], a[3], a[3] ^ a[2]};
  endfunction

  wire [3:0] n = mul_16(v_i[7:4], v_i[3:0]) ^ by_nu(v_i[7:4] ^ v_i[3:0]);
  wire [1:0] half = n[3:2] ^ n[1:0];
  wire [1:0] m = mul_4(n[3:2], n[1:0]) ^ by_w2({half[0], half[1]});
  wire [3:0] by_n = {mul_4(n[1:0], {m[0], m[1]}), mul_4(n[3:2], {m[0], m[1]})};
  assign v_o = {mul_16(v_i[3:0], by_n), mul_16(v_i[7:4], by_n)};
endmodule

`default_nettype wire

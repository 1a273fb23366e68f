// SPDX-License-Identifier: Apache-2.0 OR MIT
// F0 or F1 of the byte A in hight_serial, D bits a clock; outside the rounds 0.
//
// While A moves from F to O, a window of 8 bits lies over what is still in F and what is in O already: the byte A,
// rotated by any amount.

`default_nettype none

module hight_serial_f #(
    parameter D = 1
) (
    input  wire [8/D-1:0] from_i,    // bit n is 1 from clock n of a slot on
    input  wire           rounds_i,
    input  wire           xors_i,    // F0; otherwise F1
    input  wire [    7:0] f_i,
    input  wire [    7:0] o_top_i,   // O [31:24]
    output wire [  D-1:0] f_o
);
  localparam T = 8 / D;

  // a[7] is the first bit of the present clock and a[6] the bit below it; below bit 0 comes bit 7 again.
  wire [D+6:0] a;
  wire [D+6:1] pair = a[D+6:1] ^ a[D+5:0];
  assign a[7+:D] = f_i[D-1:0];
  generate
    genvar u;
    for (u = 1; u < 8; u = u + 1) begin : g_a
      localparam N = (u + D - 1) / D;  // from clock N on the bit is in O
      if (N >= T) assign a[7-u] = f_i[8-u];
      else assign a[7-u] = from_i[N] ? o_top_i[8-u] : f_i[8-u];
    end
    // Both forms are the same function; the second one is smaller where there is no window.
    if (D < 8) begin : g_f
      assign f_o = {D{rounds_i}} & ((xors_i ? pair[6+:D] : pair[4+:D]) ^ (xors_i ? a[0+:D] : a[1+:D]));
    end else begin : g_f
      wire [D-1:0] f0 = {D{rounds_i & xors_i}}, f1 = {D{rounds_i & ~xors_i}};
      assign f_o = (f0 & pair[6+:D] | f1 & pair[4+:D]) ^ (f0 & a[0+:D] | f1 & a[1+:D]);
    end
  endgenerate

  wire unused = &{from_i, o_top_i, pair};
endmodule

`default_nettype wire

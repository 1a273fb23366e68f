// SPDX-License-Identifier: Apache-2.0 OR MIT
// The key schedule of lea_serial: while the words of T leave, turned, they take delta and enter again.

`default_nettype none

module lea_serial_keys #(
    parameter D = 1
) (
    input  wire            clk_i,
    input  wire            en_i,
    input  wire [32/D-1:0] from_i,   // bit n is 1 from clock n of a pass on
    input  wire            more_i,   // any clock but the last of a pass, outside a reset
    input  wire            load_i,   // key_i enters
    input  wire [ 4*D-1:0] key_i,
    input  wire [ 4*D-1:0] delta_i,
    output wire [ 4*D-1:0] t_o       // T3, T2, T1 and T0
);
  wire [4*D-1:0] made;
  wire [4*D-1:0] old = load_i ? key_i : t_o;
  generate
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_word
      localparam K = i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 6 : 11;
      lea_add #(.D(D)) add (
          .clk_i(clk_i), .en_i(en_i), .more_i(more_i), .a_i(old[D*i+:D]), .b_i(delta_i[D*i+:D]), .sum_o(made[D*i+:D])
      );
      lea_word #(.D(D), .K(K)) word (
          .clk_i(clk_i), .en_i(en_i), .turn_i(1'b1), .from_i(from_i), .word_i(made[D*i+:D]), .word_o(t_o[D*i+:D])
      );
    end
  endgenerate
endmodule

`default_nettype wire

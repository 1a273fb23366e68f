// SPDX-License-Identifier: Apache-2.0 OR MIT
// The control of aria_wide: it counts the columns of a pass, and the passes.
//
// The count of a round is the number of its round key.  Encryption counts up, decryption down:
//
//   12       a block enters while the last one leaves
//   0 to 11  a round
//
// After a reset, make_q says that another count runs, in which the words of the key are made:
//
//   encrypting   decrypting
//   9            12             bits that are 0 enter the ring, in place of a word before the first one
//   10 to 13     11, 10, 7, 4   W0, W1, W2 and W3 enter the ring, W0 a second time
//   15           0              the first block enters
//   the others                  the ring turns
//
// Encryption needs the words one behind the other in the order in which they are made, and decryption in the opposite one.
// Two passes before each of W2 and W3, in which the ring turns, have this effect.

`default_nettype none

module aria_wide_control #(
    parameter W = 32,
    parameter BOTH = 0,
    parameter C = 4  // bits of the number of a column
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         rst_i,
    input  wire         dec_i,
    output wire [C-1:0] column_o,
    output wire         make_o,     // words of the key are made
    output wire         word_o,     // in this pass
    output wire         zero_o,     // bits that are 0 enter the ring
    output wire         one_o,      // CK1
    output wire         two_o,      // CK2
    output wire         even_o,     // the substitution layer of even rounds
    output wire         load_o,     // a block enters
    output wire         last_o,     // a block leaves
    output wire         stay_o,     // each word of the round key turns in its own place
    output wire         diffuse_o,
    output wire [  1:0] by_o        // how far the second word turns
);
  localparam N = 128 / W;
  wire dec = BOTH != 0 ? dec_i : 1'b0;
  reg [3:0] count_q;
  reg make_q;

  wire end_pass, clk_pass, en_pass;
  generate
    if (N == 1) begin : g_columns
      assign {column_o, end_pass} = {{C{1'b0}}, 1'b1};
      assign {clk_pass, en_pass} = {clk_i, en_i};
    end else begin : g_columns
      reg [C-1:0] column_q;
      always @(posedge clk_i) if (en_i) column_q <= rst_i ? {C{1'b0}} : column_q + 1'b1;
      assign {column_o, end_pass} = {column_q, &column_q};
      haechi_gate gate (
          .clk_i(clk_i), .en_i(en_i), .hold_i(~(end_pass | rst_i)), .clk_o(clk_pass), .en_o(en_pass)
      );
    end
  endgenerate

  wire zero = count_q == 4'd0;
  wire [3:0] up = last_o ? 4'd0 : count_q + 4'd1;
  wire [3:0] down = zero ? {2'b10 | {1'b0, ~make_q}, {2{make_q}}} : count_q - 4'd1;  // 11, or 12
  always @(posedge clk_pass)
    if (en_pass) begin
      count_q <= rst_i ? dec ? 4'd12 : 4'd9 : dec ? down : up;
      make_q  <= rst_i | make_q & ~load_o;
    end

  wire [3:0] made = dec ? {count_q == 4'd4, count_q == 4'd7, count_q == 4'd10, count_q == 4'd11} :
                          {count_q == 4'd13, count_q == 4'd12, count_q == 4'd11, count_q == 4'd10};
  assign make_o = make_q;
  assign word_o = |made;
  assign zero_o = make_q & count_q == (dec ? 4'd12 : 4'd9);
  assign one_o = made[0];
  assign two_o = made[1];
  assign even_o = make_q ? made[1] : count_q[0] ^ dec;
  assign last_o = ~make_q & count_q[3] & count_q[2];
  assign load_o = last_o | make_q & (dec ? zero : &count_q);
  assign stay_o = dec ? ~make_q & zero : last_o;
  assign diffuse_o = end_pass & ~(~make_q & (dec ? zero : count_q == 4'd11)) & ~load_o;
  assign by_o = count_q[3:2] | {2{make_q}};
endmodule

`default_nettype wire

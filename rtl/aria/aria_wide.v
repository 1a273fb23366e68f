// SPDX-License-Identifier: Apache-2.0 OR MIT
// ARIA-128 with W / 8 S-boxes: W = 8, 16, 32, 64 or 128 bits a clock.  A pass, in which all columns of W bits go through the
// S-boxes, takes 128 / W clocks, and a round takes a pass: its last clock has the diffusion layer too.
//
//   encrypting   text <- A(S(text + key))
//   decrypting   text <- A(S(text) + key)
//
// A is linear, so that a round of decryption with the round key A(key) is the round before, taken apart at another place:
// decryption adds the round keys of encryption behind the S-boxes, and no key goes through A.  In both directions a block
// leaves while the next one enters, in the pass with the last round key of encryption.
//
// The registers hold the four words of the key schedule.  After a reset they are made one after the other, by the path of
// the text: the sum of the text and the word before the last one is the next word.

`default_nettype none

module aria_wide #(
    parameter W = 32,
    parameter BOTH = 0,  // with decryption
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         stall_i,
    input  wire         dec_i,
    input  wire [W-1:0] key_i,
    input  wire [W-1:0] data_i,
    output wire         ready_o,
    output wire         valid_o,
    output wire [W-1:0] data_o
);
  localparam C = W == 8 ? 4 : W == 16 ? 3 : W == 32 ? 2 : 1;  // bits of the number of a column
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));
  wire dec = BOTH != 0 ? dec_i : 1'b0;

  wire [C-1:0] column;
  wire [1:0] by;
  wire make, made, zero, one, two, even, load, last, stay, diffuse;
  aria_wide_control #(.W(W), .BOTH(BOTH), .C(C)) control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .dec_i(dec), .column_o(column), .make_o(make), .word_o(made),
      .zero_o(zero), .one_o(one), .two_o(two), .even_o(even), .load_o(load), .last_o(last), .stay_o(stay),
      .diffuse_o(diffuse), .by_o(by)
  );

  wire [W-1:0] plain, turned, word;
  wire back = dec & (~make | load);  // the words are in the order of decryption, and the key is added behind the S-boxes
  aria_wide_keys #(.W(W), .BOTH(BOTH), .C(C)) keys (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .swap_i(back), .stay_i(stay), .word_i(make & made),
      .zero_i(zero), .by_i(by), .column_i(column), .key_i(key_i), .made_i(word), .plain_o(plain), .turned_o(turned)
  );

  wire [W-1:0] text, ck, sum, s, added;
  generate
    genvar i;
    for (i = 0; i < W / 8; i = i + 1) begin : g_byte
      wire [31:0] at = {{32 - C{1'b0}}, column} * (W / 8) + i;  // which byte of the block it is
      aria_constants constants (.one_i(one), .two_i(two), .byte_i(at[3:0]), .ck_o(ck[8*i+:8]));
      aria_sbox sbox (.two_i(at[0]), .inverse_i(at[1] ^ even), .x_i(sum[8*i+:8]), .y_o(s[8*i+:8]));
      wire unused = &at;
    end
    if (BOTH != 0) begin : g_key
      wire [W-1:0] key = plain ^ (make & ~load ? ck : turned);
      assign sum = text ^ key & {W{~back}};
      assign added = key & {W{back & rst_ni}};
    end else begin : g_key
      assign sum = word ^ (make ? ck : turned);
      assign added = {W{1'b0}};
    end
  endgenerate
  assign word = text ^ plain;

  aria_wide_text #(.W(W)) texts (
      .clk_i(clk), .en_i(en), .hold_i(make & ~made & ~load & rst_ni), .diffuse_i(diffuse),
      .column_i((load ? data_i : s & {W{rst_ni}}) ^ added), .column_o(text)
  );

  wire unused = dec_i;
  assign ready_o = load;
  assign valid_o = last;
  assign data_o  = sum;
endmodule

`default_nettype wire

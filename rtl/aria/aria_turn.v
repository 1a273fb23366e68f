// SPDX-License-Identifier: Apache-2.0 OR MIT
// The byte of a word of ARIA's key schedule that has turned to the right by 19, 31, 67 or 97 bits, when the byte of the
// word that has not turned is byte 0.

`default_nettype none

module aria_turn (
    input  wire [  1:0] by_i,
    input  wire [127:0] word_i,  // byte 0, which is the highest of the word, is lowest
    output wire [  7:0] byte_o
);
  // Byte -n of the word is byte 16 - n.
  wire [7:0] by_19 = {word_i[8*13+:3], word_i[8*14+3+:5]};
  wire [7:0] by_31 = {word_i[8*12+:7], word_i[8*13+7+:1]};
  wire [7:0] by_67 = {word_i[8*7+:3], word_i[8*8+3+:5]};
  wire [7:0] by_97 = {word_i[8*3+:1], word_i[8*4+1+:7]};
  assign byte_o = by_i[1] ? by_i[0] ? by_97 : by_67 : by_i[0] ? by_31 : by_19;
  wire unused = &word_i;
endmodule

`default_nettype wire

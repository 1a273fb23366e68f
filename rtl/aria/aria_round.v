// SPDX-License-Identifier: Apache-2.0 OR MIT
// ARIA-128 encryption, a round a clock.
//
//   count     text                                   words of the key
//   13 to 15  a block enters in the last of them     W1, W2 and W3 are made, by the layers of the text
//   0 to 11   a round                                the ring turns
//   12        the last round key; the result leaves  rests
//             while the next block enters
//
// The registers hold all four words.  If they held two, and the others were computed again as in aria_serial, a round would
// take two clocks, and the core a tenth less area.

`default_nettype none

module aria_round #(
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire         clk_i,
    input  wire         rst_ni,
    input  wire         stall_i,
    input  wire         dec_i,
    input  wire [127:0] key_i,
    input  wire [127:0] data_i,
    output wire         ready_o,
    output wire         valid_o,
    output wire [127:0] data_o
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- Control.
  reg [3:0] count_q;
  wire high = count_q[3] & count_q[2];  // no round
  wire last = high & ~count_q[1] & ~count_q[0];
  wire make = high & ~last;
  wire first = make & ~count_q[1], third = make & count_q[1] & count_q[0];
  always @(posedge clk) if (en) count_q <= ~rst_ni ? 4'd13 : last ? 4'd0 : count_q + 4'd1;

  // ---- Keys.
  wire [127:0] word, key, substituted, diffused;
  aria_round_keys keys (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .first_i(first), .make_i(make), .hold_i(last & rst_ni),
      .by_i(count_q[3:2]), .key_i(key_i), .diffused_i(diffused), .word_o(word), .key_o(key)
  );
  wire [127:0] ck;
  generate
    genvar i;
    for (i = 0; i < 16; i = i + 1) begin : g_constants
      localparam [3:0] N = i;
      aria_constants constants (.one_i(first), .two_i(~count_q[0]), .byte_i(N), .ck_o(ck[8*i+:8]));
    end
  endgenerate

  // ---- Text.
  reg [127:0] text_q;
  wire [127:0] sum = text_q ^ key;
  aria_layers layers (
      .even_i(make ^ count_q[0]), .x_i(make ? word ^ ck : sum), .substituted_o(substituted), .diffused_o(diffused)
  );
  wire round_12 = count_q[3] & count_q[1] & count_q[0];  // or data_i enters
  always @(posedge clk) if (en) text_q <= ready_o ? data_i : round_12 ? substituted : diffused;

  wire unused = dec_i;
  assign ready_o = last | third;
  assign valid_o = last;
  assign data_o  = sum;
endmodule

`default_nettype wire

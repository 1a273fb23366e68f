// SPDX-License-Identifier: Apache-2.0 OR MIT
// ARIA-128 encryption with one S-box, a byte a clock; the diffusion layer takes 8 / D clocks.
//
// There are three registers of sixteen bytes: X, which alone can go through the diffusion layer A, Y and Z.  They hold the
// text T and two words of the key schedule, from which the others are computed when a round needs them:
//
//   W1 = A(S(W0 ^ CK1))    W2 = A(S(W1 ^ CK2)) ^ W0    W3 = A(S(W2 ^ CK3)) ^ W1
//
// Each word follows from the two before it, and also from the two behind it.  A is its own inverse, so that
// W2 = A(S(W1 ^ CK2) ^ A(W0)) is made in place of W0.  In the following passes of sixteen clocks all bytes of X, Y and Z
// leave, and others enter; a * stands for the diffusion layer of X behind a pass:
//
//   pass    X <-           Y <-   Z <-         in the round with the key W0 ^ turned W1
//                                              X = T    Y = W1        Z = W0
//   TEXT    Z              Y      S(T ^ key)   *X = A(W0)             Z = S(T ^ key)
//   KEY     X ^ S(Y ^ CK)  Y      Z            *X = W2
//   TURN    Z              X      Y            *X = T   Y = W2        Z = W1
//   SWAP    Y              X      Z
//
// The words W3 and W0 of every fourth round key are not neighbours.  The round before it goes back from W2 and W3 to W1
// and W2, while Z takes A(W3), and from W1 and W2 to W0 and W1:
//
//   TEXT  SWAP* X = A(W3)  KEY* Z <- Z ^ X  SWAP*  KEY* X = W0  TURN*
//
// The round that follows needs turned W0 alone, and leaves W0 and W1 as they were for the key of the first round.  So the
// key enters once, while rst_ni is low.  A block enters while the last one leaves.

`default_nettype none

module aria_serial #(
    parameter D = 1,           // bits of each byte that go through the diffusion layer in a clock: 1, 2, 4 or 8
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       stall_i,
    input  wire       dec_i,
    input  wire [7:0] key_i,
    input  wire [7:0] data_i,
    output wire       ready_o,
    output wire       valid_o,
    output wire [7:0] data_o
);
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire diffuse, text, swap, key, turn, take, load, last, older, one, two, even;
  wire [1:0] by;
  wire [3:0] n;
  aria_serial_control #(.D(D)) control (
      .clk_i(clk), .en_i(en), .rst_i(~rst_ni), .diffuse_o(diffuse), .text_o(text), .swap_o(swap), .key_o(key),
      .turn_o(turn), .take_o(take), .load_o(load), .last_o(last), .older_o(older), .one_o(one), .two_o(two),
      .even_o(even), .by_o(by), .byte_o(n)
  );

  // ---- The three registers.
  wire [7:0] x, s;
  reg [127:0] y_q, z_q;
  wire [7:0] y = y_q[7:0], z = z_q[7:0];
  wire [7:0] x_new = load ? data_i : key ? x ^ s : swap ? y : z;
  aria_mixer #(.D(D)) mixer (
      .clk_i(clk), .en_i(en), .diffuse_i(diffuse), .byte_i(x_new & {8{rst_ni}}), .byte_o(x)
  );
  wire clk_y, en_y, clk_z, en_z;  // two gates, because one would drive too many flip-flops, and be late
  haechi_gate gate_y (.clk_i(clk), .en_i(en), .hold_i(diffuse), .clk_o(clk_y), .en_o(en_y));
  haechi_gate gate_z (.clk_i(clk), .en_i(en), .hold_i(diffuse), .clk_o(clk_z), .en_o(en_z));
  always @(posedge clk_y) if (en_y) y_q <= {~rst_ni ? key_i : swap | turn ? x : y, y_q[127:8]};
  always @(posedge clk_z) if (en_z) z_q <= {text & ~last ? s : turn ? y : z ^ x & {8{take}}, z_q[127:8]};

  // ---- Text and key through the S-box.
  wire [7:0] turned, ck;
  aria_turn turner (.by_i(by), .word_i(y_q), .byte_o(turned));
  aria_constants constants (.one_i(one), .two_i(two), .byte_i(n), .ck_o(ck));
  wire [7:0] sum = x ^ z & {8{older}} ^ turned;
  aria_sbox sbox (.two_i(n[0]), .inverse_i(n[1] ^ even), .x_i(key ? y ^ ck : sum), .y_o(s));

  wire unused = dec_i;
  assign ready_o = load;
  assign valid_o = last;
  assign data_o  = sum;
endmodule

`default_nettype wire

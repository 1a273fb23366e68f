// SPDX-License-Identifier: Apache-2.0 OR MIT
// The constants of the key schedule of lea_long, D bits a clock: digit clock_i of ROL(delta[round mod WORDS], round + i),
// i = 0 to 5.

`default_nettype none

module lea_long_delta #(
    parameter D = 1,
    parameter WORDS = 6
) (
    input  wire [    4:0] round_i,  // 0 to 27 or 31
    input  wire [    4:0] clock_i,  // the digit
    output wire [6*D-1:0] delta_o   // for T5 to T0
);
  localparam [255:0] DELTA = 256'he5c40957_e04ef22a_c785da0a_715ea49e_78df30ec_79e27c8a_44626b02_c3efe9db;
  localparam ROUNDS = 16 + 2 * WORDS;

  generate
    genvar i, r;
    if (D == 1) begin : g_bit
      wire [4:0] n = clock_i - round_i;
      wire [2:0] which;  // round_i modulo WORDS
      if (WORDS == 6) begin : g_which
        wire [127:0] rests;
        for (r = 0; r < 32; r = r + 1) begin : g_rest
          localparam [31:0] REST = r < ROUNDS ? r % 6 : 0;
          assign rests[4*r+:4] = REST[3:0];
        end
        assign which = rests[{round_i, 2'd0}+:3];
        wire unused = &rests;
      end else begin : g_which
        assign which = round_i[2:0];
      end
      for (i = 0; i < 6; i = i + 1) begin : g_word
        wire [255:0] turned;  // by i
        for (r = 0; r < 8; r = r + 1) begin : g_turned
          wire [63:0] twice = {2{DELTA[32*r+:32]}};
          assign turned[32*r+:32] = twice[32-i+:32];
          wire unused = &twice;
        end
        assign delta_o[i] = turned[{which, n}];
      end
    end else begin : g_bit
      // The words of all rounds, turned by the round.
      wire [1023:0] turned;
      for (r = 0; r < 32; r = r + 1) begin : g_round
        wire [63:0] twice = {2{DELTA[32*(r%WORDS)+:32]}};
        assign turned[32*r+:32] = r < ROUNDS ? twice[32-r+:32] : 32'd0;
        wire unused = &twice;
      end
      wire [31:0] word = turned[{round_i, 5'd0}+:32];
      wire [36:0] window = {word, word[31:27]};
      wire [D+4:0] digit;
      if (D == 32) assign digit = window;
      else assign digit = window[D*clock_i+:D+5];
      for (i = 0; i < 6; i = i + 1) begin : g_word
        assign delta_o[D*i+:D] = digit[5-i+:D];
      end
      wire unused = &clock_i;
    end
  endgenerate
endmodule

`default_nettype wire

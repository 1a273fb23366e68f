// SPDX-License-Identifier: Apache-2.0 OR MIT
// The constants of LEA's key schedule, D bits a clock: digit clock_i of ROL(delta[round mod 4], round + i), i = 0 to 3.

`default_nettype none

module lea_delta #(
    parameter D = 1
) (
    input  wire [    4:0] round_i,  // 0 to 23
    input  wire [    4:0] clock_i,  // the digit
    output wire [4*D-1:0] delta_o   // for T3, T2, T1, T0
);
  localparam [127:0] DELTA = 128'h78df30ec_79e27c8a_44626b02_c3efe9db;

  generate
    genvar i, r;
    if (D == 1) begin : g_bit
      wire [4:0] n = clock_i - round_i;
      for (i = 0; i < 4; i = i + 1) begin : g_word
        wire [127:0] turned;  // by i
        for (r = 0; r < 4; r = r + 1) begin : g_turned
          wire [63:0] twice = {2{DELTA[32*r+:32]}};
          assign turned[32*r+:32] = twice[32-i+:32];
          wire unused = &twice;
        end
        assign delta_o[i] = turned[{round_i[1:0], n}];
      end
    end else begin : g_bit
      // The words of all rounds, turned by the round.
      wire [1023:0] turned;
      for (r = 0; r < 32; r = r + 1) begin : g_round
        wire [63:0] twice = {2{DELTA[32*(r%4)+:32]}};
        assign turned[32*r+:32] = r < 24 ? twice[32-r+:32] : 32'd0;
        wire unused = &twice;
      end
      wire [31:0] word = turned[{round_i, 5'd0}+:32];
      wire [34:0] window = {word, word[31:29]};
      wire [D+2:0] digit;
      if (D == 32) assign digit = window;
      else assign digit = window[D*clock_i+:D+3];
      for (i = 0; i < 4; i = i + 1) begin : g_word
        assign delta_o[D*i+:D] = digit[3-i+:D];
      end
      wire unused = &clock_i;
    end
  endgenerate
endmodule

`default_nettype wire

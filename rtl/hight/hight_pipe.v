// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT encryption with a block a clock: there is a register after the first whitening and after each of the 32 rounds.
//
//   data_i --> whitening --[0]--> round 0 --[1]--> ... --> round 31 --[32]--> whitening --> data_o
//
// The key stands still, so every subkey is a byte of it plus a constant.  A new key takes a reset, which also drops the
// blocks in the pipe: valid_o falls.

`default_nettype none

module hight_pipe #(
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire        clk_i,
    input  wire        rst_ni,
    input  wire        stall_i,
    input  wire        dec_i,
    input  wire [ 7:0] key_i,
    input  wire [63:0] data_i,
    output wire        ready_o,
    output wire        valid_o,
    output wire [63:0] data_o
);
  reg [127:0] key_q;
  reg [ 32:0] full_q;

  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  wire clk_key, en_key;
  haechi_gate gate_key (.clk_i(clk), .en_i(en), .hold_i(rst_ni), .clk_o(clk_key), .en_o(en_key));
  always @(posedge clk_key) if (en_key) key_q <= {key_q[119:0], key_i};
  always @(posedge clk) if (en) full_q <= {33{rst_ni}} & {full_q[31:0], 1'b1};

  // delta_n of the sequence s[n+7] = s[n+3] ^ s[n]
  function [6:0] delta(input integer n);
    integer k;
    begin
      delta = 7'b1011010;
      for (k = 0; k < n; k = k + 1) delta = {delta[3] ^ delta[0], delta[6:1]};
    end
  endfunction

  // ---- The text between the rounds, 64 bits each: stage n is the input of round n.
  wire [33*64-1:0] stage;
  wire [63:0] first = data_i;
  wire [31:0] white_in, white_out;
  reg [63:0] stage_0_q;
  always @(posedge clk) if (en) stage_0_q <= {
    first[63:56], white_in[31:24], first[47:40], white_in[23:16], first[31:24], white_in[15:8], first[15:8],
    white_in[7:0]
  };
  assign stage[63:0] = stage_0_q;
  generate
    genvar r, i;
    for (i = 0; i < 4; i = i + 1) begin : g_white
      hight_step #(.FN((i + 1) % 2)) way_in (
          .a_i(8'd0), .b_i(first[16*i+:8]), .key_i(key_q[8*(12+i)+:8]), .delta_i(7'd0),
          .f_i(1'b0), .dec_i(1'b0), .b_o(white_in[8*i+:8])
      );
      hight_step #(.FN((i + 1) % 2)) way_out (
          .a_i(8'd0), .b_i(stage[32*64+16*i+8+:8]), .key_i(key_q[8*i+:8]), .delta_i(7'd0),
          .f_i(1'b0), .dec_i(1'b0), .b_o(white_out[8*i+:8])
      );
    end
    for (r = 0; r < 32; r = r + 1) begin : g_round
      wire [63:0] x = stage[64*r+:64];
      wire [31:0] made;
      reg [63:0] x_q;
      for (i = 0; i < 4; i = i + 1) begin : g_step
        localparam J = (4 * r + i) % 16;  // SK[16 n + j] = MK[(j - n) mod 8 in the half of j] + delta
        hight_step #(.FN((i + 1) % 2)) step (
            .a_i(x[16*i+:8]), .b_i(x[16*i+8+:8]), .key_i(key_q[8*(J/8*8+(J+8-r/4)%8)+:8]), .delta_i(delta(4*r+i)),
            .f_i(1'b1), .dec_i(1'b0), .b_o(made[8*i+:8])
        );
      end
      always @(posedge clk) if (en) x_q <= {
        x[55:48], made[23:16], x[39:32], made[15:8], x[23:16], made[7:0], x[7:0], made[31:24]
      };
      assign stage[64*r+64+:64] = x_q;
    end
  endgenerate

  wire [63:0] y = stage[32*64+:64];
  wire unused = &{dec_i, y};
  assign ready_o = rst_ni;
  assign valid_o = full_q[32];
  assign data_o = {
    y[7:0], white_out[31:24], y[55:48], white_out[23:16], y[39:32], white_out[15:8], y[23:16], white_out[7:0]
  };
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT with a round a clock and the key schedule on the fly.  README.md explains the ports, and how to load and unload.
//
// Four bytes A pass a round unchanged.  To each of four bytes B the round adds F of the A below it.  Then the bytes B are
// A of the next round, and A are B:
//
//            A3      A2      A1      A0          encrypting  A = X6 X4 X2 X0   B = X7 X5 X3 X1
//            |       |       |       |           decrypting  A = X7 X5 X3 X1   B = X0 X6 X4 X2
//   B3 --> step3   step2   step1   step0  <-- SK0
//          F0 |    F1 |    F0 |    F1 |
//             new3    new2    new1    new0       encrypting  A <- new2 new1 new0 new3   B <- A3 A2 A1 A0
//                                                decrypting  A <- new3 new2 new1 new0   B <- A0 A3 A2 A1
//
// After the last round neither A nor B turns, so the block leaves as C7 C5 C3 C1 = A and C6 C4 C2 C0 = whitened B.
//
//   clock    rounds  count            keys: encrypting        decrypting
//   in       0       10               MK15..12                MK3..0
//   round    1       00, 01, 11, 10   words 0, 1, 2, 3        words 3, 2, 1, 0; 32 clocks
//   out      0       00               MK3..0                  MK15..12
//
// Every four rounds the halves of the key turn by a byte: upwards in encryption, downwards in decryption.

`default_nettype none

module hight_round #(
    parameter BOTH = 0,  // with decryption
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
  reg [31:0] a_q, b_q;
  reg [63:0] lower_q, upper_q;  // MK7..MK0 and MK15..MK8
  reg [ 6:0] delta_q;
  reg [ 1:0] count_q;
  reg        rounds_q;

  wire rst = ~rst_ni;
  wire dec = BOTH != 0 ? dec_i : 1'b0;
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- Rounds.
  wire in = ~rounds_q & count_q[1];
  wire out = ~(rounds_q | count_q[1]);
  wire fourth = count_q[1] & ~count_q[0];
  wire last = fourth & (dec ? ~delta_q[0] & delta_q[3] & delta_q[6] : delta_q[4] & delta_q[6]);  // by the delta that only the last round has
  always @(posedge clk)
    if (en) begin
      count_q  <= {rst | out | count_q[0], rounds_q & ~count_q[1]};
      rounds_q <= ~(rst | out | last);
    end

  // ---- Delta, which is s[n+6]..s[n] of the sequence s[n+7] = s[n+3] ^ s[n]; a round takes four.  Outside of the rounds
  // it is 0.
  localparam [6:0] DELTA_0 = 7'b1011010, DELTA_124 = 7'b1010111;
  wire [6:0] s = delta_q;
  wire [3:0] later = s[6:3] ^ s[3:0];
  wire [3:0] earlier = {s[6:4] ^ s[2:0], s[3] ^ s[6] ^ s[2]};
  wire [9:0] deltas = {later[2:0], s};
  wire [6:0] next = dec ? {s[2:0], earlier} : {later, s[6:4]};
  wire stay = ~(rst | last);
  always @(posedge clk) if (en) delta_q <= {7{stay}} & next | {7{in & rst_ni}} & (dec ? DELTA_124 : DELTA_0);

  // ---- Keys.
  wire [1:0] word = {count_q[1] ^ dec, count_q[0]};
  wire [31:0] key = word[1] ? (word[0] ? upper_q[31:0] : upper_q[63:32]) : (word[0] ? lower_q[63:32] : lower_q[31:0]);
  wire turn = fourth & (dec ? ~last : rounds_q);
  wire clk_key, en_key;
  haechi_gate gate_key (.clk_i(clk), .en_i(en), .hold_i(~(turn | rst)), .clk_o(clk_key), .en_o(en_key));
  always @(posedge clk_key)
    if (en_key)
      if (dec & rst_ni) begin
        lower_q <= {lower_q[7:0], lower_q[63:8]};
        upper_q <= {upper_q[7:0], upper_q[63:8]};
      end else begin
        lower_q <= {lower_q[55:0], rst ? key_i : lower_q[63:56]};
        upper_q <= {upper_q[55:0], rst ? lower_q[63:56] : upper_q[63:56]};
      end

  // ---- Text.
  wire [31:0] even = {data_i[55:48], data_i[39:32], data_i[23:16], data_i[7:0]};
  wire [31:0] odd = {data_i[63:56], data_i[47:40], data_i[31:24], data_i[15:8]};
  wire [31:0] b = in ? even : b_q;
  wire [31:0] made;
  generate
    genvar i;
    for (i = 0; i < 4; i = i + 1) begin : g_step
      hight_step #(.FN((i + 1) % 2), .BOTH(BOTH)) step (
          .a_i(a_q[8*i+:8]), .b_i(b[8*i+:8]), .key_i(key[8*i+:8]), .delta_i(deltas[i+:7]),
          .f_i(rounds_q), .dec_i(dec), .b_o(made[8*i+:8])
      );
    end
  endgenerate
  wire straight = dec | in | last;
  always @(posedge clk)
    if (en) begin
      a_q <= straight ? made : {made[23:0], made[31:24]};
      b_q <= in ? odd : dec & ~last ? {a_q[7:0], a_q[31:8]} : a_q;
    end

  wire unused = dec_i;
  assign ready_o = in;
  assign valid_o = out;
  assign data_o = {
    a_q[31:24], made[31:24], a_q[23:16], made[23:16], a_q[15:8], made[15:8], a_q[7:0], made[7:0]
  };
endmodule

`default_nettype wire

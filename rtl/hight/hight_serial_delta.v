// SPDX-License-Identifier: Apache-2.0 OR MIT
// The constants delta of hight_serial, D bits a clock.  Delta is the round counter too.
//
// A delta is s[n+6]..s[n] of the sequence s[n+7] = s[n+3] ^ s[n]; bit 7 of it is 0.  The register turns once in a slot
// (7 steps of 8) and takes in the feedback in its last step.  In decryption the state goes a step back; delta_127 =
// delta_0.

`default_nettype none

module hight_serial_delta #(
    parameter D = 1,
    parameter BOTH = 0  // with decryption
) (
    input  wire           clk_i,
    input  wire           en_i,
    input  wire           rst_i,
    input  wire           dec_i,
    input  wire [8/D-1:0] from_i,       // bit n is 1 from clock n of a slot on
    input  wire           slot_end_i,
    input  wire           last_slot_i,
    input  wire [    1:0] count_i,
    input  wire           rounds_i,
    input  wire           in_i,
    output wire [  D-1:0] delta_o,
    output wire           last_o        // the last round: count 10, and the delta that only this one has
);
  localparam [6:0] DELTA_0 = 7'b1011010;
  localparam [D-1:0] TOP = 1 << (D - 1);

  reg [6:0] delta_q;

  wire [6:0] now;  // the state in the last clock of a slot, with the turn undone
  wire [6:0] earlier = {now[5:0], now[6] ^ now[2]};
  generate
    if (D == 8) begin : g_delta
      wire start = in_i & last_slot_i;
      wire stay = ~(rst_i | last_o & last_slot_i);
      wire [6:0] next = dec_i ? earlier : {now[3] ^ now[0], now[6:1]};
      always @(posedge clk_i) if (en_i) delta_q <= {7{stay}} & next | {7{start}} & DELTA_0;
      assign now = delta_q;
      assign delta_o = {1'b0, delta_q};
      wire unused = &{from_i, slot_end_i};
    end else begin : g_delta
      wire [D-1:0] turn = delta_q[D-1:0] ^ (TOP & {D{slot_end_i & delta_q[D+2]}});
      wire [7:0] first = {DELTA_0, 1'b0};
      wire [D-1:0] start;
      if (D == 1) assign start = from_i[2] & ~from_i[3] | from_i[4] & ~from_i[6] | from_i[7];
      if (D == 2)
        assign start = from_i[2] ? (from_i[3] ? first[7:6] : first[5:4]) : from_i[1] ? first[3:2] : first[1:0];
      if (D == 4) assign start = from_i[1] ? first[7:4] : first[3:0];
      wire [6:0] next = {rounds_i ? turn : start, delta_q[6:D]};
      wire back = dec_i & rounds_i & slot_end_i;
      always @(posedge clk_i) if (en_i) delta_q <= back ? earlier : next;
      wire [13:0] turned = {delta_q, delta_q} >> (D - 1);
      assign now = turned[6:0];
      assign delta_o = delta_q[D-1:0] & {D{rounds_i}} & ~(TOP & {D{slot_end_i}});
      wire unused = &{rst_i, from_i, last_slot_i, in_i, turned, first};
    end
  endgenerate
  assign last_o = count_i[1] & ~count_i[0] & now[1] & ~now[2] & (BOTH != 0 ? ~now[0] & rounds_i : 1'b1);
endmodule

`default_nettype wire

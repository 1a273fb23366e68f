// SPDX-License-Identifier: Apache-2.0 OR MIT
// The key of hight_serial in two rings.
//
// During a reset the key enters the upper ring and moves on to the lower one.  A ring that is in use turns as its bytes
// are used.  A ring at rest turns too, except for one slot, and in this way its bytes move by one place, as the key
// schedule demands.

`default_nettype none

module hight_serial_keys #(
    parameter D = 1,
    parameter BOTH = 0  // with decryption
) (
    input  wire         clk_i,
    input  wire         en_i,
    input  wire         rst_ni,
    input  wire         dec_i,
    input  wire         last_slot_i,
    input  wire         pause_i,      // the last slot of a round
    input  wire         last_i,       // the last round
    input  wire [  1:0] count_i,
    input  wire         rounds_i,
    input  wire [D-1:0] key_i,
    output wire [D-1:0] key_o         // the key byte of this slot
);
  reg [63:0] lower_q, upper_q;  // MK7..MK0 and MK15..MK8

  // In decryption the lower ring would have to stand still before it is used, and not after the last round.  At 8 bits
  // it does.  At fewer bits the last round is known too late, so the rounds read one byte lower.
  wire hold_lower = BOTH != 0 && D == 8 ? last_slot_i & count_i[1] & (dec_i ? ~(count_i[0] | last_i) : count_i[0])
                                   : pause_i & count_i[1] & count_i[0];
  wire hold_upper = pause_i & ~(count_i[1] | count_i[0]);
  wire clk_lower, en_lower, clk_upper, en_upper;
  haechi_gate gate_lower (
      .clk_i(clk_i), .en_i(en_i), .hold_i(hold_lower), .clk_o(clk_lower), .en_o(en_lower)
  );
  haechi_gate gate_upper (
      .clk_i(clk_i), .en_i(en_i), .hold_i(hold_upper), .clk_o(clk_upper), .en_o(en_upper)
  );
  always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ? upper_q[D-1:0] : key_i, upper_q[63:D]};
  always @(posedge clk_lower) if (en_lower) lower_q <= {rst_ni ? lower_q[D-1:0] : upper_q[D-1:0], lower_q[63:D]};

  wire [D-1:0] key_lower = D < 8 & dec_i & rounds_i ? lower_q[24+:D] : lower_q[32+:D];
  wire [D-1:0] key_upper = rounds_i & ~dec_i ? upper_q[40+:D] : upper_q[32+:D];
  assign key_o = count_i[1] ? key_upper : key_lower;

  wire unused = &{last_slot_i, last_i};
endmodule

`default_nettype wire

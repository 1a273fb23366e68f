// SPDX-License-Identifier: Apache-2.0 OR MIT
// A replica of the published bit-serial architecture, to be measured beside hight_serial.v in the same flow: 64 clocks
// a round, because every byte of the text passes the adder, and a byte register of its own for F.
//
//             +-----------------------------------------------------------+
//             v                                                           |
//   new --> X [63:8] --> X [7:0] --+--> x ----------------------------> x (even slots)
//     ^                     ^      |                                    x + (F1 ^ SK)  slots 1, 5
//     +--- last slot -------+      +--> G [7:0] (even slots; turns      x ^ (F0 + SK)  slots 3, 7
//     |    X [63:8] holds                in odd ones) --> F0, F1 -------^ |
//     +-------------------------------------------------------------------+
//
// A slot is a byte, 8 clocks; a window is eight slots.  In the last slot of a round the new byte stays at the low end:
// it is byte 0 of the next round.
//
//   window   rounds  count            text                               keys
//   in       0       10               data_i; even slots whitened        WK0..WK3, upper ring
//   round    1       00, 01, 11, 10   one round, 32 windows              two windows lower ring, two upper
//   out      0       00               data_o; odd slots whitened         WK4..WK7, lower ring
//
// Control, key rings, delta and cells are those of hight_serial.v, so that what differs is the text's path.

`default_nettype none

module hight_replica #(
    parameter STALL = 1  // with stall_i
) (
    input  wire clk_i,
    input  wire rst_ni,
    input  wire stall_i,
    input  wire dec_i,
    input  wire key_i,
    input  wire data_i,
    output wire ready_o,
    output wire valid_o,
    output wire data_o
);
  reg [63:0] x_q;
  reg [ 7:0] g_q;
  reg [63:0] lower_q, upper_q;
  reg [ 6:0] delta_q;
  reg [ 3:0] clock_q;
  reg [ 2:0] slot_q;
  reg [ 1:0] count_q;
  reg        rounds_q;
  reg        sk_carry_q, carry_q;

  wire rst = ~rst_ni;
  wire clk, en;
  generate
    if (STALL) begin : g_stall
      hight_gate stall (.clk_i(clk_i), .en_i(1'b1), .hold_i(stall_i), .clk_o(clk), .en_o(en));
    end else begin : g_stall
      assign {clk, en} = {clk_i, 1'b1};
    end
  endgenerate

  // ---- Clocks of a slot, slots, windows.
  wire slot_end = clock_q[3] & ~clock_q[2];
  wire last_slot = &slot_q;
  wire in = ~rounds_q & count_q[1];
  wire out = ~(rounds_q | count_q[1]);
  wire work = slot_q[0] ^ in;  // a slot in which a byte is changed
  wire xors = slot_q[1];       // by x ^ (F0 + SK)
  wire last = count_q[1] & ~count_q[0] & delta_q[1] & ~delta_q[2];
  wire within = ~(slot_end | rst);
  wire clk_slot, en_slot, clk_window, en_window;
  hight_gate gate_slot (.clk_i(clk), .en_i(en), .hold_i(within), .clk_o(clk_slot), .en_o(en_slot));
  hight_gate gate_window (
      .clk_i(clk), .en_i(en), .hold_i(~(slot_end & last_slot | rst)), .clk_o(clk_window), .en_o(en_window)
  );
  always @(posedge clk) if (en) clock_q <= {clock_q[2:0], ~(clock_q[3] | rst)};
  always @(posedge clk_slot) if (en_slot) slot_q <= rst ? 3'd0 : slot_q + 3'd1;
  always @(posedge clk_window)
    if (en_window) begin
      count_q  <= {rst | out | count_q[0], rounds_q & ~count_q[1]};
      rounds_q <= ~(rst | out | last);
    end

  // ---- F0 and F1: bit 0 of G is the bit at work.
  wire x = in ? data_i : x_q[0];
  wire f = rounds_q & (xors ? g_q[7] ^ g_q[6] ^ g_q[1] : g_q[5] ^ g_q[4] ^ g_q[2]);
  always @(posedge clk) if (en) g_q <= {slot_q[0] ? g_q[0] : x, g_q[7:1]};

  // ---- Delta and keys move in the slots that use them.
  wire clk_delta, en_delta, clk_lower, en_lower, clk_upper, en_upper;
  wire start = clock_q[1] & ~clock_q[2] | clock_q[3] & clock_q[1] | slot_end;
  wire turn = delta_q[0] ^ (slot_end & delta_q[3]);
  wire delta = rounds_q & delta_q[0] & ~slot_end;
  hight_gate gate_delta (.clk_i(clk), .en_i(en), .hold_i(~slot_q[0]), .clk_o(clk_delta), .en_o(en_delta));
  always @(posedge clk_delta) if (en_delta) delta_q <= {rounds_q ? turn : start, delta_q[6:1]};

  wire jump = rounds_q & last_slot;
  wire rest = rst_ni & ~work;
  hight_gate gate_lower (
      .clk_i(clk), .en_i(en), .hold_i(rest | count_q[1] & count_q[0] & jump), .clk_o(clk_lower), .en_o(en_lower)
  );
  hight_gate gate_upper (
      .clk_i(clk), .en_i(en), .hold_i(rest | ~(count_q[1] | count_q[0]) & jump), .clk_o(clk_upper), .en_o(en_upper)
  );
  always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ? upper_q[0] : key_i, upper_q[63:1]};
  always @(posedge clk_lower) if (en_lower) lower_q <= {rst_ni ? lower_q[0] : upper_q[0], lower_q[63:1]};
  wire key = ~count_q[1] ? lower_q[32] : rounds_q ? upper_q[40] : upper_q[32];

  // ---- Adders.
  wire sk, sk_carry;
  hight_add add_delta (.a_i(key), .b_i(delta), .c_i(sk_carry_q), .s_o(sk), .c_o(sk_carry));
  wire f_sk = f ^ sk;
  wire half = x ^ f_sk;
  wire new = work ? half ^ carry_q : x;
  wire carry = xors ? f & sk | f_sk & carry_q : x & f_sk | half & carry_q;
  always @(posedge clk)
    if (en) begin
      sk_carry_q <= sk_carry & within;
      carry_q    <= carry & within;
    end

  // ---- Text.
  wire clk_x, en_x;
  hight_gate gate_x (.clk_i(clk), .en_i(en), .hold_i(jump), .clk_o(clk_x), .en_o(en_x));
  always @(posedge clk_x) if (en_x) x_q[63:8] <= {new, x_q[63:9]};
  always @(posedge clk) if (en) x_q[7:0] <= {jump ? new : x_q[8], x_q[7:1]};

  assign ready_o = in;
  assign valid_o = out;
  assign data_o  = new;
endmodule

`default_nettype wire

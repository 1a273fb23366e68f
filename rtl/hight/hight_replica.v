// SPDX-License-Identifier: Apache-2.0 OR MIT
// A replica of the published bit-serial architecture, which is measured beside hight_serial.v in the same flow.  It
// takes 64 clocks a round, because every byte of the text passes the adder, and has a byte register of its own for F.
//
//             +-----------------------------------------------------------+
//             v                                                           |
//   new --> X [63:8] --> X [7:0] --+--> x ----------------------------> x (even slots)
//     ^                     ^      |                                    x + (F1 ^ SK)  slots 1, 5
//     +--- last slot ------+      +--> G [7:0] (even slots; turns      x ^ (F0 + SK)  slots 3, 7
//     |    X [63:8] holds                in odd ones) --> F0, F1 -------^ |
//     +-------------------------------------------------------------------+
//
// A slot is the time of a byte, 8 clocks; a window is eight slots.  In the last slot of a round the new byte stays at
// the low end, because it is byte 0 of the next round.
//
//   window   text                               keys
//   0..31    one round                          two windows lower ring, two upper; in the odd slots
//   32       data_o; odd slots whitened         WK4..WK7, lower ring
//   33       data_i; even slots whitened        WK0..WK3, upper ring
//
// Two binary counters are the control.  Key rings, delta, adders and cells are those of hight_serial.v.

`default_nettype none

module hight_replica #(
    parameter [0:0] STALL = 1  // with stall_i
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
  reg [63:8] x_q;
  reg [ 7:0] low_q;
  reg [ 7:0] g_q;
  reg [63:0] lower_q, upper_q;
  reg [ 6:0] delta_q;
  reg [ 5:0] clock_q, window_q;
  reg        sk_carry_q, carry_q;

  wire rst = ~rst_ni;
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- The clocks of a window, and the windows of a block.
  wire slot_end = &clock_q[2:0];
  wire last_slot = &clock_q[5:3];
  wire odd = clock_q[3];
  wire rounds = ~window_q[5];
  wire in = window_q[5] & window_q[0];
  wire out = window_q[5] & ~window_q[0];
  wire work = odd ^ in;    // a slot in which a byte is changed
  wire xors = clock_q[4];  // by x ^ (F0 + SK)
  wire mid_slot = ~(slot_end | rst);
  wire clk_window, en_window;
  haechi_gate gate_window (
      .clk_i(clk), .en_i(en), .hold_i(~(slot_end & last_slot | rst)), .clk_o(clk_window), .en_o(en_window)
  );
  always @(posedge clk) if (en) clock_q <= rst ? 6'd0 : clock_q + 6'd1;
  always @(posedge clk_window) if (en_window) window_q <= rst ? 6'd33 : in ? 6'd0 : window_q + 6'd1;

  // ---- F0 and F1.  Bit 0 of G is the bit of the present clock.
  wire x = in ? data_i : low_q[0];
  wire f = rounds & (xors ? g_q[7] ^ g_q[6] ^ g_q[1] : g_q[5] ^ g_q[4] ^ g_q[2]);
  always @(posedge clk) if (en) g_q <= {odd ? g_q[0] : x, g_q[7:1]};

  // ---- Delta and keys move in the slots that use them.
  wire clk_delta, en_delta, clk_lower, en_lower, clk_upper, en_upper;
  wire [7:0] first = {7'b1011010, 1'b0};
  wire start = first[clock_q[2:0]];
  wire turn = delta_q[0] ^ (slot_end & delta_q[3]);
  wire delta = rounds & delta_q[0] & ~slot_end;
  haechi_gate gate_delta (.clk_i(clk), .en_i(en), .hold_i(~odd), .clk_o(clk_delta), .en_o(en_delta));
  always @(posedge clk_delta) if (en_delta) delta_q <= {rounds ? turn : start, delta_q[6:1]};

  wire jump = rounds & last_slot;
  wire rest = rst_ni & ~work;
  haechi_gate gate_lower (
      .clk_i(clk), .en_i(en), .hold_i(rest | window_q[1] & window_q[0] & jump), .clk_o(clk_lower), .en_o(en_lower)
  );
  haechi_gate gate_upper (
      .clk_i(clk), .en_i(en), .hold_i(rest | ~window_q[1] & window_q[0] & jump), .clk_o(clk_upper), .en_o(en_upper)
  );
  always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ? upper_q[0] : key_i, upper_q[63:1]};
  always @(posedge clk_lower) if (en_lower) lower_q <= {rst_ni ? lower_q[0] : upper_q[0], lower_q[63:1]};
  wire key = rounds ? (window_q[1] ? upper_q[40] : lower_q[32]) : in ? upper_q[32] : lower_q[32];

  // ---- Adders.
  wire sk, sk_carry;
  haechi_add add_delta (.a_i(key), .b_i(delta), .c_i(sk_carry_q), .s_o(sk), .c_o(sk_carry));
  wire f_sk = f ^ sk;
  wire half = x ^ f_sk;
  wire made = work ? half ^ carry_q : x;
  wire carry = xors ? f & sk | f_sk & carry_q : x & f_sk | half & carry_q;
  always @(posedge clk)
    if (en) begin
      sk_carry_q <= sk_carry & mid_slot;
      carry_q    <= carry & mid_slot;
    end

  // ---- Text.
  wire clk_x, en_x;
  haechi_gate gate_x (.clk_i(clk), .en_i(en), .hold_i(jump), .clk_o(clk_x), .en_o(en_x));
  always @(posedge clk_x) if (en_x) x_q <= {made, x_q[63:9]};
  always @(posedge clk) if (en) low_q <= {jump ? made : x_q[8], low_q[7:1]};

  wire unused = dec_i;
  assign ready_o = in;
  assign valid_o = out;
  assign data_o  = made;
endmodule

`default_nettype wire

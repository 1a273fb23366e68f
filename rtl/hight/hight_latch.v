// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT encryption, 1 bit a clock, with the key in latches: the smallest core.
//
// Text, F, delta and adders are those of hight_serial.v with D = 1.  Two stores of 8 rows of 8 latches hold the key,
// together with the register S, which holds the byte that is in use:
//
//   key ----+---------------------------------------------------+
//           |  row 0 --> row 1 --> ... --> row 7 --+            |
//           |  row 0 --> row 1 --> ... --> row 7 --+--> S [7:0] +--> the byte after its use goes back to row 0
//
// In a slot the bytes of one store ripple: row 7 takes row 6 in clock 0, row 6 takes row 5 in clock 1, and so on, and
// row 0 takes the used byte in clock 7.  One row is open at a time, in the low half of the clock.  So 8 latches do what
// takes a shift register 8 flip-flops.  The store in use does not ripple in its last slot: its bytes have then moved by
// one place.
//
//   window   rounds  count            text                         keys
//   out      0       00               data_o, whitened             lower store
//   -        0       01, 10           nothing
//            0       all four         after a reset the key enters: key_i[1] is 1
//   in       0       11               data_i to E and O, whitened  upper store
//   round    1       00, 01, 10, 11   one round, 32 windows        two windows lower, two upper

`default_nettype none

`ifdef HAECHI_FPGA
`undef HAECHI_ICG  // no clock is gated
`endif

module hight_latch #(
    parameter [0:0] STALL = 1  // with stall_i
) (
    input  wire       clk_i,
    input  wire       rst_ni,
    input  wire       stall_i,
    input  wire       dec_i,
    input  wire [1:0] key_i,     // bit 0: a bit of the key; bit 1: the key enters
    input  wire [1:0] data_i,
    output wire       ready_o,
    output wire       valid_o,
    output wire [1:0] data_o
);
  reg [23:0] e_q;
  reg [ 7:0] f_q, s_q;
  reg [31:0] o_q;
  reg [ 6:0] delta_q;
  reg [ 3:0] clock_q;
  reg [ 1:0] slot_q, count_q;
  reg        rounds_q;
  reg        sk_carry_q, carry_q;

  wire rst = ~rst_ni;
  wire clk, en;
  haechi_stall #(.STALL(STALL)) stall (.clk_i(clk_i), .stall_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- The clocks of a slot, a Johnson counter.  from[n] is 1 from clock n on, and at[n] in clock n alone.
  wire [3:0] c = clock_q;
  wire [7:0] from = {c[3] & ~c[2], c[3] & ~c[1], c[3] & ~c[0], c[3], c[3] | c[2], c[3] | c[1], c[3] | c[0], 1'b1};
  wire [7:0] at = {
    c[3] & ~c[2], c[2] & ~c[1], c[1] & ~c[0], c[3] & c[0], c[2] & ~c[3], c[1] & ~c[2], c[0] & ~c[1], ~(c[3] | c[0])
  };
  wire slot_end = from[7];
  always @(posedge clk) if (en) clock_q <= {clock_q[2:0], ~(clock_q[3] | rst)};

  // ---- Slots and windows.
  wire last_slot = &slot_q;
  wire last_window = &count_q;
  wire in = ~rounds_q & last_window;
  wire next_upper;  // the store of the next slot
  wire mid_slot = ~(slot_end | rst);
  wire clk_slot, en_slot, clk_window, en_window, clk_four, en_four;
  haechi_gate gate_slot (.clk_i(clk), .en_i(en), .hold_i(mid_slot), .clk_o(clk_slot), .en_o(en_slot));
  haechi_gate gate_window (
      .clk_i(clk), .en_i(en), .hold_i(~(slot_end & last_slot | rst)), .clk_o(clk_window), .en_o(en_window)
  );
  haechi_gate gate_four (
      .clk_i(clk), .en_i(en), .hold_i(~(slot_end & last_slot & last_window | rst)), .clk_o(clk_four), .en_o(en_four)
  );
  always @(posedge clk_slot) if (en_slot) slot_q <= rst ? 2'd0 : slot_q + 2'd1;
  always @(posedge clk_window) if (en_window) count_q <= {next_upper & rst_ni, ~(count_q[0] | rst)};
  always @(posedge clk_four) if (en_four) rounds_q <= ~(rst | rounds_q & delta_q[1] & ~delta_q[2]);

  // ---- F0 and F1 of the byte that leaves F: see hight_serial.v.
  wire [7:0] a;
  assign a[7] = f_q[0];
  generate
    genvar u;
    for (u = 1; u < 8; u = u + 1) begin : g_a
      assign a[7-u] = from[u] ? o_q[32-u] : f_q[8-u];
    end
  endgenerate
  wire unused = &{dec_i, from[0], a[7], a[2]};
  wire f = rounds_q & ((slot_q[0] ? a[6] ^ a[5] : a[4] ^ a[3]) ^ (slot_q[0] ? a[0] : a[1]));

  // ---- Delta: see hight_serial.v.
  wire start = from[2] & ~from[3] | from[4] & ~from[6] | from[7];
  wire turn = delta_q[0] ^ (slot_end & delta_q[3]);
  wire delta = rounds_q & delta_q[0] & ~slot_end;
  always @(posedge clk) if (en) delta_q <= {rounds_q ? turn : start, delta_q[6:1]};

  // ---- Keys.  While the core is stalled, an integrated clock gate keeps the clock low and the open row of a store stays
  // open.  It then takes the same byte as before, because the row below it is closed.
  assign next_upper = count_q[1] ^ (last_slot & count_q[0]);
  wire hold = rounds_q & last_slot & count_q[0];
  wire key = key_i[1] ? key_i[0] : s_q[0];
  wire clk_lower, en_lower, clk_upper, en_upper;
`ifdef HAECHI_ICG  // latches that are open while the clock is low need a clock that rests high
  haechi_or gate_lower (.a_i(clk), .b_i(count_q[1] | hold), .y_o(clk_lower));
  haechi_or gate_upper (.a_i(clk), .b_i(~count_q[1] | hold), .y_o(clk_upper));
  assign {en_lower, en_upper} = 2'b11;
`else
  haechi_gate gate_lower (
      .clk_i(clk), .en_i(en), .hold_i(count_q[1] | hold), .clk_o(clk_lower), .en_o(en_lower)
  );
  haechi_gate gate_upper (
      .clk_i(clk), .en_i(en), .hold_i(~count_q[1] | hold), .clk_o(clk_upper), .en_o(en_upper)
  );
`endif
  wire [7:0] used = {key, s_q[7:1]};
  wire [71:0] lower, upper;
  assign lower[7:0] = used;
  assign upper[7:0] = used;
  generate
    genvar row;
    for (row = 0; row < 8; row = row + 1) begin : g_row
      haechi_row row_lower (
          .clk_i(clk_lower), .en_i(en_lower), .open_i(at[7-row]), .d_i(lower[8*row+:8]), .q_o(lower[8*row+8+:8])
      );
      haechi_row row_upper (
          .clk_i(clk_upper), .en_i(en_upper), .open_i(at[7-row]), .d_i(upper[8*row+:8]), .q_o(upper[8*row+8+:8])
      );
    end
  endgenerate
  always @(posedge clk) if (en) s_q <= slot_end ? (next_upper ? upper[71:64] : lower[71:64]) : used;

  // ---- Adders: SK = key + delta, and then x + (F1 ^ SK) or x ^ (F0 + SK).  One chain of carries serves both.
  wire x = in ? data_i[0] : o_q[0];
  wire sk, sk_carry;
  haechi_add add_delta (.a_i(key), .b_i(delta), .c_i(sk_carry_q), .s_o(sk), .c_o(sk_carry));
  wire f_sk = f ^ sk;
  wire half = x ^ f_sk;
  wire made = half ^ carry_q;
  wire carry = slot_q[0] ? f & sk | f_sk & carry_q : x & f_sk | half & carry_q;
  always @(posedge clk)
    if (en) begin
      sk_carry_q <= sk_carry & mid_slot;
      carry_q    <= carry & mid_slot;
    end

  // ---- Text.
  wire jump = rounds_q & last_slot;
  wire clk_e, en_e;
  haechi_gate gate_e (.clk_i(clk), .en_i(en), .hold_i(jump), .clk_o(clk_e), .en_o(en_e));
  always @(posedge clk_e) if (en_e) e_q <= {made, e_q[23:1]};
  always @(posedge clk)
    if (en) begin
      f_q <= {jump ? made : e_q[0], f_q[7:1]};
      o_q <= {in ? data_i[1] : f_q[0], o_q[31:1]};
    end

  assign ready_o = in;
  assign valid_o = ~(rounds_q | count_q[0] | count_q[1] | key_i[1]);
  assign data_o  = {f_q[0], made};
endmodule

`default_nettype wire

// SPDX-License-Identifier: Apache-2.0 OR MIT
// HIGHT encryption, D = 1, 2, 4 or 8 bits a clock.  README.md tells the idea, the port list and the schedule.
//
// A round pairs an even byte with the odd byte above it: the even one passes unchanged and becomes odd, the odd one
// takes in F of the even one and becomes even.  So even bytes stream through E and F into O, and what leaves O is
// worked on and enters E.
//
//              +---------- last byte of a round: E holds, F takes it ---------+
//              |                                                              v
//   new ---> E [23:0] -------------------------------------------------> F [7:0] ---> O [31:0] ---> x
//    ^                                                                    |              |          |
//    |                                               window of 8 bits: what is still in F and what  |
//    |                                               has gone to O already = the byte, rotated      |
//    |                                                                    |                         |
//    +--- x + (F1 ^ SK)   slots 0 and 2                               F0, F1                        |
//    +--- x ^ (F0 + SK)   slots 1 and 3   <---------------------------------------------------------+
//
// A slot is a byte: T = 8/D clocks.  A window is four slots: a round, or the block's way in or out.
//
//   window   rounds  count   text                                   keys
//   in       0       11      data_i lanes to E and O, whitened      WK0..WK3, from the upper ring
//   round    1       00..11  one round a window, 32 windows         SK: two windows lower ring, two upper
//   out      0       00      lanes to data_o, whitened              WK4..WK7, from the lower ring

`default_nettype none

module hight_serial #(
    parameter D = 1
) (
    input  wire           clk_i,
    input  wire           rst_ni,
    input  wire           stall_i,
    input  wire [  D-1:0] key_i,
    input  wire [2*D-1:0] data_i,
    output wire           ready_o,
    output wire           valid_o,
    output wire [2*D-1:0] data_o
);
  localparam T = 8 / D;
  localparam [D-1:0] TOP = 1 << (D - 1);

  reg [23:0] e_q;
  reg [ 7:0] f_q;
  reg [31:0] o_q;
  reg [63:0] lower_q, upper_q;  // MK7..MK0 and MK15..MK8, used from the low end
  reg [ 6:0] delta_q;
  reg [ 1:0] slot_q, count_q;
  reg        rounds_q;

  wire rst = ~rst_ni;
  wire clk, en;
  hight_gate stall (.clk_i(clk_i), .en_i(1'b1), .hold_i(stall_i), .clk_o(clk), .en_o(en));

  // ---- The clocks of a slot: from[n] from clock n on.  A Johnson counter, so each is one gate.
  wire [T-1:0] from;
  wire         slot_end = from[T-1];
  assign from[0] = 1'b1;
  generate
    if (T > 1) begin : g_clocks
      localparam J = T / 2;
      reg [J-1:0] clock_q;
      always @(posedge clk) if (en) clock_q <= {clock_q, ~(clock_q[J-1] | rst)};
      genvar n;
      for (n = 1; n < T; n = n + 1) begin : g_from
        if (n < J) assign from[n] = clock_q[J-1] | clock_q[n-1];
        else if (n == J) assign from[n] = clock_q[J-1];
        else assign from[n] = clock_q[J-1] & ~clock_q[n-J-1];
      end
    end
  endgenerate

  // ---- Slots and windows.
  wire last_slot = &slot_q;
  wire window_end = slot_end & last_slot;
  wire ready = ~rounds_q & count_q[1];
  wire within = ~(slot_end | rst);
  wire clk_slot, en_slot, clk_window, en_window;
  hight_gate gate_slot (.clk_i(clk), .en_i(en), .hold_i(within), .clk_o(clk_slot), .en_o(en_slot));
  hight_gate gate_window (.clk_i(clk), .en_i(en), .hold_i(~(window_end | rst)), .clk_o(clk_window), .en_o(en_window));

  always @(posedge clk_slot) if (en_slot) slot_q <= rst ? 2'd0 : slot_q + 2'd1;

  wire done;
  always @(posedge clk_window)
    if (en_window) begin
      count_q[0] <= rst | ~count_q[0];
      count_q[1] <= rst | (count_q[1] ^ (count_q[0] | ~rounds_q));
      rounds_q   <= rst_ni & (rounds_q ? ~done : count_q[1]);
    end

  // ---- F0 and F1.  byte[7+u] is bit u of the byte in F, counted from the bits at work; what is below 0 has gone by and
  // is above the others or in O.
  wire [D+6:0] byte;
  wire [D+6:1] pair = byte[D+6:1] ^ byte[D+5:0];
  wire use_f0 = rounds_q & slot_q[0];
  wire use_f1 = rounds_q & ~slot_q[0];
  wire [D-1:0] f = ({D{use_f0}} & pair[6+:D] | {D{use_f1}} & pair[4+:D])
                 ^ ({D{use_f0}} & byte[0+:D] | {D{use_f1}} & byte[1+:D]);
  generate
    genvar u;
    assign byte[7+:D] = f_q[D-1:0];
    for (u = 1; u < 8; u = u + 1) begin : g_byte
      localparam N = (u + D - 1) / D;  // from this clock on the bit is in O
      if (N >= T) assign byte[7-u] = f_q[8-u];
      else assign byte[7-u] = from[N] ? o_q[32-u] : f_q[8-u];
    end
  endgenerate

  // ---- Delta: 7 bits turn once in a slot and take the feedback in its last step; bit 7 is 0.
  localparam [7:0] FIRST = {7'b1011010, 1'b0};
  wire [D-1:0] delta;
  generate
    if (D == 8) begin : g_delta
      always @(posedge clk) if (en) delta_q <= rounds_q ? {delta_q[0] ^ delta_q[3], delta_q[6:1]} : FIRST[7:1];
      assign delta = {1'b0, delta_q & {7{rounds_q}}};
    end else begin : g_delta
      wire [D-1:0] turn = delta_q[D-1:0] ^ (TOP & {D{slot_end & delta_q[D+2]}});
      wire [D-1:0] first;
      if (D == 1) assign first = (from[2] & ~from[3]) | (from[4] & ~from[6]) | from[7];
      if (D == 2) assign first = from[3] ? FIRST[7:6] : from[2] ? FIRST[5:4] : from[1] ? FIRST[3:2] : FIRST[1:0];
      if (D == 4) assign first = from[1] ? FIRST[7:4] : FIRST[3:0];
      always @(posedge clk) if (en) delta_q <= {rounds_q ? turn : first, delta_q[6:D]};
      assign delta = delta_q[D-1:0] & {D{rounds_q}} & ~(TOP & {D{slot_end}});
    end
  endgenerate
  localparam M = D == 8 ? 1 : D;
  assign done = &count_q & delta_q[M] & ~delta_q[M+1];

  // ---- Keys: two rings.  The one that rests turns one byte less: the rotation of the key schedule.
  wire pause = D == 1 ? slot_end
             : D == 2 ? slot_end & count_q[0]
             : D == 4 ? slot_end & count_q[0] & slot_q[1]
             : count_q[0] & last_slot;
  wire clk_lower, en_lower, clk_upper, en_upper;
  hight_gate gate_lower (.clk_i(clk), .en_i(en), .hold_i(rounds_q & count_q[1] & pause), .clk_o(clk_lower), .en_o(en_lower));
  hight_gate gate_upper (.clk_i(clk), .en_i(en), .hold_i(rounds_q & ~count_q[1] & pause), .clk_o(clk_upper), .en_o(en_upper));
  always @(posedge clk_upper) if (en_upper) upper_q <= {rst_ni ? upper_q[D-1:0] : key_i, upper_q[63:D]};
  always @(posedge clk_lower) if (en_lower) lower_q <= {rst_ni ? lower_q[D-1:0] : upper_q[D-1:0], lower_q[63:D]};
  wire [D-1:0] key = ~count_q[1] ? lower_q[32+:D] : rounds_q ? upper_q[40+:D] : upper_q[32+:D];

  // ---- Adders: SK = key + delta, then x + (F1 ^ SK) or x ^ (F0 + SK); one chain of carries serves both.
  wire [D-1:0] x = ready ? data_i[D-1:0] : o_q[D-1:0];
  wire [D-1:0] sk, new;
  wire [D:0] sk_carry, carry;
  generate
    genvar i;
    for (i = 0; i < D; i = i + 1) begin : g_add
      if (D == 8 && i == 0) assign {sk_carry[1], sk[0]} = {key[0] & delta[0], key[0] ^ delta[0]};
      else if (D == 8 && i == 7) assign {sk_carry[8], sk[7]} = {1'b0, key[7] ^ sk_carry[7]};
      else hight_add add_delta (.a_i(key[i]), .b_i(delta[i]), .c_i(sk_carry[i]), .s_o(sk[i]), .c_o(sk_carry[i+1]));
      wire f_sk = f[i] ^ sk[i];
      wire half = x[i] ^ f_sk;
      assign new[i] = half ^ carry[i];
      assign carry[i+1] = (slot_q[0] ? f_sk : half) ? carry[i] : slot_q[0] ? sk[i] : x[i];
    end
    if (D == 8) begin : g_carry
      assign sk_carry[0] = 1'b0;
      assign carry[0] = 1'b0;
    end else begin : g_carry
      reg sk_carry_q, carry_q;
      always @(posedge clk)
        if (en) begin
          sk_carry_q <= sk_carry[D] & within;
          carry_q    <= carry[D] & within;
        end
      assign sk_carry[0] = sk_carry_q;
      assign carry[0] = carry_q;
    end
  endgenerate

  // ---- Text.
  wire jump = rounds_q & last_slot;
  wire clk_e, en_e;
  hight_gate gate_e (.clk_i(clk), .en_i(en), .hold_i(jump), .clk_o(clk_e), .en_o(en_e));
  always @(posedge clk_e) if (en_e) e_q <= {new, e_q[23:D]};
  wire [D-1:0] to_f = jump ? new : e_q[D-1:0];
  generate
    if (D == 8) begin : g_f_q
      always @(posedge clk) if (en) f_q <= to_f;
    end else begin : g_f_q
      always @(posedge clk) if (en) f_q <= {to_f, f_q[7:D]};
    end
  endgenerate
  always @(posedge clk) if (en) o_q <= {ready ? data_i[2*D-1:D] : f_q[D-1:0], o_q[31:D]};

  assign ready_o = ready;
  assign valid_o = ~(rounds_q | count_q[1]);
  assign data_o  = {f_q[D-1:0], new};
endmodule

`default_nettype wire
